/*
 * The enumerations and limits of the classic BNNS API: Apple's names, Apple's values.
 *
 * A number stored in a descriptor or a parameter block here means the same to Apple's framework.
 * Every value is a plain literal, because this file is also read, without a preprocessor, as the
 * declaration of the Python binding: no conditional surrounds a declaration, and BNNS_ENUM and the
 * two BNNS_EXTERN_C words are the only macros used below their definitions.
 *
 * Sources named in the comments
 *   SDK  names and values of the macOS 15 SDK, as listed by the public Java binding
 *        uncomplicate/apple-presets (accelerate, bnns.java)
 *   doc  developer.apple.com/documentation/accelerate
 *   run  results that public projects recorded on Apple hardware (macOS 15.7 and 26)
 * "10.13" after a constant is the macOS version that introduced it, where that is known and later
 * than the version given for the enumeration.
 */
#ifndef BNNS_CONSTANTS_H
#define BNNS_CONSTANTS_H

#include <stdint.h>

/*
 * BNNS_ENUM(Name) { constants }; declares an enumeration that is 32 bits wide and unsigned.
 *
 * clang gets an enumeration with a fixed width, open to values that are not listed, so that Swift
 * imports Name as a type of its own. Other compilers have no such thing in C11: there Name is
 * uint32_t and the constants are ints (every value fits 21 bits). Size, alignment and calling
 * convention are the same both ways. C++ needs no typedef to call the type by its name.
 */
#if defined(__clang__)
#if __has_attribute(enum_extensibility)
#define BNNS_ENUM_OPEN __attribute__((enum_extensibility(open)))
#else
#define BNNS_ENUM_OPEN
#endif
#if defined(__cplusplus)
#define BNNS_ENUM(Name) enum BNNS_ENUM_OPEN Name : uint32_t
#else
#define BNNS_ENUM(Name) \
    enum BNNS_ENUM_OPEN Name : uint32_t; \
    typedef enum Name Name; \
    enum BNNS_ENUM_OPEN Name : uint32_t
#endif
#else
#define BNNS_ENUM(Name) typedef uint32_t Name; enum
#endif

/*
 * Around declarations that C++ must not mangle and that a shared library built with hidden
 * visibility must still export. Each word stands alone on its line.
 */
#if defined(__GNUC__) || defined(__clang__)
#define BNNS_VISIBILITY_PUSH _Pragma("GCC visibility push(default)")
#define BNNS_VISIBILITY_POP _Pragma("GCC visibility pop")
#else
#define BNNS_VISIBILITY_PUSH
#define BNNS_VISIBILITY_POP
#endif
#if defined(__cplusplus)
#define BNNS_EXTERN_C_BEGIN extern "C" { BNNS_VISIBILITY_PUSH
#define BNNS_EXTERN_C_END BNNS_VISIBILITY_POP }
#else
#define BNNS_EXTERN_C_BEGIN BNNS_VISIBILITY_PUSH
#define BNNS_EXTERN_C_END BNNS_VISIBILITY_POP
#endif

/* Dimensions that size[] and stride[] of a descriptor have room for (source: SDK). */
#define BNNS_MAX_TENSOR_DIMENSION 8

/* The fixed width is an extension before C23; clang's name for that warning changed over time. */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wmicrosoft-fixed-enum"
#pragma clang diagnostic ignored "-Wfixed-enum-extension"
#pragma clang diagnostic ignored "-Wc++11-extensions"
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

/* ---- data ---------------------------------------------------------------------------------- */

/*
 * What one stored element is: a class bit OR its width in bits (source: SDK; since 10.12).
 *
 * The ...Bit constants name a class and are no element types. Types narrower than 8 bits lie packed
 * in bytes; BNNSNDArrayGetDataSize is 0 for them (run). There is no 64-bit floating-point type.
 */
