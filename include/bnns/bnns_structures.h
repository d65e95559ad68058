/*
 * The structures that classic BNNS calls take: the tensor descriptor, the run-time parameters and
 * the parameter blocks of the direct-apply functions. Members, order, sizes and offsets are
 * Apple's, so a block filled here could be handed to Apple's framework as it is.
 *
 * Sizes in bytes are those of a 64-bit target. Sources: names and order from the macOS 15 SDK as
 * listed by the public Java binding uncomplicate/apple-presets (accelerate, bnns.java); sizes and
 * offsets as public projects measured them on macOS 15.7, arm64; meaning from
 * developer.apple.com/documentation/accelerate where nothing else is named.
 */
#ifndef BNNS_STRUCTURES_H
#define BNNS_STRUCTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#include "bnns_constants.h"

BNNS_EXTERN_C_BEGIN

/* ---- memory -------------------------------------------------------------------------------- */

/*
 * Allocates size bytes at a multiple of alignment and stores the address in *memptr, as
 * posix_memalign does: returns 0 on success, anything else on failure. alignment is in bytes, a
 * power of two and a multiple of sizeof(void *).
 */
typedef int (*BNNSAlloc)(void **memptr, size_t alignment, size_t size);

/* Frees what the BNNSAlloc beside it returned. */
typedef void (*BNNSFree)(void *ptr);

/*
 * How a call runs, not what it computes; 32 bytes. Every function that takes one takes NULL too,
 * which means all fields 0.
 */
typedef struct BNNSFilterParameters {
    uint32_t flags;          /* BNNSFlags or'ed together; only filters read them */
    size_t n_threads;        /* 0: the library decides, 1: the calling thread, n: n threads */
    BNNSAlloc alloc_memory;  /* NULL: posix_memalign */
    BNNSFree free_memory;    /* NULL: free */
} BNNSFilterParameters;

/* ---- tensors ------------------------------------------------------------------------------- */

/*
 * A view of memory as a tensor of 1 to 8 dimensions; 176 bytes, 8-byte aligned. It owns nothing and
 * does not know how many bytes data has.
 *
 * The layout fixes the rank n; of size[] and stride[] the first n entries count, the rest is
 * ignored and is best 0. Strides are in elements, never in bytes.
 *
 *   - A stride of 0 stands for the contiguous one: stride[0] = 1, and stride[k] = stride[k-1] times
 *     the size that belongs to stride[k-1], each from strides already replaced. RowMajorMatrix with
 *     size {3, 3} and stride {0, 0} is the same as stride {1, 3}.
 *   - The size that belongs to stride[k] is size[k]; in nDFirstMajor it is size[n-1-k], for these
 *     layouts keep size[] slowest first and stride[] fastest first.
 *   - Strides never decrease: stride[k+1] >= stride[k] in every layout. So stride[] alone orders
 *     the dimensions in memory, and no stride is negative.
 *   - Axis k of a call is the k-th index of the layout's value tuple (see BNNSDataLayout): size[k],
 *     except in RowMajorMatrix {columns, rows}, where axis 0 are the rows.
 *
 * Sources: SDK; the page BNNSNDArrayDescriptor; the axis rule is drawn from Apple's documented
 * results, which all follow it.
 */
typedef struct BNNSNDArrayDescriptor {
    BNNSNDArrayFlags flags;        /* read only where a backward call writes a gradient */
    BNNSDataLayout layout;         /* decides the rank, and how size and stride are read */
    size_t size[8];                /* elements in each dimension (BNNS_MAX_TENSOR_DIMENSION) */
    size_t stride[8];              /* elements from one index to the next; 0: contiguous */
    void *data;                    /* the element at index 0 everywhere; NULL: no data */
    BNNSDataType data_type;        /* of what data points to */
    void *table_data;              /* look-up table; ignored unless data_type is Indexed */
    BNNSDataType table_data_type;  /* of the table's values; ignored with it */
    float data_scale;              /* Int and UInt data turned into floating point: factor, where 0
                                      counts as 1; ignored for other types */
    float data_bias;               /* and what is added; ignored as data_scale is */
} BNNSNDArrayDescriptor;

/*
 * The tensor of Apple's later graph functions; 160 bytes. Of the functions here only
 * BNNSTensorGetAllocationSize takes it. Unlike in a descriptor, dimensions are slowest first
 * (stride[d] >= stride[d+1]), a stride of 0 is meant as 0, and a negative shape or stride is one
 * that is not known yet (source: SDK).
 */
