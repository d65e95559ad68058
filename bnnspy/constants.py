"""Apple's enumerations, and every constant under its C name.

Written by cffi_build.py from include/bnns/bnns_constants.h; change that file.
"""

# ruff: noqa: E501, RUF022
from enum import IntEnum, IntFlag
from typing import Final


class DataType(IntEnum):
    """What one stored element is: a class bit OR its width in bits (since macOS 10.12).

    The ...Bit constants name a class and are no element types. Types narrower than 8 bits lie
    packed in bytes; BNNSNDArrayGetDataSize is 0 for them (measured). There is no 64-bit
    floating-point type.
    """

    FloatBit = 0x10000
    """Class: floating point."""
    Float16 = 0x10010
    """IEEE half precision."""
    Float32 = 0x10020
    """IEEE single precision, C's float."""
    BFloat16 = 0x18010
    """The upper 16 bits of a float (since macOS 12.0)."""
    IntBit = 0x20000
    """Class: signed integers, two's complement."""
    Int1 = 0x20001
    """Packed (since macOS 11.0)."""
    Int2 = 0x20002
    """Packed (since macOS 11.0)."""
    Int4 = 0x20004
    """Packed (since macOS 11.0)."""
    Int8 = 0x20008
    """One byte, -128 to 127."""
    Int16 = 0x20010
    """-2^15 to 2^15 - 1."""
    Int32 = 0x20020
    """-2^31 to 2^31 - 1."""
    Int64 = 0x20040
    """-2^63 to 2^63 - 1 (since macOS 12.0)."""
    UIntBit = 0x40000
    """Class: unsigned integers."""
    UInt1 = 0x40001
    """Packed (since macOS 11.0)."""
    UInt2 = 0x40002
    """Packed (since macOS 11.0)."""
    UInt3 = 0x40003
    """Packed (since macOS 15.0)."""
    UInt4 = 0x40004
    """Packed (since macOS 11.0)."""
    UInt6 = 0x40006
    """Packed (since macOS 15.0)."""
    UInt8 = 0x40008
    """One byte, 0 to 255 (since macOS 10.13)."""
    UInt16 = 0x40010
    """0 to 2^16 - 1 (since macOS 10.13)."""
    UInt32 = 0x40020
    """0 to 2^32 - 1 (since macOS 10.13)."""
    UInt64 = 0x40040
    """0 to 2^64 - 1 (since macOS 12.0)."""
    IndexedBit = 0x80000
    """Class: unsigned indices into table_data."""
    Indexed1 = 0x80001
    """Table of 2 values, packed (since macOS 11.0)."""
    Indexed2 = 0x80002
    """Table of 4 values, packed (since macOS 11.0)."""
    Indexed4 = 0x80004
    """Table of 16 values, packed (since macOS 11.0)."""
    Indexed8 = 0x80008
    """Table of 256 values."""
    MiscellaneousBit = 0x100000
    """Class: the rest."""
    Boolean = 0x100008
    """One byte, C's bool: 0 or 1 (since macOS 11.0)."""


class DataLayout(IntEnum):
    """How size[] and stride[] of a descriptor are read: value >> 16 is the rank (since macOS 11.0
    where nothing is said).

    The remark on each layout gives size[], then the value tuple and, after the arrow, the
    element's distance from data in elements; s0 is stride[0]. Axis k of a call is the k-th
    member of the tuple. That is also size[k], except in RowMajorMatrix, whose axis 0 (rows) is
    size[1].

    nDFirstMajor is the one to watch: size[] is written slowest dimension first, stride[]
    fastest first. A contiguous (N, C, H, W) array is 4DFirstMajor with size {N, C, H, W} and
    stride {1, W, H*W, C*H*W}.
    """

    Vector = 0x10000
    """{n}: (i) -> i*s0 (since macOS 10.15)."""
    Tensor1DLastMajor = 0x18000
    """The same as Vector."""
    Tensor1DFirstMajor = 0x18001
    """The same as Vector."""
    RowMajorMatrix = 0x20000
    """{cols, rows}: (row, col) -> col*s0 + row*s1."""
    ColumnMajorMatrix = 0x20001
    """{rows, cols}: (row, col) -> row*s0 + col*s1."""
    FullyConnectedSparse = 0x21001
    """Opaque, no strides describe it (since macOS 13.0)."""
    Tensor2DLastMajor = 0x28000
    """{I, J}: (i, j) -> i*s0 + j*s1."""
    Tensor2DFirstMajor = 0x28001
    """{I, J}: (i, j) -> j*s0 + i*s1."""
    ImageCHW = 0x30000
    """{W, H, C}: (x, y, c) -> x*s0 + y*s1 + c*s2 (since macOS 10.15)."""
    SNE = 0x30001
    """{E, N, S}: (e, n, s) -> e*s0 + n*s1 + s*s2 (since macOS 12.0)."""
    NSE = 0x30002
    """{E, S, N}: (e, s, n) -> e*s0 + s*s1 + n*s2 (since macOS 12.0)."""
    MHA_DHK = 0x30003
    """{d_model or d_key or d_value, d_key or d_value, heads}: Apple's formula is (k, d, h) -> d*s0
    + h*s1 + k*s2, whose letters do not match the order of its sizes (since macOS 13.0).
    """
    Tensor3DLastMajor = 0x38000
    """{I, J, K}: (i, j, k) -> i*s0 + j*s1 + k*s2."""
    Tensor3DFirstMajor = 0x38001
    """{I, J, K}: (i, j, k) -> k*s0 + j*s1 + i*s2."""
    ConvolutionWeightsOIHW = 0x40000
    """{kw, kh, in, out}: (kx, ky, in, out) -> kx*s0 + ky*s1 + in*s2 + out*s3."""
    ConvolutionWeightsOIHrWr = 0x40001
    """{kw, kh, in, out}, kernel turned by 180 degrees: (kx, ky, in, out) -> (kw-1-kx)*s0 +
    (kh-1-ky)*s1 + in*s2 + out*s3.
    """
    ConvolutionWeightsIOHrWr = 0x40002
    """{kw, kh, out, in}, kernel turned by 180 degrees: (kx, ky, in, out) -> (kw-1-kx)*s0 +
    (kh-1-ky)*s1 + out*s2 + in*s3.
    """
    ConvolutionWeightsOIHW_Pack32 = 0x40010
    """Sizes as OIHW, contiguous, 128-byte aligned, output channels in groups of 32 (the last one
    filled up): out%32 + 32*(kx + kw*(ky + kh*(in + Cin*(out/32)))). No strides describe it.
    """
    Tensor4DLastMajor = 0x48000
    """{d0..d3}: sum of i_k * stride[k]."""
    Tensor4DFirstMajor = 0x48001
    """{d0..d3}: sum of i_k * stride[3-k]."""
    Tensor5DLastMajor = 0x58000
    """{d0..d4}: sum of i_k * stride[k]."""
    Tensor5DFirstMajor = 0x58001
    """{d0..d4}: sum of i_k * stride[4-k]."""
    Tensor6DLastMajor = 0x68000
    """{d0..d5}: sum of i_k * stride[k]."""
    Tensor6DFirstMajor = 0x68001
    """{d0..d5}: sum of i_k * stride[5-k]."""
    Tensor7DLastMajor = 0x78000
    """{d0..d6}: sum of i_k * stride[k]."""
    Tensor7DFirstMajor = 0x78001
    """{d0..d6}: sum of i_k * stride[6-k]."""
    Tensor8DLastMajor = 0x88000
    """{d0..d7}: sum of i_k * stride[k]."""
    Tensor8DFirstMajor = 0x88001
    """{d0..d7}: sum of i_k * stride[7-k]."""


