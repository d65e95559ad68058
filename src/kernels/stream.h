/* A row written around the cache, for outputs that are far larger than it. */
#ifndef BNNSPY_STREAM_H
#define BNNSPY_STREAM_H

#include "compiler.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/*
 * Whole lines are written around the cache; the ends of a row that are no whole line are not. A line
 * is loaded before any of it is stored: else a store may hold up a load from some 4096 bytes on. After
 * the last row comes a bnnspy_stream_end. An ordinary copy on processors without such stores.
 */
BNNSPY_INLINE void bnnspy_stream_row(char *restrict out, const char *restrict in, size_t run)
{
#if defined(__SSE2__)
    const size_t head = (size_t)(-(uintptr_t)out) % LINE;
    size_t done = head < run ? head : run;
    memcpy(out, in, done);
    for (; done + LINE <= run; done += LINE) {
        enum { PARTS = LINE / sizeof(__m128i) };
        __m128i line[PARTS];
        memcpy(line, in + done, LINE);
        for (size_t part = 0; part < PARTS; part++)
            _mm_stream_si128((__m128i *)(void *)(out + done) + part, line[part]);
    }
    memcpy(out + done, in + done, run - done);
#else
    memcpy(out, in, run);
#endif
}

/* Other threads see what was written once this is done. */
BNNSPY_INLINE void bnnspy_stream_end(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#endif
