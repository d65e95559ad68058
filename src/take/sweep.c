/* See sweep.h. */
#include "take/sweep.h"

#include "compiler.h"
#include "kernels/kernels.h"
#include "take/thresholds.h"

#include <string.h>

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
 * The part [from, from + count) of a sweep. Where private indices are made for it, `ahead` more are
 * than are needed, so that fetching does not begin anew with each part.
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
    const char *indices = t->indices.place + place->offset[TAKE_INDEX] + at * s->row.step;
    if (s->plan->indices_once) {
        const size_t width = m->form == FORM_WIDE ? sizeof(size_t) : sizeof(uint32_t);
        m->index = (const char *)s->block + from * width;
    } else if (s->plan->direct) {
        m->index = indices;
    } else {
        if (m->known > count + m->ahead)
            m->known = count + m->ahead;
        s->row.place = indices;
        s->sound &= bnnspy_narrow(&s->row, m->known, s->block);
    }
    s->sound &= bnnspy_move(m);
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

/* Sweeps with the same private indices: the kernel goes on to the next of the innermost loop. */
static void sweep_turns(struct sweep *s)
{
    const struct take *t = s->take;
    const unsigned outer = t->n > 1 ? t->n - 2 : 0;
    if (t->n > 1) {
        s->move.turns = t->loops[outer].count;
        s->move.turn_in = (ptrdiff_t)t->loops[outer].step[TAKE_IN];
        s->move.turn_out = (ptrdiff_t)t->loops[outer].step[TAKE_OUT];
    }
    s->move.index = s->block;
    s->move.fetch_turns = s->plan->fetch_streams;
    struct place place;
    bnnspy_begin(&place, outer);
    do {
        s->move.in = t->in + place.offset[TAKE_IN];
        s->move.out = t->out + place.offset[TAKE_OUT];
        if (s->plan->registers)
            bnnspy_kernels()->table(&s->move);
        else
            (void)bnnspy_move(&s->move);
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
                (void)bnnspy_move(&s->move);
                s->row.place += rows->step[TAKE_INDEX];
                s->move.out += rows->step[TAKE_OUT];
            }
        }
    } while (bnnspy_next(&place, t->loops, t->n - 2));
}

bool bnnspy_sweep(const struct take *t, const struct plan *plan, void *workspace)
{
    size_t block[PLAN_BLOCK];
    const size_t count = t->loops[t->n - 1].count;
    struct sweep s = {.take = t, .plan = plan, .block = block, .sound = true};
    s.row = t->indices;
    s.row.step = (ptrdiff_t)t->loops[t->n - 1].step[TAKE_INDEX];
    s.move = bnnspy_move_of(t);
    s.move.index = block;
    s.move.ahead = plan->ahead;
    s.move.stream = plan->stream;
    if (plan->direct)
        s.move.form = s.row.step == sizeof(uint32_t) ? FORM_CALLERS_32 : FORM_CALLERS_64;
    if (plan->indices_once) {
        if (workspace != NULL)
            s.block = workspace;
        if (!bnnspy_narrow(&s.row, count, s.block))
            return false; /* and nothing was written */
    }
    if (plan->columns)
        sweep_columns(&s, workspace);
    else if (plan->turns)
        sweep_turns(&s);
    else
        sweep_all(&s);
    return s.sound;
}
