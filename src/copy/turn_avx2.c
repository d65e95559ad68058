/*
 * Turning planes with 32-byte registers. A wide tile has 2n rows: rows i and i + n share a register from
 * the load on, so no step of the network crosses its halves, and each register of the result is 32 bytes
 * of one output row. Two of them are a line of the cache, which can then be written whole.
 */
#include "copy/tiles.h"

#if BNNSPY_X86

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

#define WIDE(width, n, steps, LOW, HIGH)                                                           \
    AVX2_INLINE void wide_##width(__m256i a[n], const char *in, ptrdiff_t in_pitch)                \
    {                                                                                              \
        for (int i = 0; i < n; i++)                                                                \
            a[i] = pair(in + i * in_pitch, in + (i + n) * in_pitch);                               \
        BNNSPY_NETWORK(__m256i, n, steps, a, LOW, HIGH)                                            \
    }

AVX2_INLINE __m256i pair(const char *low, const char *high)
{
    const __m128i a = _mm_loadu_si128((const __m128i *)(const void *)low);
    const __m128i b = _mm_loadu_si128((const __m128i *)(const void *)high);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
}

WIDE(1, 16, 4, _mm256_unpacklo_epi8, _mm256_unpackhi_epi8)
WIDE(2, 8, 3, _mm256_unpacklo_epi16, _mm256_unpackhi_epi16)
WIDE(4, 4, 2, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32)
WIDE(8, 2, 1, _mm256_unpacklo_epi64, _mm256_unpackhi_epi64)

/* What a tile is to the caches: half lines of output, whole ones, or whole ones written around them. */
enum manner { HALF_LINES, LINES, STREAMED };

/* All but the pointers and pitches are literals. n registers hold 2n rows of 16 bytes, turned. */
AVX2_INLINE void wide(unsigned width, __m256i a[16], const char *in, ptrdiff_t in_pitch)
{
    switch (width) {
    case 1: wide_1(a, in, in_pitch); break;
    case 2: wide_2(a, in, in_pitch); break;
    case 4: wide_4(a, in, in_pitch); break;
    default: wide_8(a, in, in_pitch); break;
    }
}

AVX2_INLINE void put(enum manner manner, char *out, __m256i row)
{
    if (manner == STREAMED)
        _mm256_stream_si256((__m256i *)(void *)out, row);
    else
        _mm256_storeu_si256((__m256i *)(void *)out, row);
}

AVX2_INLINE void wide_tile(unsigned width, enum manner manner, char *out, ptrdiff_t out_pitch,
                           const char *in, ptrdiff_t in_pitch)
{
    const int n = 16 / (int)width;
    __m256i a[16], b[16];
    wide(width, a, in, in_pitch);
    if (manner != HALF_LINES)
        wide(width, b, in + 2 * n * in_pitch, in_pitch);
    for (int i = 0; i < n; i++) {
        put(manner, out + i * out_pitch, a[i]);
        if (manner != HALF_LINES)
            put(manner, out + i * out_pitch + 32, b[i]);
    }
}

/* How a plane is gone through; sizes of blocks are multiples of those of tiles. */
struct way {
    enum manner manner;
    size_t block_rows, block_cols;
    bool along_in; /* the order of the tiles of a block */
};

/* Tiles that share lines of the input are done one after the other: so many columns. */
BNNSPY_INLINE size_t group_cols(unsigned width, enum manner manner)
{
    const size_t n = 16 / width;
    return manner == HALF_LINES ? (n > 4 ? n : 2 * n) : 4 * n;
}

BNNSPY_INLINE size_t tile_rows(unsigned width, enum manner manner)
{
    return (manner == HALF_LINES ? 2 : 4) * (size_t)(16 / width);
}

/* A block; width and manner are literals. */
AVX2_INLINE void turn_block(const struct plane *p, unsigned width, enum manner manner,
                            bool along_in, struct part block)
{
    const size_t group = group_cols(width, manner), rows = tile_rows(width, manner);
    const size_t down = (block.r1 - block.r0) / rows, across = (block.c1 - block.c0) / group;
    for (size_t i = 0; i < (along_in ? down : across); i++) {
        for (size_t j = 0; j < (along_in ? across : down); j++) {
            const size_t r = block.r0 + (along_in ? i : j) * rows;
            const size_t c = block.c0 + (along_in ? j : i) * group;
            for (size_t k = 0; k < group; k += 16 / width)
                wide_tile(width, manner, out_at(p, width, r, c + k), p->out_pitch,
                          in_at(p, width, r, c + k), p->in_pitch);
        }
    }
}

