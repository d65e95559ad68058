/*
 * One body, compiled once for each run that is met often: with the run literal a copy is a load and
 * a store, about four times as fast as a call of memcpy. Longer rows take memcpy, long ones copy.c;
 * or where an output is far larger than the cache, stores that do not read the lines that they
 * overwrite.
 */
#include "kernels/kernels.h"

#include "compiler.h"
#include "kernels/stream.h"
#include "take/thresholds.h"

#include <string.h>

/* The fields of a move as locals: for all the compiler knows, a store through out changes *m. */
struct view {
    char *restrict out;
    const char *restrict in;
    ptrdiff_t out_step, in_step, index_step;
    const void *index;
    size_t bound, ahead;
    void (*long_copy)(char *restrict out, const char *restrict in, size_t bytes); /* or NULL */
};

BNNSPY_INLINE struct view view_of(const struct move *m)
{
    return (struct view){
        .out = m->out,
        .in = m->in,
        .out_step = m->out_step,
        .in_step = m->in_step,
        .index_step = m->index_step,
        .index = m->index,
        .bound = m->bound,
        .ahead = m->ahead,
        .long_copy = m->run >= BNNSPY_COPY_FROM ? bnnspy_kernels()->copy : NULL,
    };
}

/* The caller's indices are loaded here, and by nobody again, whoever else writes to them. */
BNNSPY_INLINE uint64_t index_at(const struct view *v, enum index_form form, size_t i)
{
    switch (form) {
    case FORM_NARROW: return ((const uint32_t *)v->index)[i];
    case FORM_WIDE: return ((const size_t *)v->index)[i];
    case FORM_CALLERS_32: return BNNSPY_LOAD_ONCE(uint32_t, (const uint32_t *)v->index + i);
    case FORM_CALLERS_64: return BNNSPY_LOAD_ONCE(uint64_t, (const uint64_t *)v->index + i);
    }
    return 0;
}

/*
 * Fetches for index i: a long row into the first cache, or else the line where the run begins into
 * the second. One of the caller's may have gone bad, and no memory be where it says.
 */
BNNSPY_INLINE void fetch(const struct view *v, enum index_form form, size_t i, size_t run)
{
    const uintptr_t place = (uintptr_t)v->in + i * (uintptr_t)v->in_step +
                            (uintptr_t)index_at(v, form, i) * (uintptr_t)v->index_step;
    if (run > LINE)
        for (size_t byte = 0; byte < run; byte += LINE)
            BNNSPY_PREFETCH_L1((const void *)(place + byte));
    else
        BNNSPY_PREFETCH_L2((const void *)place);
}

BNNSPY_INLINE void copy(const struct view *v, size_t i, uint64_t index, size_t run)
{
    char *out = v->out + (ptrdiff_t)i * v->out_step;
    const char *in = v->in + (ptrdiff_t)i * v->in_step + (ptrdiff_t)index * v->index_step;
    if (run > LINE && v->long_copy != NULL)
        v->long_copy(out, in, run);
    else
        memcpy(out, in, run);
}

/* The run of index i, unless that is one of the caller's which is not valid any more: false. */
BNNSPY_INLINE bool copy_one(const struct view *v, enum index_form form, size_t i, size_t run)
{
    const uint64_t index = index_at(v, form, i);
    if ((form == FORM_CALLERS_32 || form == FORM_CALLERS_64) && BNNSPY_UNLIKELY(index >= v->bound))
        return false;
    copy(v, i, index, run);
    return true;
}

/* How a body is compiled; the run is a literal too, where more than one is copied at once. */
struct manner {
    enum index_form form;
    bool packed;    /* one run after the other, in the table and in the output */
    bool fetching;  /* copies only while there is something to fetch */
    size_t at_once;
};

/*
 * The runs from i up to end. Returns end, or the index that is not valid any more. Some at a time,
 * since compilers do not unroll a loop with a way out by themselves.
 */
BNNSPY_INLINE size_t copy_span(const struct view *v, size_t run, struct manner how, size_t i,
                               size_t end)
{
    for (; how.at_once > 1 && i + how.at_once <= end; i += how.at_once) {
        BNNSPY_UNROLL(8)
        for (size_t k = 0; k < how.at_once; k++) {
            if (how.fetching)
                fetch(v, how.form, i + k + v->ahead, run);
            if (!copy_one(v, how.form, i + k, run))
                return i + k;
        }
    }
    BNNSPY_UNROLL(1)
    for (; i < end; i++) {
        if (how.fetching)
            fetch(v, how.form, i + v->ahead, run);
        if (!copy_one(v, how.form, i, run))
            return i;
    }
    return end;
}

