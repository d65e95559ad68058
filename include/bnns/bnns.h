/*
 * The functions of the classic BNNS interface, with the contract that this library keeps.
 *
 * Contract of every function here, unless its own comment says otherwise:
 *  - A descriptor pointer may not be NULL, and the descriptor itself is never written; what is
 *    written is the memory that an output descriptor points to.
 *  - filter_params may be NULL. Its n_threads and allocator are used, its flags are ignored.
 *  - The return value is 0, or a negative status. A nonzero status means that not one byte was
 *    written: all checks come before the first write. The only exception is memory that another
 *    thread changes while the call runs.
 *      -1     a parameter that can't be used: NULL, a type or layout that does not fit, an axis
 *             that does not exist, strides that decrease, sizes that overflow, memory that overlaps
 *      -1003  sizes or ranks that do not fit each other
 *      -1005  an index outside the axis that it points into
 *    bnnspy_last_error() of bnnspy.h has the sentence.
 *  - Sizes and strides are in elements. Fields beyond the layout's rank are ignored, as are
 *    table_data, data_scale and data_bias where elements are only moved.
 *  - Any alignment of data is accepted.
 *
 * Sources: Apple's documentation of each function; the status codes -1003 and -1005 were measured
 * by others on Apple's hardware. docs/compatibility.md says for each behaviour which it is.
 */
#ifndef BNNS_BNNS_H
#define BNNS_BNNS_H

#include "bnns_constants.h"
#include "bnns_structures.h"

BNNS_EXTERN_C_BEGIN

/*
 * Copies the slices of input that indices names into output:
 *     output[.., i, ..] = input[.., index, ..]         (the brackets' i-th place is axis)
 *
 * axis     counts the layout's value tuple (bnns_constants.h): axis 0 of a RowMajorMatrix is its
 *          rows. From 0 to rank - 1.
 * input    any layout that strides can say, rank 1 to 8, any data type. Types of less than 8 bits
 *          are moved where the contiguous run behind the axis is whole bytes. Its elements may
 *          overlap each other.
 * indices  Int8 to Int64 or UInt8 to UInt64, each from 0 to (size of input along axis) - 1; there
 *          is no wrap-around. Two forms:
 *            rank 1, any length n: index = indices[i]; output has size n along axis
 *            output's own shape:   index = indices at the same place as the output element
 *          For an output of rank 1 the two are the same. data may be NULL when there is no index.
 * output   input's data type and, away from axis, input's sizes; its layout may differ. No two of
 *          its elements may share a byte, nor may one share a byte with input or indices. Memory
 *          between its elements is left alone. When output has no element, input->data and
 *          output->data may be NULL, and the indices are checked all the same.
 *
 * Returns 0, -1, -1003 or -1005 as above. On one thread it allocates nothing, but for one workspace
 * of at most 1 MiB where the access pattern wants it: from the allocator of filter_params, and the
 * call works without it when that fails.
 */
int BNNSGather(size_t axis, const BNNSNDArrayDescriptor *input, const BNNSNDArrayDescriptor *indices,
               BNNSNDArrayDescriptor *output, const BNNSFilterParameters *filter_params);

/*
 * Puts the slices of input into output where indices say, or adds them there:
 *     output[.., index, ..] = input[.., i, ..]         (the brackets' i-th place is axis)
 *     output[.., index, ..] += input[.., i, ..]        with op Sum
 * The other elements of output keep their bytes. What meets in one element is taken in the order of i:
 * without a sum the last one stays. So the result is the same on every run, for any number of threads.
 *
 * axis     counts the layout's value tuple (bnns_constants.h), from 0 to rank - 1.
 * op       BNNSReduceFunctionNone or BNNSReduceFunctionSum; any other is -1. Sums are of input's type:
 *          integers wrap around, Float16 and BFloat16 are added as floats and rounded to nearest even
 *          once for each i, of Booleans the sum is whether one of the two is not 0. A sum of floats
 *          that is no number has the bits of one quiet NaN.
 * input    any layout that strides can say, rank 1 to 8. Any data type with op None, types of less
 *          than 8 bits where the contiguous run behind the axis is whole bytes; floats, integers of 8
 *          to 64 bits and Boolean with op Sum. Its elements may overlap each other.
 * indices  Int8 to Int64 or UInt8 to UInt64, each from 0 to (size of output along axis) - 1; there is
 *          no wrap-around. Two forms:
 *            rank 1, as long as input along axis: index = indices[i]
 *            input's own shape:                   index = indices at the same place as the element
 * output   input's data type and, away from axis, input's sizes; its layout may differ. No two of
 *          its elements may share a byte, nor may one share a byte with input or indices.
 *
 * Returns 0, -1, -1003 or -1005 as above. It allocates nothing. data may be NULL of a tensor that has
 * no element; indices are checked where there is nothing to put, too.
 */
int BNNSScatter(size_t axis, BNNSReduceFunction op, const BNNSNDArrayDescriptor *input,
                const BNNSNDArrayDescriptor *indices, BNNSNDArrayDescriptor *output,
                const BNNSFilterParameters *filter_params);

/*
 * Copies src into dest with two axes exchanged:
 *     dest[.., j, .., i, ..] = src[.., i, .., j, ..]        (the brackets' places are axis0 and axis1)
 *
 * dest    src's data type; src's sizes with those of the two axes exchanged; its layout may differ.
 *         No two of its elements may share a byte, nor may one share a byte with src: it does not
 *         work in place. Memory between its elements is left alone.
 * src     any layout that strides can say, rank 1 to 8, any data type. Types of less than 8 bits are
 *         moved where what stays side by side is whole bytes. Its elements may overlap each other.
 * axis0   each counts the layout's value tuple, from 0 to rank - 1. Equal ones copy.
 * axis1
 *
 * Returns 0, -1 or -1003 as above. It allocates nothing. Where there is no element, data may be NULL.
 */
int BNNSTranspose(BNNSNDArrayDescriptor *dest, const BNNSNDArrayDescriptor *src, size_t axis0,
                  size_t axis1, const BNNSFilterParameters *filter_params);

/*
 * Bytes from array->data to the end of the last element, holes between strides included; for
 * ConvolutionWeightsOIHW_Pack32 the padded blocks of 32 output channels.
 *
 * array    may not be NULL in Apple's interface; here NULL gives 0.
 *
 * Returns 0 when the size can't be told: data is NULL, an unknown type or layout,
 * FullyConnectedSparse, strides that decrease, a size that overflows, and every type of less than
 * 8 bits (as measured). It is 0 as well for an array without elements. No error is recorded.
 */
size_t BNNSNDArrayGetDataSize(const BNNSNDArrayDescriptor *array);

/*
 * The number of dimensions of a layout, 1 to 8; SIZE_MAX for a value that is no layout. No error is
 * recorded.
 */
size_t BNNSDataLayoutGetRank(BNNSDataLayout layout);

BNNS_EXTERN_C_END

#endif