BNNS_ENUM(BNNSDataType) {
    BNNSDataTypeFloatBit = 0x10000,         /* class: floating point */
    BNNSDataTypeFloat16 = 0x10010,          /* IEEE half precision */
    BNNSDataTypeFloat32 = 0x10020,          /* IEEE single precision, C's float */
    BNNSDataTypeBFloat16 = 0x18010,         /* 12.0; the upper 16 bits of a float */

    BNNSDataTypeIntBit = 0x20000,  /* class: signed integers, two's complement */
    BNNSDataTypeInt1 = 0x20001,    /* 11.0; packed */
    BNNSDataTypeInt2 = 0x20002,    /* 11.0; packed */
    BNNSDataTypeInt4 = 0x20004,    /* 11.0; packed */
    BNNSDataTypeInt8 = 0x20008,    /* one byte, -128 to 127 */
    BNNSDataTypeInt16 = 0x20010,   /* -2^15 to 2^15 - 1 */
    BNNSDataTypeInt32 = 0x20020,   /* -2^31 to 2^31 - 1 */
    BNNSDataTypeInt64 = 0x20040,   /* 12.0; -2^63 to 2^63 - 1 */

    BNNSDataTypeUIntBit = 0x40000,  /* class: unsigned integers */
    BNNSDataTypeUInt1 = 0x40001,    /* 11.0; packed */
    BNNSDataTypeUInt2 = 0x40002,    /* 11.0; packed */
    BNNSDataTypeUInt3 = 0x40003,    /* 15.0; packed */
    BNNSDataTypeUInt4 = 0x40004,    /* 11.0; packed */
    BNNSDataTypeUInt6 = 0x40006,    /* 15.0; packed */
    BNNSDataTypeUInt8 = 0x40008,    /* 10.13; one byte, 0 to 255 */
    BNNSDataTypeUInt16 = 0x40010,   /* 10.13; 0 to 2^16 - 1 */
    BNNSDataTypeUInt32 = 0x40020,   /* 10.13; 0 to 2^32 - 1 */
    BNNSDataTypeUInt64 = 0x40040,   /* 12.0; 0 to 2^64 - 1 */

    BNNSDataTypeIndexedBit = 0x80000,       /* class: unsigned indices into table_data */
    BNNSDataTypeIndexed1 = 0x80001,         /* 11.0; table of 2 values, packed */
    BNNSDataTypeIndexed2 = 0x80002,         /* 11.0; table of 4 values, packed */
    BNNSDataTypeIndexed4 = 0x80004,         /* 11.0; table of 16 values, packed */
    BNNSDataTypeIndexed8 = 0x80008,         /* table of 256 values */

    BNNSDataTypeMiscellaneousBit = 0x100000,  /* class: the rest */
    BNNSDataTypeBoolean = 0x100008,           /* 11.0; one byte, C's bool: 0 or 1 */
};

/*
 * How size[] and stride[] of a descriptor are read: value >> 16 is the rank (source: SDK, doc;
 * since 11.0 where nothing is said).
 *
 * The remark on each layout gives size[], then the value tuple and, after the arrow, the element's
 * distance from data in elements; s0 is stride[0]. Axis k of a call is the k-th member of the tuple.
 * That is also size[k], except in RowMajorMatrix, whose axis 0 (rows) is size[1].
 *
 * nDFirstMajor is the one to watch: size[] is written slowest dimension first, stride[] fastest
 * first. A contiguous (N, C, H, W) array is 4DFirstMajor with size {N, C, H, W} and stride
 * {1, W, H*W, C*H*W}.
 */