typedef struct BNNSTensor {
    BNNSDataType data_type;
    uint8_t rank;               /* 0 to 8 */
    ssize_t shape[8];           /* elements in each dimension; the first rank entries count */
    ssize_t stride[8];          /* in elements; the first rank entries count */
    void *data;                 /* may be NULL where only the shape is asked for */
    size_t data_size_in_bytes;  /* bytes at data, the bound for checks */
    const char *name;           /* for debugging; NULL: none; never read */
} BNNSTensor;

/* ---- parameter blocks of direct-apply functions -------------------------------------------- */

/*
 * An activation function and its constants; 48 bytes. A function reads only the fields that its
 * formula names (see BNNSActivationFunction); Swift leaves alpha and beta NaN where unused.
 */
typedef struct BNNSActivation {
    BNNSActivationFunction function;
    float alpha;
    float beta;
    int32_t iscale;   /* IntegerLinearSaturate only, as the next two */
    int32_t ioffset;
    int32_t ishift;   /* bits of an arithmetic shift to the right */
    const int32_t *iscale_per_channel;   /* IntegerLinearSaturatePerChannel only: a value for */
    const int32_t *ioffset_per_channel;  /* each channel; ignored by all other functions, and */
    const int32_t *ishift_per_channel;   /* NULL then */
} BNNSActivation;

/* What BNNSDirectApplyActivationBatch computes; 408 bytes. */
typedef struct BNNSLayerParametersActivation {
    BNNSNDArrayDescriptor i_desc;
    BNNSNDArrayDescriptor o_desc;  /* the sizes of i_desc */
    BNNSActivation activation;
    uint32_t axis_flags;  /* Softmax, LogSoftmax and GumbelMax only: a bit for each axis they run
                             over, the bit numbered as the rank for the batch; 0: that of size[0] */
} BNNSLayerParametersActivation;

/*
 * What BNNSDirectApplyReduction computes; 536 bytes. The axes to reduce are those where o_desc has
 * size 1; everywhere else it has the size of i_desc.
 */
typedef struct BNNSLayerParametersReduction {
    BNNSNDArrayDescriptor i_desc;
    BNNSNDArrayDescriptor o_desc;    /* of the rank of i_desc */
    BNNSNDArrayDescriptor w_desc;    /* weights, of the rank of i_desc; data NULL: none */
    BNNSReduceFunction reduce_func;  /* not None */
    float epsilon;                   /* added to each element by SumLog; else ignored */
} BNNSLayerParametersReduction;

/* How BNNSCropResize cuts regions out of images and scales them; 24 bytes. */
typedef struct BNNSLayerParametersCropResize {
    bool normalized_coordinates;  /* true: regions are given as fractions of the image, 0 to 1 */
    float spatial_scale;          /* factor on the coordinates of a region */
    float extrapolation_value;    /* what a sample outside the image gives */
    BNNSLinearSamplingMode sampling_mode;
    BNNSBoxCoordinateMode box_coordinate_mode;
    BNNSInterpolationMethod method;  /* only Linear is supported */
} BNNSLayerParametersCropResize;

/*
 * What BNNSDirectApplyQuantizer computes; 720 bytes. data_scale and data_bias of all four
 * descriptors are ignored.
 */
typedef struct BNNSLayerParametersQuantization {
    size_t axis_mask;                /* 0: one scale for all; else one bit: bit i for the dimension
                                        of size[i], the bit numbered as the rank for the batch */
    BNNSQuantizerFunction function;
    BNNSNDArrayDescriptor i_desc;
    BNNSNDArrayDescriptor o_desc;
    BNNSNDArrayDescriptor scale;     /* Vector: 1 value, or one for each index of the axis chosen;
                                        data NULL: no scale */
    BNNSNDArrayDescriptor bias;      /* as scale; data NULL: no bias */
} BNNSLayerParametersQuantization;

/* ---- optimizer ----------------------------------------------------------------------------- */

/*
 * The fields of an optimizer are read anew at every step, so that the caller may change them in
 * between. In all of them: gradient_scale is a factor on each gradient, regularization_scale the
 * weight of the penalty. The ...Fields blocks clip when clip_gradients is true, else they ignore
 * clip_gradients_min and _max. The ...WithClippingFields blocks have a function instead: ByValue
 * reads _min and _max, ByNorm reads _max_norm, ByGlobalNorm reads _max_norm and _use_norm, the norm
 * of all gradients together, where 0 means that the step computes it.
 */

