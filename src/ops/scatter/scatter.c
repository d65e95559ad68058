/* BNNSScatter: slices of input put, or added, into output where indices say. See bnns.h. */
#include "checks.h"
#include "indices.h"
#include "scatter/spread.h"

enum { INVALID = bnnspy_status_invalid_parameter, MISMATCH = bnnspy_status_shape_mismatch };

enum { TENSORS = 3 };

struct scatter {
    size_t axis;
    BNNSReduceFunction op;
    union { /* by name, and as the list that is checked */
        struct {
            struct tensor input, indices, output;
        };
        struct tensor tensors[TENSORS];
    };
};

/* What op makes of the values; sets sum. */
static int check_op(const struct scatter *s, enum sum *sum)
{
    *sum = SUM_NONE;
    REQUIRE(s->op == BNNSReduceFunctionNone || s->op == BNNSReduceFunctionSum, INVALID, "op",
            "op is %u; it is BNNSReduceFunctionNone (%u) or BNNSReduceFunctionSum (%u)",
            (unsigned)s->op, (unsigned)BNNSReduceFunctionNone, (unsigned)BNNSReduceFunctionSum);
    if (s->op == BNNSReduceFunctionNone)
        return bnnspy_status_success;
    *sum = bnnspy_sum_of(s->input.type);
    REQUIRE(*sum != SUM_NONE, INVALID, "input",
            "input.data_type is %s, which can't be added; floats, integers of 8 to 64 bits and "
            "Boolean can",
            s->input.type->name);
    return bnnspy_status_success;
}

static int check_tensors(struct scatter *s, enum sum *sum)
{
    const bool sound = bnnspy_tensors_sound(s->tensors, TENSORS);
    if (!sound)
        TRY(bnnspy_check_fields(s->tensors, TENSORS));
    TRY(bnnspy_indices_typed(&s->indices));
    const struct data_type *in = s->input.type, *out = s->output.type;
    REQUIRE(out == in, INVALID, "output",
            "output.data_type is %s, and input.data_type is %s; they have to be equal", out->name,
            in->name);
    TRY(check_op(s, sum));
    return sound ? bnnspy_status_success : bnnspy_check_views(s->tensors, TENSORS);
}

static bool elementwise(const struct scatter *s)
{
    return s->indices.view->rank > 1;
}

static int check_shapes(const struct scatter *s)
{
    const bnnspy_view *in = s->input.view, *index = s->indices.view, *out = s->output.view;
    REQUIRE(s->axis < out->rank, INVALID, "axis", "axis is %td, outside 0..%u (output has rank %u)",
            (ptrdiff_t)s->axis, out->rank - 1, out->rank);
    REQUIRE(out->rank == in->rank, MISMATCH, "output", "output has rank %u, and input has rank %u",
            out->rank, in->rank);
    REQUIRE(index->rank == 1 || index->rank == in->rank, MISMATCH, "indices",
            "indices has rank %u; it is either 1, or that of input, %u", index->rank, in->rank);
    for (unsigned k = 0; k < in->rank; k++) {
        REQUIRE(k == s->axis || out->size[k] == in->size[k], MISMATCH, "output",
                "output has size %zu along axis %u, and input has %zu", out->size[k], k,
                in->size[k]);
        REQUIRE(!elementwise(s) || index->size[k] == in->size[k], MISMATCH, "indices",
                "indices has size %zu along axis %u, and input has %zu", index->size[k], k,
                in->size[k]);
    }
    REQUIRE(elementwise(s) || index->size[0] == in->size[s->axis], MISMATCH, "indices",
            "indices has %zu elements, and input has size %zu along axis %zu", index->size[0],
            in->size[s->axis], s->axis);
    return bnnspy_status_success;
}

/* Bits to bytes; false when something is not whole bytes. */
static bool to_bytes(struct spread *s)
{
    uint64_t all = (uint64_t)s->index_step | s->run;
    for (unsigned k = 0; k < s->n; k++) {
        for (unsigned operand = 0; operand < MAX_OPERANDS; operand++) {
            all |= (uint64_t)s->loops[k].step[operand];
            s->loops[k].step[operand] /= 8;
        }
    }
    s->index_step /= 8;
    s->run /= 8;
    return all % 8 == 0;
}