class NDArrayFlags(IntEnum):
    """What a backward call does with the gradient it delivers; of no effect elsewhere."""

    BackpropSet = 0
    """Overwrite."""
    BackpropAccumulate = 1
    """Add to what is there."""


class Flags(IntFlag):
    """Bits for BNNSFilterParameters.flags."""

    UseClientPtr = 1
    """Filters use the caller's weights and bias, not a copy."""


class ReduceFunction(IntEnum):
    """What a reduction computes, and how scatter combines values, where only Sum and None are
    allowed (since macOS 11.0).
    """

    Max = 0
    """The largest element."""
    Min = 1
    """The smallest element."""
    ArgMax = 2
    """Index of the largest along the reduced axis."""
    ArgMin = 3
    """Index of the smallest."""
    Mean = 4
    """Sum of x over the number of elements."""
    MeanNonZero = 5
    """Mean over the elements whose weight is not 0."""
    Sum = 6
    """Sum of x; scatter adds."""
    SumSquare = 7
    """Sum of x*x."""
    SumLog = 8
    """Sum of log(x + epsilon)."""
    L1Norm = 9
    """Sum of |x|."""
    LogicalOr = 10
    """Whether any element is not 0."""
    LogicalAnd = 11
    """Whether no element is 0."""
    L2Norm = 12
    """Square root of the sum of x*x (since macOS 13.0)."""
    LogSumExp = 13
    """Log of the sum of exp(x) (since macOS 13.0)."""
    Product = 14
    """Product of the elements (since macOS 13.0)."""
    None_ = 15
    """Scatter overwrites; no reduction has it (since macOS 13.0)."""
    LogSum = 16
    """Log of the sum of x (since macOS 13.3)."""
    Any = 10
    """Another name of LogicalOr."""
    All = 11
    """Another name of LogicalAnd."""


class RelationalOperator(IntEnum):
    """What BNNSCompareTensor computes, element by element, from a and b (since macOS 11.0)."""

    Equal = 0
    """a == b."""
    Less = 1
    """a < b."""
    LessEqual = 2
    """a <= b."""
    Greater = 3
    """a > b."""
    GreaterEqual = 4
    """a >= b."""
    NotEqual = 5
    """a != b."""
    LogicalAND = 6
    """Both a and b."""
    LogicalOR = 7
    """a or b, or both."""
    LogicalNOT = 8
    """Not a; b is not used."""
    LogicalNAND = 9
    """Not both a and b."""
    LogicalNOR = 10
    """Neither a nor b."""
    LogicalXOR = 11
    """One of a and b, not both."""


class ShuffleType(IntEnum):
    """The rearrangement that BNNSShuffle does on (N, C, H, W) tensors; r is the ratio of the sizes
    (since macOS 13.0).
    """

    PixelShuffleNCHW = 0
    """Channel c*r*r + i*r + j goes to (h*r + i, w*r + j)."""
    PixelUnshuffleNCHW = 1
    """The inverse of PixelShuffle."""
    DepthToSpaceNCHW = 2
    """As PixelShuffle, of channel (i*r + j)*C + c (since macOS 13.3)."""
    SpaceToDepthNCHW = 3
    """The inverse of DepthToSpace (since macOS 13.3)."""


class NormType(IntEnum):
    """The norm that BNNSComputeNorm computes (since macOS 12.0)."""

    L2Norm = 1
    """Square root of the sum of squares."""


class QuantizerFunction(IntEnum):
    """The direction of BNNSDirectApplyQuantizer (since macOS 12.0)."""

    Quantize = 0
    """scale*x + bias."""
    Dequantize = 1
    """(x - bias)/scale."""


class InterpolationMethod(IntEnum):
    """How a resize or crop fills in between input elements (since macOS 11.0)."""

    Nearest = 0
    """The value of the nearest input element."""
    Linear = 1
    """Linear or bilinear: over at most two dimensions."""


class LinearSamplingMode(IntEnum):
    """Where BNNSCropResize samples: n points on [0, m-1], m the input and n the output length,
    clamped to that interval (since macOS 13.0).
    """

    Default = 0
    """Spacing (m - m/n)/(n - 1), from 0."""
    AlignCorners = 1
    """As StrictAlignCorners, but the middle when n is 1."""
    UnalignCorners = 2
    """Spacing m/n, from (spacing - 1)/2."""
    StrictAlignCorners = 3
    """Spacing (m - 1)/(n - 1), from 0."""
    OffsetCorners = 4
    """Spacing max(1, m - 1)/n, from spacing/2."""


class BoxCoordinateMode(IntEnum):
    """What the four numbers of a region of BNNSCropResize are (since macOS 13.0)."""

    CornersHeightFirst = 0
    """First row, first column, last row, last column."""
    CornersWidthFirst = 1
    """First column, first row, last column, last row."""
    CenterSizeHeightFirst = 2
    """Centre row, centre column, height, width."""
    CenterSizeWidthFirst = 3
    """Centre column, centre row, width, height."""


class RandomGeneratorMethod(IntEnum):
    """The algorithm of a random generator; none is fit for cryptography (since macOS 12.0)."""

    AES_CTR = 0
    """AES-128 of a counter."""


class ActivationFunction(IntEnum):
    """The function of an activation, of x and of the fields alpha and beta of BNNSActivation (0 to
    11 since macOS 10.12 or 10.13, the rest since macOS 11.0 where nothing is said).
    """

    Identity = 0
    """x."""
    RectifiedLinear = 1
    """max(0, x)."""
    LeakyRectifiedLinear = 2
    """x < 0: alpha*x, else x."""
    Sigmoid = 3
    """1/(1 + exp(-x))."""
    Tanh = 4
    """tanh(x)."""
    ScaledTanh = 5
    """alpha*tanh(beta*x)."""
    Abs = 6
    """|x|."""
    Linear = 7
    """alpha*x."""
    Clamp = 8
    """min(max(x, alpha), beta)."""
    IntegerLinearSaturate = 9
    """(iscale*x + ioffset) >> ishift."""
    IntegerLinearSaturatePerChannel = 10
    """As IntegerLinearSaturate."""
    Softmax = 11
    """exp(x) over the sum of exp along an axis."""
    GELUApproximation = 12
    """x/2*(1 + tanh(alpha*(x + beta*x^3)))."""
    Gumbel = 13
    """-log(-log(alpha*u + beta) + beta), u random, 0 to 1."""
    GumbelMax = 14
    """Maximum of x plus Gumbel noise; measured: its index."""
    HardSigmoid = 15
    """max(0, min(1, alpha*x + beta))."""
    Softplus = 16
    """alpha*log(1 + exp(beta*x))."""
    Softsign = 17
    """x/(1 + |x|)."""
    ELU = 18
    """x < 0: alpha*(exp(x) - 1), else x."""
    ClampedLeakyRectifiedLinear = 19
    """min(beta, x < 0 ? alpha*x : x)."""
    LinearWithBias = 20
    """alpha*x + beta."""
    LogSoftmax = 21
    """log(softmax(x))."""
    LogSigmoid = 22
    """log(sigmoid(x))."""
    SELU = 23
    """1.0507009873554805 times ELU with alpha 1.6732632423543772."""
    CELU = 24
    """x < 0: alpha*(exp(x/alpha) - 1), else x."""
    HardShrink = 25
    """|x| < |alpha|: 0, else x."""
    SoftShrink = 26
    """|x| < |alpha|: 0, else x - copysign(alpha, x)."""
    TanhShrink = 27
    """x - tanh(x)."""
    Threshold = 28
    """x <= alpha: beta, else x."""
    PReLUPerChannel = 29
    """Alpha by channel; ImageCHW only."""
    GELUApproximation2 = 30
    """x*min(max(x + 3, 0), 6)/6."""
    HardSwish = 30
    """Another name of GELUApproximation2 (since macOS 12.0)."""
    SiLU = 31
    """x*sigmoid(x) (since macOS 12.0)."""
    ReLU6 = 32
    """min(max(0, x), 6) (since macOS 13.3)."""
    Erf = 33
    """erf(x), the error function (since macOS 13.3)."""
    GELU = 34
    """x/2*(1 + erf(x/sqrt(2))) (since macOS 13.3)."""
    GELUApproximationSigmoid = 35
    """x*sigmoid(1.702*x) (since macOS 13.3)."""


