/*
 * What the variants of turn.h share: tiles that stay in registers, and loops for planes that have no room
 * for one. Everything is compiled into its variant, for the instructions of that.
 */
#ifndef BNNSPY_TILES_H
#define BNNSPY_TILES_H

#include "copy/turn.h"

#include <stdint.h>
#include <string.h>

/*
 * A tile has n = 16 / width columns. Rows n/2 apart are interleaved, log2(n) times over, which is a
 * transposition. Here it has n rows too, in the compiler's own vectors.
 */
#define BNNSPY_NETWORK(vector, n, steps, a, LOW, HIGH)                                             \
    for (int step = 0; step < steps; step++) {                                                     \
        vector b[n];                                                                               \
        for (int i = 0; i < n / 2; i++) {                                                          \
            b[2 * i] = LOW(a[i], a[i + n / 2]);                                                    \
            b[2 * i + 1] = HIGH(a[i], a[i + n / 2]);                                               \
        }                                                                                          \
        memcpy(a, b, sizeof b);                                                                    \
    }

#if defined(__clang__)
#define SHUFFLED(vector, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SHUFFLED(vector, a, b, ...) __builtin_shuffle(a, b, (vector){__VA_ARGS__})
#endif

typedef uint8_t bytes_16 __attribute__((vector_size(16)));
typedef uint16_t halves_8 __attribute__((vector_size(16)));
typedef uint32_t words_4 __attribute__((vector_size(16)));
typedef uint64_t longs_2 __attribute__((vector_size(16)));