BNNS_ENUM(BNNSDataLayout) {
    BNNSDataLayoutVector = 0x10000,             /* 10.15; {n}: (i) -> i*s0 */
    BNNSDataLayout1DLastMajor = 0x18000,        /* the same as Vector */
    BNNSDataLayout1DFirstMajor = 0x18001,       /* the same as Vector */

    BNNSDataLayoutRowMajorMatrix = 0x20000,     /* {cols, rows}: (row, col) -> col*s0 + row*s1 */
    BNNSDataLayoutColumnMajorMatrix = 0x20001,  /* {rows, cols}: (row, col) -> row*s0 + col*s1 */
    BNNSDataLayoutFullyConnectedSparse = 0x21001,  /* 13.0; opaque, no strides describe it */
    BNNSDataLayout2DLastMajor = 0x28000,        /* {I, J}: (i, j) -> i*s0 + j*s1 */
    BNNSDataLayout2DFirstMajor = 0x28001,       /* {I, J}: (i, j) -> j*s0 + i*s1 */

    BNNSDataLayoutImageCHW = 0x30000,  /* 10.15; {W, H, C}: (x, y, c) -> x*s0 + y*s1 + c*s2 */
    BNNSDataLayoutSNE = 0x30001,       /* 12.0; {E, N, S}: (e, n, s) -> e*s0 + n*s1 + s*s2 */
    BNNSDataLayoutNSE = 0x30002,       /* 12.0; {E, S, N}: (e, s, n) -> e*s0 + s*s1 + n*s2 */
    /* 13.0; {d_model or d_key or d_value, d_key or d_value, heads}: Apple's formula is
       (k, d, h) -> d*s0 + h*s1 + k*s2, whose letters do not match the order of its sizes. */
    BNNSDataLayoutMHA_DHK = 0x30003,
    BNNSDataLayout3DLastMajor = 0x38000,   /* {I, J, K}: (i, j, k) -> i*s0 + j*s1 + k*s2 */
    BNNSDataLayout3DFirstMajor = 0x38001,  /* {I, J, K}: (i, j, k) -> k*s0 + j*s1 + i*s2 */

    /* {kw, kh, in, out}: (kx, ky, in, out) -> kx*s0 + ky*s1 + in*s2 + out*s3 */
    BNNSDataLayoutConvolutionWeightsOIHW = 0x40000,
    /* {kw, kh, in, out}, kernel turned by 180 degrees:
       (kx, ky, in, out) -> (kw-1-kx)*s0 + (kh-1-ky)*s1 + in*s2 + out*s3 */
    BNNSDataLayoutConvolutionWeightsOIHrWr = 0x40001,
    /* {kw, kh, out, in}, kernel turned by 180 degrees:
       (kx, ky, in, out) -> (kw-1-kx)*s0 + (kh-1-ky)*s1 + out*s2 + in*s3 */
    BNNSDataLayoutConvolutionWeightsIOHrWr = 0x40002,
    /* Sizes as OIHW, contiguous, 128-byte aligned, output channels in groups of 32 (the last one
       filled up): out%32 + 32*(kx + kw*(ky + kh*(in + Cin*(out/32)))). No strides describe it. */
    BNNSDataLayoutConvolutionWeightsOIHW_Pack32 = 0x40010,
    BNNSDataLayout4DLastMajor = 0x48000,   /* {d0..d3}: sum of i_k * stride[k] */
    BNNSDataLayout4DFirstMajor = 0x48001,  /* {d0..d3}: sum of i_k * stride[3-k] */

    BNNSDataLayout5DLastMajor = 0x58000,   /* {d0..d4}: sum of i_k * stride[k] */
    BNNSDataLayout5DFirstMajor = 0x58001,  /* {d0..d4}: sum of i_k * stride[4-k] */

    BNNSDataLayout6DLastMajor = 0x68000,   /* {d0..d5}: sum of i_k * stride[k] */
    BNNSDataLayout6DFirstMajor = 0x68001,  /* {d0..d5}: sum of i_k * stride[5-k] */

    BNNSDataLayout7DLastMajor = 0x78000,   /* {d0..d6}: sum of i_k * stride[k] */
    BNNSDataLayout7DFirstMajor = 0x78001,  /* {d0..d6}: sum of i_k * stride[6-k] */

    BNNSDataLayout8DLastMajor = 0x88000,   /* {d0..d7}: sum of i_k * stride[k] */
    BNNSDataLayout8DFirstMajor = 0x88001,  /* {d0..d7}: sum of i_k * stride[7-k] */
};

/* What a backward call does with the gradient it delivers; of no effect elsewhere (source: SDK). */
BNNS_ENUM(BNNSNDArrayFlags) {
    BNNSNDArrayFlagBackpropSet = 0,         /* overwrite */
    BNNSNDArrayFlagBackpropAccumulate = 1,  /* add to what is there */
};

/* Bits for BNNSFilterParameters.flags (source: SDK). */
BNNS_ENUM(BNNSFlags) {
    BNNSFlagsUseClientPtr = 0x0001,  /* filters use the caller's weights and bias, not a copy */
};

/* ---- direct-apply functions ---------------------------------------------------------------- */

/*
 * What a reduction computes, and how scatter combines values, where only Sum and None are allowed
 * (source: SDK, doc; since 11.0).
 */
