/*
 * Tables of up to 64 floats (or other 4-byte elements) in four registers: an index picks from two of
 * them at once, so 16 elements cost one or two permutations and no load.
 */
#include "kernels/kernels.h"

#include "compiler.h"
#include "take/thresholds.h"

#if BNNSPY_X86

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq")))

AVX512 static __m512i load_part(const char *table, size_t bound, size_t part)
{
    const size_t left = bound > part * 16 ? bound - part * 16 : 0;
    const __mmask16 mask = (__mmask16)(left >= 16 ? 0xFFFF : (1u << left) - 1);
    return _mm512_maskz_loadu_epi32(mask, table + part * 64); /* masked bytes are not touched */
}

/* Fetches the table of a turn to come; there may be no memory there. */
BNNSPY_INLINE void fetch_table(const char *in, size_t bytes)
{
    const uintptr_t next = (uintptr_t)in + BNNSPY_TABLE_AHEAD;
    for (size_t byte = 0; byte < bytes; byte += LINE)
        BNNSPY_PREFETCH_L1((const void *)(next + byte));
}

/* `large` is a literal: whether the table has more than 32 entries. */
AVX512 static inline void sweep(const struct move *m, bool large)
{
    const uint32_t *index = m->index;
    const size_t bound = m->bound;
    for (size_t turn = 0; turn < m->turns; turn++) {
        const char *in = m->in + (ptrdiff_t)turn * m->turn_in;
        char *out = m->out + (ptrdiff_t)turn * m->turn_out;
        if (m->fetch_turns)
            fetch_table(in, bound * 4);
        const __m512i a = load_part(in, bound, 0), b = load_part(in, bound, 1);
        const __m512i c = large ? load_part(in, bound, 2) : a;
        const __m512i d = large ? load_part(in, bound, 3) : a;
        for (size_t i = 0; i < m->count; i += 16) {
            const size_t left = m->count - i;
            if (m->fetch_turns) /* a line at a time: a whole row at once would stand in its own way */
                BNNSPY_PREFETCH_WRITE((const void *)((uintptr_t)out + i * 4 + BNNSPY_OUTPUT_AHEAD));
            const __mmask16 mask = (__mmask16)(left >= 16 ? 0xFFFF : (1u << left) - 1);
            const __m512i where = _mm512_maskz_loadu_epi32(mask, index + i);
            __m512i picked = _mm512_permutex2var_epi32(a, where, b);
            if (large) {
                const __m512i high = _mm512_permutex2var_epi32(c, where, d);
                const __mmask16 from_high = _mm512_test_epi32_mask(where, _mm512_set1_epi32(32));
                picked = _mm512_mask_blend_epi32(from_high, picked, high);
            }
            _mm512_mask_storeu_epi32(out + i * 4, mask, picked);
        }
    }
}

AVX512 void bnnspy_table_avx512(const struct move *m)
{
    m->bound > 32 ? sweep(m, true) : sweep(m, false);
}

#endif
