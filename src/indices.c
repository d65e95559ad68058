/* See indices.h. */
#include "indices.h"

#include "check.h"

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
    static const uint8_t by_bits[] = {
        [8] = INDEX_INT8, [16] = INDEX_INT16, [32] = INDEX_INT32, [64] = INDEX_INT64};
    const unsigned offset = type->kind == KIND_UNSIGNED ? INDEX_UINT8 - INDEX_INT8 : 0;
    return (enum index_kind)(by_bits[type->bits] + offset);
}

void bnnspy_index_row(const struct tensor *t, size_t bound, struct index_row *row)
{
    row->place = bnnspy_tensor_origin(t);
    row->bound = bound;
    row->kind = bnnspy_index_kind(t->type);
    row->wrap = false;
}

static void describe(const struct index_row *row, const struct place *place, unsigned n,
                     struct target target, uint64_t index, bool negative)
{
    char where[256] = "";
    size_t used = 0;
    for (unsigned k = 0; k < n && used < sizeof where - 24; k++)
        used += (size_t)snprintf(where + used, sizeof where - used, "%s%zu", k ? ", " : "",
                                 place->turn[k]);
    char value[24];
    (void)snprintf(value, sizeof value, negative ? "%" PRId64 : "%" PRIu64, index);
    if (row->bound == 0)
        (void)bnnspy_fail(bnnspy_status_index_out_of_range, "indices",
                          "indices[%s] is %s, and axis %zu of %s has no elements to point at",
                          where, value, target.axis, target.name);
    else
        (void)bnnspy_fail(bnnspy_status_index_out_of_range, "indices",
                          "indices[%s] is %s, outside %s%zu..%zu (axis %zu of %s)", where, value,
                          row->wrap ? "-" : "", row->wrap ? row->bound : 0, row->bound - 1,
                          target.axis, target.name);
}

static int out_of_range(const struct index_row *row, const struct place *place, unsigned n,
                        struct target target, uint64_t index, bool negative)
{
    describe(row, place, n, target, index, negative);
    bnnspy_error *error = bnnspy_newest_error();
    error->has_index = 1;
    error->index = index;
    error->index_negative = negative;
    error->valid_from = row->wrap ? -(int64_t)row->bound : 0;
    error->valid_to = (int64_t)row->bound;
    error->rank = n;
    for (unsigned k = 0; k < n; k++)
        error->position[k] = place->turn[k];
    return bnnspy_status_index_out_of_range;
}

static int changed(void)
{
    return bnnspy_fail(bnnspy_status_index_out_of_range, "indices",
                       "indices changed during the call: another thread writes to them");
}

enum { AT_ONCE = 4096 }; /* indices that are passed over at a time */

/* How many of the next ones of the innermost loop can be passed over, all being valid; 0 for none. */
static size_t valid_ahead(const struct index_row *row, const struct loop *loop, size_t turn,
                          int64_t offset)
{
    const size_t left = loop->count - turn, count = left < AT_ONCE ? left : AT_ONCE;
    struct index_row ahead = *row;
    ahead.place += offset;
    ahead.step = (ptrdiff_t)loop->step[0];
    return turn % AT_ONCE == 0 && bnnspy_indices_sound(&ahead, count) ? count : 0;
}

/* Only after a check failed: where indices are valid by the thousand, then one after the other. */
static int report_first(const struct index_row *row, const struct loop *loops, unsigned n,
                        struct target target)
{
    struct place place;
    bnnspy_begin(&place, n);
    do {
        if (n > 0) {
            size_t *turn = &place.turn[n - 1];
            const size_t ahead = valid_ahead(row, &loops[n - 1], *turn, place.offset[0]);
            if (ahead > 0) { /* to the last of them, and on from there */
                *turn += ahead - 1;
                place.offset[0] += (int64_t)(ahead - 1) * loops[n - 1].step[0];
                continue;
            }
        }
        bool negative;
        const uint64_t index =
            bnnspy_load_index(row->place + place.offset[0], row->kind, &negative);
        const uint64_t wrapped = negative && row->wrap ? index + row->bound : index;
        if (wrapped >= row->bound)
            return out_of_range(row, &place, n, target, index, negative);
    } while (bnnspy_next(&place, loops, n));
    return changed();
}

int bnnspy_take_checked(const struct take *take, const struct index_row *row,
                        const struct loop *loops, unsigned n, struct target target)
{
    for (unsigned k = 0; k < n; k++)
        if (loops[k].count == 0)
            return bnnspy_status_success; /* no index, so no element either */
    switch (bnnspy_take_all(take, row, loops, n)) {
    case TAKE_DONE: return bnnspy_status_success;
    case TAKE_BAD_INDEX: return report_first(row, loops, n, target);
    case TAKE_CHANGED: break;
    }
    return changed();
}

unsigned bnnspy_index_loops(const struct tensor *t, struct loop *loops)
{
    for (unsigned k = 0; k < t->view->rank; k++)
        loops[k] = (struct loop){t->view->size[k], {bnnspy_step(t->view, k, t->view->bits / 8)}};
    return t->view->rank;
}
