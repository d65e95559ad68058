/* See take.h. */
#include "take.h"

#include "compiler.h"
#include "kernels/kernels.h"
#include "parallel.h"
#include "plan.h"
#include "thresholds.h"
#include "workspace.h"

#include <stdatomic.h>
#include <string.h>

static void rotate_to_end(struct loop *loops, unsigned n, unsigned k)
{
    for (; k + 1 < n; k++) {
        const struct loop moved = loops[k];
        loops[k] = loops[k + 1];
        loops[k + 1] = moved;
    }
}

void bnnspy_take_fold(struct take *t)
{
    if (t->n == 1 && t->loops[0].count > 1 && t->loops[0].step[TAKE_INDEX] != 0)
        return; /* one sweep as it is */
    bnnspy_sort_loops(t->loops, t->n);
    t->n = bnnspy_fold(t->loops, t->n);
    while (t->n > 0) {
        const struct loop *last = &t->loops[t->n - 1];
        const int64_t run = (int64_t)t->run;
        if (last->step[TAKE_OUT] != run || last->step[TAKE_IN] != run || last->step[TAKE_INDEX] != 0)
            break;
        t->run *= last->count;
        t->n--;
    }
    unsigned swept = t->n;
    while (swept > 0 && t->loops[swept - 1].step[TAKE_INDEX] == 0)
        swept--;
    if (swept == 0)
        t->loops[t->n++] = (struct loop){1, {0}}; /* one index for all */
    else
        rotate_to_end(t->loops, t->n, swept - 1);
}

/* What a sweep is made of, set for where the walk stands. */
struct sweep {
    const struct take *take;
    const struct plan *plan;
    struct move move;
    struct index_row row;
    void *block;     /* private indices */
    bool sound;
};

/*
 * The part [from, from + count) of a sweep. Private indices are made here unless they are there, and
 * `ahead` more than are needed, so that fetching does not begin anew with each part.
 */
static void sweep_part(struct sweep *s, const struct place *place, size_t from, size_t count,
                       size_t total)
{
    const struct take *t = s->take;
    const ptrdiff_t at = (ptrdiff_t)from;
    struct move *m = &s->move;
    m->count = count;
    m->known = total - from;
    m->begun = from > 0;
    m->out = t->out + place->offset[TAKE_OUT] + at * m->out_step;
    m->in = t->in + place->offset[TAKE_IN] + at * m->in_step;
    if (s->plan->indices_once) {
        m->index = (const char *)s->block + from * (m->wide ? sizeof(size_t) : sizeof(uint32_t));
    } else {
        if (m->known > count + m->ahead)
            m->known = count + m->ahead;
        s->row.place = t->indices.place + place->offset[TAKE_INDEX] + at * s->row.step;
        s->sound &= bnnspy_narrow(&s->row, m->known, s->block);
    }
    bnnspy_move(m);
}

/*
 * Fetches the indices and the output some way behind this part; there may be no memory there. Always
 * inline: gcc takes a function that only fetches for one without effect, and drops its calls.
 */
BNNSPY_INLINE void fetch_streams(const struct sweep *s, const struct place *place, size_t from)
{
    const struct take *t = s->take;
    const size_t part = s->plan->part;
    const uintptr_t indices = (uintptr_t)(t->indices.place + place->offset[TAKE_INDEX]) +
                              from * (size_t)s->row.step + BNNSPY_INDICES_AHEAD;
    const uintptr_t out = (uintptr_t)(t->out + place->offset[TAKE_OUT]) +
                          from * (size_t)s->move.out_step + BNNSPY_OUTPUT_AHEAD;
    for (size_t byte = 0; byte < part * (size_t)s->row.step; byte += LINE)
        BNNSPY_PREFETCH_L2((const void *)(indices + byte));
    for (size_t byte = 0; byte < part * (size_t)s->move.out_step; byte += LINE)
        BNNSPY_PREFETCH_WRITE((const void *)(out + byte));
}