class OptimizerFunction(IntEnum):
    """The algorithm of BNNSOptimizerStep, which decides what OptimizerAlgFields points to: SGD,
    Adam or RMSProp fields, from 7 on those WithClipping (since macOS 11.0).
    """

    SGDMomentum = 1
    """Gradient descent with momentum."""
    Adam = 2
    """Adam: moving means of the gradient and its square."""
    RMSProp = 3
    """Gradient over the root of its mean square."""
    AdamW = 4
    """Adam, weight decay apart from the gradient."""
    AdamAMSGrad = 5
    """Adam, largest second moment so far."""
    AdamWAMSGrad = 6
    """AdamW, largest second moment so far."""
    SGDMomentumWithClipping = 7
    """SGDMomentum, gradients bounded."""
    AdamWithClipping = 8
    """Adam, gradients bounded."""
    RMSPropWithClipping = 9
    """RMSProp, gradients bounded."""
    AdamWWithClipping = 10
    """AdamW, gradients bounded."""
    AdamAMSGradWithClipping = 11
    """AdamAMSGrad, gradients bounded."""
    AdamWAMSGradWithClipping = 12
    """AdamWAMSGrad, gradients bounded."""


class OptimizerRegularizationFunction(IntEnum):
    """The penalty that an optimizer adds to the gradient (since macOS 11.0)."""

    None_ = 0
    """No penalty."""
    L1 = 1
    """On the sum of |w|."""
    L2 = 2
    """On the sum of w*w."""


class OptimizerSGDMomentumVariant(IntEnum):
    """Where the learning rate lr enters SGD with momentum m, velocity V, weights W, gradient g
    (since macOS 11.0).
    """

    SGDMomentumVariant0 = 0
    """V = m*V - lr*g, W += V."""
    SGDMomentumVariant1 = 1
    """V = m*V + g, W -= lr*V."""
    SGDMomentumVariant2 = 2
    """V = m*V + lr*g, W -= V."""


class OptimizerClippingFunction(IntEnum):
    """How an optimizer bounds the gradient before it uses it."""

    None_ = 0
    """Gradients are used as they are."""
    ByValue = 1
    """Each element into [min, max]."""
    ByNorm = 2
    """Each gradient to a largest L2 norm."""
    ByGlobalNorm = 3
    """All gradients together to a largest L2 norm."""


class FilterType(IntEnum):
    """The kind of one layer of a fused filter (since macOS 11.0)."""

    Convolution = 0
    """Convolution."""
    FullyConnected = 1
    """Matrix product with the weights."""
    BatchNorm = 2
    """Normalization of each channel over the batch."""
    InstanceNorm = 3
    """Normalization of each channel of each sample."""
    LayerNorm = 4
    """Normalization over the features of each sample."""
    GroupNorm = 5
    """Normalization over groups of channels."""
    TransposedConvolution = 6
    """Convolution the other way round."""
    Quantization = 7
    """Quantization or dequantization."""
    Arithmetic = 8
    """Arithmetic, element by element."""


class LayerFlags(IntFlag):
    """Bits that choose variants of a layer (since macOS 11.0)."""

    LSTMBidirectional = 1
    """An LSTM runs over the sequence both ways."""
    LSTMDefaultActivations = 2
    """The activations of the gates are not read."""


class PoolingFunction(IntEnum):
    """What a pooling layer computes in each window."""

    Max = 0
    """The largest element."""
    AverageCountIncludePadding = 1
    """Padding counts as zeros."""
    AverageCountExcludePadding = 2
    """Divides by the elements not padded."""
    UnMax = 3
    """Back from Max: all others become 0."""
    L2Norm = 4
    """Square root of the sum of squares."""
    Average = 1
    """As AverageCountIncludePadding."""


class PaddingMode(IntEnum):
    """What a padding layer puts around its input (since macOS 11.0)."""

    Constant = 0
    """One value."""
    Reflect = 1
    """Mirrored, the border element once: C B | A B C."""
    Symmetric = 2
    """Mirrored, the border element twice: B A | A B C."""


class ArithmeticFunction(IntEnum):
    """The function of an arithmetic layer, of one (a), two (a, b) or three (a, b, c) operands
    (since macOS 11.0).
    """

    Add = 0
    """a + b."""
    Subtract = 1
    """a - b."""
    Multiply = 2
    """a*b."""
    Divide = 3
    """a/b."""
    SquareRoot = 4
    """Square root of a."""
    ReciprocalSquareRoot = 5
    """1 over the square root of a."""
    Ceil = 6
    """a rounded up to a whole number."""
    Floor = 7
    """a rounded down to a whole number."""
    Round = 8
    """a rounded to the nearest whole number."""
    Sin = 9
    """Sine of a, which is in radians."""
    Cos = 10
    """Cosine of a."""
    Tan = 11
    """Tangent of a."""
    Asin = 12
    """The angle whose sine is a."""
    Acos = 13
    """The angle whose cosine is a."""
    Atan = 14
    """The angle whose tangent is a."""
    Sinh = 15
    """Hyperbolic sine of a."""
    Cosh = 16
    """Hyperbolic cosine of a."""
    Tanh = 17
    """Hyperbolic tangent of a."""
    Asinh = 18
    """Inverse of Sinh."""
    Acosh = 19
    """Inverse of Cosh."""
    Atanh = 20
    """Inverse of Tanh."""
    Pow = 21
    """a to the power of b."""
    Exp = 22
    """e to the power of a."""
    Exp2 = 23
    """2 to the power of a."""
    Log = 24
    """Natural logarithm of a."""
    Log2 = 25
    """Logarithm of a to base 2."""
    MultiplyNoNaN = 26
    """a*b, but 0 where b is 0."""
    DivideNoNaN = 27
    """a/b, but 0 where b is 0."""
    MultiplyAdd = 28
    """a*b + c."""
    Minimum = 29
    """The smaller of a and b."""
    Maximum = 30
    """The larger of a and b."""
    Select = 31
    """a ? b : c."""
    Abs = 32
    """|a|."""
    Sign = 33
    """-1, 0 or 1."""
    Negate = 34
    """-a."""
    Reciprocal = 35
    """1/a."""
    Square = 36
    """a*a."""
    FloorDivide = 37
    """Quotient towards minus infinity."""
    TruncDivide = 38
    """Quotient towards zero."""
    TruncRemainder = 39
    """Remainder that goes with TruncDivide."""
    Erf = 40
    """erf(a), the error function."""


