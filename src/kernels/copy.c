/*
 * Copies of long rows that take as long wherever the two lie. The C library's memcpy may use the
 * processor's string instruction for them, which takes twenty times as long on some where the output
 * lies a few bytes behind the input, counted modulo 4096.
 */
#include "kernels/kernels.h"

#include "compiler.h"

#include <stdint.h>
#include <string.h>

#if BNNSPY_X86

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i load(const char *place)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)place);
}

AVX2 static inline void store(char *place, __m256i bytes)
{
    _mm256_storeu_si256((__m256i *)(void *)place, bytes);
}

AVX2 void bnnspy_copy_avx2(char *restrict out, const char *restrict in, size_t bytes)
{
    enum { VECTOR = sizeof(__m256i), AT_ONCE = 4 * VECTOR };
    if (bytes < AT_ONCE) {
        memcpy(out, in, bytes);
        return;
    }
    store(out, load(in));
    size_t done = VECTOR - (uintptr_t)out % VECTOR; /* then no store crosses a line */
    for (; done + AT_ONCE <= bytes; done += AT_ONCE) {
        const __m256i a = load(in + done), b = load(in + done + VECTOR);
        const __m256i c = load(in + done + 2 * VECTOR), d = load(in + done + 3 * VECTOR);
        store(out + done, a);
        store(out + done + VECTOR, b);
        store(out + done + 2 * VECTOR, c);
        store(out + done + 3 * VECTOR, d);
    }
    for (; done + VECTOR <= bytes; done += VECTOR)
        store(out + done, load(in + done));
    store(out + bytes - VECTOR, load(in + bytes - VECTOR)); /* perhaps some of it again */
}

#endif

#if defined(__x86_64__) || defined(__i386__)
/* A loop that no compiler takes for a call of memcpy. */
static void copy_lines(char *restrict out, const char *restrict in, size_t bytes)
{
    memcpy(out, in, LINE);
    size_t done = LINE - (uintptr_t)out % LINE;
    for (; done + LINE <= bytes; done += LINE) {
        char line[LINE];
        memcpy(line, in + done, LINE);
        memcpy(out + done, line, LINE);
    }
    memcpy(out + done, in + done, bytes - done);
}
#endif

void bnnspy_copy_portable(char *restrict out, const char *restrict in, size_t bytes)
{
#if defined(__x86_64__) || defined(__i386__)
    const size_t behind = ((uintptr_t)out - (uintptr_t)in) % 4096;
    if (behind != 0 && behind < LINE && bytes > LINE) {
        copy_lines(out, in, bytes);
        return;
    }
#endif
    memcpy(out, in, bytes);
}