/* Fetches part `part` of `parts` of the tables that the next turns of the innermost loop use. */
BNNSPY_INLINE void fetch_tables(const struct sweep *s, const struct place *place, size_t part,
                                size_t parts)
{
    const struct loop *loop = &s->take->loops[s->take->n - 2];
    const size_t turn = place->turn[s->take->n - 2];
    const size_t lines = (s->plan->table + LINE - 1) / LINE;
    const char *table = s->take->in + place->offset[TAKE_IN];
    const size_t from = lines * part / parts, to = lines * (part + 1) / parts;
    if (turn + 1 < loop->count)
        for (size_t line = from; line < to; line++)
            BNNSPY_PREFETCH_L1(table + loop->step[TAKE_IN] + line * LINE);
    if (turn + 2 < loop->count)
        for (size_t line = from; line < to; line++)
            BNNSPY_PREFETCH_L2(table + 2 * loop->step[TAKE_IN] + line * LINE);
}

static void sweep_all(struct sweep *s)
{
    const unsigned outer = s->take->n - 1;
    const size_t total = s->take->loops[outer].count, most = s->plan->part;
    const size_t parts = (total + most - 1) / most;
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        for (size_t part = 0; part < parts; part++) {
            const size_t from = part * most;
            if (s->plan->fetch_tables)
                fetch_tables(s, &place, part, parts);
            if (s->plan->fetch_streams)
                fetch_streams(s, &place, from);
            sweep_part(s, &place, from, total - from < most ? total - from : most, total);
        }
    } while (bnnspy_next(&place, s->take->loops, outer));
}

/* Sweeps over tables in registers: the kernel itself goes on to the next of the innermost loop. */
static void sweep_registers(struct sweep *s)
{
    const struct take *t = s->take;
    const unsigned outer = t->n > 1 ? t->n - 2 : 0;
    struct repeat rows = {1, 0, 0, false};
    if (t->n > 1)
        rows = (struct repeat){t->loops[outer].count, (ptrdiff_t)t->loops[outer].step[TAKE_IN],
                               (ptrdiff_t)t->loops[outer].step[TAKE_OUT], s->plan->fetch_streams};
    s->move.index = s->block;
    s->move.count = t->loops[t->n - 1].count;
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        s->move.in = t->in + place.offset[TAKE_IN];
        s->move.out = t->out + place.offset[TAKE_OUT];
        bnnspy_kernels()->table(&s->move, t->indices.bound, &rows);
    } while (bnnspy_next(&place, t->loops, outer));
}

/* Copies a block of columns, `bytes` wide, of the whole table: row after row. */
static void pack(const struct take *t, const char *table, size_t bytes, char *packed)
{
    for (size_t r = 0; r < t->indices.bound; r++) {
        memcpy(packed, table, bytes);
        packed += bytes;
        table += t->index_step;
    }
}

/* The indices and the output of a row some way ahead: each row is on pages of its own. */
BNNSPY_INLINE void fetch_row(const struct sweep *s, const struct loop *rows)
{
    const ptrdiff_t count = (ptrdiff_t)s->move.count;
    const char *indices = s->row.place + BNNSPY_ROWS_AHEAD * rows->step[TAKE_INDEX];
    const char *out = s->move.out + BNNSPY_ROWS_AHEAD * rows->step[TAKE_OUT];
    for (ptrdiff_t byte = 0; byte < count * s->row.step; byte += LINE)
        BNNSPY_PREFETCH_L1(indices + byte);
    for (ptrdiff_t byte = 0; byte < count * s->move.out_step; byte += LINE)
        BNNSPY_PREFETCH_WRITE(out + byte);
}

/*
 * An elementwise gather along a slow axis: a block of columns of the table is packed, so that its
 * rows lie in the cache side by side, and all output rows of the block are made from it.
 */
static void sweep_columns(struct sweep *s, char *packed)
{
    const struct take *t = s->take;
    const struct loop *rows = &t->loops[t->n - 2], *columns = &t->loops[t->n - 1];
    const size_t most = s->plan->columns;
    s->move.in = packed;
    struct place place;
    bnnspy_begin(&place, t->n - 2);
    do {
        /* The first block is the shorter one, so that the others begin with a line of the output. */
        size_t width = most - (uintptr_t)(t->out + place.offset[TAKE_OUT]) % LINE / t->run;
        for (size_t from = 0; from < columns->count; from += s->move.count, width = most) {
            const ptrdiff_t column = (ptrdiff_t)from;
            s->move.count = columns->count - from < width ? columns->count - from : width;
            s->move.index_step = (ptrdiff_t)(s->move.count * t->run);
            pack(t, t->in + place.offset[TAKE_IN] + column * (ptrdiff_t)t->run,
                 s->move.count * t->run, packed);
            s->row.place = t->indices.place + place.offset[TAKE_INDEX] + column * s->row.step;
            s->move.out = t->out + place.offset[TAKE_OUT] + column * s->move.out_step;
            for (size_t r = 0; r < rows->count; r++) {
                if (r + BNNSPY_ROWS_AHEAD < rows->count)
                    fetch_row(s, rows);
                s->sound &= bnnspy_narrow(&s->row, s->move.count, s->block);
                bnnspy_move(&s->move);
                s->row.place += rows->step[TAKE_INDEX];
                s->move.out += rows->step[TAKE_OUT];
            }
        }
    } while (bnnspy_next(&place, t->loops, t->n - 2));
}

