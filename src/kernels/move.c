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
    const uint32_t *restrict narrow;
    const size_t *restrict wide;
};

BNNSPY_INLINE const char *source(const struct view *v, bool wide, size_t i)
{
    const size_t index = wide ? v->wide[i] : v->narrow[i];
    return v->in + (ptrdiff_t)i * v->in_step + (ptrdiff_t)index * v->index_step;
}

BNNSPY_INLINE void fetch(const char *place, size_t run, bool near)
{
    if (near) {
        for (size_t byte = 0; byte < run; byte += LINE)
            BNNSPY_PREFETCH_L1(place + byte);
        return;
    }
    BNNSPY_PREFETCH_L2(place);
    for (size_t byte = LINE; byte < run; byte += LINE)
        BNNSPY_PREFETCH_L2(place + byte);
}

/* All but m are literals. packed: one run after the other, in the table and in the output. */
BNNSPY_INLINE void copy_runs(const struct move *m, size_t run, bool wide, bool fetching, bool packed)
{
    struct view v = {m->out, m->in, m->out_step, m->in_step, m->index_step, m->index, m->index};
    if (packed) {
        v.out_step = v.index_step = (ptrdiff_t)run;
        v.in_step = 0;
    }
    const size_t count = m->count, ahead = fetching ? m->ahead : 0;
    const bool near = run > LINE && m->near;
    size_t i = 0;
    if (fetching) {
        const size_t left = m->known > ahead ? m->known - ahead : 0;
        const size_t fetched = left < count ? left : count;
        for (size_t first = 0; !m->begun && first < ahead && first < m->known; first++)
            fetch(source(&v, wide, first), run, near);
        for (; i < fetched; i++) {
            fetch(source(&v, wide, i + ahead), run, near);
            memcpy(v.out + (ptrdiff_t)i * v.out_step, source(&v, wide, i), run);
        }
    }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 8
#endif
    for (; i < count; i++)
        memcpy(v.out + (ptrdiff_t)i * v.out_step, source(&v, wide, i), run);
}

BNNSPY_INLINE void by_width(const struct move *m, size_t run)
{
    const bool packed = m->out_step == (ptrdiff_t)run && m->index_step == (ptrdiff_t)run &&
                        m->in_step == 0;
    if (m->wide)
        copy_runs(m, run, true, true, false);
    else if (m->ahead != 0)
        packed ? copy_runs(m, run, false, true, true) : copy_runs(m, run, false, true, false);
    else
        packed ? copy_runs(m, run, false, false, true) : copy_runs(m, run, false, false, false);
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
    const struct view v = {m->out, m->in, m->out_step, m->in_step, m->index_step, m->index, m->index};
    for (size_t i = 0; i < m->count; i++) {
        if (i + m->ahead < m->known)
            fetch(source(&v, m->wide, i + m->ahead), m->run, m->near);
        stream_row(v.out + (ptrdiff_t)i * v.out_step, source(&v, m->wide, i), m->run);
    }
    _mm_sfence();
}
#endif

void bnnspy_move(const struct move *m)
{
#if defined(__SSE2__)
    if (m->stream && m->run >= 4 * LINE) {
        stream_rows(m);
        return;
    }
#endif
    switch (BNNSPY_LITERAL_RUNS ? m->run : 0) {
    case 1: by_width(m, 1); break;
    case 2: by_width(m, 2); break;
    case 4: by_width(m, 4); break;
    case 8: by_width(m, 8); break;
    case 12: by_width(m, 12); break;
    case 16: by_width(m, 16); break;
    case 32: by_width(m, 32); break;
    case 64: by_width(m, 64); break;
    default: by_width(m, m->run); break;
    }
}