BNNS_ENUM(BNNSReduceFunction) {
    BNNSReduceFunctionMax = 0,          /* the largest element */
    BNNSReduceFunctionMin = 1,          /* the smallest element */
    BNNSReduceFunctionArgMax = 2,       /* index of the largest along the reduced axis */
    BNNSReduceFunctionArgMin = 3,       /* index of the smallest */
    BNNSReduceFunctionMean = 4,         /* sum of x over the number of elements */
    BNNSReduceFunctionMeanNonZero = 5,  /* mean over the elements whose weight is not 0 */
    BNNSReduceFunctionSum = 6,          /* sum of x; scatter adds */
    BNNSReduceFunctionSumSquare = 7,    /* sum of x*x */
    BNNSReduceFunctionSumLog = 8,       /* sum of log(x + epsilon) */
    BNNSReduceFunctionL1Norm = 9,       /* sum of |x| */
    BNNSReduceFunctionLogicalOr = 10,   /* whether any element is not 0 */
    BNNSReduceFunctionLogicalAnd = 11,  /* whether no element is 0 */
    BNNSReduceFunctionL2Norm = 12,      /* 13.0; square root of the sum of x*x */
    BNNSReduceFunctionLogSumExp = 13,   /* 13.0; log of the sum of exp(x) */
    BNNSReduceFunctionProduct = 14,     /* 13.0; product of the elements */
    BNNSReduceFunctionNone = 15,        /* 13.0; scatter overwrites; no reduction has it */
    BNNSReduceFunctionLogSum = 16,      /* 13.3; log of the sum of x */
    BNNSReduceFunctionAny = 10,         /* another name of LogicalOr */
    BNNSReduceFunctionAll = 11,         /* another name of LogicalAnd */
};

/* What BNNSCompareTensor computes, element by element, from a and b (source: SDK; since 11.0). */
BNNS_ENUM(BNNSRelationalOperator) {
    BNNSRelationalOperatorEqual = 0,         /* a == b */
    BNNSRelationalOperatorLess = 1,          /* a < b */
    BNNSRelationalOperatorLessEqual = 2,     /* a <= b */
    BNNSRelationalOperatorGreater = 3,       /* a > b */
    BNNSRelationalOperatorGreaterEqual = 4,  /* a >= b */
    BNNSRelationalOperatorNotEqual = 5,      /* a != b */
    BNNSRelationalOperatorLogicalAND = 6,    /* both a and b */
    BNNSRelationalOperatorLogicalOR = 7,     /* a or b, or both */
    BNNSRelationalOperatorLogicalNOT = 8,    /* not a; b is not used */
    BNNSRelationalOperatorLogicalNAND = 9,   /* not both a and b */
    BNNSRelationalOperatorLogicalNOR = 10,   /* neither a nor b */
    BNNSRelationalOperatorLogicalXOR = 11,   /* one of a and b, not both */
};

/*
 * The rearrangement that BNNSShuffle does on (N, C, H, W) tensors; r is the ratio of the sizes
 * (source: SDK; since 13.0).
 */
BNNS_ENUM(BNNSShuffleType) {
    BNNSShuffleTypePixelShuffleNCHW = 0,    /* channel c*r*r + i*r + j goes to (h*r + i, w*r + j) */
    BNNSShuffleTypePixelUnshuffleNCHW = 1,  /* the inverse of PixelShuffle */
    BNNSShuffleTypeDepthToSpaceNCHW = 2,    /* 13.3; as PixelShuffle, of channel (i*r + j)*C + c */
    BNNSShuffleTypeSpaceToDepthNCHW = 3,    /* 13.3; the inverse of DepthToSpace */
};

/* The norm that BNNSComputeNorm computes (source: SDK; since 12.0). */
BNNS_ENUM(BNNSNormType) {
    BNNSL2Norm = 1,  /* square root of the sum of squares */
};

/* The direction of BNNSDirectApplyQuantizer (source: SDK; since 12.0). */
BNNS_ENUM(BNNSQuantizerFunction) {
    BNNSQuantizerFunctionQuantize = 0,    /* scale*x + bias */
    BNNSQuantizerFunctionDequantize = 1,  /* (x - bias)/scale */
};

/* How a resize or crop fills in between input elements (source: SDK; since 11.0). */
BNNS_ENUM(BNNSInterpolationMethod) {
    BNNSInterpolationMethodNearest = 0,  /* the value of the nearest input element */
    BNNSInterpolationMethodLinear = 1,   /* linear or bilinear: over at most two dimensions */
};

/*
 * Where BNNSCropResize samples: n points on [0, m-1], m the input and n the output length, clamped
 * to that interval (source: SDK; since 13.0).
 */