/* False when an index was not valid. */
static bool run_part(const struct take *t, const struct plan *plan, void *workspace)
{
    size_t block[PLAN_BLOCK];
    const struct loop *swept = &t->loops[t->n - 1];
    struct sweep s;
    s.take = t;
    s.plan = plan;
    s.row = t->indices;
    s.row.step = (ptrdiff_t)swept->step[TAKE_INDEX];
    s.block = block;
    s.sound = true;
    s.move.out_step = (ptrdiff_t)swept->step[TAKE_OUT];
    s.move.in_step = (ptrdiff_t)swept->step[TAKE_IN];
    s.move.index_step = t->index_step;
    s.move.index = block;
    s.move.run = t->run;
    s.move.ahead = plan->ahead;
    s.move.wide = !bnnspy_fits_32(t->indices.bound);
    s.move.near = plan->near;
    s.move.stream = plan->stream;
    s.move.known = 0;
    s.move.begun = false;
    if (plan->indices_once) {
        if (workspace != NULL)
            s.block = workspace;
        if (!bnnspy_narrow(&s.row, swept->count, s.block))
            return false; /* and nothing was written */
    }
    if (plan->columns)
        sweep_columns(&s, workspace);
    else if (plan->registers)
        sweep_registers(&s);
    else
        sweep_all(&s);
    return s.sound;
}

/* --- all of it, on one thread or several ------------------------------------------------------- */

struct job {
    const struct take *take; /* NULL when there is nothing to move */
    const struct index_row *row;
    struct loop index_loops[MAX_LOOPS + 1]; /* folded */
    unsigned n;
    struct plan plan;
    void *workspace[MOST_THREADS];
    atomic_bool bad;     /* an index was not valid, and nothing was moved */
    atomic_bool changed; /* one that had been valid was not when it was used */
};

/* Where part's share of count turns begins. */
static size_t share(size_t count, unsigned part, unsigned parts)
{
    return count / parts * part + (part < count % parts ? part : count % parts);
}

static void release(struct job *job, unsigned threads)
{
    for (unsigned part = 0; part < threads; part++) {
        bnnspy_workspace_free(job->take->parameters, job->workspace[part]);
        job->workspace[part] = NULL;
    }
}

/* Checks the share of the indices that is part's: of the outermost loop, or of the only one. */
static bool part_is_sound(const struct job *job, unsigned part, unsigned parts)
{
    struct loop loops[MAX_LOOPS + 1];
    struct index_row row = *job->row;
    for (unsigned k = 0; k < job->n; k++)
        loops[k] = job->index_loops[k];
    const size_t from = share(loops[0].count, part, parts);
    loops[0].count = share(loops[0].count, part + 1, parts) - from;
    if (loops[0].count == 0)
        return true;
    const unsigned outer = job->n - 1;
    const char *origin = row.place + (ptrdiff_t)from * loops[0].step[0];
    row.step = (ptrdiff_t)loops[outer].step[0];
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        row.place = origin + place.offset[0];
        if (!bnnspy_indices_sound(&row, loops[outer].count))
            return false;
    } while (bnnspy_next(&place, loops, outer));
    return true;
}

/* The loop whose turns the threads share: the outermost, where that has turns enough. */
static unsigned shared_loop(const struct take *t, const struct plan *plan, unsigned parts)
{
    const unsigned swept = t->n - 1;
    if (plan->columns)
        return swept; /* each thread packs its own columns */
    return t->loops[0].count >= parts || t->loops[0].count >= t->loops[swept].count ? 0 : swept;
}

