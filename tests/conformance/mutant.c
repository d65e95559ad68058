/*
 * BNNSGather with one thing wrong, for the tests of the conformance run. The sound core is linked
 * beside it under another name; MUTANT says which thing. No internals of the core are used.
 */
#include "bnns/bnns.h"

#include <string.h>
#include <unistd.h>

int real_BNNSGather(size_t axis, const BNNSNDArrayDescriptor *input,
                    const BNNSNDArrayDescriptor *indices, BNNSNDArrayDescriptor *output,
                    const BNNSFilterParameters *filter_params);

/* MUTANT is one of these names. */
enum { same, wraps, swaps, overreads, spoils, strays, crashes, hangs };

static int usable(const BNNSNDArrayDescriptor *tensor)
{
    return tensor != NULL && tensor->data != NULL;
}

/* Indices of -n to -1 count from the end, as they do in NumPy: Int32 vectors only. */
static int wrapping(size_t axis, const BNNSNDArrayDescriptor *input,
                    const BNNSNDArrayDescriptor *indices, BNNSNDArrayDescriptor *output,
                    const BNNSFilterParameters *filter_params)
{
    enum { MOST = 64 };
    int32_t wrapped[MOST];
    const int fits = usable(indices) && input != NULL && indices->layout == BNNSDataLayoutVector &&
                     indices->data_type == BNNSDataTypeInt32 && indices->size[0] <= MOST &&
                     indices->stride[0] <= 1 && axis < 8;
    if (!fits)
        return real_BNNSGather(axis, input, indices, output, filter_params);
    const int matrix = input->layout == BNNSDataLayoutRowMajorMatrix;
    const int32_t n = (int32_t)input->size[matrix ? 1 - axis % 2 : axis];
    memcpy(wrapped, indices->data, indices->size[0] * sizeof *wrapped);
    for (size_t i = 0; i < indices->size[0]; i++)
        if (wrapped[i] < 0 && wrapped[i] >= -n)
            wrapped[i] += n;
    BNNSNDArrayDescriptor changed = *indices;
    changed.data = wrapped;
    return real_BNNSGather(axis, input, &changed, output, filter_params);
}

int BNNSGather(size_t axis, const BNNSNDArrayDescriptor *input,
               const BNNSNDArrayDescriptor *indices, BNNSNDArrayDescriptor *output,
               const BNNSFilterParameters *filter_params)
{
    const int small = usable(input) && input->data_type == BNNSDataTypeUInt16;
    if (MUTANT == wraps)
        return wrapping(axis, input, indices, output, filter_params);
    if (MUTANT == swaps && input != NULL && input->layout == BNNSDataLayoutRowMajorMatrix)
        axis = axis < 2 ? 1 - axis : axis;
    if (MUTANT == crashes && axis == 5)
        *(volatile char *)16 = 0;
    if (MUTANT == hangs && axis == 6)
        for (;;)
            pause();

    const int status = real_BNNSGather(axis, input, indices, output, filter_params);
    if (MUTANT == overreads && status == 0 && small) {
        const volatile char *end = (const char *)input->data + BNNSNDArrayGetDataSize(input);
        (void)*end;
    }
    if (MUTANT == spoils && status == -1005 && usable(output))
        *(char *)output->data ^= 1;
    if (MUTANT == strays && status == 0 && small && usable(output))
        ((char *)output->data)[-1] ^= 1;
    return status;
}
