/* See copy_plan.h. The numbers were measured on a Zen 3, with benchmarks/bench_copy.py. */
#include "copy/copy_plan.h"

#include "copy/turn.h"

enum {
    STREAM_FROM = 16 << 20,       /* outputs of so many bytes, and of half the last cache, */
    STREAM_RUN = 1024,            /* are written around it in runs of so many */
    THREAD_RUN_BYTES = 4 << 20,   /* a thread is to have so many bytes to copy in runs, */
    THREAD_TURN_BYTES = 1 << 20,  /* or to turn, */
    THREAD_MOVES = 200000,        /* or so many runs: it costs some 25 us to make one */
};

static size_t runs_of(const struct copy *c)
{
    size_t count = 1;
    for (unsigned k = 0; k < c->n; k++)
        count *= c->loops[k].count;
    return count;
}

/* Whether the last loop goes along the output's elements, and another along the input's. */
static bool is_plane(const struct copy *c, unsigned *across)
{
    const int64_t width = (int64_t)c->run;
    if (c->n < 2 || !bnnspy_turns(c->run) || c->loops[c->n - 1].step[COPY_OUT] != width)
        return false;
    for (unsigned k = c->n - 1; k-- > 0;) {
        *across = k;
        if (c->loops[k].step[COPY_IN] == width)
            return true;
    }
    return false;
}

void bnnspy_copy_plan(const struct copy *c, struct copy_plan *plan)
{
    const size_t moves = runs_of(c), bytes = moves * c->run;
    const size_t half = bnnspy_cpu_last_cache() / 2;
    const bool large = bytes >= (half > STREAM_FROM ? half : STREAM_FROM);
    plan->across = 0;
    plan->turns = is_plane(c, &plan->across);
    plan->large = large;
    plan->stream = large && c->run >= STREAM_RUN;
    plan->threads = plan->turns ? bytes / THREAD_TURN_BYTES
                                : bytes / THREAD_RUN_BYTES + moves / THREAD_MOVES;
}
