/* Walking through the loops of a take on one thread, as its plan says. */
#ifndef BNNSPY_SWEEP_H
#define BNNSPY_SWEEP_H

#include "kernels/move.h"
#include "take/plan.h"

/* What a sweep of a folded take moves, by private indices: where it begins, and how it goes on. */
static inline struct move bnnspy_move_of(const struct take *t)
{
    const struct loop *swept = &t->loops[t->n - 1];
    return (struct move){
        .out = t->out,
        .in = t->in,
        .out_step = (ptrdiff_t)swept->step[TAKE_OUT],
        .in_step = (ptrdiff_t)swept->step[TAKE_IN],
        .index_step = t->index_step,
        .form = bnnspy_fits_32(t->indices.bound) ? FORM_NARROW : FORM_WIDE,
        .bound = t->indices.bound,
        .count = swept->count,
        .known = swept->count,
        .run = t->run,
        .turns = 1,
    };
}

/*
 * Moves all runs of a folded take in bytes. workspace is what the plan wants, or NULL. False when an
 * index was not valid: it counted as 0. Where the plan makes the indices private once, that is the
 * check, and nothing was written then.
 */
bool bnnspy_sweep(const struct take *take, const struct plan *plan, void *workspace);

#endif