class DescriptorType(IntEnum):
    """Whether an operand of an arithmetic layer changes with the batch (since macOS 11.0)."""

    Constant = 0
    """One for all samples, has no gradient."""
    Sample = 1
    """One for each sample, as its gradient."""
    Parameter = 2
    """One for all samples, its gradient summed over them."""


class PointerSpecifier(IntEnum):
    """Which trainable field of a layer BNNSGetPointer returns."""

    Alpha = 0
    """Alpha of an activation."""
    Beta = 1
    """Beta of an activation."""


class EmbeddingFlags(IntFlag):
    """Bits for an embedding layer."""

    ScaleGradientByFrequency = 1
    """By how often an index occurs in the input."""


class LossFunction(IntEnum):
    """What a loss layer computes (since macOS 11.0)."""

    SoftmaxCrossEntropy = 1
    """Cross entropy of the softmax of the prediction."""
    SigmoidCrossEntropy = 2
    """Cross entropy of the sigmoid of the prediction."""
    MeanSquareError = 3
    """Mean of the squared differences."""
    Huber = 4
    """Squared for small differences, linear for large ones."""
    Yolo = 5
    """The loss of the YOLO object detector."""
    Log = 6
    """Cross entropy of probabilities with labels of 0 and 1."""
    CosineDistance = 7
    """1 - cosine of prediction and label."""
    Hinge = 8
    """max(0, 1 - label*prediction), labels -1 and 1."""
    MeanAbsoluteError = 9
    """Mean of the absolute differences."""
    CategoricalCrossEntropy = 10
    """Cross entropy of probabilities, by class."""


class LossReductionFunction(IntEnum):
    """How the losses of a batch become one (since macOS 11.0)."""

    None_ = 0
    """One loss for each sample."""
    Sum = 1
    """Sum of the losses."""
    WeightedMean = 2
    """Sum over the sum of the weights."""
    Mean = 3
    """Sum over the number of samples."""
    NonZeroWeightMean = 4
    """Sum over the number of weights that are not 0."""


class SparsityType(IntEnum):
    """The pattern in which the nonzero weights lie (since macOS 13.0)."""

    Unstructured = 0
    """No pattern."""


class TargetSystem(IntEnum):
    """The device that packed weights are meant for (since macOS 13.0)."""

    Generic = 0
    """One packing that every device can use."""


