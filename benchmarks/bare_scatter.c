/*
 * Scatters that check no index and promise nothing: for scale. The run is a literal where it is one
 * element, so that a copy is a load and a store; the compiler may add rows by whatever it has.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void put(float *restrict out, const float *restrict in, const int64_t *index, size_t count,
         size_t n)
{
    if (n == 1)
        for (size_t i = 0; i < count; i++)
            out[index[i]] = in[i];
    else
        for (size_t i = 0; i < count; i++)
            memcpy(out + (size_t)index[i] * n, in + i * n, n * sizeof *out);
}

void put_fetching(float *restrict out, const float *restrict in, const int64_t *index, size_t count,
                  size_t n)
{
    for (size_t i = 0; i < count; i++) {
        const float *next = out + (size_t)index[i + 16 < count ? i + 16 : i] * n;
        for (size_t k = 0; k < n; k += 16)
            __builtin_prefetch(next + k, 1, 3);
        memcpy(out + (size_t)index[i] * n, in + i * n, n * sizeof *out);
    }
}

void add(float *restrict out, const float *restrict in, const int64_t *index, size_t count,
         size_t n)
{
    for (size_t i = 0; i < count; i++) {
        float *restrict row = out + (size_t)index[i] * n;
        for (size_t k = 0; k < n; k++)
            row[k] += in[i * n + k];
    }
}

void add_fetching(float *restrict out, const float *restrict in, const int64_t *index, size_t count,
                  size_t n)
{
    for (size_t i = 0; i < count; i++) {
        const float *next = out + (size_t)index[i + 16 < count ? i + 16 : i] * n;
        for (size_t k = 0; k < n; k += 16)
            __builtin_prefetch(next + k, 1, 3);
        float *restrict row = out + (size_t)index[i] * n;
        for (size_t k = 0; k < n; k++)
            row[k] += in[i * n + k];
    }
}