/* The whole tiles of a part, block by block. */
AVX2_INLINE void turn_blocks(const struct plane *p, unsigned width, enum manner manner,
                             const struct way *way, struct part part)
{
    for (size_t r = part.r0; r < part.r1; r += way->block_rows) {
        const size_t r1 = part.r1 - r < way->block_rows ? part.r1 : r + way->block_rows;
        for (size_t c = part.c0; c < part.c1; c += way->block_cols) {
            const size_t c1 = part.c1 - c < way->block_cols ? part.c1 : c + way->block_cols;
            turn_block(p, width, manner, way->along_in, (struct part){r, r1, c, c1});
        }
    }
}

/*
 * What pays was measured (Zen 3). Pitches that put rows at the same places of the cache want small blocks
 * along the input and, where the plane is large, streaming, for which lines have to lie at the same place
 * in all rows of the output. Others want strips along the output, and no blocks at all where the last
 * cache holds everything and elements are wide.
 */
static struct way way_of(const struct plane *p)
{
    const bool aliased = p->in_pitch % 1024 == 0 || p->out_pitch % 1024 == 0;
    const bool wide = p->width >= 4;
    const size_t all = PTRDIFF_MAX;
    if (p->large && aliased) {
        const bool whole = p->out_pitch % LINE == 0 && (uintptr_t)p->out % p->width == 0;
        const size_t side = p->width > 1 ? 64 : 128;
        return (struct way){whole ? STREAMED : LINES, side, side, true};
    }
    if (p->large && wide)
        return (struct way){LINES, 128, 128, true};
    if (aliased)
        return (struct way){HALF_LINES, 64, 64, true};
    if (wide)
        return (struct way){HALF_LINES, all, all, false};
    return (struct way){HALF_LINES, 256, 64, false};
}

/* Rows before the first whole line of output, where that is streamed. */
static size_t head_of(const struct plane *p, enum manner manner)
{
    const size_t head = manner == STREAMED ? (size_t)(-(uintptr_t)p->out) % LINE / p->width : 0;
    return head < p->rows ? head : p->rows;
}

/* What is left at the edges of the whole tiles goes by narrow ones. */
AVX2_INLINE void turn_wide(const struct plane *p, unsigned width)
{
    const struct way way = way_of(p);
    const size_t head = head_of(p, way.manner);
    const size_t tall = tile_rows(width, way.manner), group = group_cols(width, way.manner);
    const struct part whole = {head, head + (p->rows - head) / tall * tall, 0,
                               p->cols / group * group};
    switch (way.manner) {
    case STREAMED:
        turn_blocks(p, width, STREAMED, &way, whole);
        _mm_sfence();
        break;
    case LINES: turn_blocks(p, width, LINES, &way, whole); break;
    case HALF_LINES: turn_blocks(p, width, HALF_LINES, &way, whole); break;
    }
    const struct part edges[] = {
        {0, head, 0, p->cols},
        {whole.r1, p->rows, 0, p->cols},
        {head, whole.r1, whole.c1, p->cols},
    };
    for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++)
        turn_tiles(p, width, edges[k]);
}

AVX2_INLINE void turn_width(const struct plane *plane, unsigned width)
{
    const struct plane copy = *plane, *p = &copy; /* so that no store can change it */
    if (turn_few(p, width))
        return;
    if (has_tiles(p, width))
        turn_wide(p, width);
    else
        turn_squares(p, width);
}

AVX2 void bnnspy_turn_avx2(const struct plane *p)
{
    switch (p->width) {
    case 1: turn_width(p, 1); break;
    case 2: turn_width(p, 2); break;
    case 4: turn_width(p, 4); break;
    case 8: turn_width(p, 8); break;
    default: bnnspy_turn_portable(p); break;
    }
}

#endif
