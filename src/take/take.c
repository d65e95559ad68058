/* See take.h. */
#include "take/take.h"

#include "compiler.h"
#include "kernels/move.h"
#include "parallel.h"
#include "take/plan.h"
#include "take/sweep.h"
#include "workspace.h"

#include <stdatomic.h>

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
        if (last->step[TAKE_OUT] != run || last->step[TAKE_IN] != run ||
            last->step[TAKE_INDEX] != 0)
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

/* All of a take, on one thread or several. */
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
    if (!bnnspy_sweep(&t, &job->plan, job->workspace[part]))
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
        if (bnnspy_sweep(job->take, &job->plan, job->workspace[0]))
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
    return atomic_load(&job->bad)       ? TAKE_BAD_INDEX
           : atomic_load(&job->changed) ? TAKE_CHANGED
                                        : TAKE_DONE;
}

enum { FEW = 64 }; /* for so many nothing is worth fetching ahead */

bool bnnspy_take_few(const struct take *t)
{
    size_t block[PLAN_BLOCK];
    const struct loop *swept = &t->loops[0];
    if (t->n != 1 || swept->count > PLAN_BLOCK || t->run > LINE)
        return false;
    if (swept->count > FEW && bnnspy_plan_fetches(t))
        return false;
    struct index_row row = t->indices;
    row.step = (ptrdiff_t)swept->step[TAKE_INDEX];
    if (!bnnspy_narrow(&row, swept->count, block))
        return false;
    struct move m = bnnspy_move_of(t);
    m.index = block;
    return bnnspy_move(&m);
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
