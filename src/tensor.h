/* A tensor argument of an operation, and the checks that every operation makes of it. */
#ifndef BNNSPY_TENSOR_H
#define BNNSPY_TENSOR_H

#include "check.h"
#include "data_type.h"
#include "layout.h"
#include "overlap.h"

#include <stdbool.h>

/* What an operation does with a tensor. */
enum use {
    USE_READ,  /* its values, where the output has elements */
    USE_INDEX, /* every one of its values, whether or not there is anything to write */
    USE_WRITE,
    USE_UPDATE, /* its values are written in part: the others keep their bytes */
};

static inline bool bnnspy_writes(enum use use)
{
    return use >= USE_WRITE;
}

struct tensor {
    enum use use;
    const BNNSNDArrayDescriptor *descriptor;
    const bnnspy_bounded *bounded; /* NULL at the door that knows no bounds */
    const char *name;
    const struct data_type *type;
    const bnnspy_view *view; /* of the bounded descriptor, or own */
    bnnspy_view own;
};

/*
 * The two doors. A NULL descriptor is refused by bnnspy_tensor_live. type and view stay unset: the
 * checks below set them.
 */
static inline void bnnspy_open(struct tensor *tensor, enum use use, const char *name,
                               const BNNSNDArrayDescriptor *descriptor)
{
    tensor->use = use;
    tensor->name = name;
    tensor->descriptor = descriptor;
    tensor->bounded = NULL;
}

static inline void bnnspy_open_bounded(struct tensor *tensor, enum use use, const char *name,
                                       const bnnspy_bounded *bounded)
{
    tensor->use = use;
    tensor->name = name;
    tensor->descriptor = bounded ? &bounded->descriptor : NULL;
    tensor->bounded = bounded;
}

/*
 * The checks, in the order in which several faults are reported. Each returns a status; what is
 * right is decided here, where the compiler can see it, and what is wrong in tensor.c.
 */

BNNSPY_COLD int bnnspy_refuse_dead(const struct tensor *tensor);
BNNSPY_COLD int bnnspy_refuse_missing(const struct tensor *tensor);
BNNSPY_COLD int bnnspy_refuse_type(const struct tensor *tensor);
int bnnspy_tensor_view_anew(struct tensor *tensor);
int bnnspy_tensor_check_bounds(const struct tensor *tensor);
int bnnspy_tensor_check_distinct(const struct tensor *tensor);
int bnnspy_tensor_check_apart(const struct tensor *output, const struct tensor *other);

/*
 * True when every check up to bnnspy_tensor_viewed would pass, as bnnspy_bind has found out; sets
 * type and view. False says nothing: the checks themselves decide.
 */
static inline bool bnnspy_tensor_sound(struct tensor *t)
{
    const bnnspy_bounded *b = t->bounded;
    if (b == NULL || !b->live || !b->checked || b->descriptor.data == NULL)
        return false;
    t->type = &bnnspy_data_types[b->type_row];
    t->view = &b->view;
    return true;
}

/* Not NULL, not deallocated. */
static inline int bnnspy_tensor_live(const struct tensor *t)
{
    const bool live = t->descriptor != NULL && (t->bounded == NULL || t->bounded->live);
    return live ? bnnspy_status_success : bnnspy_refuse_dead(t);
}

/* data is not NULL. */
static inline int bnnspy_tensor_has_data(const struct tensor *t)
{
    return t->descriptor->data ? bnnspy_status_success : bnnspy_refuse_missing(t);
}

/* A known data type; sets type. */
static inline int bnnspy_tensor_typed(struct tensor *t)
{
    t->type = bnnspy_data_type(t->descriptor->data_type);
    return t->type ? bnnspy_status_success : bnnspy_refuse_type(t);
}

/* A known layout that strides can say. */
static inline int bnnspy_tensor_laid_out(const struct tensor *t)
{
    const bool checked = t->bounded != NULL && t->bounded->checked;
    return checked ? bnnspy_status_success : bnnspy_check_layout(t->descriptor, t->name);
}

/* Sizes and strides; sets view. */
static inline int bnnspy_tensor_viewed(struct tensor *t)
{
    if (t->bounded == NULL || !t->bounded->checked)
        return bnnspy_tensor_view_anew(t);
    t->view = &t->bounded->view;
    return bnnspy_status_success;
}

/* The elements lie within the memory that is known. */
static inline int bnnspy_tensor_in_bounds(const struct tensor *t)
{
    if (t->bounded == NULL || t->bounded->checked || t->view->count == 0)
        return bnnspy_status_success;
    return bnnspy_tensor_check_bounds(t);
}

/* May be written, and no two elements share a byte. */
static inline int bnnspy_tensor_writable(const struct tensor *t)
{
    REQUIRE(t->bounded == NULL || t->bounded->writable || t->view->count == 0,
            bnnspy_status_invalid_parameter, t->name, "%s points to memory that is read-only",
            t->name);
    const bool distinct = t->bounded != NULL && t->bounded->distinct;
    return distinct ? bnnspy_status_success : bnnspy_tensor_check_distinct(t);
}

/* Refuses an output one of whose elements shares a byte with one of other's. */
static inline int bnnspy_tensor_apart(const struct tensor *output, const struct tensor *other)
{
    const struct extent a = {output->descriptor->data, output->view};
    const struct extent b = {other->descriptor->data, other->view};
    const bool apart = a.view->count == 0 || b.view->count == 0 || bnnspy_ranges_apart(a, b);
    return apart ? bnnspy_status_success : bnnspy_tensor_check_apart(output, other);
}

/* The very same elements of the same memory, each at the same place of the tuple. */
static inline bool bnnspy_tensor_same(const struct tensor *a, const struct tensor *b)
{
    bool same = a->descriptor->data == b->descriptor->data && a->view->rank == b->view->rank &&
                a->view->bits == b->view->bits && a->view->start == b->view->start;
    for (unsigned k = 0; same && k < a->view->rank; k++)
        same = a->view->size[k] == b->view->size[k] &&
               (a->view->size[k] <= 1 || a->view->stride[k] == b->view->stride[k]);
    return same;
}

/* Without elements, as far as the fields tell before the layout is known to be sound. */
static inline bool bnnspy_tensor_looks_empty(const struct tensor *t)
{
    const unsigned rank = t->descriptor->layout >> 16;
    for (unsigned k = 0; k < rank && k < BNNS_MAX_TENSOR_DIMENSION; k++)
        if (t->descriptor->size[k] == 0)
            return true;
    return false;
}

/* How far the next element along a tuple axis is, for elements so wide; 0 where there is none. */
static inline int64_t bnnspy_step(const bnnspy_view *view, unsigned axis, unsigned width)
{
    return view->size[axis] > 1 ? (int64_t)view->stride[axis] * width : 0;
}

/*
 * Where tuple (0, .., 0) is; elements of less than 8 bits start there within a byte. Reckoned as a
 * number, because nobody may have looked yet at where data points.
 */
static inline char *bnnspy_tensor_origin(const struct tensor *tensor)
{
    const uint64_t bits = (uint64_t)tensor->view->start * tensor->view->bits;
    return (char *)((uintptr_t)tensor->descriptor->data + (uintptr_t)(bits / 8));
}

#endif
