/*
 * Layouts: one row each, and the only place that turns a descriptor into a view in tuple order.
 * Sources: Apple's descriptions of the layouts; RowMajorMatrix's axes from the documented examples.
 */
#include "layout.h"

#include "check.h"
#include "data_type.h"
#include "integer.h"

#include <string.h>

#define SAME 0x76543210u

/* Common layouts first: the look-up is linear. */
static const struct layout layouts[] = {
    {BNNSDataLayoutVector, 1, PACKING_STRIDED, 0, SAME, SAME, "Vector"},
    {BNNSDataLayoutRowMajorMatrix, 2, PACKING_STRIDED, 0, 0x01, 0x01, "RowMajorMatrix"},
    {BNNSDataLayout2DFirstMajor, 2, PACKING_STRIDED, 0, SAME, 0x01, "2DFirstMajor"},
    {BNNSDataLayout3DFirstMajor, 3, PACKING_STRIDED, 0, SAME, 0x012, "3DFirstMajor"},
    {BNNSDataLayout4DFirstMajor, 4, PACKING_STRIDED, 0, SAME, 0x0123, "4DFirstMajor"},
    {BNNSDataLayoutImageCHW, 3, PACKING_STRIDED, 0, SAME, SAME, "ImageCHW"},
    {BNNSDataLayoutColumnMajorMatrix, 2, PACKING_STRIDED, 0, SAME, SAME, "ColumnMajorMatrix"},
    {BNNSDataLayout1DFirstMajor, 1, PACKING_STRIDED, 0, SAME, SAME, "1DFirstMajor"},
    {BNNSDataLayout5DFirstMajor, 5, PACKING_STRIDED, 0, SAME, 0x01234, "5DFirstMajor"},
    {BNNSDataLayout6DFirstMajor, 6, PACKING_STRIDED, 0, SAME, 0x012345, "6DFirstMajor"},
    {BNNSDataLayout7DFirstMajor, 7, PACKING_STRIDED, 0, SAME, 0x0123456, "7DFirstMajor"},
    {BNNSDataLayout8DFirstMajor, 8, PACKING_STRIDED, 0, SAME, 0x01234567, "8DFirstMajor"},
    {BNNSDataLayout1DLastMajor, 1, PACKING_STRIDED, 0, SAME, SAME, "1DLastMajor"},
    {BNNSDataLayout2DLastMajor, 2, PACKING_STRIDED, 0, SAME, SAME, "2DLastMajor"},
    {BNNSDataLayout3DLastMajor, 3, PACKING_STRIDED, 0, SAME, SAME, "3DLastMajor"},
    {BNNSDataLayout4DLastMajor, 4, PACKING_STRIDED, 0, SAME, SAME, "4DLastMajor"},
    {BNNSDataLayout5DLastMajor, 5, PACKING_STRIDED, 0, SAME, SAME, "5DLastMajor"},
    {BNNSDataLayout6DLastMajor, 6, PACKING_STRIDED, 0, SAME, SAME, "6DLastMajor"},
    {BNNSDataLayout7DLastMajor, 7, PACKING_STRIDED, 0, SAME, SAME, "7DLastMajor"},
    {BNNSDataLayout8DLastMajor, 8, PACKING_STRIDED, 0, SAME, SAME, "8DLastMajor"},
    {BNNSDataLayoutSNE, 3, PACKING_STRIDED, 0, SAME, SAME, "SNE"},
    {BNNSDataLayoutNSE, 3, PACKING_STRIDED, 0, SAME, SAME, "NSE"},
    {BNNSDataLayoutMHA_DHK, 3, PACKING_STRIDED, 0, SAME, SAME, "MHA_DHK"},
    {BNNSDataLayoutConvolutionWeightsOIHW, 4, PACKING_STRIDED, 0, SAME, SAME,
     "ConvolutionWeightsOIHW"},
    {BNNSDataLayoutConvolutionWeightsOIHrWr, 4, PACKING_STRIDED, 3, SAME, SAME,
     "ConvolutionWeightsOIHrWr"},
    {BNNSDataLayoutConvolutionWeightsIOHrWr, 4, PACKING_STRIDED, 3, 0x2310, 0x2310,
     "ConvolutionWeightsIOHrWr"},
    {BNNSDataLayoutConvolutionWeightsOIHW_Pack32, 4, PACKING_BLOCKS_OF_32, 0, SAME, SAME,
     "ConvolutionWeightsOIHW_Pack32"},
    {BNNSDataLayoutFullyConnectedSparse, 2, PACKING_SPARSE, 0, SAME, SAME, "FullyConnectedSparse"},
};

const struct layout *bnnspy_layout(uint32_t code)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
        if (layouts[i].code == code)
            return &layouts[i];
    return NULL;
}

/* For a sentence: name is NULL where nobody will read it, which not every compiler sees. */
static const char *called(const char *name)
{
    return name ? name : "";
}

static unsigned slot(uint32_t order, unsigned axis)
{
    return (order >> (4 * axis)) & 0xF;
}

/*
 * Sizes and resolved strides in tuple order. Works in slot order, since a default stride stands on
 * the one before it; size 0 counts as 1 there, so that an empty tensor has strides like any other.
 */
