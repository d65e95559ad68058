/* See tensor.h. Also the making of bounded descriptors, which is the same question of bounds. */
#include "tensor.h"

#include "check.h"
#include "integer.h"

#include <inttypes.h>

enum { INVALID = bnnspy_status_invalid_parameter };

int bnnspy_refuse_dead(const struct tensor *t)
{
    if (t->descriptor == NULL)
        return bnnspy_fail_missing(t->name, "%s is NULL", t->name);
    return bnnspy_fail_missing(t->name, "%s has been deallocated", t->name);
}

int bnnspy_refuse_missing(const struct tensor *t)
{
    return bnnspy_fail_missing(t->name, "%s.data is NULL, and the call needs its elements",
                               t->name);
}

int bnnspy_refuse_type(const struct tensor *t)
{
    return bnnspy_fail(INVALID, t->name, "%s.data_type is 0x%x, which is no BNNSDataType", t->name,
                       (unsigned)t->descriptor->data_type);
}

int bnnspy_tensor_view_anew(struct tensor *t)
{
    t->view = &t->own;
    return bnnspy_view_of(t->descriptor, t->type, t->name, &t->own);
}

static uint64_t bytes_for(size_t elements, uint32_t bits)
{
    return ((uint64_t)elements * bits + 7) / 8;
}

/* data + bytes lies in the memory of b. Addresses are compared as numbers: they may be unrelated. */
static bool inside(const bnnspy_bounded *b, uint64_t bytes)
{
    const uintptr_t data = (uintptr_t)b->descriptor.data, base = (uintptr_t)b->base;
    return data >= base && data - base <= b->nbytes && b->nbytes - (data - base) >= bytes;
}

int bnnspy_tensor_check_bounds(const struct tensor *t)
{
    const uint64_t needed = bytes_for(t->view->extent, t->view->bits);
    REQUIRE(inside(t->bounded, needed), INVALID, t->name,
            "%s needs %" PRIu64 " bytes from its data on, and its memory of %zu bytes has fewer",
            t->name, needed, t->bounded->nbytes);
    return bnnspy_status_success;
}

int bnnspy_tensor_check_distinct(const struct tensor *t)
{
    switch (bnnspy_overlaps_itself(t->view)) {
    case OVERLAP_NONE: return bnnspy_status_success;
    case OVERLAP_FOUND:
        return bnnspy_fail(INVALID, t->name,
                           "%s has strides that give one byte to two of its elements", t->name);
    default:
        return bnnspy_fail(INVALID, t->name,
                           "%s: whether two of its elements share a byte can't be decided in "
                           "reasonable time; use strides that nest",
                           t->name);
    }
}

int bnnspy_tensor_check_apart(const struct tensor *output, const struct tensor *other)
{
    const struct extent a = {output->descriptor->data, output->view};
    const struct extent b = {other->descriptor->data, other->view};
    switch (bnnspy_overlap(a, b)) {
    case OVERLAP_NONE: return bnnspy_status_success;
    case OVERLAP_FOUND:
        return bnnspy_fail(INVALID, output->name, "an element of %s shares a byte with one of %s",
                           output->name, other->name);
    default:
        return bnnspy_fail(INVALID, output->name,
                           "whether an element of %s shares a byte with one of %s can't be decided "
                           "in reasonable time; use separate memory",
                           output->name, other->name);
    }
}

/* -1 unless so many bytes hold so many batches of the tensor. */
static int holds(const BNNSNDArrayDescriptor *d, const bnnspy_view *view, size_t nbytes,
                 size_t batches)
{
    size_t elements = 0;
    const bool overflow = multiply_overflows(batches - 1, view->batch_stride, &elements) ||
                          add_overflows(elements, view->extent, &elements);
    const uint64_t most = INT64_MAX / 64; /* so that they can be counted in bits */
    REQUIRE(!overflow && elements <= most, INVALID, "batch_size",
            "%zu batches of %zu elements are more than memory can hold", batches,
            view->batch_stride);
    REQUIRE(view->bits != 0, INVALID, "data_type", "data_type is 0x%x, which is no BNNSDataType",
            (unsigned)d->data_type);
    const uint64_t needed = view->count ? bytes_for(elements, view->bits) : 0;
    REQUIRE(nbytes >= needed, INVALID, "data", "data holds %zu bytes, and the shape needs %" PRIu64,
            nbytes, needed);
    return bnnspy_status_success;
}

static int bind_record(bnnspy_bounded *record, const bnnspy_bounded *model, void *data,
                       size_t nbytes, uint32_t writable, size_t batches)
{
    const BNNSNDArrayDescriptor *d = &model->descriptor;
    const struct data_type *type = bnnspy_data_type(d->data_type);
    bnnspy_view own, *view = batches ? &own : &record->view; /* a failure leaves record alone */
    const int described = bnnspy_view_of(d, type, batches ? "data" : NULL, view);
    if (batches != 0) {
        TRY(described);
        TRY(holds(d, view, nbytes, batches));
        record->view = own;
    }
    record->descriptor = *d;
    record->descriptor.data = data;
    record->base = data;
    record->nbytes = nbytes;
    record->writable = writable;
    record->live = 1;
    record->checked = described == bnnspy_status_success && type != NULL &&
                      bytes_for(record->view.extent, record->view.bits) <= nbytes;
    record->distinct = record->checked && bnnspy_overlaps_itself(&record->view) == OVERLAP_NONE;
    record->type_row = type ? (uint32_t)(type - bnnspy_data_types) : 0;
    return bnnspy_status_success;
}

bnnspy_outcome bnnspy_bind(bnnspy_bounded *record, const bnnspy_bounded *model, void *data,
                           size_t nbytes, uint32_t writable, size_t batches)
{
    return bnnspy_outcome_of(bind_record(record, model, data, nbytes, writable, batches));
}