BNNS_ENUM(BNNSLinearSamplingMode) {
    BNNSLinearSamplingDefault = 0,             /* spacing (m - m/n)/(n - 1), from 0 */
    BNNSLinearSamplingAlignCorners = 1,  /* as StrictAlignCorners, but the middle when n is 1 */
    BNNSLinearSamplingUnalignCorners = 2,      /* spacing m/n, from (spacing - 1)/2 */
    BNNSLinearSamplingStrictAlignCorners = 3,  /* spacing (m - 1)/(n - 1), from 0 */
    BNNSLinearSamplingOffsetCorners = 4,       /* spacing max(1, m - 1)/n, from spacing/2 */
};

/* What the four numbers of a region of BNNSCropResize are (source: SDK; since 13.0). */
BNNS_ENUM(BNNSBoxCoordinateMode) {
    BNNSCornersHeightFirst = 0,     /* first row, first column, last row, last column */
    BNNSCornersWidthFirst = 1,      /* first column, first row, last column, last row */
    BNNSCenterSizeHeightFirst = 2,  /* centre row, centre column, height, width */
    BNNSCenterSizeWidthFirst = 3,   /* centre column, centre row, width, height */
};

/* The algorithm of a random generator; none is fit for cryptography (source: SDK; since 12.0). */
BNNS_ENUM(BNNSRandomGeneratorMethod) {
    BNNSRandomGeneratorMethodAES_CTR = 0,  /* AES-128 of a counter */
};

/*
 * The function of an activation, of x and of the fields alpha and beta of BNNSActivation
 * (source: SDK; 0 to 11 since 10.12 or 10.13, the rest since 11.0 where nothing is said).
 */
BNNS_ENUM(BNNSActivationFunction) {
    BNNSActivationFunctionIdentity = 0,  /* x */
    BNNSActivationFunctionRectifiedLinear = 1,       /* max(0, x) */
    BNNSActivationFunctionLeakyRectifiedLinear = 2,  /* x < 0: alpha*x, else x */
    BNNSActivationFunctionSigmoid = 3,               /* 1/(1 + exp(-x)) */
    BNNSActivationFunctionTanh = 4,  /* tanh(x) */
    BNNSActivationFunctionScaledTanh = 5,            /* alpha*tanh(beta*x) */
    BNNSActivationFunctionAbs = 6,  /* |x| */
    BNNSActivationFunctionLinear = 7,                /* alpha*x */
    BNNSActivationFunctionClamp = 8,                 /* min(max(x, alpha), beta) */
    BNNSActivationFunctionIntegerLinearSaturate = 9,  /* (iscale*x + ioffset) >> ishift */
    BNNSActivationFunctionIntegerLinearSaturatePerChannel = 10,  /* as IntegerLinearSaturate */
    BNNSActivationFunctionSoftmax = 11,  /* exp(x) over the sum of exp along an axis */
    BNNSActivationFunctionGELUApproximation = 12,  /* x/2*(1 + tanh(alpha*(x + beta*x^3))) */
    BNNSActivationFunctionGumbel = 13,     /* -log(-log(alpha*u + beta) + beta), u random, 0 to 1 */
    BNNSActivationFunctionGumbelMax = 14,  /* maximum of x plus Gumbel noise; run: its index */
    BNNSActivationFunctionHardSigmoid = 15,  /* max(0, min(1, alpha*x + beta)) */
    BNNSActivationFunctionSoftplus = 16,     /* alpha*log(1 + exp(beta*x)) */
    BNNSActivationFunctionSoftsign = 17,     /* x/(1 + |x|) */
    BNNSActivationFunctionELU = 18,          /* x < 0: alpha*(exp(x) - 1), else x */
    BNNSActivationFunctionClampedLeakyRectifiedLinear = 19,  /* min(beta, x < 0 ? alpha*x : x) */
    BNNSActivationFunctionLinearWithBias = 20,   /* alpha*x + beta */
    BNNSActivationFunctionLogSoftmax = 21,  /* log(softmax(x)) */
    BNNSActivationFunctionLogSigmoid = 22,  /* log(sigmoid(x)) */
    BNNSActivationFunctionSELU = 23,             /* 1.0507009873554805 times ELU with alpha
                                                    1.6732632423543772 */
    BNNSActivationFunctionCELU = 24,             /* x < 0: alpha*(exp(x/alpha) - 1), else x */
    BNNSActivationFunctionHardShrink = 25,       /* |x| < |alpha|: 0, else x */
    BNNSActivationFunctionSoftShrink = 26,       /* |x| < |alpha|: 0, else x - copysign(alpha, x) */
    BNNSActivationFunctionTanhShrink = 27,       /* x - tanh(x) */
    BNNSActivationFunctionThreshold = 28,        /* x <= alpha: beta, else x */
    BNNSActivationFunctionPReLUPerChannel = 29,  /* alpha by channel; ImageCHW only */
    BNNSActivationFunctionGELUApproximation2 = 30,  /* x*min(max(x + 3, 0), 6)/6 */
    BNNSActivationFunctionHardSwish = 30,        /* 12.0; another name of GELUApproximation2 */
    BNNSActivationFunctionSiLU = 31,             /* 12.0; x*sigmoid(x) */
    BNNSActivationFunctionReLU6 = 32,            /* 13.3; min(max(0, x), 6) */
    BNNSActivationFunctionErf = 33,              /* 13.3; erf(x), the error function */
    BNNSActivationFunctionGELU = 34,             /* 13.3; x/2*(1 + erf(x/sqrt(2))) */
    BNNSActivationFunctionGELUApproximationSigmoid = 35,  /* 13.3; x*sigmoid(1.702*x) */
};

