/*
 * Gathers as anybody would write them, promising nothing: no index is checked, and one that is bad
 * reads wherever it points. What they take is what a loop costs on this machine.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Indices are int32_t, or int64_t when wide. */
struct bare {
    char *out;
    const char *table;
    const void *indices;
    size_t outer, bound, count; /* table is (outer, bound, inner), out (outer, count, inner) */
    size_t inner;
    size_t item;                /* bytes */
    int wide;
    int elementwise;            /* indices have out's shape; else they are a vector */
    size_t ahead; /* so many indices ahead, what they point to is fetched; 0 for none */
};

static inline __attribute__((always_inline)) size_t index_at(const struct bare *b, int wide,
                                                             size_t i)
{
    return wide ? (size_t)((const int64_t *)b->indices)[i]
                : (size_t)((const int32_t *)b->indices)[i];
}

static inline __attribute__((always_inline)) void rows(const struct bare *b, int wide, size_t run)
{
    char *restrict out = b->out;
    const char *restrict in = b->table;
    for (size_t o = 0; o < b->outer; o++, in += b->bound * run) {
        for (size_t i = 0; i < b->count; i++, out += run) {
            if (b->ahead && i + b->ahead < b->count)
                __builtin_prefetch(in + index_at(b, wide, i + b->ahead) * run, 0, 2);
            memcpy(out, in + index_at(b, wide, i) * run, run);
        }
    }
}

static inline __attribute__((always_inline)) void elements(const struct bare *b, int wide,
                                                           size_t item)
{
    char *restrict out = b->out;
    const char *in = b->table;
    size_t at = 0;
    for (size_t o = 0; o < b->outer; o++, in += b->bound * b->inner * item)
        for (size_t i = 0; i < b->count; i++)
            for (size_t k = 0; k < b->inner; k++, at++)
                memcpy(out + at * item, in + (index_at(b, wide, at) * b->inner + k) * item, item);
}

static inline __attribute__((always_inline)) void run_of(const struct bare *b, size_t run)
{
    if (b->elementwise)
        b->wide ? elements(b, 1, run) : elements(b, 0, run);
    else
        b->wide ? rows(b, 1, run) : rows(b, 0, run);
}

void bare_gather(const struct bare *b)
{
    const size_t run = b->elementwise ? b->item : b->inner * b->item;
    switch (run) {
    case 1: run_of(b, 1); break;
    case 2: run_of(b, 2); break;
    case 4: run_of(b, 4); break;
    case 8: run_of(b, 8); break;
    case 12: run_of(b, 12); break;
    case 16: run_of(b, 16); break;
    case 32: run_of(b, 32); break;
    default: run_of(b, run); break;
    }
}
