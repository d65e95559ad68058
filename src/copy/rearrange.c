/* See rearrange.h. */
#include "copy/rearrange.h"

#include "checks.h"
#include "copy/copies.h"

enum { INVALID = bnnspy_status_invalid_parameter, MISMATCH = bnnspy_status_shape_mismatch };

int bnnspy_rearrange_begin(struct rearrange *r)
{
    const bool sound = bnnspy_tensors_sound(r->tensors, 2);
    if (!sound)
        TRY(bnnspy_check_fields(r->tensors, 2));
    REQUIRE(r->dest.type == r->src.type, INVALID, "dest",
            "dest.data_type is %s, and src.data_type is %s; they have to be equal",
            r->dest.type->name, r->src.type->name);
    return sound ? bnnspy_status_success : bnnspy_check_views(r->tensors, 2);
}

static int check_shapes(const struct rearrange *r, const unsigned *from)
{
    const bnnspy_view *dest = r->dest.view, *src = r->src.view;
    REQUIRE(dest->rank == src->rank, MISMATCH, "dest", "dest has rank %u, and src has rank %u",
            dest->rank, src->rank);
    for (unsigned k = 0; k < dest->rank; k++)
        REQUIRE(dest->size[k] == src->size[from[k]], MISMATCH, "dest",
                "dest has size %zu along axis %u, and src has %zu along axis %u", dest->size[k], k,
                src->size[from[k]], from[k]);
    return bnnspy_status_success;
}

/* Whole bytes are counted in bytes from the start, as in gather.c. */
static int plan(const struct rearrange *r, const unsigned *from, struct copy *c)
{
    const bnnspy_view *dest = r->dest.view, *src = r->src.view;
    const bool packed = dest->bits % 8 != 0;
    const unsigned width = packed ? dest->bits : dest->bits / 8;
    for (unsigned k = 0; k < dest->rank; k++)
        c->loops[k] = (struct loop){
            dest->size[k], {bnnspy_step(dest, k, width), bnnspy_step(src, from[k], width)}};
    c->n = dest->rank;
    c->run = width;
    bnnspy_copy_fold(c);
    REQUIRE(!packed || bnnspy_copy_to_bytes(c), INVALID, "src",
            "src: a move of %s here would begin or end within a byte; rows have to be whole bytes",
            r->src.type->name);
    c->out = bnnspy_tensor_origin(&r->dest);
    c->in = bnnspy_tensor_origin(&r->src);
    return bnnspy_status_success;
}

int bnnspy_rearrange(struct rearrange *r, const unsigned *from,
                     const BNNSFilterParameters *parameters)
{
    struct copy copy;
    TRY(check_shapes(r, from));
    const bool moves = r->dest.view->count != 0;
    if (moves)
        TRY(plan(r, from, &copy));
    TRY(bnnspy_check_memory(r->tensors, 2, false));
    copy.parameters = parameters;
    if (moves)
        bnnspy_copy(&copy);
    return bnnspy_status_success;
}