BNNS_MAX_TENSOR_DIMENSION: Final = 8
BNNSDataTypeFloatBit: Final = DataType.FloatBit
BNNSDataTypeFloat16: Final = DataType.Float16
BNNSDataTypeFloat32: Final = DataType.Float32
BNNSDataTypeBFloat16: Final = DataType.BFloat16
BNNSDataTypeIntBit: Final = DataType.IntBit
BNNSDataTypeInt1: Final = DataType.Int1
BNNSDataTypeInt2: Final = DataType.Int2
BNNSDataTypeInt4: Final = DataType.Int4
BNNSDataTypeInt8: Final = DataType.Int8
BNNSDataTypeInt16: Final = DataType.Int16
BNNSDataTypeInt32: Final = DataType.Int32
BNNSDataTypeInt64: Final = DataType.Int64
BNNSDataTypeUIntBit: Final = DataType.UIntBit
BNNSDataTypeUInt1: Final = DataType.UInt1
BNNSDataTypeUInt2: Final = DataType.UInt2
BNNSDataTypeUInt3: Final = DataType.UInt3
BNNSDataTypeUInt4: Final = DataType.UInt4
BNNSDataTypeUInt6: Final = DataType.UInt6
BNNSDataTypeUInt8: Final = DataType.UInt8
BNNSDataTypeUInt16: Final = DataType.UInt16
BNNSDataTypeUInt32: Final = DataType.UInt32
BNNSDataTypeUInt64: Final = DataType.UInt64
BNNSDataTypeIndexedBit: Final = DataType.IndexedBit
BNNSDataTypeIndexed1: Final = DataType.Indexed1
BNNSDataTypeIndexed2: Final = DataType.Indexed2
BNNSDataTypeIndexed4: Final = DataType.Indexed4
BNNSDataTypeIndexed8: Final = DataType.Indexed8
BNNSDataTypeMiscellaneousBit: Final = DataType.MiscellaneousBit
BNNSDataTypeBoolean: Final = DataType.Boolean
BNNSDataLayoutVector: Final = DataLayout.Vector
BNNSDataLayout1DLastMajor: Final = DataLayout.Tensor1DLastMajor
BNNSDataLayout1DFirstMajor: Final = DataLayout.Tensor1DFirstMajor
BNNSDataLayoutRowMajorMatrix: Final = DataLayout.RowMajorMatrix
BNNSDataLayoutColumnMajorMatrix: Final = DataLayout.ColumnMajorMatrix
BNNSDataLayoutFullyConnectedSparse: Final = DataLayout.FullyConnectedSparse
BNNSDataLayout2DLastMajor: Final = DataLayout.Tensor2DLastMajor
BNNSDataLayout2DFirstMajor: Final = DataLayout.Tensor2DFirstMajor
BNNSDataLayoutImageCHW: Final = DataLayout.ImageCHW
BNNSDataLayoutSNE: Final = DataLayout.SNE
BNNSDataLayoutNSE: Final = DataLayout.NSE
BNNSDataLayoutMHA_DHK: Final = DataLayout.MHA_DHK
BNNSDataLayout3DLastMajor: Final = DataLayout.Tensor3DLastMajor
BNNSDataLayout3DFirstMajor: Final = DataLayout.Tensor3DFirstMajor
BNNSDataLayoutConvolutionWeightsOIHW: Final = DataLayout.ConvolutionWeightsOIHW
BNNSDataLayoutConvolutionWeightsOIHrWr: Final = DataLayout.ConvolutionWeightsOIHrWr
BNNSDataLayoutConvolutionWeightsIOHrWr: Final = DataLayout.ConvolutionWeightsIOHrWr
BNNSDataLayoutConvolutionWeightsOIHW_Pack32: Final = DataLayout.ConvolutionWeightsOIHW_Pack32
BNNSDataLayout4DLastMajor: Final = DataLayout.Tensor4DLastMajor
BNNSDataLayout4DFirstMajor: Final = DataLayout.Tensor4DFirstMajor
BNNSDataLayout5DLastMajor: Final = DataLayout.Tensor5DLastMajor
BNNSDataLayout5DFirstMajor: Final = DataLayout.Tensor5DFirstMajor
BNNSDataLayout6DLastMajor: Final = DataLayout.Tensor6DLastMajor
BNNSDataLayout6DFirstMajor: Final = DataLayout.Tensor6DFirstMajor
BNNSDataLayout7DLastMajor: Final = DataLayout.Tensor7DLastMajor
BNNSDataLayout7DFirstMajor: Final = DataLayout.Tensor7DFirstMajor
BNNSDataLayout8DLastMajor: Final = DataLayout.Tensor8DLastMajor
BNNSDataLayout8DFirstMajor: Final = DataLayout.Tensor8DFirstMajor
BNNSNDArrayFlagBackpropSet: Final = NDArrayFlags.BackpropSet
BNNSNDArrayFlagBackpropAccumulate: Final = NDArrayFlags.BackpropAccumulate
BNNSFlagsUseClientPtr: Final = Flags.UseClientPtr
BNNSReduceFunctionMax: Final = ReduceFunction.Max
BNNSReduceFunctionMin: Final = ReduceFunction.Min
BNNSReduceFunctionArgMax: Final = ReduceFunction.ArgMax
BNNSReduceFunctionArgMin: Final = ReduceFunction.ArgMin
BNNSReduceFunctionMean: Final = ReduceFunction.Mean
BNNSReduceFunctionMeanNonZero: Final = ReduceFunction.MeanNonZero
BNNSReduceFunctionSum: Final = ReduceFunction.Sum
BNNSReduceFunctionSumSquare: Final = ReduceFunction.SumSquare
BNNSReduceFunctionSumLog: Final = ReduceFunction.SumLog
BNNSReduceFunctionL1Norm: Final = ReduceFunction.L1Norm
BNNSReduceFunctionLogicalOr: Final = ReduceFunction.LogicalOr
BNNSReduceFunctionLogicalAnd: Final = ReduceFunction.LogicalAnd
BNNSReduceFunctionL2Norm: Final = ReduceFunction.L2Norm
BNNSReduceFunctionLogSumExp: Final = ReduceFunction.LogSumExp
BNNSReduceFunctionProduct: Final = ReduceFunction.Product
BNNSReduceFunctionNone: Final = ReduceFunction.None_
BNNSReduceFunctionLogSum: Final = ReduceFunction.LogSum
BNNSReduceFunctionAny: Final = ReduceFunction.Any
BNNSReduceFunctionAll: Final = ReduceFunction.All
BNNSRelationalOperatorEqual: Final = RelationalOperator.Equal
BNNSRelationalOperatorLess: Final = RelationalOperator.Less
BNNSRelationalOperatorLessEqual: Final = RelationalOperator.LessEqual
BNNSRelationalOperatorGreater: Final = RelationalOperator.Greater
BNNSRelationalOperatorGreaterEqual: Final = RelationalOperator.GreaterEqual
BNNSRelationalOperatorNotEqual: Final = RelationalOperator.NotEqual
BNNSRelationalOperatorLogicalAND: Final = RelationalOperator.LogicalAND
BNNSRelationalOperatorLogicalOR: Final = RelationalOperator.LogicalOR
BNNSRelationalOperatorLogicalNOT: Final = RelationalOperator.LogicalNOT
BNNSRelationalOperatorLogicalNAND: Final = RelationalOperator.LogicalNAND
BNNSRelationalOperatorLogicalNOR: Final = RelationalOperator.LogicalNOR
BNNSRelationalOperatorLogicalXOR: Final = RelationalOperator.LogicalXOR
BNNSShuffleTypePixelShuffleNCHW: Final = ShuffleType.PixelShuffleNCHW
BNNSShuffleTypePixelUnshuffleNCHW: Final = ShuffleType.PixelUnshuffleNCHW
BNNSShuffleTypeDepthToSpaceNCHW: Final = ShuffleType.DepthToSpaceNCHW
BNNSShuffleTypeSpaceToDepthNCHW: Final = ShuffleType.SpaceToDepthNCHW
BNNSL2Norm: Final = NormType.L2Norm
BNNSQuantizerFunctionQuantize: Final = QuantizerFunction.Quantize
BNNSQuantizerFunctionDequantize: Final = QuantizerFunction.Dequantize
BNNSInterpolationMethodNearest: Final = InterpolationMethod.Nearest
BNNSInterpolationMethodLinear: Final = InterpolationMethod.Linear
BNNSLinearSamplingDefault: Final = LinearSamplingMode.Default
BNNSLinearSamplingAlignCorners: Final = LinearSamplingMode.AlignCorners
BNNSLinearSamplingUnalignCorners: Final = LinearSamplingMode.UnalignCorners
BNNSLinearSamplingStrictAlignCorners: Final = LinearSamplingMode.StrictAlignCorners
BNNSLinearSamplingOffsetCorners: Final = LinearSamplingMode.OffsetCorners
BNNSCornersHeightFirst: Final = BoxCoordinateMode.CornersHeightFirst
BNNSCornersWidthFirst: Final = BoxCoordinateMode.CornersWidthFirst
BNNSCenterSizeHeightFirst: Final = BoxCoordinateMode.CenterSizeHeightFirst
BNNSCenterSizeWidthFirst: Final = BoxCoordinateMode.CenterSizeWidthFirst
BNNSRandomGeneratorMethodAES_CTR: Final = RandomGeneratorMethod.AES_CTR
BNNSActivationFunctionIdentity: Final = ActivationFunction.Identity
BNNSActivationFunctionRectifiedLinear: Final = ActivationFunction.RectifiedLinear
BNNSActivationFunctionLeakyRectifiedLinear: Final = ActivationFunction.LeakyRectifiedLinear
BNNSActivationFunctionSigmoid: Final = ActivationFunction.Sigmoid
BNNSActivationFunctionTanh: Final = ActivationFunction.Tanh
BNNSActivationFunctionScaledTanh: Final = ActivationFunction.ScaledTanh
BNNSActivationFunctionAbs: Final = ActivationFunction.Abs
BNNSActivationFunctionLinear: Final = ActivationFunction.Linear
BNNSActivationFunctionClamp: Final = ActivationFunction.Clamp
BNNSActivationFunctionIntegerLinearSaturate: Final = ActivationFunction.IntegerLinearSaturate
BNNSActivationFunctionIntegerLinearSaturatePerChannel: Final = ActivationFunction.IntegerLinearSaturatePerChannel
BNNSActivationFunctionSoftmax: Final = ActivationFunction.Softmax
BNNSActivationFunctionGELUApproximation: Final = ActivationFunction.GELUApproximation
BNNSActivationFunctionGumbel: Final = ActivationFunction.Gumbel
BNNSActivationFunctionGumbelMax: Final = ActivationFunction.GumbelMax
BNNSActivationFunctionHardSigmoid: Final = ActivationFunction.HardSigmoid
BNNSActivationFunctionSoftplus: Final = ActivationFunction.Softplus
BNNSActivationFunctionSoftsign: Final = ActivationFunction.Softsign
BNNSActivationFunctionELU: Final = ActivationFunction.ELU
BNNSActivationFunctionClampedLeakyRectifiedLinear: Final = ActivationFunction.ClampedLeakyRectifiedLinear
BNNSActivationFunctionLinearWithBias: Final = ActivationFunction.LinearWithBias
BNNSActivationFunctionLogSoftmax: Final = ActivationFunction.LogSoftmax
BNNSActivationFunctionLogSigmoid: Final = ActivationFunction.LogSigmoid
BNNSActivationFunctionSELU: Final = ActivationFunction.SELU
BNNSActivationFunctionCELU: Final = ActivationFunction.CELU
BNNSActivationFunctionHardShrink: Final = ActivationFunction.HardShrink
BNNSActivationFunctionSoftShrink: Final = ActivationFunction.SoftShrink
BNNSActivationFunctionTanhShrink: Final = ActivationFunction.TanhShrink
BNNSActivationFunctionThreshold: Final = ActivationFunction.Threshold
BNNSActivationFunctionPReLUPerChannel: Final = ActivationFunction.PReLUPerChannel
BNNSActivationFunctionGELUApproximation2: Final = ActivationFunction.GELUApproximation2
BNNSActivationFunctionHardSwish: Final = ActivationFunction.HardSwish
BNNSActivationFunctionSiLU: Final = ActivationFunction.SiLU
BNNSActivationFunctionReLU6: Final = ActivationFunction.ReLU6
BNNSActivationFunctionErf: Final = ActivationFunction.Erf
BNNSActivationFunctionGELU: Final = ActivationFunction.GELU
BNNSActivationFunctionGELUApproximationSigmoid: Final = ActivationFunction.GELUApproximationSigmoid
BNNSOptimizerFunctionSGDMomentum: Final = OptimizerFunction.SGDMomentum
BNNSOptimizerFunctionAdam: Final = OptimizerFunction.Adam
BNNSOptimizerFunctionRMSProp: Final = OptimizerFunction.RMSProp
BNNSOptimizerFunctionAdamW: Final = OptimizerFunction.AdamW
BNNSOptimizerFunctionAdamAMSGrad: Final = OptimizerFunction.AdamAMSGrad
BNNSOptimizerFunctionAdamWAMSGrad: Final = OptimizerFunction.AdamWAMSGrad
BNNSOptimizerFunctionSGDMomentumWithClipping: Final = OptimizerFunction.SGDMomentumWithClipping
BNNSOptimizerFunctionAdamWithClipping: Final = OptimizerFunction.AdamWithClipping
BNNSOptimizerFunctionRMSPropWithClipping: Final = OptimizerFunction.RMSPropWithClipping
BNNSOptimizerFunctionAdamWWithClipping: Final = OptimizerFunction.AdamWWithClipping
BNNSOptimizerFunctionAdamAMSGradWithClipping: Final = OptimizerFunction.AdamAMSGradWithClipping
BNNSOptimizerFunctionAdamWAMSGradWithClipping: Final = OptimizerFunction.AdamWAMSGradWithClipping
BNNSOptimizerRegularizationNone: Final = OptimizerRegularizationFunction.None_
BNNSOptimizerRegularizationL1: Final = OptimizerRegularizationFunction.L1
BNNSOptimizerRegularizationL2: Final = OptimizerRegularizationFunction.L2
BNNSSGDMomentumVariant0: Final = OptimizerSGDMomentumVariant.SGDMomentumVariant0
BNNSSGDMomentumVariant1: Final = OptimizerSGDMomentumVariant.SGDMomentumVariant1
BNNSSGDMomentumVariant2: Final = OptimizerSGDMomentumVariant.SGDMomentumVariant2
BNNSOptimizerClippingNone: Final = OptimizerClippingFunction.None_
BNNSOptimizerClippingByValue: Final = OptimizerClippingFunction.ByValue
BNNSOptimizerClippingByNorm: Final = OptimizerClippingFunction.ByNorm
BNNSOptimizerClippingByGlobalNorm: Final = OptimizerClippingFunction.ByGlobalNorm
BNNSConvolution: Final = FilterType.Convolution
BNNSFullyConnected: Final = FilterType.FullyConnected
BNNSBatchNorm: Final = FilterType.BatchNorm
BNNSInstanceNorm: Final = FilterType.InstanceNorm
BNNSLayerNorm: Final = FilterType.LayerNorm
BNNSGroupNorm: Final = FilterType.GroupNorm
BNNSTransposedConvolution: Final = FilterType.TransposedConvolution
BNNSQuantization: Final = FilterType.Quantization
BNNSArithmetic: Final = FilterType.Arithmetic
BNNSLayerFlagsLSTMBidirectional: Final = LayerFlags.LSTMBidirectional
BNNSLayerFlagsLSTMDefaultActivations: Final = LayerFlags.LSTMDefaultActivations
BNNSPoolingFunctionMax: Final = PoolingFunction.Max
BNNSPoolingFunctionAverageCountIncludePadding: Final = PoolingFunction.AverageCountIncludePadding
BNNSPoolingFunctionAverageCountExcludePadding: Final = PoolingFunction.AverageCountExcludePadding
BNNSPoolingFunctionUnMax: Final = PoolingFunction.UnMax
BNNSPoolingFunctionL2Norm: Final = PoolingFunction.L2Norm
BNNSPoolingFunctionAverage: Final = PoolingFunction.Average
BNNSPaddingModeConstant: Final = PaddingMode.Constant
BNNSPaddingModeReflect: Final = PaddingMode.Reflect
BNNSPaddingModeSymmetric: Final = PaddingMode.Symmetric
BNNSArithmeticAdd: Final = ArithmeticFunction.Add
BNNSArithmeticSubtract: Final = ArithmeticFunction.Subtract
BNNSArithmeticMultiply: Final = ArithmeticFunction.Multiply
BNNSArithmeticDivide: Final = ArithmeticFunction.Divide
BNNSArithmeticSquareRoot: Final = ArithmeticFunction.SquareRoot
BNNSArithmeticReciprocalSquareRoot: Final = ArithmeticFunction.ReciprocalSquareRoot
BNNSArithmeticCeil: Final = ArithmeticFunction.Ceil
BNNSArithmeticFloor: Final = ArithmeticFunction.Floor
BNNSArithmeticRound: Final = ArithmeticFunction.Round
BNNSArithmeticSin: Final = ArithmeticFunction.Sin
BNNSArithmeticCos: Final = ArithmeticFunction.Cos
BNNSArithmeticTan: Final = ArithmeticFunction.Tan
BNNSArithmeticAsin: Final = ArithmeticFunction.Asin
BNNSArithmeticAcos: Final = ArithmeticFunction.Acos
BNNSArithmeticAtan: Final = ArithmeticFunction.Atan
BNNSArithmeticSinh: Final = ArithmeticFunction.Sinh
BNNSArithmeticCosh: Final = ArithmeticFunction.Cosh
BNNSArithmeticTanh: Final = ArithmeticFunction.Tanh
BNNSArithmeticAsinh: Final = ArithmeticFunction.Asinh
BNNSArithmeticAcosh: Final = ArithmeticFunction.Acosh
BNNSArithmeticAtanh: Final = ArithmeticFunction.Atanh
BNNSArithmeticPow: Final = ArithmeticFunction.Pow
BNNSArithmeticExp: Final = ArithmeticFunction.Exp
BNNSArithmeticExp2: Final = ArithmeticFunction.Exp2
BNNSArithmeticLog: Final = ArithmeticFunction.Log
BNNSArithmeticLog2: Final = ArithmeticFunction.Log2
BNNSArithmeticMultiplyNoNaN: Final = ArithmeticFunction.MultiplyNoNaN
BNNSArithmeticDivideNoNaN: Final = ArithmeticFunction.DivideNoNaN
BNNSArithmeticMultiplyAdd: Final = ArithmeticFunction.MultiplyAdd
BNNSArithmeticMinimum: Final = ArithmeticFunction.Minimum
BNNSArithmeticMaximum: Final = ArithmeticFunction.Maximum
BNNSArithmeticSelect: Final = ArithmeticFunction.Select
BNNSArithmeticAbs: Final = ArithmeticFunction.Abs
BNNSArithmeticSign: Final = ArithmeticFunction.Sign
BNNSArithmeticNegate: Final = ArithmeticFunction.Negate
BNNSArithmeticReciprocal: Final = ArithmeticFunction.Reciprocal
BNNSArithmeticSquare: Final = ArithmeticFunction.Square
BNNSArithmeticFloorDivide: Final = ArithmeticFunction.FloorDivide
BNNSArithmeticTruncDivide: Final = ArithmeticFunction.TruncDivide
BNNSArithmeticTruncRemainder: Final = ArithmeticFunction.TruncRemainder
BNNSArithmeticErf: Final = ArithmeticFunction.Erf
BNNSConstant: Final = DescriptorType.Constant
BNNSSample: Final = DescriptorType.Sample
BNNSParameter: Final = DescriptorType.Parameter
BNNSPointerSpecifierAlpha: Final = PointerSpecifier.Alpha
BNNSPointerSpecifierBeta: Final = PointerSpecifier.Beta
BNNSEmbeddingFlagScaleGradientByFrequency: Final = EmbeddingFlags.ScaleGradientByFrequency
BNNSLossFunctionSoftmaxCrossEntropy: Final = LossFunction.SoftmaxCrossEntropy
BNNSLossFunctionSigmoidCrossEntropy: Final = LossFunction.SigmoidCrossEntropy
BNNSLossFunctionMeanSquareError: Final = LossFunction.MeanSquareError
BNNSLossFunctionHuber: Final = LossFunction.Huber
BNNSLossFunctionYolo: Final = LossFunction.Yolo
BNNSLossFunctionLog: Final = LossFunction.Log
BNNSLossFunctionCosineDistance: Final = LossFunction.CosineDistance
BNNSLossFunctionHinge: Final = LossFunction.Hinge
BNNSLossFunctionMeanAbsoluteError: Final = LossFunction.MeanAbsoluteError
BNNSLossFunctionCategoricalCrossEntropy: Final = LossFunction.CategoricalCrossEntropy
BNNSLossReductionNone: Final = LossReductionFunction.None_
BNNSLossReductionSum: Final = LossReductionFunction.Sum
BNNSLossReductionWeightedMean: Final = LossReductionFunction.WeightedMean
BNNSLossReductionMean: Final = LossReductionFunction.Mean
BNNSLossReductionNonZeroWeightMean: Final = LossReductionFunction.NonZeroWeightMean
BNNSSparsityTypeUnstructured: Final = SparsityType.Unstructured
BNNSTargetSystemGeneric: Final = TargetSystem.Generic