/* ---- optimizer ----------------------------------------------------------------------------- */

/*
 * The algorithm of BNNSOptimizerStep, which decides what OptimizerAlgFields points to: SGD,
 * Adam or RMSProp fields, from 7 on those WithClipping (source: SDK; since 11.0).
 */
BNNS_ENUM(BNNSOptimizerFunction) {
    BNNSOptimizerFunctionSGDMomentum = 1,  /* gradient descent with momentum */
    BNNSOptimizerFunctionAdam = 2,  /* Adam: moving means of the gradient and its square */
    BNNSOptimizerFunctionRMSProp = 3,  /* gradient over the root of its mean square */
    BNNSOptimizerFunctionAdamW = 4,  /* Adam, weight decay apart from the gradient */
    BNNSOptimizerFunctionAdamAMSGrad = 5,  /* Adam, largest second moment so far */
    BNNSOptimizerFunctionAdamWAMSGrad = 6,  /* AdamW, largest second moment so far */
    BNNSOptimizerFunctionSGDMomentumWithClipping = 7,  /* SGDMomentum, gradients bounded */
    BNNSOptimizerFunctionAdamWithClipping = 8,  /* Adam, gradients bounded */
    BNNSOptimizerFunctionRMSPropWithClipping = 9,  /* RMSProp, gradients bounded */
    BNNSOptimizerFunctionAdamWWithClipping = 10,  /* AdamW, gradients bounded */
    BNNSOptimizerFunctionAdamAMSGradWithClipping = 11,  /* AdamAMSGrad, gradients bounded */
    BNNSOptimizerFunctionAdamWAMSGradWithClipping = 12,  /* AdamWAMSGrad, gradients bounded */
};

/* The penalty that an optimizer adds to the gradient (source: SDK; since 11.0). */
BNNS_ENUM(BNNSOptimizerRegularizationFunction) {
    BNNSOptimizerRegularizationNone = 0,  /* no penalty */
    BNNSOptimizerRegularizationL1 = 1,    /* on the sum of |w| */
    BNNSOptimizerRegularizationL2 = 2,    /* on the sum of w*w */
};

/*
 * Where the learning rate lr enters SGD with momentum m, velocity V, weights W, gradient g
 * (source: SDK; since 11.0).
 */
BNNS_ENUM(BNNSOptimizerSGDMomentumVariant) {
    BNNSSGDMomentumVariant0 = 0,  /* V = m*V - lr*g, W += V */
    BNNSSGDMomentumVariant1 = 1,  /* V = m*V + g, W -= lr*V */
    BNNSSGDMomentumVariant2 = 2,  /* V = m*V + lr*g, W -= V */
};

/* How an optimizer bounds the gradient before it uses it (source: SDK). */
BNNS_ENUM(BNNSOptimizerClippingFunction) {
    BNNSOptimizerClippingNone = 0,          /* gradients are used as they are */
    BNNSOptimizerClippingByValue = 1,       /* each element into [min, max] */
    BNNSOptimizerClippingByNorm = 2,        /* each gradient to a largest L2 norm */
    BNNSOptimizerClippingByGlobalNorm = 3,  /* all gradients together to a largest L2 norm */
};

/* ---- filters: layers created once and applied many times ----------------------------------- */