/* From an index on that is not valid any more: it counts as 0, and so does each that follows so. */
static BNNSPY_COLD bool copy_changed(const struct move *m, size_t i)
{
    const struct view v = view_of(m);
    copy(&v, i, 0, m->run);
    for (i++; i < m->count; i++) {
        const uint64_t index = index_at(&v, m->form, i);
        copy(&v, i, index < v.bound ? index : 0, m->run);
    }
    return false;
}

/*
 * From run `from` on, turn after turn, or while there is something to fetch. Returns where it ended,
 * or the index that is not valid any more.
 */
BNNSPY_INLINE size_t copy_runs(const struct move *m, size_t run, struct manner how, size_t from,
                               size_t end)
{
    struct view v = view_of(m);
    if (how.packed) {
        v.out_step = v.index_step = (ptrdiff_t)run;
        v.in_step = 0;
    }
    if (how.fetching) {
        for (size_t i = 0; !m->begun && i < v.ahead && i < m->known; i++)
            fetch(&v, how.form, i, run);
        return copy_span(&v, run, how, from, end);
    }
    for (size_t turn = 1;; turn++) {
        const size_t stopped = copy_span(&v, run, how, from, end);
        if (stopped < end || turn >= m->turns)
            return stopped;
        v.in += m->turn_in;
        v.out += m->turn_out;
        from = 0;
    }
}

BNNSPY_INLINE size_t by_form(const struct move *m, size_t run, size_t at_once, bool fetching,
                             size_t from, size_t end)
{
    const bool packed = m->out_step == (ptrdiff_t)run && m->index_step == (ptrdiff_t)run &&
                        m->in_step == 0;
#define RUNS(form, packed)                                                                         \
    copy_runs(m, run, (struct manner){form, packed, fetching, at_once}, from, end)
    switch (m->form) {
    case FORM_NARROW: return packed ? RUNS(FORM_NARROW, true) : RUNS(FORM_NARROW, false);
    case FORM_CALLERS_32: return RUNS(FORM_CALLERS_32, true);
    case FORM_CALLERS_64: return RUNS(FORM_CALLERS_64, true);
    case FORM_WIDE: break;
    }
    return at_once == 1 ? RUNS(FORM_WIDE, false) : from; /* see by_run */
#undef RUNS
}

/* Indices of axes so long that they are wide are not met often enough for literal runs. */
BNNSPY_INLINE size_t by_run(const struct move *m, bool fetching, size_t from, size_t end)
{
    switch (BNNSPY_LITERAL_RUNS && m->form != FORM_WIDE ? m->run : 0) {
    case 1: return by_form(m, 1, 8, fetching, from, end);
    case 2: return by_form(m, 2, 8, fetching, from, end);
    case 4: return by_form(m, 4, 8, fetching, from, end);
    case 8: return by_form(m, 8, 8, fetching, from, end);
    case 12: return by_form(m, 12, 8, fetching, from, end);
    case 16: return by_form(m, 16, 8, fetching, from, end);
    case 32: return by_form(m, 32, 4, fetching, from, end);
    case 64: return by_form(m, 64, 4, fetching, from, end);
    default: return by_form(m, m->run, 1, fetching, from, end);
    }
}

static void stream_rows(const struct move *m)
{
    const struct view v = view_of(m);
    for (size_t i = 0; i < m->count; i++) {
        if (i + m->ahead < m->known)
            fetch(&v, m->form, i + m->ahead, m->run);
        const ptrdiff_t at = (ptrdiff_t)index_at(&v, m->form, i) * v.index_step;
        bnnspy_stream_row(v.out + (ptrdiff_t)i * v.out_step, v.in + (ptrdiff_t)i * v.in_step + at,
                          m->run);
    }
    bnnspy_stream_end();
}

bool bnnspy_move(const struct move *m)
{
    if (m->stream && m->run >= 4 * LINE) {
        stream_rows(m);
        return true;
    }
    size_t done = 0;
    if (m->ahead != 0) {
        const size_t left = m->known > m->ahead ? m->known - m->ahead : 0;
        const size_t end = left < m->count ? left : m->count;
        done = by_run(m, true, 0, end);
        if (done < end)
            return copy_changed(m, done);
    }
    done = by_run(m, false, done, m->count);
    return done == m->count || copy_changed(m, done);
}
