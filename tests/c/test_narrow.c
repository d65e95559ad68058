/* Rows of indices by themselves: which are valid, and what is stored for those that are not. */
#include "kernels/narrow.h"
#include "parts.h"

#include <string.h>

enum { MOST = 70, FILL = 0xA5 };

static unsigned bytes_of(enum index_kind kind)
{
    return 1u << (kind % 4);
}

static bool is_signed(enum index_kind kind)
{
    return kind <= INDEX_INT64;
}

/* What is stored when the low bytes of value are: the value again, with its sign. */
static bool is_negative(uint64_t value, enum index_kind kind)
{
    return is_signed(kind) && (value >> (8 * bytes_of(kind) - 1) & 1);
}

static uint64_t stored(uint64_t value, enum index_kind kind)
{
    const unsigned bits = 8 * bytes_of(kind);
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return is_negative(value, kind) ? value | ~mask : value & mask;
}

static void store(unsigned char *place, uint64_t value, enum index_kind kind)
{
    const int8_t a = (int8_t)value;
    const int16_t b = (int16_t)value;
    const int32_t c = (int32_t)value;
    const void *const from[] = {&a, &b, &c, &value};
    memcpy(place, from[kind % 4], bytes_of(kind));
}

/* By comparisons alone: true when an index is valid; element gets what it means. */
static bool means(uint64_t value, const struct index_row *row, uint64_t *element)
{
    const bool from_back = is_negative(value, row->kind) && row->wrap;
    *element = from_back ? value + row->bound : value; /* in two's complement */
    return from_back ? 0 - value <= row->bound
                     : !is_negative(value, row->kind) && value < row->bound;
}

/* Values at the edges of the bound and of the kinds, and some within. */
static uint64_t some_value(size_t bound, bool usually_valid)
{
    static const uint64_t edges[] = {
        0,          INT8_MAX,  UINT8_MAX,  INT16_MAX,         UINT16_MAX,        INT32_MAX,
        UINT32_MAX, INT64_MAX, UINT64_MAX, UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 63};
    if (usually_valid && test_random(0, 99) > 0)
        return bound > 0 ? (uint64_t)test_random(0, INT32_MAX) * 5 % bound : 0;
    switch (test_random(0, 3)) {
    case 0: return edges[test_random(0, sizeof edges / sizeof edges[0] - 1)];
    case 1: return bound - (uint64_t)test_random(0, 2);
    case 2: return bound + (uint64_t)test_random(0, 2);
    default: return 0 - bound - (uint64_t)test_random(-2, 2);
    }
}

static size_t some_bound(void)
{
    static const uint64_t bounds[] = {0,
                                      1,
                                      2,
                                      7,
                                      127,
                                      128,
                                      255,
                                      256,
                                      32767,
                                      65536,
                                      INT32_MAX,
                                      (uint64_t)INT32_MAX + 1,
                                      UINT32_MAX,
                                      (uint64_t)UINT32_MAX + 1,
                                      (uint64_t)UINT32_MAX + 4096,
                                      INT64_MAX};
    const uint64_t bound = bounds[test_random(0, sizeof bounds / sizeof bounds[0] - 1)];
    return bound < PTRDIFF_MAX ? (size_t)bound : PTRDIFF_MAX;
}

/* block[i], as wide as the bound asks for; within it also where the index was not. */
static void expect_entry(size_t *block, size_t i, size_t bound, uint64_t element)
{
    const uint32_t low = (uint32_t)element, narrow = low < bound ? low : 0;
    const size_t wide = element < bound ? (size_t)element : 0;
    if (bound <= INT32_MAX)
        memcpy((char *)block + i * sizeof narrow, &narrow, sizeof narrow);
    else
        memcpy((char *)block + i * sizeof wide, &wide, sizeof wide);
}

static void one_row(void)
{
    unsigned char memory[(MOST * 3 + 2) * 8];
    size_t block[MOST + 1], expected[MOST + 1];
    struct index_row row;
    row.kind = (enum index_kind)test_random(INDEX_INT8, INDEX_UINT64);
    row.bound = some_bound();
    row.wrap = is_signed(row.kind) && test_random(0, 1);
    const size_t count = (size_t)test_random(0, MOST);
    const ptrdiff_t width = (ptrdiff_t)bytes_of(row.kind);
    row.step = width * (ptrdiff_t)test_random(-3, 3);
    unsigned char *first = memory + test_random(0, 7) + (row.step < 0 ? -row.step * MOST : 0);
    row.place = (const char *)first;
    const bool usually_valid = test_random(0, 3) > 0;
    for (size_t i = 0; i < count; i++)
        store(first + (ptrdiff_t)i * row.step, some_value(row.bound, usually_valid), row.kind);

    memset(block, FILL, sizeof block);
    memset(expected, FILL, sizeof expected);
    bool valid = true;
    for (size_t i = 0; i < count; i++) {
        uint64_t element;
        bool negative;
        const char *place = (const char *)first + (ptrdiff_t)i * row.step;
        const uint64_t value = bnnspy_load_index(place, row.kind, &negative);
        EXPECT(value == stored(value, row.kind) && negative == is_negative(value, row.kind));
        const bool good = means(value, &row, &element);
        valid &= good;
        expect_entry(expected, i, row.bound, element);
    }
    EXPECT(bnnspy_indices_sound(&row, count) == valid);
    EXPECT(bnnspy_narrow(&row, count, block) == valid);
    EXPECT(memcmp(block, expected, sizeof block) == 0); /* and not an entry more */
}

/* An index that is not valid when it is made private points at this element, and nowhere outside. */
static void becomes(size_t bound, uint64_t value, uint64_t element)
{
    size_t block[3], expected[3];
    const uint64_t indices[3] = {1, value, 2};
    const struct index_row row = {
        .place = (const char *)indices, .step = 8, .bound = bound, .kind = INDEX_INT64};
    EXPECT(!bnnspy_indices_sound(&row, 3));
    memset(block, FILL, sizeof block);
    memset(expected, FILL, sizeof expected);
    for (size_t i = 0; i < 3; i++)
        expect_entry(expected, i, bound, i == 1 ? element : indices[i]);
    EXPECT(!bnnspy_narrow(&row, 3, block));
    EXPECT(memcmp(block, expected, sizeof block) == 0);
}

void test_narrow(void)
{
    EXPECT(bnnspy_fits_32(0) && bnnspy_fits_32(INT32_MAX));
    EXPECT(!bnnspy_fits_32((size_t)INT32_MAX + 1) && !bnnspy_fits_32(UINT32_MAX));
    becomes(3, 3, 0);
    becomes(3, UINT64_MAX, 0);
    becomes(3, UINT64_C(1) << 32, 0);
    becomes(3, (UINT64_C(1) << 32) + 2, 2);
    becomes(3, (UINT64_C(1) << 32) + 3, 0);
    becomes(INT32_MAX, (uint64_t)INT32_MAX, 0);
    if (SIZE_MAX > UINT32_MAX) {
        becomes((size_t)INT32_MAX + 1, (uint64_t)INT32_MAX + 1, 0);
        becomes(UINT32_MAX, UINT32_MAX, 0);
        becomes(UINT32_MAX, UINT64_C(1) << 63, 0);
    }
    for (unsigned round = 0; round < 40000; round++)
        one_row();
}
