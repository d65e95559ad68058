/* bnnspy_take: the gather over any strides. The contract is in bnnspy.h. */
#include "take/take.h"

#include "check.h"
#include "indices.h"

enum { INVALID = bnnspy_status_invalid_parameter };

/* How many loops there are, which of them go over the indices, and that each is said. */
static int check_loops(const bnnspy_strides *s)
{
    REQUIRE(s->rank <= MAX_LOOPS, INVALID, "strides", "rank is %zu, outside 0..%d", s->rank,
            MAX_LOOPS);
    REQUIRE(s->first_index_loop <= s->rank && s->index_rank <= s->rank - s->first_index_loop,
            INVALID, "strides", "the %zu index loops from %zu on are not among the %zu loops",
            s->index_rank, s->first_index_loop, s->rank);
    const struct {
        const char *name;
        const void *entries;
    } arrays[] = {{"size", s->size},
                  {"output_stride", s->output_stride},
                  {"input_stride", s->input_stride},
                  {"index_stride", s->index_stride}};
    for (size_t k = 0; s->rank > 0 && k < sizeof arrays / sizeof arrays[0]; k++)
        REQUIRE(arrays[k].entries != NULL, INVALID, "strides",
                "%s is NULL, and there are %zu loops", arrays[k].name, s->rank);
    return bnnspy_status_success;
}

static int check(const bnnspy_strides *s, const void *input, const void *indices,
                 const void *output)
{
    REQUIRE(s != NULL, INVALID, "strides", "strides is NULL");
    TRY(check_loops(s));
    REQUIRE(s->item != 0, INVALID, "strides", "item is 0, and an element has at least one byte");
    REQUIRE(s->axis_size <= PTRDIFF_MAX, INVALID, "strides", "axis_size is %zu, outside 0..%td",
            s->axis_size, PTRDIFF_MAX);
    bool empty = false;
    for (size_t k = 0; k < s->rank; k++)
        empty |= s->size[k] == 0;
    REQUIRE(empty || (input != NULL && output != NULL), INVALID, input ? "output" : "input",
            "%s is NULL, and the call needs its elements", input ? "output" : "input");
    bool no_index = false;
    for (size_t k = 0; k < s->index_rank; k++)
        no_index |= s->size[s->first_index_loop + k] == 0;
    REQUIRE(no_index || indices != NULL, INVALID, "indices",
            "indices is NULL, and the call needs its elements");
    return bnnspy_status_success;
}

/* False when there is nothing to move. */
static bool plan(const bnnspy_strides *s, struct take *t)
{
    for (size_t k = 0; k < s->rank; k++) {
        if (s->size[k] == 0)
            return false;
        t->loops[k] = (struct loop){s->size[k],
                                    {s->output_stride[k], s->input_stride[k], s->index_stride[k]}};
    }
    t->n = (unsigned)s->rank;
    t->run = s->item;
    t->index_step = s->axis_stride;
    bnnspy_take_fold(t);
    return true;
}

static int take(const bnnspy_strides *s, const void *input, const void *indices, void *output,
                const BNNSFilterParameters *filter_params)
{
    TRY(check(s, input, indices, output));
    struct tensor typed = {.name = "indices", .type = bnnspy_data_type(s->index_type)};
    REQUIRE(typed.type != NULL, INVALID, "indices", "index_type is 0x%x, which is no BNNSDataType",
            (unsigned)s->index_type);
    TRY(bnnspy_indices_typed(&typed));
    struct take t;
    t.out = output;
    t.in = input;
    t.parameters = filter_params;
    t.indices = (struct index_row){
        .place = indices,
        .bound = s->axis_size,
        .kind = bnnspy_index_kind(typed.type),
        .wrap = s->wrap != 0 && typed.type->kind == KIND_SIGNED,
    };
    const bool moves = plan(s, &t);
    if (moves && bnnspy_take_few(&t))
        return bnnspy_status_success;
    struct loop index_loops[MAX_LOOPS];
    for (size_t k = 0; k < s->index_rank; k++) {
        const size_t loop = s->first_index_loop + k;
        index_loops[k] = (struct loop){s->size[loop], {s->index_stride[loop]}};
    }
    const struct target target = {"data", s->axis};
    return bnnspy_take_checked(moves ? &t : NULL, &t.indices, index_loops, (unsigned)s->index_rank,
                               target);
}

bnnspy_outcome bnnspy_take(const bnnspy_strides *strides, const void *input, const void *indices,
                           void *output, const BNNSFilterParameters *filter_params)
{
    return bnnspy_outcome_of(take(strides, input, indices, output, filter_params));
}
