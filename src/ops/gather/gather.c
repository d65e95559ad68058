/* BNNSGather: slices of input along an axis, picked by indices. The contract is in bnns.h. */
#include "check.h"
#include "fold.h"
#include "indices.h"
#include "tensor.h"

enum { INVALID = bnnspy_status_invalid_parameter, MISMATCH = bnnspy_status_shape_mismatch };

struct gather {
    size_t axis;
    struct tensor input, indices, output;
};

/* The operands of the loops below. */
enum { OUT, IN, INDEX };

struct plan {
    struct loop loops[BNNS_MAX_TENSOR_DIMENSION + 1]; /* around the sweep; steps in bytes */
    unsigned n;
    struct sweep sweep;
};

static int check_tensors(struct gather *g)
{
    TRY(bnnspy_tensor_live(&g->input));
    TRY(bnnspy_tensor_live(&g->indices));
    TRY(bnnspy_tensor_live(&g->output));
    const bool moves = !bnnspy_tensor_looks_empty(&g->output);
    if (moves)
        TRY(bnnspy_tensor_has_data(&g->input));
    if (!bnnspy_tensor_looks_empty(&g->indices))
        TRY(bnnspy_tensor_has_data(&g->indices));
    if (moves)
        TRY(bnnspy_tensor_has_data(&g->output));

    TRY(bnnspy_tensor_typed(&g->input));
    TRY(bnnspy_tensor_typed(&g->indices));
    TRY(bnnspy_tensor_typed(&g->output));
    TRY(bnnspy_indices_typed(&g->indices));
    REQUIRE(g->output.type == g->input.type, INVALID, "output",
            "output.data_type is %s, and input.data_type is %s; they have to be equal",
            g->output.type->name, g->input.type->name);

    TRY(bnnspy_tensor_laid_out(&g->input));
    TRY(bnnspy_tensor_laid_out(&g->indices));
    TRY(bnnspy_tensor_laid_out(&g->output));
    TRY(bnnspy_tensor_viewed(&g->input));
    TRY(bnnspy_tensor_viewed(&g->indices));
    TRY(bnnspy_tensor_viewed(&g->output));
    return bnnspy_status_success;
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

static int check_memory(const struct gather *g)
{
    if (g->output.view->count != 0)
        TRY(bnnspy_tensor_in_bounds(&g->input));
    TRY(bnnspy_tensor_in_bounds(&g->indices));
    TRY(bnnspy_tensor_in_bounds(&g->output));
    TRY(bnnspy_tensor_writable(&g->output));
    TRY(bnnspy_tensor_apart(&g->output, &g->input));
    return bnnspy_tensor_apart(&g->output, &g->indices);
}

/* All loops over the output, steps in bits; along axis input stays, and the index moves it. */
static unsigned loops_of(const struct gather *g, struct loop *loops)
{
    const bnnspy_view *in = g->input.view, *index = g->indices.view, *out = g->output.view;
    for (unsigned k = 0; k < out->rank; k++) {
        loops[k].count = out->size[k];
        loops[k].step[OUT] = bnnspy_step(out, k);
        loops[k].step[IN] = k == g->axis ? 0 : bnnspy_step(in, k);
        loops[k].step[INDEX] = elementwise(g)  ? bnnspy_step(index, k)
                               : k == g->axis ? bnnspy_step(index, 0)
                                              : 0;
    }
    bnnspy_sort_loops(loops, g->output.view->rank);
    return bnnspy_fold(loops, g->output.view->rank);
}

/* Bits to bytes; false when something is not whole bytes. */
static bool to_bytes(struct plan *p, int64_t index_step, int64_t run)
{
    int64_t all = index_step | run;
    for (unsigned k = 0; k < p->n; k++) {
        for (unsigned operand = 0; operand < MAX_OPERANDS; operand++) {
            all |= p->loops[k].step[operand];
            p->loops[k].step[operand] /= 8;
        }
    }
    p->sweep.index_step = (ptrdiff_t)(index_step / 8);
    p->sweep.run = (size_t)(run / 8);
    return all % 8 == 0;
}

static void rotate_to_end(struct plan *p, unsigned k)
{
    for (; k + 1 < p->n; k++) {
        const struct loop moved = p->loops[k];
        p->loops[k] = p->loops[k + 1];
        p->loops[k + 1] = moved;
    }
}

static int plan(const struct gather *g, struct plan *p)
{
    p->n = loops_of(g, p->loops);
    int64_t run = g->input.view->bits;
    while (p->n > 0 && p->loops[p->n - 1].step[OUT] == run && p->loops[p->n - 1].step[IN] == run &&
           p->loops[p->n - 1].step[INDEX] == 0)
        run *= (int64_t)p->loops[--p->n].count;
    const size_t bound = g->input.view->size[g->axis];
    const int64_t index_step = bnnspy_step(g->input.view, (unsigned)g->axis);
    REQUIRE(to_bytes(p, index_step, run), INVALID, "input",
            "a move of %s here would begin or end within a byte; rows have to be whole bytes",
            g->input.type->name);

    /* Sweep along the innermost loop that moves the index: axis itself for a vector of indices. */
    unsigned swept = p->n;
    while (swept > 0 && p->loops[swept - 1].step[INDEX] == 0)
        swept--;
    if (swept == 0)
        p->loops[p->n++] = (struct loop){1, {0}}; /* one index for all */
    else
        rotate_to_end(p, swept - 1);
    const struct loop *row = &p->loops[--p->n];
    p->sweep.out_step = (ptrdiff_t)row->step[OUT];
    p->sweep.in_step = (ptrdiff_t)row->step[IN];
    p->sweep.indices_step = (ptrdiff_t)row->step[INDEX];
    p->sweep.count = row->count;
    p->sweep.bound = bound;
    p->sweep.kind = bnnspy_index_kind(g->indices.type);
    return bnnspy_status_success;
}

static int run(const struct gather *g, struct plan *p)
{
    char *out = bnnspy_tensor_origin(&g->output);
    const char *in = bnnspy_tensor_origin(&g->input);
    const char *indices = bnnspy_tensor_origin(&g->indices);
    struct place place;
    bnnspy_begin(&place, p->n);
    bool sound = true;
    do {
        p->sweep.out = out + place.offset[OUT];
        p->sweep.in = in + place.offset[IN];
        p->sweep.indices = indices + place.offset[INDEX];
        sound &= bnnspy_sweep(&p->sweep);
    } while (bnnspy_next(&place, p->loops, p->n));
    return sound ? bnnspy_status_success : bnnspy_indices_changed(&g->indices);
}

static int gather(struct gather *g)
{
    struct plan p;
    TRY(check_tensors(g));
    TRY(check_shapes(g));
    if (g->output.view->count != 0)
        TRY(plan(g, &p));
    TRY(check_memory(g));
    TRY(bnnspy_indices_in_range(&g->indices, g->input.view->size[g->axis], g->axis, "input"));
    return g->output.view->count != 0 ? run(g, &p) : bnnspy_status_success;
}

int BNNSGather(size_t axis, const BNNSNDArrayDescriptor *input, const BNNSNDArrayDescriptor *indices,
               BNNSNDArrayDescriptor *output, const BNNSFilterParameters *filter_params)
{
    struct gather g;
    g.axis = axis;
    bnnspy_open(&g.input, "input", input);
    bnnspy_open(&g.indices, "indices", indices);
    bnnspy_open(&g.output, "output", output);
    (void)filter_params; /* one thread, no workspace */
    return gather(&g);
}

int bnnspy_gather(size_t axis, const bnnspy_bounded *input, const bnnspy_bounded *indices,
                  const bnnspy_bounded *output, const BNNSFilterParameters *filter_params)
{
    struct gather g;
    g.axis = axis;
    bnnspy_open_bounded(&g.input, "input", input);
    bnnspy_open_bounded(&g.indices, "indices", indices);
    bnnspy_open_bounded(&g.output, "output", output);
    (void)filter_params;
    return gather(&g);
}
