# Written by cffi_build.py from the headers under include/; change those.
from typing import Any, TypeAlias

CData: TypeAlias = Any

class _Library:
    """The C functions, which release the GIL, and the constants."""

    def BNNSDataLayoutGetRank(self, layout: int, /) -> int: ...
    def BNNSGather(
        self,
        axis: int,
        input: CData,
        indices: CData,
        output: CData,
        filter_params: CData,
        /,
    ) -> int: ...
    def BNNSNDArrayGetDataSize(self, array: CData, /) -> int: ...
    def BNNSScatter(
        self,
        axis: int,
        op: int,
        input: CData,
        indices: CData,
        output: CData,
        filter_params: CData,
        /,
    ) -> int: ...
    def BNNSTranspose(
        self,
        dest: CData,
        src: CData,
        axis0: int,
        axis1: int,
        filter_params: CData,
        /,
    ) -> int: ...
    def bnnspy_bind(
        self,
        record: CData,
        model: CData,
        data: CData,
        nbytes: int,
        writable: int,
        batches: int,
        /,
    ) -> int: ...
    def bnnspy_describe(self, descriptor: CData, name: CData, view: CData, /) -> int: ...
    def bnnspy_error_of(self, outcome: int, error: CData, /) -> None: ...
    def bnnspy_gather(
        self,
        axis: int,
        input: CData,
        indices: CData,
        output: CData,
        filter_params: CData,
        /,
    ) -> int: ...
    def bnnspy_gather_default(
        self,
        axis: int,
        input: CData,
        indices: CData,
        output: CData,
        /,
    ) -> int: ...
    def bnnspy_kernel_variant(self) -> CData: ...
    def bnnspy_last_error(self) -> CData: ...
    def bnnspy_num_threads(self) -> int: ...
    def bnnspy_scatter(
        self,
        axis: int,
        op: int,
        input: CData,
        indices: CData,
        output: CData,
        filter_params: CData,
        /,
    ) -> int: ...
    def bnnspy_set_last_error(self, error: CData, /) -> int: ...
    def bnnspy_set_num_threads(self, threads: int, /) -> None: ...
    def bnnspy_take(
        self,
        strides: CData,
        input: CData,
        indices: CData,
        output: CData,
        filter_params: CData,
        /,
    ) -> int: ...
    def bnnspy_transpose(
        self,
        dest: CData,
        src: CData,
        axis0: int,
        axis1: int,
        filter_params: CData,
        /,
    ) -> int: ...
    def bnnspy_version(self) -> CData: ...
    BNNSActivationFunctionAbs: int
    BNNSActivationFunctionCELU: int
    BNNSActivationFunctionClamp: int
    BNNSActivationFunctionClampedLeakyRectifiedLinear: int
    BNNSActivationFunctionELU: int
    BNNSActivationFunctionErf: int
    BNNSActivationFunctionGELU: int
    BNNSActivationFunctionGELUApproximation: int
    BNNSActivationFunctionGELUApproximation2: int
    BNNSActivationFunctionGELUApproximationSigmoid: int
    BNNSActivationFunctionGumbel: int
    BNNSActivationFunctionGumbelMax: int
    BNNSActivationFunctionHardShrink: int
    BNNSActivationFunctionHardSigmoid: int
    BNNSActivationFunctionHardSwish: int
    BNNSActivationFunctionIdentity: int
    BNNSActivationFunctionIntegerLinearSaturate: int
    BNNSActivationFunctionIntegerLinearSaturatePerChannel: int
    BNNSActivationFunctionLeakyRectifiedLinear: int
    BNNSActivationFunctionLinear: int
    BNNSActivationFunctionLinearWithBias: int
    BNNSActivationFunctionLogSigmoid: int
    BNNSActivationFunctionLogSoftmax: int
    BNNSActivationFunctionPReLUPerChannel: int
    BNNSActivationFunctionReLU6: int
    BNNSActivationFunctionRectifiedLinear: int
    BNNSActivationFunctionSELU: int
    BNNSActivationFunctionScaledTanh: int
    BNNSActivationFunctionSiLU: int
    BNNSActivationFunctionSigmoid: int
    BNNSActivationFunctionSoftShrink: int
    BNNSActivationFunctionSoftmax: int
    BNNSActivationFunctionSoftplus: int
    BNNSActivationFunctionSoftsign: int
    BNNSActivationFunctionTanh: int
    BNNSActivationFunctionTanhShrink: int
    BNNSActivationFunctionThreshold: int
    BNNSArithmetic: int
    BNNSArithmeticAbs: int
    BNNSArithmeticAcos: int
    BNNSArithmeticAcosh: int
    BNNSArithmeticAdd: int
    BNNSArithmeticAsin: int
    BNNSArithmeticAsinh: int
    BNNSArithmeticAtan: int
    BNNSArithmeticAtanh: int
    BNNSArithmeticCeil: int
    BNNSArithmeticCos: int
    BNNSArithmeticCosh: int
    BNNSArithmeticDivide: int
    BNNSArithmeticDivideNoNaN: int
    BNNSArithmeticErf: int
    BNNSArithmeticExp: int
    BNNSArithmeticExp2: int
    BNNSArithmeticFloor: int
    BNNSArithmeticFloorDivide: int
    BNNSArithmeticLog: int
    BNNSArithmeticLog2: int
    BNNSArithmeticMaximum: int
    BNNSArithmeticMinimum: int
    BNNSArithmeticMultiply: int
    BNNSArithmeticMultiplyAdd: int
    BNNSArithmeticMultiplyNoNaN: int
    BNNSArithmeticNegate: int
    BNNSArithmeticPow: int
    BNNSArithmeticReciprocal: int
    BNNSArithmeticReciprocalSquareRoot: int
    BNNSArithmeticRound: int
    BNNSArithmeticSelect: int
    BNNSArithmeticSign: int
    BNNSArithmeticSin: int
    BNNSArithmeticSinh: int
    BNNSArithmeticSquare: int
    BNNSArithmeticSquareRoot: int
    BNNSArithmeticSubtract: int
    BNNSArithmeticTan: int
    BNNSArithmeticTanh: int
    BNNSArithmeticTruncDivide: int
    BNNSArithmeticTruncRemainder: int
    BNNSBatchNorm: int
    BNNSCenterSizeHeightFirst: int
    BNNSCenterSizeWidthFirst: int
    BNNSConstant: int
    BNNSConvolution: int
    BNNSCornersHeightFirst: int
    BNNSCornersWidthFirst: int
    BNNSDataLayout1DFirstMajor: int
    BNNSDataLayout1DLastMajor: int
    BNNSDataLayout2DFirstMajor: int
    BNNSDataLayout2DLastMajor: int
    BNNSDataLayout3DFirstMajor: int
    BNNSDataLayout3DLastMajor: int
    BNNSDataLayout4DFirstMajor: int
    BNNSDataLayout4DLastMajor: int
    BNNSDataLayout5DFirstMajor: int
    BNNSDataLayout5DLastMajor: int
    BNNSDataLayout6DFirstMajor: int
    BNNSDataLayout6DLastMajor: int
    BNNSDataLayout7DFirstMajor: int
    BNNSDataLayout7DLastMajor: int
    BNNSDataLayout8DFirstMajor: int
    BNNSDataLayout8DLastMajor: int
    BNNSDataLayoutColumnMajorMatrix: int
    BNNSDataLayoutConvolutionWeightsIOHrWr: int
    BNNSDataLayoutConvolutionWeightsOIHW: int
    BNNSDataLayoutConvolutionWeightsOIHW_Pack32: int
    BNNSDataLayoutConvolutionWeightsOIHrWr: int
    BNNSDataLayoutFullyConnectedSparse: int
    BNNSDataLayoutImageCHW: int
    BNNSDataLayoutMHA_DHK: int
    BNNSDataLayoutNSE: int
    BNNSDataLayoutRowMajorMatrix: int
    BNNSDataLayoutSNE: int
    BNNSDataLayoutVector: int
    BNNSDataTypeBFloat16: int
    BNNSDataTypeBoolean: int
    BNNSDataTypeFloat16: int
    BNNSDataTypeFloat32: int
    BNNSDataTypeFloatBit: int
    BNNSDataTypeIndexed1: int
    BNNSDataTypeIndexed2: int
    BNNSDataTypeIndexed4: int
    BNNSDataTypeIndexed8: int
    BNNSDataTypeIndexedBit: int
    BNNSDataTypeInt1: int
    BNNSDataTypeInt16: int
    BNNSDataTypeInt2: int
    BNNSDataTypeInt32: int
    BNNSDataTypeInt4: int
    BNNSDataTypeInt64: int
    BNNSDataTypeInt8: int
    BNNSDataTypeIntBit: int
    BNNSDataTypeMiscellaneousBit: int
    BNNSDataTypeUInt1: int
    BNNSDataTypeUInt16: int
    BNNSDataTypeUInt2: int
    BNNSDataTypeUInt3: int
    BNNSDataTypeUInt32: int
    BNNSDataTypeUInt4: int
    BNNSDataTypeUInt6: int
    BNNSDataTypeUInt64: int
    BNNSDataTypeUInt8: int
    BNNSDataTypeUIntBit: int
    BNNSEmbeddingFlagScaleGradientByFrequency: int
    BNNSFlagsUseClientPtr: int
    BNNSFullyConnected: int
    BNNSGroupNorm: int
    BNNSInstanceNorm: int
    BNNSInterpolationMethodLinear: int
    BNNSInterpolationMethodNearest: int
    BNNSL2Norm: int
    BNNSLayerFlagsLSTMBidirectional: int
    BNNSLayerFlagsLSTMDefaultActivations: int
    BNNSLayerNorm: int
    BNNSLinearSamplingAlignCorners: int
    BNNSLinearSamplingDefault: int
    BNNSLinearSamplingOffsetCorners: int
    BNNSLinearSamplingStrictAlignCorners: int
    BNNSLinearSamplingUnalignCorners: int
    BNNSLossFunctionCategoricalCrossEntropy: int
    BNNSLossFunctionCosineDistance: int
    BNNSLossFunctionHinge: int
    BNNSLossFunctionHuber: int
    BNNSLossFunctionLog: int
    BNNSLossFunctionMeanAbsoluteError: int
    BNNSLossFunctionMeanSquareError: int
    BNNSLossFunctionSigmoidCrossEntropy: int
    BNNSLossFunctionSoftmaxCrossEntropy: int
    BNNSLossFunctionYolo: int
    BNNSLossReductionMean: int
    BNNSLossReductionNonZeroWeightMean: int
    BNNSLossReductionNone: int
    BNNSLossReductionSum: int
    BNNSLossReductionWeightedMean: int
    BNNSNDArrayFlagBackpropAccumulate: int
    BNNSNDArrayFlagBackpropSet: int
    BNNSOptimizerClippingByGlobalNorm: int
    BNNSOptimizerClippingByNorm: int
    BNNSOptimizerClippingByValue: int
    BNNSOptimizerClippingNone: int
    BNNSOptimizerFunctionAdam: int
    BNNSOptimizerFunctionAdamAMSGrad: int
    BNNSOptimizerFunctionAdamAMSGradWithClipping: int
    BNNSOptimizerFunctionAdamW: int
    BNNSOptimizerFunctionAdamWAMSGrad: int
    BNNSOptimizerFunctionAdamWAMSGradWithClipping: int
    BNNSOptimizerFunctionAdamWWithClipping: int
    BNNSOptimizerFunctionAdamWithClipping: int
    BNNSOptimizerFunctionRMSProp: int
    BNNSOptimizerFunctionRMSPropWithClipping: int
    BNNSOptimizerFunctionSGDMomentum: int
    BNNSOptimizerFunctionSGDMomentumWithClipping: int
    BNNSOptimizerRegularizationL1: int
    BNNSOptimizerRegularizationL2: int
    BNNSOptimizerRegularizationNone: int
    BNNSPaddingModeConstant: int
    BNNSPaddingModeReflect: int
    BNNSPaddingModeSymmetric: int
    BNNSParameter: int
    BNNSPointerSpecifierAlpha: int
    BNNSPointerSpecifierBeta: int
    BNNSPoolingFunctionAverage: int
    BNNSPoolingFunctionAverageCountExcludePadding: int
    BNNSPoolingFunctionAverageCountIncludePadding: int
    BNNSPoolingFunctionL2Norm: int
    BNNSPoolingFunctionMax: int
    BNNSPoolingFunctionUnMax: int
    BNNSQuantization: int
    BNNSQuantizerFunctionDequantize: int
    BNNSQuantizerFunctionQuantize: int
    BNNSRandomGeneratorMethodAES_CTR: int
    BNNSReduceFunctionAll: int
    BNNSReduceFunctionAny: int
    BNNSReduceFunctionArgMax: int
    BNNSReduceFunctionArgMin: int
    BNNSReduceFunctionL1Norm: int
    BNNSReduceFunctionL2Norm: int
    BNNSReduceFunctionLogSum: int
    BNNSReduceFunctionLogSumExp: int
    BNNSReduceFunctionLogicalAnd: int
    BNNSReduceFunctionLogicalOr: int
    BNNSReduceFunctionMax: int
    BNNSReduceFunctionMean: int
    BNNSReduceFunctionMeanNonZero: int
    BNNSReduceFunctionMin: int
    BNNSReduceFunctionNone: int
    BNNSReduceFunctionProduct: int
    BNNSReduceFunctionSum: int
    BNNSReduceFunctionSumLog: int
    BNNSReduceFunctionSumSquare: int
    BNNSRelationalOperatorEqual: int
    BNNSRelationalOperatorGreater: int
    BNNSRelationalOperatorGreaterEqual: int
    BNNSRelationalOperatorLess: int
    BNNSRelationalOperatorLessEqual: int
    BNNSRelationalOperatorLogicalAND: int
    BNNSRelationalOperatorLogicalNAND: int
    BNNSRelationalOperatorLogicalNOR: int
    BNNSRelationalOperatorLogicalNOT: int
    BNNSRelationalOperatorLogicalOR: int
    BNNSRelationalOperatorLogicalXOR: int
    BNNSRelationalOperatorNotEqual: int
    BNNSSGDMomentumVariant0: int
    BNNSSGDMomentumVariant1: int
    BNNSSGDMomentumVariant2: int
    BNNSSample: int
    BNNSShuffleTypeDepthToSpaceNCHW: int
    BNNSShuffleTypePixelShuffleNCHW: int
    BNNSShuffleTypePixelUnshuffleNCHW: int
    BNNSShuffleTypeSpaceToDepthNCHW: int
    BNNSSparsityTypeUnstructured: int
    BNNSTargetSystemGeneric: int
    BNNSTransposedConvolution: int
    bnnspy_status_index_out_of_range: int
    bnnspy_status_invalid_parameter: int
    bnnspy_status_shape_mismatch: int
    bnnspy_status_success: int

ffi: Any
lib: _Library