__all__ = [
    "BNNS_MAX_TENSOR_DIMENSION",
    "DataType",
    "DataLayout",
    "NDArrayFlags",
    "Flags",
    "ReduceFunction",
    "RelationalOperator",
    "ShuffleType",
    "NormType",
    "QuantizerFunction",
    "InterpolationMethod",
    "LinearSamplingMode",
    "BoxCoordinateMode",
    "RandomGeneratorMethod",
    "ActivationFunction",
    "OptimizerFunction",
    "OptimizerRegularizationFunction",
    "OptimizerSGDMomentumVariant",
    "OptimizerClippingFunction",
    "FilterType",
    "LayerFlags",
    "PoolingFunction",
    "PaddingMode",
    "ArithmeticFunction",
    "DescriptorType",
    "PointerSpecifier",
    "EmbeddingFlags",
    "LossFunction",
    "LossReductionFunction",
    "SparsityType",
    "TargetSystem",
    "BNNSDataTypeFloatBit",
    "BNNSDataTypeFloat16",
    "BNNSDataTypeFloat32",
    "BNNSDataTypeBFloat16",
    "BNNSDataTypeIntBit",
    "BNNSDataTypeInt1",
    "BNNSDataTypeInt2",
    "BNNSDataTypeInt4",
    "BNNSDataTypeInt8",
    "BNNSDataTypeInt16",
    "BNNSDataTypeInt32",
    "BNNSDataTypeInt64",
    "BNNSDataTypeUIntBit",
    "BNNSDataTypeUInt1",
    "BNNSDataTypeUInt2",
    "BNNSDataTypeUInt3",
    "BNNSDataTypeUInt4",
    "BNNSDataTypeUInt6",
    "BNNSDataTypeUInt8",
    "BNNSDataTypeUInt16",
    "BNNSDataTypeUInt32",
    "BNNSDataTypeUInt64",
    "BNNSDataTypeIndexedBit",
    "BNNSDataTypeIndexed1",
    "BNNSDataTypeIndexed2",
    "BNNSDataTypeIndexed4",
    "BNNSDataTypeIndexed8",
    "BNNSDataTypeMiscellaneousBit",
    "BNNSDataTypeBoolean",
    "BNNSDataLayoutVector",
    "BNNSDataLayout1DLastMajor",
    "BNNSDataLayout1DFirstMajor",
    "BNNSDataLayoutRowMajorMatrix",
    "BNNSDataLayoutColumnMajorMatrix",
    "BNNSDataLayoutFullyConnectedSparse",
    "BNNSDataLayout2DLastMajor",
    "BNNSDataLayout2DFirstMajor",
    "BNNSDataLayoutImageCHW",
    "BNNSDataLayoutSNE",
    "BNNSDataLayoutNSE",
    "BNNSDataLayoutMHA_DHK",
    "BNNSDataLayout3DLastMajor",
    "BNNSDataLayout3DFirstMajor",
    "BNNSDataLayoutConvolutionWeightsOIHW",
    "BNNSDataLayoutConvolutionWeightsOIHrWr",
    "BNNSDataLayoutConvolutionWeightsIOHrWr",
    "BNNSDataLayoutConvolutionWeightsOIHW_Pack32",
    "BNNSDataLayout4DLastMajor",
    "BNNSDataLayout4DFirstMajor",
    "BNNSDataLayout5DLastMajor",
    "BNNSDataLayout5DFirstMajor",
    "BNNSDataLayout6DLastMajor",
    "BNNSDataLayout6DFirstMajor",
    "BNNSDataLayout7DLastMajor",
    "BNNSDataLayout7DFirstMajor",
    "BNNSDataLayout8DLastMajor",
    "BNNSDataLayout8DFirstMajor",
    "BNNSNDArrayFlagBackpropSet",
    "BNNSNDArrayFlagBackpropAccumulate",
    "BNNSFlagsUseClientPtr",
    "BNNSReduceFunctionMax",
    "BNNSReduceFunctionMin",
    "BNNSReduceFunctionArgMax",
    "BNNSReduceFunctionArgMin",
    "BNNSReduceFunctionMean",
    "BNNSReduceFunctionMeanNonZero",
    "BNNSReduceFunctionSum",
    "BNNSReduceFunctionSumSquare",
    "BNNSReduceFunctionSumLog",
    "BNNSReduceFunctionL1Norm",
    "BNNSReduceFunctionLogicalOr",
    "BNNSReduceFunctionLogicalAnd",
    "BNNSReduceFunctionL2Norm",
    "BNNSReduceFunctionLogSumExp",
    "BNNSReduceFunctionProduct",
    "BNNSReduceFunctionNone",
    "BNNSReduceFunctionLogSum",
    "BNNSReduceFunctionAny",
    "BNNSReduceFunctionAll",
    "BNNSRelationalOperatorEqual",
    "BNNSRelationalOperatorLess",
    "BNNSRelationalOperatorLessEqual",
    "BNNSRelationalOperatorGreater",
    "BNNSRelationalOperatorGreaterEqual",
    "BNNSRelationalOperatorNotEqual",
    "BNNSRelationalOperatorLogicalAND",
    "BNNSRelationalOperatorLogicalOR",
    "BNNSRelationalOperatorLogicalNOT",
    "BNNSRelationalOperatorLogicalNAND",
    "BNNSRelationalOperatorLogicalNOR",
    "BNNSRelationalOperatorLogicalXOR",
    "BNNSShuffleTypePixelShuffleNCHW",
    "BNNSShuffleTypePixelUnshuffleNCHW",
    "BNNSShuffleTypeDepthToSpaceNCHW",
    "BNNSShuffleTypeSpaceToDepthNCHW",
    "BNNSL2Norm",
    "BNNSQuantizerFunctionQuantize",
    "BNNSQuantizerFunctionDequantize",
    "BNNSInterpolationMethodNearest",
    "BNNSInterpolationMethodLinear",
    "BNNSLinearSamplingDefault",
    "BNNSLinearSamplingAlignCorners",
    "BNNSLinearSamplingUnalignCorners",
    "BNNSLinearSamplingStrictAlignCorners",
    "BNNSLinearSamplingOffsetCorners",
    "BNNSCornersHeightFirst",
    "BNNSCornersWidthFirst",
    "BNNSCenterSizeHeightFirst",
    "BNNSCenterSizeWidthFirst",
    "BNNSRandomGeneratorMethodAES_CTR",
    "BNNSActivationFunctionIdentity",
    "BNNSActivationFunctionRectifiedLinear",
    "BNNSActivationFunctionLeakyRectifiedLinear",
    "BNNSActivationFunctionSigmoid",
    "BNNSActivationFunctionTanh",
    "BNNSActivationFunctionScaledTanh",
    "BNNSActivationFunctionAbs",
    "BNNSActivationFunctionLinear",
    "BNNSActivationFunctionClamp",
    "BNNSActivationFunctionIntegerLinearSaturate",
    "BNNSActivationFunctionIntegerLinearSaturatePerChannel",
    "BNNSActivationFunctionSoftmax",
    "BNNSActivationFunctionGELUApproximation",
    "BNNSActivationFunctionGumbel",
    "BNNSActivationFunctionGumbelMax",
    "BNNSActivationFunctionHardSigmoid",
    "BNNSActivationFunctionSoftplus",
    "BNNSActivationFunctionSoftsign",
    "BNNSActivationFunctionELU",
    "BNNSActivationFunctionClampedLeakyRectifiedLinear",
    "BNNSActivationFunctionLinearWithBias",
    "BNNSActivationFunctionLogSoftmax",
    "BNNSActivationFunctionLogSigmoid",
    "BNNSActivationFunctionSELU",
    "BNNSActivationFunctionCELU",
    "BNNSActivationFunctionHardShrink",
    "BNNSActivationFunctionSoftShrink",
    "BNNSActivationFunctionTanhShrink",
    "BNNSActivationFunctionThreshold",
    "BNNSActivationFunctionPReLUPerChannel",
    "BNNSActivationFunctionGELUApproximation2",
    "BNNSActivationFunctionHardSwish",
    "BNNSActivationFunctionSiLU",
    "BNNSActivationFunctionReLU6",
    "BNNSActivationFunctionErf",
    "BNNSActivationFunctionGELU",
    "BNNSActivationFunctionGELUApproximationSigmoid",
    "BNNSOptimizerFunctionSGDMomentum",
    "BNNSOptimizerFunctionAdam",
    "BNNSOptimizerFunctionRMSProp",
    "BNNSOptimizerFunctionAdamW",
    "BNNSOptimizerFunctionAdamAMSGrad",
    "BNNSOptimizerFunctionAdamWAMSGrad",
    "BNNSOptimizerFunctionSGDMomentumWithClipping",
    "BNNSOptimizerFunctionAdamWithClipping",
    "BNNSOptimizerFunctionRMSPropWithClipping",
    "BNNSOptimizerFunctionAdamWWithClipping",
    "BNNSOptimizerFunctionAdamAMSGradWithClipping",
    "BNNSOptimizerFunctionAdamWAMSGradWithClipping",
    "BNNSOptimizerRegularizationNone",
    "BNNSOptimizerRegularizationL1",
    "BNNSOptimizerRegularizationL2",
    "BNNSSGDMomentumVariant0",
    "BNNSSGDMomentumVariant1",
    "BNNSSGDMomentumVariant2",
    "BNNSOptimizerClippingNone",
    "BNNSOptimizerClippingByValue",
    "BNNSOptimizerClippingByNorm",
    "BNNSOptimizerClippingByGlobalNorm",
    "BNNSConvolution",
    "BNNSFullyConnected",
    "BNNSBatchNorm",
    "BNNSInstanceNorm",
    "BNNSLayerNorm",
    "BNNSGroupNorm",
    "BNNSTransposedConvolution",
    "BNNSQuantization",
    "BNNSArithmetic",
    "BNNSLayerFlagsLSTMBidirectional",
    "BNNSLayerFlagsLSTMDefaultActivations",
    "BNNSPoolingFunctionMax",
    "BNNSPoolingFunctionAverageCountIncludePadding",
    "BNNSPoolingFunctionAverageCountExcludePadding",
    "BNNSPoolingFunctionUnMax",
    "BNNSPoolingFunctionL2Norm",
    "BNNSPoolingFunctionAverage",
    "BNNSPaddingModeConstant",
    "BNNSPaddingModeReflect",
    "BNNSPaddingModeSymmetric",
    "BNNSArithmeticAdd",
    "BNNSArithmeticSubtract",
    "BNNSArithmeticMultiply",
    "BNNSArithmeticDivide",
    "BNNSArithmeticSquareRoot",
    "BNNSArithmeticReciprocalSquareRoot",
    "BNNSArithmeticCeil",
    "BNNSArithmeticFloor",
    "BNNSArithmeticRound",
    "BNNSArithmeticSin",
    "BNNSArithmeticCos",
    "BNNSArithmeticTan",
    "BNNSArithmeticAsin",
    "BNNSArithmeticAcos",
    "BNNSArithmeticAtan",
    "BNNSArithmeticSinh",
    "BNNSArithmeticCosh",
    "BNNSArithmeticTanh",
    "BNNSArithmeticAsinh",
    "BNNSArithmeticAcosh",
    "BNNSArithmeticAtanh",
    "BNNSArithmeticPow",
    "BNNSArithmeticExp",
    "BNNSArithmeticExp2",
    "BNNSArithmeticLog",
    "BNNSArithmeticLog2",
    "BNNSArithmeticMultiplyNoNaN",
    "BNNSArithmeticDivideNoNaN",
    "BNNSArithmeticMultiplyAdd",
    "BNNSArithmeticMinimum",
    "BNNSArithmeticMaximum",
    "BNNSArithmeticSelect",
    "BNNSArithmeticAbs",
    "BNNSArithmeticSign",
    "BNNSArithmeticNegate",
    "BNNSArithmeticReciprocal",
    "BNNSArithmeticSquare",
    "BNNSArithmeticFloorDivide",
    "BNNSArithmeticTruncDivide",
    "BNNSArithmeticTruncRemainder",
    "BNNSArithmeticErf",
    "BNNSConstant",
    "BNNSSample",
    "BNNSParameter",
    "BNNSPointerSpecifierAlpha",
    "BNNSPointerSpecifierBeta",
    "BNNSEmbeddingFlagScaleGradientByFrequency",
    "BNNSLossFunctionSoftmaxCrossEntropy",
    "BNNSLossFunctionSigmoidCrossEntropy",
    "BNNSLossFunctionMeanSquareError",
    "BNNSLossFunctionHuber",
    "BNNSLossFunctionYolo",
    "BNNSLossFunctionLog",
    "BNNSLossFunctionCosineDistance",
    "BNNSLossFunctionHinge",
    "BNNSLossFunctionMeanAbsoluteError",
    "BNNSLossFunctionCategoricalCrossEntropy",
    "BNNSLossReductionNone",
    "BNNSLossReductionSum",
    "BNNSLossReductionWeightedMean",
    "BNNSLossReductionMean",
    "BNNSLossReductionNonZeroWeightMean",
    "BNNSSparsityTypeUnstructured",
    "BNNSTargetSystemGeneric",
]