/* The kind of one layer of a fused filter (source: SDK; since 11.0). */
BNNS_ENUM(BNNSFilterType) {
    BNNSConvolution = 0,            /* convolution */
    BNNSFullyConnected = 1,         /* matrix product with the weights */
    BNNSBatchNorm = 2,              /* normalization of each channel over the batch */
    BNNSInstanceNorm = 3,           /* normalization of each channel of each sample */
    BNNSLayerNorm = 4,              /* normalization over the features of each sample */
    BNNSGroupNorm = 5,              /* normalization over groups of channels */
    BNNSTransposedConvolution = 6,  /* convolution the other way round */
    BNNSQuantization = 7,           /* quantization or dequantization */
    BNNSArithmetic = 8,             /* arithmetic, element by element */
};

/* Bits that choose variants of a layer (source: SDK; since 11.0). */
BNNS_ENUM(BNNSLayerFlags) {
    BNNSLayerFlagsLSTMBidirectional = 0x0001,       /* an LSTM runs over the sequence both ways */
    BNNSLayerFlagsLSTMDefaultActivations = 0x0002,  /* the activations of the gates are not read */
};

/* What a pooling layer computes in each window (source: SDK). */
BNNS_ENUM(BNNSPoolingFunction) {
    BNNSPoolingFunctionMax = 0,                         /* the largest element */
    BNNSPoolingFunctionAverageCountIncludePadding = 1,  /* padding counts as zeros */
    BNNSPoolingFunctionAverageCountExcludePadding = 2,  /* divides by the elements not padded */
    BNNSPoolingFunctionUnMax = 3,                       /* back from Max: all others become 0 */
    BNNSPoolingFunctionL2Norm = 4,                      /* square root of the sum of squares */
    BNNSPoolingFunctionAverage = 1,                     /* as AverageCountIncludePadding */
};

/* What a padding layer puts around its input (source: SDK; since 11.0). */
BNNS_ENUM(BNNSPaddingMode) {
    BNNSPaddingModeConstant = 0,   /* one value */
    BNNSPaddingModeReflect = 1,    /* mirrored, the border element once: C B | A B C */
    BNNSPaddingModeSymmetric = 2,  /* mirrored, the border element twice: B A | A B C */
};

/*
 * The function of an arithmetic layer, of one (a), two (a, b) or three (a, b, c) operands
 * (source: SDK; since 11.0).
 */
BNNS_ENUM(BNNSArithmeticFunction) {
    BNNSArithmeticAdd = 0,                   /* a + b */
    BNNSArithmeticSubtract = 1,              /* a - b */
    BNNSArithmeticMultiply = 2,              /* a*b */
    BNNSArithmeticDivide = 3,                /* a/b */
    BNNSArithmeticSquareRoot = 4,            /* square root of a */
    BNNSArithmeticReciprocalSquareRoot = 5,  /* 1 over the square root of a */
    BNNSArithmeticCeil = 6,                  /* a rounded up to a whole number */
    BNNSArithmeticFloor = 7,                 /* a rounded down to a whole number */
    BNNSArithmeticRound = 8,                 /* a rounded to the nearest whole number */
    BNNSArithmeticSin = 9,                   /* sine of a, which is in radians */
    BNNSArithmeticCos = 10,                  /* cosine of a */
    BNNSArithmeticTan = 11,                  /* tangent of a */
    BNNSArithmeticAsin = 12,                 /* the angle whose sine is a */
    BNNSArithmeticAcos = 13,                 /* the angle whose cosine is a */
    BNNSArithmeticAtan = 14,                 /* the angle whose tangent is a */
    BNNSArithmeticSinh = 15,                 /* hyperbolic sine of a */
    BNNSArithmeticCosh = 16,                 /* hyperbolic cosine of a */
    BNNSArithmeticTanh = 17,                 /* hyperbolic tangent of a */
    BNNSArithmeticAsinh = 18,                /* inverse of Sinh */
    BNNSArithmeticAcosh = 19,                /* inverse of Cosh */
    BNNSArithmeticAtanh = 20,                /* inverse of Tanh */
    BNNSArithmeticPow = 21,                  /* a to the power of b */
    BNNSArithmeticExp = 22,                  /* e to the power of a */
    BNNSArithmeticExp2 = 23,                 /* 2 to the power of a */
    BNNSArithmeticLog = 24,                  /* natural logarithm of a */
    BNNSArithmeticLog2 = 25,                 /* logarithm of a to base 2 */
    BNNSArithmeticMultiplyNoNaN = 26,        /* a*b, but 0 where b is 0 */
    BNNSArithmeticDivideNoNaN = 27,          /* a/b, but 0 where b is 0 */
    BNNSArithmeticMultiplyAdd = 28,          /* a*b + c */
    BNNSArithmeticMinimum = 29,              /* the smaller of a and b */
    BNNSArithmeticMaximum = 30,              /* the larger of a and b */
    BNNSArithmeticSelect = 31,               /* a ? b : c */
    BNNSArithmeticAbs = 32,                  /* |a| */
    BNNSArithmeticSign = 33,                 /* -1, 0 or 1 */
    BNNSArithmeticNegate = 34,               /* -a */
    BNNSArithmeticReciprocal = 35,           /* 1/a */
    BNNSArithmeticSquare = 36,               /* a*a */
    BNNSArithmeticFloorDivide = 37,          /* quotient towards minus infinity */
    BNNSArithmeticTruncDivide = 38,          /* quotient towards zero */
    BNNSArithmeticTruncRemainder = 39,       /* remainder that goes with TruncDivide */
    BNNSArithmeticErf = 40,                  /* erf(a), the error function */
};

