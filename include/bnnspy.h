/*
 * What this library adds to Apple's interface, all under the prefix bnnspy_: the reason for a
 * status, descriptors that know the bounds of their memory, and the view that a layout gives.
 */
#ifndef BNNSPY_H
#define BNNSPY_H

#include "bnns/bnns.h"

BNNS_EXTERN_C_BEGIN

/* The statuses that the functions return; as an int, because BNNS functions return an int. */
enum {
    bnnspy_status_success = 0,
    bnnspy_status_invalid_parameter = -1,
    bnnspy_status_shape_mismatch = -1003,
    bnnspy_status_index_out_of_range = -1005,
};

/* "major.minor.patch"; a static string. */
const char *bnnspy_version(void);

/* Which kernels this process runs, by what the processor has: "avx512", "avx2" or "portable". */
const char *bnnspy_kernel_variant(void);

/*
 * Threads that a call may use when its filter_params leave it open (NULL, or n_threads 0), 1 to 64:
 * what was set here, else the environment variable BNNSPY_NUM_THREADS, else the processors that the
 * affinity mask and the control group's quota leave to this process. Small calls use fewer.
 * 0 undoes the setting.
 */
void bnnspy_set_num_threads(unsigned threads);
unsigned bnnspy_num_threads(void);

/*
 * Why the last failing call of this thread failed. Calls that succeed leave it alone.
 * Text is UTF-8 and ends with 0.
 */
typedef struct {
    int status;           /* 0 when no call of this thread has failed yet */
    uint32_t missing;     /* 1: argument has no data (NULL, or deallocated) */
    char argument[24];    /* "axis", "input", "indices", ..; "" when no single one is at fault */
    uint32_t has_index;   /* 1: the five fields below say which index was out of range */
    uint32_t rank;        /* entries of position in use */
    uint64_t index;       /* its value; as int64_t when index_negative is 1 */
    uint32_t index_negative;
    int64_t valid_from;   /* valid indices are valid_from .. valid_to - 1 */
    int64_t valid_to;
    size_t position[64];  /* where it stands in the tensor named by argument, in tuple order */
    char sentence[512];   /* names the argument, the value and the range */
} bnnspy_error;

/* This thread's last error; never NULL. Ask anew after a call: another failure stands elsewhere. */
const bnnspy_error *bnnspy_last_error(void);

/*
 * What the functions below return: 0, or a failure. Converted to an int, a failure is its status; as
 * a whole it names what the thread recorded of it. Who reads that a while later, when something else
 * on the same thread (a callback, a finalizer) may have failed in between, reads the right one.
 */
typedef int64_t bnnspy_outcome;

/*
 * error := the record that outcome names, on the thread that made the call. A thread keeps 16: where
 * that many failures came after it, error has the status and a sentence that says so, and no more.
 * 0 gives an error of status 0 with no sentence. Not NULL.
 */
void bnnspy_error_of(bnnspy_outcome outcome, bnnspy_error *error);

/*
 * Makes error this thread's last one, unless it is that already, and returns what names it; for
 * faces that know the caller's value better, or fail by themselves. Its status is not 0. Not NULL.
 */
bnnspy_outcome bnnspy_set_last_error(const bnnspy_error *error);

/*
 * What a descriptor's layout, sizes and strides say, in the order of the layout's value tuple.
 * Counts are in elements. bits is 0 for an unknown data type; nothing else depends on the type.
 */
typedef struct {
    uint32_t rank;
    uint32_t bits;           /* of one element */
    size_t size[8];
    ptrdiff_t stride[8];     /* defaults resolved; negative where the layout runs backwards */
    size_t start;            /* of tuple (0, .., 0), from data */
    size_t count;            /* product of the sizes */
    size_t extent;           /* from data to the end of the last element; 0 without elements */
    size_t batch_stride;     /* from one batch to the next: largest stride times its size */
    uint8_t size_slot[8];    /* tuple axis -> index into the descriptor's size[] */
    uint8_t stride_slot[8];  /* tuple axis -> index into the descriptor's stride[] */
} bnnspy_view;

/*
 * Fills view, from the descriptor's fields alone: data is neither read nor needed. Returns 0, or -1
 * for an unknown layout, one that strides can't say, decreasing strides, or an overflow; `name` is
 * what the sentence calls the tensor. view is untouched then.
 */
bnnspy_outcome bnnspy_describe(const BNNSNDArrayDescriptor *descriptor, const char *name,
                               bnnspy_view *view);