#define LOW_1(a, b)                                                                                \
    SHUFFLED(bytes_16, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_1(a, b)                                                                               \
    SHUFFLED(bytes_16, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW_2(a, b) SHUFFLED(halves_8, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_2(a, b) SHUFFLED(halves_8, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_4(a, b) SHUFFLED(words_4, a, b, 0, 4, 1, 5)
#define HIGH_4(a, b) SHUFFLED(words_4, a, b, 2, 6, 3, 7)
#define LOW_8(a, b) SHUFFLED(longs_2, a, b, 0, 2)
#define HIGH_8(a, b) SHUFFLED(longs_2, a, b, 1, 3)

#define BNNSPY_TILE(width, vector, n, steps)                                                       \
    BNNSPY_INLINE void tile_##width(char *out, ptrdiff_t out_pitch, const char *in,                \
                                    ptrdiff_t in_pitch)                                            \
    {                                                                                              \
        vector a[n];                                                                               \
        for (int i = 0; i < n; i++)                                                                \
            memcpy(&a[i], in + i * in_pitch, 16);                                                  \
        BNNSPY_NETWORK(vector, n, steps, a, LOW_##width, HIGH_##width)                             \
        for (int i = 0; i < n; i++)                                                                \
            memcpy(out + i * out_pitch, &a[i], 16);                                                \
    }
BNNSPY_TILE(1, bytes_16, 16, 4)
BNNSPY_TILE(2, halves_8, 8, 3)
BNNSPY_TILE(4, words_4, 4, 2)
BNNSPY_TILE(8, longs_2, 2, 1)

/* `width` is a literal, here and below. */
BNNSPY_INLINE void tile(unsigned width, char *out, ptrdiff_t out_pitch, const char *in,
                        ptrdiff_t in_pitch)
{
    switch (width) {
    case 1: tile_1(out, out_pitch, in, in_pitch); break;
    case 2: tile_2(out, out_pitch, in, in_pitch); break;
    case 4: tile_4(out, out_pitch, in, in_pitch); break;
    case 8: tile_8(out, out_pitch, in, in_pitch); break;
    default: break;
    }
}

BNNSPY_INLINE char *out_at(const struct plane *p, unsigned width, size_t r, size_t c)
{
    return p->out + (ptrdiff_t)c * p->out_pitch + (ptrdiff_t)(r * width);
}

BNNSPY_INLINE const char *in_at(const struct plane *p, unsigned width, size_t r, size_t c)
{
    return p->in + (ptrdiff_t)r * p->in_pitch + (ptrdiff_t)(c * width);
}

/* A part of a plane: rows r0 up to r1, columns c0 up to c1. */
struct part {
    size_t r0, r1, c0, c1;
};

/* Element by element. */
BNNSPY_INLINE void turn_elements(const struct plane *p, unsigned width, struct part part)
{
    const ptrdiff_t in_pitch = p->in_pitch;
    for (size_t c = part.c0; c < part.c1; c++) {
        char *restrict out = out_at(p, width, 0, c);
        const char *restrict in = in_at(p, width, 0, c);
        for (size_t r = part.r0; r < part.r1; r++)
            memcpy(out + r * width, in + (ptrdiff_t)r * in_pitch, width);
    }
}

/*
 * In tiles of 16 bytes. Those that would leave the plane are moved back to end where it does; they, and
 * those that leave the part, write again what others write, and it is the same. The plane has room for a
 * tile.
 */
BNNSPY_INLINE void turn_tiles(const struct plane *p, unsigned width, struct part part)
{
    const size_t n = 16 / width;
    for (size_t c = part.c0; c < part.c1; c += n) {
        const size_t col = c + n > p->cols ? p->cols - n : c;
        for (size_t r = part.r0; r < part.r1; r += n) {
            const size_t row = r + n > p->rows ? p->rows - n : r;
            tile(width, out_at(p, width, row, col), p->out_pitch, in_at(p, width, row, col),
                 p->in_pitch);
        }
    }
}

BNNSPY_INLINE bool has_tiles(const struct plane *p, unsigned width)
{
    const bool made = width == 1 || width == 2 || width == 4 || width == 8;
    return made && p->rows >= 16 / width && p->cols >= 16 / width;
}

enum { SQUARE = 64 }; /* rows and columns of a block that the first cache holds, line by line */

/* Block by block, in whichever way there is room for. */
BNNSPY_INLINE void turn_squares(const struct plane *p, unsigned width)
{
    const bool tiled = has_tiles(p, width);
    for (size_t r = 0; r < p->rows; r += SQUARE) {
        const size_t r1 = p->rows - r < SQUARE ? p->rows : r + SQUARE;
        for (size_t c = 0; c < p->cols; c += SQUARE) {
            const size_t c1 = p->cols - c < SQUARE ? p->cols : c + SQUARE;
            const struct part part = {r, r1, c, c1};
            if (tiled)
                turn_tiles(p, width, part);
            else
                turn_elements(p, width, part);
        }
    }
}

/*
 * A few rows that become one dense output (planes of an image to pixels), or a dense input of a few
 * columns (and back): the compiler makes shuffles of loops in which their number is a literal.
 */
#define BNNSPY_FEW(width, type)                                                                    \
    BNNSPY_INLINE void weave_##width(const struct plane *p, size_t k)                              \
    {                                                                                              \
        type *restrict out = (type *)(void *)p->out;                                               \
        const type *restrict in = (const type *)(const void *)p->in;                               \
        const ptrdiff_t pitch = p->in_pitch / width;                                               \
        const size_t n = p->cols;                                                                  \
        for (size_t i = 0; i < n; i++)                                                             \
            for (size_t j = 0; j < k; j++)                                                         \
                out[i * k + j] = in[(ptrdiff_t)i + (ptrdiff_t)j * pitch];                          \
    }                                                                                              \
    BNNSPY_INLINE void unweave_##width(const struct plane *p, size_t k)                            \
    {                                                                                              \
        type *restrict out = (type *)(void *)p->out;                                               \
        const type *restrict in = (const type *)(const void *)p->in;                               \
        const ptrdiff_t pitch = p->out_pitch / width;                                              \
        const size_t n = p->rows;                                                                  \
        for (size_t i = 0; i < n; i++)                                                             \
            for (size_t j = 0; j < k; j++)                                                         \
                out[(ptrdiff_t)i + (ptrdiff_t)j * pitch] = in[i * k + j];                          \
    }
/* Nobody looks at where data points, so it may be anywhere; and it may be of any type. */
typedef uint8_t any_1 __attribute__((may_alias));
typedef uint16_t any_2 __attribute__((aligned(1), may_alias));
typedef uint32_t any_4 __attribute__((aligned(1), may_alias));
BNNSPY_FEW(1, any_1)
BNNSPY_FEW(2, any_2)
BNNSPY_FEW(4, any_4)

/* How many rows or columns are few. */
enum { FEW_LEAST = 2, FEW_MOST = 4 };

BNNSPY_INLINE bool few(size_t n)
{
    return n >= FEW_LEAST && n <= FEW_MOST;
}

#define BNNSPY_FEW_OF(name, width, p, k)                                                           \
    switch (k) {                                                                                   \
    case 2: name##_##width(p, 2); return true;                                                     \
    case 3: name##_##width(p, 3); return true;                                                     \
    case 4: name##_##width(p, 4); return true;                                                     \
    default: return false;                                                                         \
    }

#define BNNSPY_FEW_WIDTH(width)                                                                    \
    BNNSPY_INLINE bool turn_few_##width(const struct plane *p)                                     \
    {                                                                                              \
        const bool whole = p->in_pitch % width == 0 && p->out_pitch % width == 0;                  \
        if (whole && few(p->rows) && p->out_pitch == (ptrdiff_t)p->rows * width)                   \
            BNNSPY_FEW_OF(weave, width, p, p->rows)                                                \
        if (whole && few(p->cols) && p->in_pitch == (ptrdiff_t)p->cols * width)                    \
            BNNSPY_FEW_OF(unweave, width, p, p->cols)                                              \
        return false;                                                                              \
    }
BNNSPY_FEW_WIDTH(1)
BNNSPY_FEW_WIDTH(2)
BNNSPY_FEW_WIDTH(4)

/* True when the plane was one of a few rows or columns, and has been turned. */
BNNSPY_INLINE bool turn_few(const struct plane *p, unsigned width)
{
    switch (width) {
    case 1: return turn_few_1(p);
    case 2: return turn_few_2(p);
    case 4: return turn_few_4(p);
    default: return false;
    }
}

#endif
