/* See indices.h. */
#include "indices.h"

#include "check.h"
#include "fold.h"

#include <inttypes.h>
#include <stdio.h>

int bnnspy_indices_typed(const struct tensor *t)
{
    const bool integer = t->type->kind == KIND_SIGNED || t->type->kind == KIND_UNSIGNED;
    REQUIRE(integer && t->type->bits >= 8, bnnspy_status_invalid_parameter, t->name,
            "%s.data_type is %s; indices are Int8 to Int64 or UInt8 to UInt64", t->name,
            t->type->name);
    return bnnspy_status_success;
}

enum index_kind bnnspy_index_kind(const struct data_type *type)
{
    static const uint8_t by_bits[] = {[8] = INDEX_INT8, [16] = INDEX_INT16, [32] = INDEX_INT32,
                                      [64] = INDEX_INT64};
    const unsigned offset = type->kind == KIND_UNSIGNED ? INDEX_UINT8 - INDEX_INT8 : 0;
    return (enum index_kind)(by_bits[type->bits] + offset);
}

/* The loops of one tensor in tuple order, steps in bytes. */
static unsigned tuple_loops(const bnnspy_view *view, struct loop *loops)
{
    for (unsigned k = 0; k < view->rank; k++)
        loops[k] = (struct loop){view->size[k], {bnnspy_step(view, k) / 8}};
    return view->rank;
}

static int out_of_range(const struct tensor *t, uint64_t index, bool is_signed, size_t bound,
                        size_t axis, const char *target, const struct place *place)
{
    char where[8 * 22] = "";
    size_t used = 0;
    for (unsigned k = 0; k < t->view->rank; k++)
        used += (size_t)snprintf(where + used, sizeof where - used, "%s%zu", k ? ", " : "",
                                 place->turn[k]);
    char value[24];
    const bool negative = is_signed && (int64_t)index < 0;
    (void)snprintf(value, sizeof value, negative ? "%" PRId64 : "%" PRIu64, index);
    if (bound == 0)
        (void)bnnspy_fail(bnnspy_status_index_out_of_range, t->name,
                          "%s[%s] is %s, and axis %zu of %s has no elements to point at", t->name,
                          where, value, axis, target);
    else
        (void)bnnspy_fail(bnnspy_status_index_out_of_range, t->name,
                          "%s[%s] is %s, outside 0..%zu (axis %zu of %s)", t->name, where, value,
                          bound - 1, axis, target);
    bnnspy_error error = *bnnspy_last_error();
    error.has_index = 1;
    error.index = index;
    error.index_negative = negative;
    error.valid_to = (int64_t)bound;
    error.rank = t->view->rank;
    for (unsigned k = 0; k < t->view->rank; k++)
        error.position[k] = place->turn[k];
    bnnspy_set_last_error(&error);
    return bnnspy_status_index_out_of_range;
}

/* Only after a check failed: one index after the other, in tuple order. */
static int report_first(const struct tensor *t, size_t bound, size_t axis, const char *target)
{
    struct loop loops[BNNS_MAX_TENSOR_DIMENSION];
    const unsigned n = tuple_loops(t->view, loops);
    const char *origin = bnnspy_tensor_origin(t);
    const enum index_kind kind = bnnspy_index_kind(t->type);
    struct place place;
    bnnspy_begin(&place, n);
    do {
        const uint64_t index = bnnspy_load_index(origin + place.offset[0], kind);
        if (index >= bound)
            return out_of_range(t, index, t->type->kind == KIND_SIGNED, bound, axis, target, &place);
    } while (bnnspy_next(&place, loops, n));
    return bnnspy_indices_changed(t);
}

int bnnspy_indices_in_range(const struct tensor *t, size_t bound, size_t axis, const char *target)
{
    if (t->view->count == 0)
        return bnnspy_status_success;
    struct loop loops[BNNS_MAX_TENSOR_DIMENSION];
    unsigned n = tuple_loops(t->view, loops);
    bnnspy_sort_loops(loops, n);
    n = bnnspy_fold(loops, n);
    if (n == 0)
        loops[n++] = (struct loop){1, {0}};
    n--;
    struct sweep sweep;
    sweep.indices_step = (ptrdiff_t)loops[n].step[0];
    sweep.count = loops[n].count;
    sweep.bound = bound;
    sweep.run = 0;
    sweep.kind = bnnspy_index_kind(t->type);
    const char *origin = bnnspy_tensor_origin(t);
    struct place place;
    bnnspy_begin(&place, n);
    do {
        sweep.indices = origin + place.offset[0];
        if (!bnnspy_sweep(&sweep))
            return report_first(t, bound, axis, target);
    } while (bnnspy_next(&place, loops, n));
    return bnnspy_status_success;
}

int bnnspy_indices_changed(const struct tensor *t)
{
    return bnnspy_fail(bnnspy_status_index_out_of_range, t->name,
                       "%s changed during the call: another thread writes to them", t->name);
}
