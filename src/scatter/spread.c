/* See spread.h. */
#include "scatter/spread.h"

#include "parallel.h"
#include "scatter/put.h"

#include <stdatomic.h>

/* The measured numbers of the plan; benchmarks/bench_scatter.py shows what they gain. */
enum {
    BLOCK = 1024,             /* indices made private at a time */
    FETCH_ROW = 16,           /* runs of so many bytes are fetched ahead */
    FETCH_ROWS_FROM = 1 << 20, /* in an output of so many, */
    FETCH_BYTES = 2048,       /* so many bytes ahead, */
    FETCH_MOST = 32,          /* and no more runs than that; shorter ones always so many, */
    FETCH_SUM_FROM = 2 << 20, /* in an output of so many bytes where they are added, */
    FETCH_PUT_FROM = 16 << 20, /* and where they are not, so that nothing waits for them */
    STREAM_ROW = 1024,        /* rows of so many bytes are written around the cache */
    STREAM_FROM = 16 << 20,   /* in an output of so many */
    THREAD_MOVES = 200000,    /* a thread is to have so many runs, or so many bytes, to move, */
    THREAD_BYTES = 4 << 20,
    THREAD_REACH = 1 << 20,   /* in an output that one core's second cache does not hold */
};

static void rotate_to_end(struct loop *loops, unsigned n, unsigned k)
{
    for (; k + 1 < n; k++) {
        const struct loop moved = loops[k];
        loops[k] = loops[k + 1];
        loops[k + 1] = moved;
    }
}

void bnnspy_spread_fold(struct spread *s)
{
    bnnspy_sort_loops(s->loops, s->n);
    s->n = bnnspy_fold(s->loops, s->n);
    while (s->n > 0) {
        const struct loop *last = &s->loops[s->n - 1];
        const int64_t run = (int64_t)s->run;
        if (last->step[SPREAD_OUT] != run || last->step[SPREAD_IN] != run ||
            last->step[SPREAD_INDEX] != 0)
            break;
        s->run *= last->count;
        s->n--;
    }
    unsigned swept = s->n;
    while (swept > 0 && s->loops[swept - 1].step[SPREAD_INDEX] == 0)
        swept--;
    if (swept == 0)
        s->loops[s->n++] = (struct loop){1, {0}}; /* one index for all */
    else
        rotate_to_end(s->loops, s->n, swept - 1);
}

/* --- how --------------------------------------------------------------------------------------- */

static size_t runs_of(const struct spread *s)
{
    size_t count = 1;
    for (unsigned k = 0; k < s->n; k++)
        count *= s->loops[k].count;
    return count;
}

/* How many runs ahead the places in the output are fetched; 0 where that gains nothing. */
static size_t fetched_ahead(const struct spread *s)
{
    if (s->run < FETCH_ROW)
        return s->reach >= (s->sum == SUM_NONE ? FETCH_PUT_FROM : FETCH_SUM_FROM) ? FETCH_MOST : 0;
    if (s->reach < FETCH_ROWS_FROM)
        return 0;
    const size_t rows = FETCH_BYTES / s->run;
    return rows > FETCH_MOST ? FETCH_MOST : rows > 0 ? rows : 1;
}

static unsigned threads_for(const struct spread *s)
{
    const size_t runs = runs_of(s);
    const size_t by_runs = runs / THREAD_MOVES, by_bytes = runs * s->run / THREAD_BYTES;
    const size_t worth = by_runs > by_bytes ? by_runs : by_bytes;
    return bnnspy_threads(s->parameters, s->reach < THREAD_REACH ? 1 : worth);
}

/* --- one thread's part -------------------------------------------------------------------------- */

/* What is this thread's: all indices from `low` to below `high`. */
struct part {
    const struct spread *spread;
    struct put put;
    struct index_row row;
    size_t low, high;
    bool all;              /* that is every index */
    bool sound;
    size_t block[BLOCK];   /* private indices, of 32 bits or a size_t's */
    size_t own[BLOCK];     /* of these, those that are the thread's, */
    uint32_t from[BLOCK];  /* and where they stood */
};

/* Whether an index is the thread's own is a coin toss: they are collected without a branch. */
static size_t collect(struct part *p, size_t count)
{
    const bool narrow = bnnspy_fits_32(p->row.bound);
    const size_t low = p->low, most = p->high - p->low;
    size_t own = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t index = narrow ? ((const uint32_t *)p->block)[i] : p->block[i];
        p->from[own] = (uint32_t)i; /* own <= i */
        p->own[own] = index;
        own += index - low < most;
    }
    return own;
}

/* The turns [first, first + count) of the swept loop. */
static void sweep_block(struct part *p, const struct place *place, size_t first, size_t count)
{
    const struct spread *s = p->spread;
    const ptrdiff_t at = (ptrdiff_t)first;
    struct put *put = &p->put;
    p->row.place = s->indices.place + place->offset[SPREAD_INDEX] + at * p->row.step;
    p->sound &= bnnspy_narrow(&p->row, count, p->block);
    put->out = s->out + place->offset[SPREAD_OUT] + at * put->out_step;
    put->in = s->in + place->offset[SPREAD_IN] + at * put->in_step;
    put->count = p->all ? count : collect(p, count);
    if (put->count > 0)
        bnnspy_put(put);
}