/* Whether an operand of an arithmetic layer changes with the batch (source: SDK; since 11.0). */
BNNS_ENUM(BNNSDescriptorType) {
    BNNSConstant = 0,   /* one for all samples, has no gradient */
    BNNSSample = 1,     /* one for each sample, as its gradient */
    BNNSParameter = 2,  /* one for all samples, its gradient summed over them */
};

/* Which trainable field of a layer BNNSGetPointer returns (source: SDK). */
BNNS_ENUM(BNNSPointerSpecifier) {
    BNNSPointerSpecifierAlpha = 0,  /* alpha of an activation */
    BNNSPointerSpecifierBeta = 1,   /* beta of an activation */
};

/* Bits for an embedding layer (source: SDK). */
BNNS_ENUM(BNNSEmbeddingFlags) {
    BNNSEmbeddingFlagScaleGradientByFrequency = 1,  /* by how often an index occurs in the input */
};

/* What a loss layer computes (source: SDK; since 11.0). */
BNNS_ENUM(BNNSLossFunction) {
    BNNSLossFunctionSoftmaxCrossEntropy = 1,  /* cross entropy of the softmax of the prediction */
    BNNSLossFunctionSigmoidCrossEntropy = 2,  /* cross entropy of the sigmoid of the prediction */
    BNNSLossFunctionMeanSquareError = 3,  /* mean of the squared differences */
    BNNSLossFunctionHuber = 4,  /* squared for small differences, linear for large ones */
    BNNSLossFunctionYolo = 5,  /* the loss of the YOLO object detector */
    BNNSLossFunctionLog = 6,  /* cross entropy of probabilities with labels of 0 and 1 */
    BNNSLossFunctionCosineDistance = 7,  /* 1 - cosine of prediction and label */
    BNNSLossFunctionHinge = 8,  /* max(0, 1 - label*prediction), labels -1 and 1 */
    BNNSLossFunctionMeanAbsoluteError = 9,  /* mean of the absolute differences */
    BNNSLossFunctionCategoricalCrossEntropy = 10,  /* cross entropy of probabilities, by class */
};

/* How the losses of a batch become one (source: SDK; since 11.0). */
BNNS_ENUM(BNNSLossReductionFunction) {
    BNNSLossReductionNone = 0,               /* one loss for each sample */
    BNNSLossReductionSum = 1,                /* sum of the losses */
    BNNSLossReductionWeightedMean = 2,       /* sum over the sum of the weights */
    BNNSLossReductionMean = 3,               /* sum over the number of samples */
    BNNSLossReductionNonZeroWeightMean = 4,  /* sum over the number of weights that are not 0 */
};

/* ---- sparse weights ------------------------------------------------------------------------ */

/* The pattern in which the nonzero weights lie (source: SDK; since 13.0). */
BNNS_ENUM(BNNSSparsityType) {
    BNNSSparsityTypeUnstructured = 0,  /* no pattern */
};

/* The device that packed weights are meant for (source: SDK; since 13.0). */
BNNS_ENUM(BNNSTargetSystem) {
    BNNSTargetSystemGeneric = 0,  /* one packing that every device can use */
};

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
