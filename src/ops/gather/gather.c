/* BNNSGather: slices of input along an axis, picked by indices. The contract is in bnns.h. */
#include "checks.h"
#include "indices.h"
#include "take/take.h"

enum { INVALID = bnnspy_status_invalid_parameter, MISMATCH = bnnspy_status_shape_mismatch };

enum { TENSORS = 3 };

struct gather {
    size_t axis;
    union { /* by name, and as the list that is checked */
        struct {
            struct tensor input, indices, output;
        };
        struct tensor tensors[TENSORS];
    };
};

/* Sound tensors have only types left that may not fit: the other checks would pass. */
static int check_tensors(struct gather *g)
{
    const bool sound = bnnspy_tensors_sound(g->tensors, TENSORS);
    if (!sound)
        TRY(bnnspy_check_fields(g->tensors, TENSORS));
    TRY(bnnspy_indices_typed(&g->indices));
    const struct data_type *in = g->input.type, *out = g->output.type;
    REQUIRE(out == in, INVALID, "output",
            "output.data_type is %s, and input.data_type is %s; they have to be equal", out->name,
            in->name);
    return sound ? bnnspy_status_success : bnnspy_check_views(g->tensors, TENSORS);
}

static bool elementwise(const struct gather *g)
{
    return g->indices.view->rank > 1;
}

static int check_shapes(const struct gather *g)
{
    const bnnspy_view *in = g->input.view, *index = g->indices.view, *out = g->output.view;
    REQUIRE(g->axis < in->rank, INVALID, "axis", "axis is %td, outside 0..%u (input has rank %u)",
            (ptrdiff_t)g->axis, in->rank - 1, in->rank);
    REQUIRE(out->rank == in->rank, MISMATCH, "output", "output has rank %u, and input has rank %u",
            out->rank, in->rank);
    REQUIRE(index->rank == 1 || index->rank == out->rank, MISMATCH, "indices",
            "indices has rank %u; it is either 1, or that of output, %u", index->rank, out->rank);
    for (unsigned k = 0; k < in->rank; k++) {
        REQUIRE(k == g->axis || out->size[k] == in->size[k], MISMATCH, "output",
                "output has size %zu along axis %u, and input has %zu", out->size[k], k,
                in->size[k]);
        REQUIRE(!elementwise(g) || index->size[k] == out->size[k], MISMATCH, "indices",
                "indices has size %zu along axis %u, and output has %zu", index->size[k], k,
                out->size[k]);
    }
    REQUIRE(elementwise(g) || index->size[0] == out->size[g->axis], MISMATCH, "output",
            "output has size %zu along axis %zu, and indices has %zu elements", out->size[g->axis],
            g->axis, index->size[0]);
    return bnnspy_status_success;
}

/* Bits to bytes; false when something is not whole bytes. */
static bool to_bytes(struct take *t)
{
    uint64_t all = (uint64_t)t->index_step | t->run;
    for (unsigned k = 0; k < t->n; k++) {
        for (unsigned operand = 0; operand < MAX_OPERANDS; operand++) {
            all |= (uint64_t)t->loops[k].step[operand];
            t->loops[k].step[operand] /= 8;
        }
    }
    t->index_step /= 8;
    t->run /= 8;
    return all % 8 == 0;
}

/*
 * Loops over the output; along axis input stays where it is, and the index moves it. Whole bytes are
 * counted in bytes from the start: a distance in bits may need more than the 32 bits of a pointer.
 */
static int plan(const struct gather *g, const BNNSFilterParameters *parameters, struct take *t)
{
    const bnnspy_view *in = g->input.view, *index = g->indices.view, *out = g->output.view;
    const bool packed = in->bits % 8 != 0;
    const unsigned width = packed ? in->bits : in->bits / 8;
    const unsigned index_width = packed ? index->bits : index->bits / 8;
    for (unsigned k = 0; k < out->rank; k++) {
        struct loop *loop = &t->loops[k];
        loop->count = out->size[k];
        loop->step[TAKE_OUT] = bnnspy_step(out, k, width);
        loop->step[TAKE_IN] = k == g->axis ? 0 : bnnspy_step(in, k, width);
        loop->step[TAKE_INDEX] = elementwise(g) ? bnnspy_step(index, k, index_width)
                                 : k == g->axis ? bnnspy_step(index, 0, index_width)
                                                : 0;
    }
    t->n = out->rank;
    t->run = width;
    t->index_step = (ptrdiff_t)bnnspy_step(in, (unsigned)g->axis, width);
    bnnspy_take_fold(t);
    REQUIRE(!packed || to_bytes(t), INVALID, "input",
            "input: a move of %s here would begin or end within a byte; rows have to be whole "
            "bytes",
            g->input.type->name);
    t->out = bnnspy_tensor_origin(&g->output);
    t->in = bnnspy_tensor_origin(&g->input);
    bnnspy_index_row(&g->indices, in->size[g->axis], &t->indices);
    t->parameters = parameters;
    return bnnspy_status_success;
}

static int gather(struct gather *g, const BNNSFilterParameters *parameters)
{
    struct take take;
    TRY(check_tensors(g));
    TRY(check_shapes(g));
    const bool moves = g->output.view->count != 0;
    if (moves)
        TRY(plan(g, parameters, &take));
    TRY(bnnspy_check_memory(g->tensors, TENSORS, false));
    if (moves && bnnspy_take_few(&take))
        return bnnspy_status_success;
    struct loop index_loops[BNNS_MAX_TENSOR_DIMENSION];
    const unsigned n = bnnspy_index_loops(&g->indices, index_loops);
    const struct target target = {"input", g->axis};
    if (moves)
        return bnnspy_take_checked(&take, &take.indices, index_loops, n, target);
    struct index_row row;
    bnnspy_index_row(&g->indices, g->input.view->size[g->axis], &row);
    return bnnspy_take_checked(NULL, &row, index_loops, n, target);
}

int BNNSGather(size_t axis, const BNNSNDArrayDescriptor *input,
               const BNNSNDArrayDescriptor *indices, BNNSNDArrayDescriptor *output,
               const BNNSFilterParameters *filter_params)
{
    struct gather g;
    g.axis = axis;
    bnnspy_open(&g.input, USE_READ, "input", input);
    bnnspy_open(&g.indices, USE_INDEX, "indices", indices);
    bnnspy_open(&g.output, USE_WRITE, "output", output);
    return gather(&g, filter_params);
}

bnnspy_outcome bnnspy_gather(size_t axis, const bnnspy_bounded *input,
                             const bnnspy_bounded *indices, const bnnspy_bounded *output,
                             const BNNSFilterParameters *filter_params)
{
    struct gather g;
    g.axis = axis;
    bnnspy_open_bounded(&g.input, USE_READ, "input", input);
    bnnspy_open_bounded(&g.indices, USE_INDEX, "indices", indices);
    bnnspy_open_bounded(&g.output, USE_WRITE, "output", output);
    return bnnspy_outcome_of(gather(&g, filter_params));
}

bnnspy_outcome bnnspy_gather_default(size_t axis, const bnnspy_bounded *input,
                                     const bnnspy_bounded *indices, const bnnspy_bounded *output)
{
    return bnnspy_gather(axis, input, indices, output, NULL);
}