/* Everything that a spread says, or one thread's part of it; false when an index was not valid. */
static bool run_part(const struct spread *s, size_t low, size_t high)
{
    const struct loop *swept = &s->loops[s->n - 1];
    struct part p;
    p.spread = s;
    p.row = s->indices;
    p.row.step = (ptrdiff_t)swept->step[SPREAD_INDEX];
    p.low = low;
    p.high = high;
    p.all = low == 0 && high == s->indices.bound;
    p.sound = true;
    p.put.out_step = (ptrdiff_t)swept->step[SPREAD_OUT];
    p.put.in_step = (ptrdiff_t)swept->step[SPREAD_IN];
    p.put.index_step = s->index_step;
    p.put.index = p.all ? p.block : p.own;
    p.put.from = p.all ? NULL : p.from;
    p.put.run = s->run;
    p.put.ahead = fetched_ahead(s);
    p.put.sum = s->sum;
    p.put.wide = !bnnspy_fits_32(s->indices.bound);
    p.put.single = s->run == s->width;
    p.put.stream = s->run >= STREAM_ROW && s->reach >= STREAM_FROM;
    if (s->sum == SUM_NONE && p.put.stream)
        p.put.ahead = 0; /* what is overwritten whole is not needed */
    const unsigned outer = s->n - 1;
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        for (size_t first = 0; first < swept->count; first += BLOCK) {
            const size_t left = swept->count - first;
            sweep_block(&p, &place, first, left < BLOCK ? left : BLOCK);
        }
    } while (bnnspy_next(&place, s->loops, outer));
    return p.sound;
}

/*
 * One sweep of a few indices: they are made private once, and nothing is written unless all are
 * valid. False: nothing was, and the check finds out why.
 */
static bool run_few(const struct spread *s)
{
    enum { FEW = 64 };
    size_t block[FEW];
    const struct loop *swept = &s->loops[0];
    if (s->n != 1 || swept->count > FEW)
        return false;
    struct index_row row = s->indices;
    row.step = (ptrdiff_t)swept->step[SPREAD_INDEX];
    if (!bnnspy_narrow(&row, swept->count, block))
        return false;
    const struct put put = {
        .out = s->out,
        .in = s->in,
        .out_step = (ptrdiff_t)swept->step[SPREAD_OUT],
        .in_step = (ptrdiff_t)swept->step[SPREAD_IN],
        .index_step = s->index_step,
        .index = block,
        .count = swept->count,
        .run = s->run,
        .sum = s->sum,
        .wide = !bnnspy_fits_32(row.bound),
        .single = s->run == s->width,
    };
    bnnspy_put(&put);
    return true;
}

/* --- all of it, on one thread or several --------------------------------------------------------- */

struct job {
    const struct spread *spread;
    atomic_bool changed; /* an index that had been valid was not when it was used */
};

/* Where part's share of count begins. */
static size_t share(size_t count, unsigned part, unsigned parts)
{
    return count / parts * part + (part < count % parts ? part : count % parts);
}

/*
 * Each thread has its own destinations, and goes through what concerns them in the order of one
 * thread: the bits do not depend on how many there are. Where the outermost loop moves the output by
 * itself that is a share of its turns, else a share of what indices can say.
 */
static void body(void *context, struct team *team, unsigned part, unsigned parts)
{
    struct job *job = context;
    struct spread s = *job->spread;
    (void)team;
    size_t low = 0, high = s.indices.bound;
    struct loop *loop = &s.loops[0];
    if (loop->step[SPREAD_OUT] != 0 && loop->count >= parts) {
        const size_t from = share(loop->count, part, parts);
        loop->count = share(loop->count, part + 1, parts) - from;
        s.out += (ptrdiff_t)from * loop->step[SPREAD_OUT];
        s.in += (ptrdiff_t)from * loop->step[SPREAD_IN];
        s.indices.place += (ptrdiff_t)from * loop->step[SPREAD_INDEX];
    } else {
        low = share(s.indices.bound, part, parts);
        high = share(s.indices.bound, part + 1, parts);
    }
    if (!run_part(&s, low, high))
        atomic_store(&job->changed, true);
}

static bool all_sound(const struct index_row *row, const struct loop *index_loops, unsigned n)
{
    struct loop loops[MAX_LOOPS + 1];
    for (unsigned k = 0; k < n; k++)
        loops[k] = index_loops[k];
    bnnspy_sort_loops(loops, n);
    n = bnnspy_fold(loops, n);
    if (n == 0)
        loops[n++] = (struct loop){1, {0}};
    struct index_row part = *row;
    part.step = (ptrdiff_t)loops[n - 1].step[0];
    struct place place;
    bnnspy_begin(&place, n - 1);
    do {
        part.place = row->place + place.offset[0];
        if (!bnnspy_indices_sound(&part, loops[n - 1].count))
            return false;
    } while (bnnspy_next(&place, loops, n - 1));
    return true;
}

enum spread_result bnnspy_spread(const struct spread *s, const struct index_row *row,
                                 const struct loop *index_loops, unsigned n)
{
    if (s != NULL && run_few(s))
        return SPREAD_DONE;
    if (!all_sound(row, index_loops, n))
        return SPREAD_BAD_INDEX;
    if (s == NULL)
        return SPREAD_DONE;
    const unsigned threads = threads_for(s);
    if (threads == 1)
        return run_part(s, 0, s->indices.bound) ? SPREAD_DONE : SPREAD_CHANGED;
    struct job job = {.spread = s};
    bnnspy_parallel(threads, body, &job);
    return atomic_load(&job.changed) ? SPREAD_CHANGED : SPREAD_DONE;
}
