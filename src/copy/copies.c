/* See copies.h. */
#include "copy/copies.h"

#include "compiler.h"
#include "copy/copy_plan.h"
#include "copy/runs.h"
#include "copy/turn.h"
#include "parallel.h"

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

/* --- a part of it, by one thread ------------------------------------------------------------------- */

/* Where a walk through all loops but the last, and but one more, begins. */
struct walk {
    struct loop loops[MAX_LOOPS + 1];
    unsigned n;
};

static void walk_without(const struct copy *c, unsigned left_out, struct walk *walk)
{
    walk->n = 0;
    for (unsigned k = 0; k + 1 < c->n; k++)
        if (k != left_out)
            walk->loops[walk->n++] = c->loops[k];
}

static void copy_runs(const struct copy *c, const struct copy_plan *plan)
{
    static const struct loop once = {1, {0}};
    const unsigned outer = c->n > 0 ? c->n - 1 : 0;
    const struct loop *inner = c->n > 0 ? &c->loops[outer] : &once;
    struct runs runs = {
        .out_step = (ptrdiff_t)inner->step[COPY_OUT],
        .in_step = (ptrdiff_t)inner->step[COPY_IN],
        .count = inner->count,
        .run = c->run,
        .stream = plan->stream,
    };
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        runs.out = c->out + place.offset[COPY_OUT];
        runs.in = c->in + place.offset[COPY_IN];
        bnnspy_copy_runs(&runs);
    } while (bnnspy_next(&place, c->loops, outer));
}

static void turn_planes(const struct copy *c, const struct copy_plan *plan)
{
    const struct loop *along = &c->loops[c->n - 1], *across = &c->loops[plan->across];
    struct plane plane = {
        .out_pitch = (ptrdiff_t)across->step[COPY_OUT],
        .in_pitch = (ptrdiff_t)along->step[COPY_IN],
        .rows = along->count,
        .cols = across->count,
        .width = (unsigned)c->run,
        .large = plan->large,
    };
    struct walk walk;
    walk_without(c, plan->across, &walk);
    struct place place;
    bnnspy_begin(&place, walk.n);
    do {
        plane.out = c->out + place.offset[COPY_OUT];
        plane.in = c->in + place.offset[COPY_IN];
        bnnspy_turn(&plane);
    } while (bnnspy_next(&place, walk.loops, walk.n));
}

static void carry_out(const struct copy *c, const struct copy_plan *plan)
{
    if (plan->turns)
        turn_planes(c, plan);
    else
        copy_runs(c, plan);
}

/* --- all of it, on one thread or several ----------------------------------------------------------- */

struct job {
    const struct copy *copy;
    struct copy_plan plan;
};

/* Where part's share of count turns begins: at a multiple of unit. */
static size_t share(size_t count, size_t unit, unsigned part, unsigned parts)
{
    const size_t units = (count + unit - 1) / unit;
    const size_t from =
        (units / parts * part + (part < units % parts ? part : units % parts)) * unit;
    return from < count ? from : count;
}

/* The loop whose turns the threads share: the outermost that has turns enough for all to end together. */
static unsigned shared_loop(const struct copy *c, unsigned parts)
{
    unsigned longest = 0;
    for (unsigned k = 0; k < c->n; k++) {
        if (c->loops[k].count >= 4 * (size_t)parts)
            return k;
        if (c->loops[k].count > c->loops[longest].count)
            longest = k;
    }
    return longest;
}

/* Turns that write so many bytes together that no two threads write the same line again and again. */
static size_t turns_of_a_line(int64_t step)
{
    const int64_t distance = step < 0 ? -step : step;
    return distance > 0 && distance < LINE ? (size_t)(LINE / distance) : 1;
}

static void copy_part(void *context, struct team *team, unsigned part, unsigned parts)
{
    (void)team;
    const struct job *job = context;
    struct copy mine = *job->copy;
    if (mine.n == 0) { /* one run: by its bytes */
        const size_t from = share(mine.run, LINE, part, parts);
        mine.run = share(mine.run, LINE, part + 1, parts) - from;
        mine.out += from;
        mine.in += from;
        if (mine.run != 0)
            carry_out(&mine, &job->plan);
        return;
    }
    struct loop *loop = &mine.loops[shared_loop(&mine, parts)];
    const size_t unit = turns_of_a_line(loop->step[COPY_OUT]);
    const size_t from = share(loop->count, unit, part, parts);
    loop->count = share(loop->count, unit, part + 1, parts) - from;
    mine.out += (ptrdiff_t)from * loop->step[COPY_OUT];
    mine.in += (ptrdiff_t)from * loop->step[COPY_IN];
    if (loop->count != 0)
        carry_out(&mine, &job->plan);
}

void bnnspy_copy(const struct copy *c)
{
    struct job job;
    job.copy = c;
    bnnspy_copy_plan(c, &job.plan);
    const unsigned threads = bnnspy_threads(c->parameters, job.plan.threads);
    if (threads == 1)
        carry_out(c, &job.plan);
    else
        bnnspy_parallel(threads, copy_part, &job);
}