/* Stochastic gradient descent with momentum (BNNSOptimizerFunctionSGDMomentum); 40 bytes. */
typedef struct BNNSOptimizerSGDMomentumFields {
    float learning_rate;
    float momentum;  /* 0: no momentum, and the accumulators may be NULL */
    float gradient_scale;
    float regularization_scale;
    bool clip_gradients;
    float clip_gradients_min;
    float clip_gradients_max;
    bool nesterov;
    BNNSOptimizerRegularizationFunction regularization_func;
    BNNSOptimizerSGDMomentumVariant sgd_momentum_variant;
} BNNSOptimizerSGDMomentumFields;

/* The same with a choice of clipping (...SGDMomentumWithClipping); 48 bytes. */
typedef struct BNNSOptimizerSGDMomentumWithClippingFields {
    float learning_rate;
    float momentum;  /* 0: no momentum, and the accumulators may be NULL */
    float gradient_scale;
    float regularization_scale;
    bool nesterov;
    BNNSOptimizerRegularizationFunction regularization_func;
    BNNSOptimizerSGDMomentumVariant sgd_momentum_variant;
    BNNSOptimizerClippingFunction clipping_func;
    float clip_gradients_min;
    float clip_gradients_max;
    float clip_gradients_max_norm;
    float clip_gradients_use_norm;
} BNNSOptimizerSGDMomentumWithClippingFields;

/* Adam, AdamW and their AMSGrad variants; 44 bytes. */
typedef struct BNNSOptimizerAdamFields {
    float learning_rate;
    float beta1;                 /* decay of the first moment, 0 to below 1 */
    float beta2;                 /* decay of the second moment, 0 to below 1 */
    float time_step;             /* counted by the caller: 1, 2, ... */
    float epsilon;               /* epsilon-hat of the Adam paper (Kingma and Ba) */
    float gradient_scale;
    float regularization_scale;  /* AdamW: the decoupled weight decay */
    bool clip_gradients;
    float clip_gradients_min;
    float clip_gradients_max;
    BNNSOptimizerRegularizationFunction regularization_func;  /* ignored by AdamW */
} BNNSOptimizerAdamFields;

/* The same with a choice of clipping (...Adam...WithClipping); 52 bytes. */
typedef struct BNNSOptimizerAdamWithClippingFields {
    float learning_rate;
    float beta1;                 /* decay of the first moment, 0 to below 1 */
    float beta2;                 /* decay of the second moment, 0 to below 1 */
    float time_step;             /* counted by the caller: 1, 2, ... */
    float epsilon;               /* epsilon-hat of the Adam paper (Kingma and Ba) */
    float gradient_scale;
    float regularization_scale;  /* AdamW: the decoupled weight decay */
    BNNSOptimizerRegularizationFunction regularization_func;  /* ignored by AdamW */
    BNNSOptimizerClippingFunction clipping_func;
    float clip_gradients_min;
    float clip_gradients_max;
    float clip_gradients_max_norm;
    float clip_gradients_use_norm;
} BNNSOptimizerAdamWithClippingFields;

/* RMSProp; 44 bytes. */
typedef struct BNNSOptimizerRMSPropFields {
    float learning_rate;
    float alpha;     /* decay of the mean of squared gradients */
    float epsilon;   /* added to the root in the divisor */
    bool centered;   /* true: the square of the mean gradient is taken off under the root */
    float momentum;  /* 0: none */
    float gradient_scale;
    float regularization_scale;
    bool clip_gradients;
    float clip_gradients_min;
    float clip_gradients_max;
    BNNSOptimizerRegularizationFunction regularization_func;
} BNNSOptimizerRMSPropFields;

/* The same with a choice of clipping (...RMSPropWithClipping); 52 bytes. */
typedef struct BNNSOptimizerRMSPropWithClippingFields {
    float learning_rate;
    float alpha;     /* decay of the mean of squared gradients */
    float epsilon;   /* added to the root in the divisor */
    bool centered;   /* true: the square of the mean gradient is taken off under the root */
    float momentum;  /* 0: none */
    float gradient_scale;
    float regularization_scale;
    BNNSOptimizerRegularizationFunction regularization_func;
    BNNSOptimizerClippingFunction clipping_func;
    float clip_gradients_min;
    float clip_gradients_max;
    float clip_gradients_max_norm;
    float clip_gradients_use_norm;
} BNNSOptimizerRMSPropWithClippingFields;

/* ---- sparse weights ------------------------------------------------------------------------ */

/* A hint to the sparsify functions on how the nonzero weights lie; 24 bytes. */
typedef struct BNNSSparsityParameters {
    uint64_t flags;              /* 0 */
    uint32_t sparsity_ratio[2];  /* numerator, then the larger denominator */
    BNNSSparsityType sparsity_type;
    BNNSTargetSystem target_system;
} BNNSSparsityParameters;

BNNS_EXTERN_C_END

#endif