/*
 * A descriptor with the bounds of its memory. The functions that take it refuse (-1) a tensor whose
 * elements do not all lie in [base, base + nbytes), that is not live, or that is an output and not
 * writable. They only read it, and nothing may change it while they run.
 */
typedef struct {
    BNNSNDArrayDescriptor descriptor;
    const void *base;     /* lowest byte that may be touched; NULL with nbytes 0 */
    size_t nbytes;        /* bytes from base that may be touched */
    uint32_t writable;    /* 0: only to be read */
    uint32_t live;        /* 0: deallocated */
    /* What every call would have to work out again. bnnspy_bind fills it; all 0 is fine too. */
    uint32_t checked;     /* 1: view is the descriptor's, and its elements lie within the bounds */
    uint32_t distinct;    /* 1: and no two elements share a byte */
    uint32_t type_row;    /* where checked is 1: the data type's place in the library's own table */
    bnnspy_view view;
} bnnspy_bounded;

/*
 * record := model with data, base and nbytes set to the buffer given, live, and its view worked
 * out. Fails with -1 when nbytes is less than `batches` copies of the tensor need, one batch stride
 * apart (record is unchanged then); batches 0 skips that check and never fails. record may be model.
 */
bnnspy_outcome bnnspy_bind(bnnspy_bounded *record, const bnnspy_bounded *model, void *data,
                           size_t nbytes, uint32_t writable, size_t batches);

/* BNNSGather over bounded descriptors: the same contract, and the bounds besides. */
bnnspy_outcome bnnspy_gather(size_t axis, const bnnspy_bounded *input,
                             const bnnspy_bounded *indices, const bnnspy_bounded *output,
                             const BNNSFilterParameters *filter_params);

/* The same with filter_params NULL, for callers to whom each argument is work. */
bnnspy_outcome bnnspy_gather_default(size_t axis, const bnnspy_bounded *input,
                                     const bnnspy_bounded *indices, const bnnspy_bounded *output);

/*
 * The other functions over bounded descriptors, their arguments in Apple's order: the same contract,
 * and the bounds besides.
 */
bnnspy_outcome bnnspy_transpose(const bnnspy_bounded *dest, const bnnspy_bounded *src, size_t axis0,
                                size_t axis1, const BNNSFilterParameters *filter_params);

/*
 * A gather over any strides, for arrays that no descriptor can say. It is a loop nest over output:
 *     output[i0, i1, ..] = input[i0, i1, ..] moved by index[i0, i1, ..] * axis_stride
 * where each of the three is at the sum of i_k times its own stride. Strides are bytes, of any sign;
 * 0 is a literal 0, and says that the operand does not move with that loop.
 */
typedef struct {
    size_t rank;                    /* loops, 0 to 64 */
    const size_t *size;             /* [rank]: turns of each loop */
    const ptrdiff_t *output_stride; /* [rank] */
    const ptrdiff_t *input_stride;  /* [rank] */
    const ptrdiff_t *index_stride;  /* [rank] */
    size_t first_index_loop;        /* the loops that go over the indices: that many, from here; */
    size_t index_rank;              /* a bad index is reported by its place in them */
    size_t axis;                    /* named in the sentence, no more */
    size_t axis_size;               /* valid indices are below it */
    ptrdiff_t axis_stride;
    size_t item;                    /* bytes of an element, at least 1 */
    BNNSDataType index_type;        /* Int8 to Int64, UInt8 to UInt64 */
    uint32_t wrap;                  /* 1: -axis_size .. -1 count from the back */
} bnnspy_strides;

/*
 * Does it. The pointers are to the element at (0, 0, ..); output may not share a byte with input or
 * indices, and its elements not with each other: the caller answers for that and for the bounds.
 * filter_params may be NULL.
 *
 * Returns 0; -1 for NULL (strides, its four arrays unless rank is 0, or memory that has an element),
 * a rank over 64, index loops that are not among the loops, an item of 0 bytes, an axis_size over
 * PTRDIFF_MAX, an index type that is no integer of 8 to 64 bits; -1005 for an index out of range,
 * also when there is no output element. Unless it is 0, nothing was written.
 */
bnnspy_outcome bnnspy_take(const bnnspy_strides *strides, const void *input, const void *indices,
                           void *output, const BNNSFilterParameters *filter_params);

BNNS_EXTERN_C_END

#endif