static void move_part(struct job *job, unsigned part, unsigned parts)
{
    struct take t = *job->take;
    struct loop *loop = &t.loops[shared_loop(&t, &job->plan, parts)];
    const size_t from = share(loop->count, part, parts);
    loop->count = share(loop->count, part + 1, parts) - from;
    if (loop->count == 0)
        return;
    t.out += (ptrdiff_t)from * loop->step[TAKE_OUT];
    t.in += (ptrdiff_t)from * loop->step[TAKE_IN];
    t.indices.place += (ptrdiff_t)from * loop->step[TAKE_INDEX];
    if (!run_part(&t, &job->plan, job->workspace[part]))
        atomic_store(&job->changed, true);
}

static void body(void *context, struct team *team, unsigned part, unsigned parts)
{
    struct job *job = context;
    if (bnnspy_meet(team, part_is_sound(job, part, parts)))
        move_part(job, part, parts);
    else
        atomic_store(&job->bad, true);
}

/* Workspaces for all threads, or a plan without. The allocator is called on this thread only. */
static void provide(struct job *job, unsigned threads)
{
    const BNNSFilterParameters *parameters = job->take->parameters;
    for (unsigned part = 0; part < threads; part++)
        job->workspace[part] = NULL;
    for (unsigned part = 0; part < threads && job->plan.workspace; part++) {
        job->workspace[part] = bnnspy_workspace(parameters, job->plan.workspace);
        if (job->workspace[part] == NULL) {
            release(job, part);
            bnnspy_plan_without(job->take, &job->plan);
        }
    }
}

/* Indices that are made private all at once are checked by that; others in a pass of their own. */
static enum take_result alone(struct job *job)
{
    provide(job, 1);
    enum take_result result = TAKE_BAD_INDEX;
    if (job->plan.indices_once || part_is_sound(job, 0, 1)) {
        if (run_part(job->take, &job->plan, job->workspace[0]))
            result = TAKE_DONE;
        else if (!job->plan.indices_once)
            result = TAKE_CHANGED;
    }
    release(job, 1);
    return result;
}

static enum take_result together(struct job *job, unsigned threads)
{
    atomic_init(&job->bad, false);
    atomic_init(&job->changed, false);
    provide(job, threads);
    bnnspy_parallel(threads, body, job);
    release(job, threads);
    return atomic_load(&job->bad) ? TAKE_BAD_INDEX
           : atomic_load(&job->changed) ? TAKE_CHANGED
                                        : TAKE_DONE;
}

enum { FEW = 64 };

bool bnnspy_take_few(const struct take *t)
{
    size_t block[FEW];
    const struct loop *swept = &t->loops[0];
    if (t->n != 1 || swept->count > FEW || t->run > LINE)
        return false;
    struct index_row row;
    row.place = t->indices.place;
    row.step = (ptrdiff_t)swept->step[TAKE_INDEX];
    row.bound = t->indices.bound;
    row.kind = t->indices.kind;
    row.wrap = t->indices.wrap;
    if (!bnnspy_narrow(&row, swept->count, block))
        return false;
    struct move m;
    m.out = t->out;
    m.in = t->in;
    m.out_step = (ptrdiff_t)swept->step[TAKE_OUT];
    m.in_step = (ptrdiff_t)swept->step[TAKE_IN];
    m.index_step = t->index_step;
    m.index = block;
    m.count = swept->count;
    m.run = t->run;
    m.ahead = 0;
    m.wide = !bnnspy_fits_32(t->indices.bound);
    m.known = m.count;
    m.near = m.stream = m.begun = false;
    bnnspy_move(&m);
    return true;
}

enum take_result bnnspy_take_all(const struct take *t, const struct index_row *row,
                                 const struct loop *index_loops, unsigned n)
{
    struct job job;
    job.take = t;
    job.row = row;
    for (unsigned k = 0; k < n; k++)
        job.index_loops[k] = index_loops[k];
    bnnspy_sort_loops(job.index_loops, n);
    job.n = bnnspy_fold(job.index_loops, n);
    if (job.n == 0)
        job.index_loops[job.n++] = (struct loop){1, {0}};
    if (t == NULL)
        return part_is_sound(&job, 0, 1) ? TAKE_DONE : TAKE_BAD_INDEX;
    bnnspy_plan(t, &job.plan);
    const unsigned threads = bnnspy_threads(t->parameters, job.plan.threads);
    return threads == 1 ? alone(&job) : together(&job, threads);
}