/*
 * Loops over the input; along axis output stays where it is, and the index moves it. Whole bytes are
 * counted in bytes from the start, as in gather.c.
 */
static int plan(const struct scatter *s, struct spread *p)
{
    const bnnspy_view *in = s->input.view, *index = s->indices.view, *out = s->output.view;
    const bool packed = in->bits % 8 != 0;
    const unsigned width = packed ? in->bits : in->bits / 8;
    const unsigned index_width = packed ? index->bits : index->bits / 8;
    for (unsigned k = 0; k < in->rank; k++) {
        struct loop *loop = &p->loops[k];
        loop->count = in->size[k];
        loop->step[SPREAD_IN] = bnnspy_step(in, k, width);
        loop->step[SPREAD_OUT] = k == s->axis ? 0 : bnnspy_step(out, k, width);
        loop->step[SPREAD_INDEX] = elementwise(s) ? bnnspy_step(index, k, index_width)
                                   : k == s->axis ? bnnspy_step(index, 0, index_width)
                                                  : 0;
    }
    p->n = in->rank;
    p->run = p->width = width;
    p->index_step = (ptrdiff_t)bnnspy_step(out, (unsigned)s->axis, width);
    bnnspy_spread_fold(p);
    REQUIRE(!packed || to_bytes(p), INVALID, "input",
            "input: a move of %s here would begin or end within a byte; rows have to be whole "
            "bytes",
            s->input.type->name);
    p->out = bnnspy_tensor_origin(&s->output);
    p->in = bnnspy_tensor_origin(&s->input);
    p->reach = (size_t)((uint64_t)out->extent * out->bits / 8);
    bnnspy_index_row(&s->indices, out->size[s->axis], &p->indices);
    return bnnspy_status_success;
}

static int scatter(struct scatter *s, const BNNSFilterParameters *parameters)
{
    struct spread spread;
    TRY(check_tensors(s, &spread.sum));
    TRY(check_shapes(s));
    const bool moves = bnnspy_tensors_move(s->tensors, TENSORS);
    if (moves)
        TRY(plan(s, &spread));
    TRY(bnnspy_check_memory(s->tensors, TENSORS, false));
    if (s->indices.view->count == 0)
        return bnnspy_status_success;
    spread.parameters = parameters;
    struct index_row row;
    bnnspy_index_row(&s->indices, s->output.view->size[s->axis], &row);
    struct loop loops[BNNS_MAX_TENSOR_DIMENSION];
    const unsigned n = bnnspy_index_loops(&s->indices, loops);
    switch (bnnspy_spread(moves ? &spread : NULL, &row, loops, n)) {
    case SPREAD_DONE: return bnnspy_status_success;
    case SPREAD_BAD_INDEX:
        return bnnspy_indices_refused(&row, loops, n, (struct target){"output", s->axis});
    case SPREAD_CHANGED: break;
    }
    return bnnspy_indices_changed();
}

int BNNSScatter(size_t axis, BNNSReduceFunction op, const BNNSNDArrayDescriptor *input,
                const BNNSNDArrayDescriptor *indices, BNNSNDArrayDescriptor *output,
                const BNNSFilterParameters *filter_params)
{
    struct scatter s;
    s.axis = axis;
    s.op = op;
    bnnspy_open(&s.input, USE_READ, "input", input);
    bnnspy_open(&s.indices, USE_INDEX, "indices", indices);
    bnnspy_open(&s.output, USE_UPDATE, "output", output);
    return scatter(&s, filter_params);
}

bnnspy_outcome bnnspy_scatter(size_t axis, BNNSReduceFunction op, const bnnspy_bounded *input,
                              const bnnspy_bounded *indices, const bnnspy_bounded *output,
                              const BNNSFilterParameters *filter_params)
{
    struct scatter s;
    s.axis = axis;
    s.op = op;
    bnnspy_open_bounded(&s.input, USE_READ, "input", input);
    bnnspy_open_bounded(&s.indices, USE_INDEX, "indices", indices);
    bnnspy_open_bounded(&s.output, USE_UPDATE, "output", output);
    return bnnspy_outcome_of(scatter(&s, filter_params));
}
