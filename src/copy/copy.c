/* See copy.h. */
#include "copy/copy.h"

#include "compiler.h"

#include <string.h>

void bnnspy_copy_fold(struct copy *c)
{
    bnnspy_sort_loops(c->loops, c->n);
    c->n = bnnspy_fold(c->loops, c->n);
    while (c->n > 0) {
        const struct loop *last = &c->loops[c->n - 1];
        const int64_t run = (int64_t)c->run;
        if (last->step[COPY_OUT] != run || last->step[COPY_IN] != run)
            break;
        c->run *= last->count;
        c->n--;
    }
}

bool bnnspy_copy_to_bytes(struct copy *c)
{
    uint64_t all = c->run;
    for (unsigned k = 0; k < c->n; k++) {
        for (unsigned operand = 0; operand < MAX_OPERANDS; operand++) {
            all |= (uint64_t)c->loops[k].step[operand];
            c->loops[k].step[operand] /= 8;
        }
    }
    c->run /= 8;
    return all % 8 == 0;
}

BNNSPY_INLINE void copy_runs(char *out, const char *in, const struct loop *loop, size_t run)
{
    for (size_t i = 0; i < loop->count; i++)
        memcpy(out + (ptrdiff_t)i * loop->step[COPY_OUT], in + (ptrdiff_t)i * loop->step[COPY_IN],
               run);
}

/* The innermost loop, for runs of usual lengths by code made for their length. */
static void sweep(char *out, const char *in, const struct loop *loop, size_t run)
{
    switch (run) {
    case 1: copy_runs(out, in, loop, 1); break;
    case 2: copy_runs(out, in, loop, 2); break;
    case 4: copy_runs(out, in, loop, 4); break;
    case 8: copy_runs(out, in, loop, 8); break;
    case 16: copy_runs(out, in, loop, 16); break;
    default: copy_runs(out, in, loop, run); break;
    }
}

void bnnspy_copy(const struct copy *c)
{
    static const struct loop once = {1, {0}};
    const unsigned outer = c->n > 0 ? c->n - 1 : 0;
    const struct loop *inner = c->n > 0 ? &c->loops[outer] : &once;
    struct place place;
    bnnspy_begin(&place, outer);
    do
        sweep(c->out + place.offset[COPY_OUT], c->in + place.offset[COPY_IN], inner, c->run);
    while (bnnspy_next(&place, c->loops, outer));
}
