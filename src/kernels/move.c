/*
 * One body, compiled once for each run that is met often: with the run literal a copy is a load and
 * a store, about four times as fast as a call of memcpy. Longer rows take memcpy, or where an output
 * is far larger than the cache, stores that do not read the lines that they overwrite.
 */
#include "kernels/move.h"

#include "compiler.h"
#include "take/thresholds.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The fields of a move as locals: a store through out could change *m, for all the compiler knows. */
struct view {
    char *restrict out;
    const char *restrict in;
    ptrdiff_t out_step, in_step, index_step;
    const void *index;
    size_t bound, ahead;
    bool near;
};

BNNSPY_INLINE struct view view_of(const struct move *m)
{
    return (struct view){m->out,   m->in,    m->out_step, m->in_step, m->index_step,
                         m->index, m->bound, m->ahead,    m->near};
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

/* Fetches for index i. One of the caller's may have gone bad, and no memory be where it says. */
BNNSPY_INLINE void fetch(const struct view *v, enum index_form form, size_t i, size_t run)
{
    const uintptr_t place = (uintptr_t)v->in + i * (uintptr_t)v->in_step +
                            (uintptr_t)index_at(v, form, i) * (uintptr_t)v->index_step;
    if (run > LINE && v->near) {
        for (size_t byte = 0; byte < run; byte += LINE)
            BNNSPY_PREFETCH_L1((const void *)(place + byte));
        return;
    }
    BNNSPY_PREFETCH_L2((const void *)place);
    for (size_t byte = LINE; byte < run; byte += LINE)
        BNNSPY_PREFETCH_L2((const void *)(place + byte));
}

BNNSPY_INLINE void copy(const struct view *v, size_t i, uint64_t index, size_t run)
{
    memcpy(v->out + (ptrdiff_t)i * v->out_step,
           v->in + (ptrdiff_t)i * v->in_step + (ptrdiff_t)index * v->index_step, run);
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

/*
 * The runs from i up to end. Returns end, or the index that is not valid any more. All but v, i and
 * end are literals. By eights, since compilers do not unroll a loop with a way out by themselves.
 */
BNNSPY_INLINE size_t copy_span(const struct view *v, enum index_form form, size_t run, bool fetching,
                               size_t i, size_t end)
{
    enum { AT_ONCE = 8 };
    for (; i + AT_ONCE <= end; i += AT_ONCE) {
        BNNSPY_UNROLL(8)
        for (size_t k = 0; k < AT_ONCE; k++) {
            if (fetching)
                fetch(v, form, i + k + v->ahead, run);
            if (!copy_one(v, form, i + k, run))
                return i + k;
        }
    }
    BNNSPY_UNROLL(1)
    for (; i < end; i++) {
        if (fetching)
            fetch(v, form, i + v->ahead, run);
        if (!copy_one(v, form, i, run))
            return i;
    }
    return end;
}

/* From where an index was not valid any more: that one counts as 0, and each that follows so too. */
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

/* All but m are literals. packed: one run after the other, in the table and in the output. */
BNNSPY_INLINE bool copy_runs(const struct move *m, enum index_form form, size_t run, bool fetching,
                             bool packed)
{
    struct view v = view_of(m);
    if (packed) {
        v.out_step = v.index_step = (ptrdiff_t)run;
        v.in_step = 0;
    }
    const size_t count = m->count;
    size_t i = 0;
    if (fetching) {
        const size_t left = m->known > v.ahead ? m->known - v.ahead : 0;
        const size_t fetched = left < count ? left : count;
        for (size_t first = 0; !m->begun && first < v.ahead && first < m->known; first++)
            fetch(&v, form, first, run);
        i = copy_span(&v, form, run, true, 0, fetched);
        if (i < fetched)
            return copy_changed(m, i);
    }
    for (size_t turn = 1;; turn++) {
        i = copy_span(&v, form, run, false, i, count);
        if (i < count)
            return copy_changed(m, i);
        if (turn >= m->turns)
            return true;
        v.in += m->turn_in;
        v.out += m->turn_out;
        i = 0;
    }
}

BNNSPY_INLINE bool by_form(const struct move *m, size_t run, bool fetching)
{
    const bool packed = m->out_step == (ptrdiff_t)run && m->index_step == (ptrdiff_t)run &&
                        m->in_step == 0;
    switch (m->form) {
    case FORM_NARROW:
        return packed ? copy_runs(m, FORM_NARROW, run, fetching, true)
                      : copy_runs(m, FORM_NARROW, run, fetching, false);
    case FORM_WIDE: return copy_runs(m, FORM_WIDE, run, fetching, false);
    case FORM_CALLERS_32: return copy_runs(m, FORM_CALLERS_32, run, fetching, true);
    case FORM_CALLERS_64: return copy_runs(m, FORM_CALLERS_64, run, fetching, true);
    }
    return false;
}

BNNSPY_INLINE bool by_fetching(const struct move *m, size_t run)
{
    return m->ahead != 0 ? by_form(m, run, true) : by_form(m, run, false);
}

#if defined(__SSE2__)
/* Whole lines are written around the cache; the ends of a row that are no whole line are not. */
static void stream_row(char *out, const char *in, size_t run)
{
    const size_t head = (size_t)(-(uintptr_t)out) % LINE;
    memcpy(out, in, head);
    size_t done = head;
    for (; done + LINE <= run; done += LINE) {
        for (size_t part = 0; part < LINE; part += sizeof(__m128i)) {
            const char *from = in + done + part;
            char *to = out + done + part;
            _mm_stream_si128((__m128i *)(void *)to, _mm_loadu_si128((const __m128i *)(const void *)from));
        }
    }
    memcpy(out + done, in + done, run - done);
}

static void stream_rows(const struct move *m)
{
    const struct view v = view_of(m);
    for (size_t i = 0; i < m->count; i++) {
        if (i + m->ahead < m->known)
            fetch(&v, m->form, i + m->ahead, m->run);
        const ptrdiff_t at = (ptrdiff_t)index_at(&v, m->form, i) * v.index_step;
        stream_row(v.out + (ptrdiff_t)i * v.out_step, v.in + (ptrdiff_t)i * v.in_step + at, m->run);
    }
    _mm_sfence();
}
#endif

bool bnnspy_move(const struct move *m)
{
#if defined(__SSE2__)
    if (m->stream && m->run >= 4 * LINE) {
        stream_rows(m);
        return true;
    }
#endif
    switch (BNNSPY_LITERAL_RUNS ? m->run : 0) {
    case 1: return by_fetching(m, 1);
    case 2: return by_fetching(m, 2);
    case 4: return by_fetching(m, 4);
    case 8: return by_fetching(m, 8);
    case 12: return by_fetching(m, 12);
    case 16: return by_fetching(m, 16);
    case 32: return by_fetching(m, 32);
    case 64: return by_fetching(m, 64);
    default: return by_fetching(m, m->run);
    }
}