static int resolve_strides(const BNNSNDArrayDescriptor *d, const struct layout *layout,
                           const char *name, bnnspy_view *view)
{
    size_t next = 1;     /* the default of this slot; 0 when it overflows */
    size_t smallest = 0; /* the last stride that counts for the order */
    for (unsigned k = 0; k < layout->rank; k++) {
        const unsigned axis = slot(layout->stride_order, k);
        const unsigned size_slot = slot(layout->size_order, axis);
        const size_t size = d->size[size_slot];
        const size_t stride = d->stride[k] ? d->stride[k] : next;
        REQUIRE(stride != 0 && stride <= PTRDIFF_MAX, bnnspy_status_invalid_parameter, name,
                "%s.stride[%u] is more than %td, the largest offset in memory (%s)", called(name),
                k, PTRDIFF_MAX, layout->name);
        if (size > 1) {
            REQUIRE(stride >= smallest, bnnspy_status_invalid_parameter, name,
                    "%s.stride[%u] is %zu, less than %zu, the stride before it (%s)", called(name),
                    k, stride, smallest, layout->name);
            smallest = stride;
        }
        if (multiply_overflows(stride, at_least_one(size), &next))
            next = 0;
        view->size[axis] = size;
        view->stride[axis] = (ptrdiff_t)stride;
        view->size_slot[axis] = (uint8_t)size_slot;
        view->stride_slot[axis] = (uint8_t)k;
    }
    view->batch_stride = next;
    return bnnspy_status_success;
}

/*
 * Count, extent and start; turns the strides of reversed axes round. Size 0 counts as 1 until the
 * end, so that offsets can be trusted to fit whatever else is empty.
 */
static int measure(const struct layout *layout, const char *name, bnnspy_view *view)
{
    size_t count = 1, extent = 1, start = 0;
    bool overflow = false, empty = false;
    for (unsigned k = 0; k < layout->rank; k++) {
        const size_t size = at_least_one(view->size[k]);
        size_t way = 0;
        empty |= view->size[k] == 0;
        overflow |= multiply_overflows(count, size, &count);
        overflow |= multiply_overflows(size - 1, (size_t)view->stride[k], &way);
        overflow |= add_overflows(extent, way, &extent);
        if (layout->reversed >> k & 1) {
            start += way;
            view->stride[k] = -view->stride[k];
        }
    }
    /* A quarter, so that sums of a few such distances in bits fit an int64_t. */
    const size_t most =
        (size_t)(INT64_MAX / 4 / 64 < PTRDIFF_MAX / 8 ? INT64_MAX / 4 / 64 : PTRDIFF_MAX / 8);
    REQUIRE(!overflow && extent <= most, bnnspy_status_invalid_parameter, name,
            "%s: its sizes and strides say more elements than memory can hold (%s)", called(name),
            layout->name);
    view->count = empty ? 0 : count;
    view->extent = empty ? 0 : extent;
    view->start = start;
    return bnnspy_status_success;
}

int bnnspy_check_layout(const BNNSNDArrayDescriptor *descriptor, const char *name)
{
    const struct layout *layout = bnnspy_layout(descriptor->layout);
    REQUIRE(layout != NULL, bnnspy_status_invalid_parameter, name,
            "%s.layout is 0x%x, which is no BNNSDataLayout", called(name),
            (unsigned)descriptor->layout);
    REQUIRE(layout->packing == PACKING_STRIDED, bnnspy_status_invalid_parameter, name,
            "%s.layout is %s, whose memory no strides can describe", called(name), layout->name);
    return bnnspy_status_success;
}

int bnnspy_view_of(const BNNSNDArrayDescriptor *descriptor, const struct data_type *type,
                   const char *name, bnnspy_view *view)
{
    TRY(bnnspy_check_layout(descriptor, name));
    const struct layout *layout = bnnspy_layout(descriptor->layout);
    view->rank = layout->rank;
    view->bits = type ? type->bits : 0;
    TRY(resolve_strides(descriptor, layout, name, view));
    return measure(layout, name, view);
}

bnnspy_outcome bnnspy_describe(const BNNSNDArrayDescriptor *descriptor, const char *name,
                               bnnspy_view *view)
{
    const struct data_type *type = bnnspy_data_type(descriptor->data_type);
    bnnspy_view result;
    memset(&result, 0, sizeof result);
    const int status = bnnspy_view_of(descriptor, type, name, &result);
    if (status == bnnspy_status_success)
        *view = result;
    return bnnspy_outcome_of(status);
}

bool bnnspy_describes(const BNNSNDArrayDescriptor *descriptor, bnnspy_view *view)
{
    const struct data_type *type = bnnspy_data_type(descriptor->data_type);
    return bnnspy_view_of(descriptor, type, NULL, view) == bnnspy_status_success;
}

size_t BNNSDataLayoutGetRank(BNNSDataLayout layout)
{
    const struct layout *row = bnnspy_layout((uint32_t)layout);
    return row ? row->rank : SIZE_MAX;
}

/* 32 output channels side by side, the last block filled up; 0 when it overflows. */
static size_t blocks_of_32(const size_t *size, size_t bytes)
{
    const size_t blocks = size[3] / 32 + (size[3] % 32 != 0);
    size_t total = 32 * bytes;
    bool overflow = multiply_overflows(total, blocks, &total);
    for (unsigned k = 0; k < 3; k++)
        overflow |= multiply_overflows(total, size[k], &total);
    return overflow ? 0 : total;
}

size_t BNNSNDArrayGetDataSize(const BNNSNDArrayDescriptor *array)
{
    if (array == NULL || array->data == NULL)
        return 0;
    const struct data_type *type = bnnspy_data_type(array->data_type);
    const struct layout *layout = bnnspy_layout(array->layout);
    if (type == NULL || type->bits < 8 || layout == NULL)
        return 0;
    if (layout->packing == PACKING_BLOCKS_OF_32)
        return blocks_of_32(array->size, type->bits / 8);
    bnnspy_view view;
    return bnnspy_describes(array, &view) ? view.extent * (type->bits / 8) : 0;
}
