/*
 * The check is arithmetic, without a branch an index: v is in 0 .. last exactly when neither v nor
 * last - v has its sign bit set, so the signs are collected with an OR and looked at once a row.
 * That vectorises on every processor, and with the stored copy it is also what makes the calls safe
 * from a thread that rewrites the indices: an index is read once, and only the copy is used.
 */
#include "kernels/kernels.h"

#include "compiler.h"

#include <string.h>

/* What is stored besides the check. */
enum target { CHECK_ONLY, STORE_32, STORE_SIZE };

/* One load; the value sign- or zero-extended, as two's complement. */
BNNSPY_INLINE int64_t load(const char *place, enum index_kind kind)
{
#if defined(__SANITIZE_THREAD__)
    /* Somebody may be writing: said to the sanitizer where alignment allows it to be said. */
    if (kind == INDEX_INT64 && (uintptr_t)place % 8 == 0)
        return __atomic_load_n((const int64_t *)(const void *)place, __ATOMIC_RELAXED);
    if (kind == INDEX_INT32 && (uintptr_t)place % 4 == 0)
        return __atomic_load_n((const int32_t *)(const void *)place, __ATOMIC_RELAXED);
#endif
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
    } value;
    memcpy(&value, place, bnnspy_bytes_of_index(kind));
    switch (kind) {
    case INDEX_INT8: return value.i8;
    case INDEX_INT16: return value.i16;
    case INDEX_INT32: return value.i32;
    case INDEX_UINT8: return value.u8;
    case INDEX_UINT16: return value.u16;
    case INDEX_UINT32: return value.u32;
    default: return value.i64; /* an unsigned one beyond the signed range is out of range anyway */
    }
}

uint64_t bnnspy_load_index(const char *place, enum index_kind kind, bool *is_negative)
{
    const int64_t value = load(place, kind);
    *is_negative = kind <= INDEX_INT64 && value < 0;
    return (uint64_t)value;
}

/*
 * Packed indices that are only checked are read in four places, a stretch apart: memory answers
 * four readers sooner than one, whose reading ahead ends with each page.
 */
enum { READERS = 4, STRETCH = 2048 };

/* Narrower indices come from memory fast enough in one stream, and each body takes its time to build. */
BNNSPY_INLINE bool in_streams(enum index_kind kind)
{
    return kind % 4 >= INDEX_INT32;
}

/*
 * Index i, and those of the other readers: checked, and perhaps stored. The arithmetic is in 64
 * bits, for every kind and bound. kind, wrap, target and readers are literals, here and below.
 */
BNNSPY_INLINE uint64_t signs_64(enum index_kind kind, bool wrap, enum target target,
                                unsigned readers, const char *place, uint64_t bound, size_t i,
                                void *block)
{
    const uint64_t last = bound - 1;
    uint64_t signs = 0;
    for (unsigned reader = 0; reader < readers; reader++) {
        const int64_t stored = load(place + reader * STRETCH * bnnspy_bytes_of_index(kind), kind);
        uint64_t v = (uint64_t)stored;
        if (wrap)
            v += (uint64_t)(stored >> 63) & bound;
        signs |= v | (last - v);
        if (target == STORE_32)
            ((uint32_t *)block)[i] = (uint32_t)v;
        if (target == STORE_SIZE)
            ((size_t *)block)[i] = (size_t)v;
    }
    return signs;
}

/* The same in 32 bits: twice as many at a time, for kinds and bounds that fit. */
BNNSPY_INLINE uint32_t signs_32(enum index_kind kind, bool wrap, enum target target,
                                unsigned readers, const char *place, uint32_t bound, size_t i,
                                void *block)
{
    const uint32_t last = bound - 1;
    uint32_t signs = 0;
    for (unsigned reader = 0; reader < readers; reader++) {
        const int32_t stored =
            (int32_t)load(place + reader * STRETCH * bnnspy_bytes_of_index(kind), kind);
        uint32_t v = (uint32_t)stored;
        if (wrap)
            v += (uint32_t)(stored >> 31) & bound;
        signs |= v | (last - v);
        if (target == STORE_32)
            ((uint32_t *)block)[i] = v;
    }
    return signs;
}

BNNSPY_INLINE bool pass_64(enum index_kind kind, bool wrap, bool packed, enum target target,
                           const struct index_row *row, size_t count, void *block)
{
    const char *place = row->place;
    const ptrdiff_t step = packed ? (ptrdiff_t)bnnspy_bytes_of_index(kind) : row->step;
    const uint64_t bound = row->bound;
    uint64_t signs = 0;
    size_t i = 0;
    if (target == CHECK_ONLY && packed && in_streams(kind))
        for (; count - i >= READERS * STRETCH; i += (READERS - 1) * STRETCH)
            for (const size_t end = i + STRETCH; i < end; i++)
                signs |= signs_64(kind, wrap, target, READERS, place + (ptrdiff_t)i * step, bound,
                                  i, NULL);
    for (; i < count; i++)
        signs |= signs_64(kind, wrap, target, 1, place + (ptrdiff_t)i * step, bound, i, block);
    return signs >> 63 == 0;
}

BNNSPY_INLINE bool pass_32(enum index_kind kind, bool wrap, bool packed, enum target target,
                           const struct index_row *row, size_t count, void *block)
{
    const char *place = row->place;
    const ptrdiff_t step = packed ? (ptrdiff_t)bnnspy_bytes_of_index(kind) : row->step;
    const uint32_t bound = (uint32_t)row->bound;
    uint32_t signs = 0;
    size_t i = 0;
    if (target == CHECK_ONLY && packed && in_streams(kind))
        for (; count - i >= READERS * STRETCH; i += (READERS - 1) * STRETCH)
            for (const size_t end = i + STRETCH; i < end; i++)
                signs |= signs_32(kind, wrap, target, READERS, place + (ptrdiff_t)i * step, bound,
                                  i, NULL);
    for (; i < count; i++)
        signs |= signs_32(kind, wrap, target, 1, place + (ptrdiff_t)i * step, bound, i, block);
    return signs >> 31 == 0;
}

BNNSPY_INLINE bool by_target(enum index_kind kind, bool wrap, const struct index_row *row,
                             size_t count, void *block)
{
    const bool packed = row->step == (ptrdiff_t)bnnspy_bytes_of_index(kind);
    const bool fits = bnnspy_fits_32(row->bound);
    if (kind % 4 <= INDEX_INT32 && fits) {
        if (block == NULL)
            return packed ? pass_32(kind, wrap, true, CHECK_ONLY, row, count, NULL)
                          : pass_32(kind, wrap, false, CHECK_ONLY, row, count, NULL);
        return packed ? pass_32(kind, wrap, true, STORE_32, row, count, block)
                      : pass_32(kind, wrap, false, STORE_32, row, count, block);
    }
    if (block == NULL)
        return packed ? pass_64(kind, wrap, true, CHECK_ONLY, row, count, NULL)
                      : pass_64(kind, wrap, false, CHECK_ONLY, row, count, NULL);
    if (!fits)
        return pass_64(kind, wrap, false, STORE_SIZE, row, count, block);
    return packed ? pass_64(kind, wrap, true, STORE_32, row, count, block)
                  : pass_64(kind, wrap, false, STORE_32, row, count, block);
}

/* block NULL only checks. */
BNNSPY_INLINE bool by_kind(const struct index_row *row, size_t count, void *block)
{
    switch (row->kind) {
    case INDEX_INT8: return by_target(INDEX_INT8, row->wrap, row, count, block);
    case INDEX_INT16: return by_target(INDEX_INT16, row->wrap, row, count, block);
    case INDEX_INT32:
        return row->wrap ? by_target(INDEX_INT32, true, row, count, block)
                         : by_target(INDEX_INT32, false, row, count, block);
    case INDEX_INT64:
        return row->wrap ? by_target(INDEX_INT64, true, row, count, block)
                         : by_target(INDEX_INT64, false, row, count, block);
    case INDEX_UINT8: return by_target(INDEX_UINT8, false, row, count, block);
    case INDEX_UINT16: return by_target(INDEX_UINT16, false, row, count, block);
    case INDEX_UINT32: return by_target(INDEX_UINT32, false, row, count, block);
    case INDEX_UINT64: return by_target(INDEX_UINT64, false, row, count, block);
    }
    return false;
}

bool bnnspy_narrow_portable(const struct index_row *row, size_t count, void *block)
{
    return by_kind(row, count, block);
}

#if BNNSPY_X86
__attribute__((target("avx2"))) bool bnnspy_narrow_avx2(const struct index_row *row, size_t count,
                                                        void *block)
{
    return by_kind(row, count, block);
}

__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq"))) bool
bnnspy_narrow_avx512(const struct index_row *row, size_t count, void *block)
{
    return by_kind(row, count, block);
}
#endif

bool bnnspy_indices_sound(const struct index_row *row, size_t count)
{
    return bnnspy_kernels()->narrow(row, count, NULL);
}

bool bnnspy_narrow(const struct index_row *row, size_t count, void *block)
{
    if (bnnspy_kernels()->narrow(row, count, block))
        return true;
    for (size_t i = 0; i < count; i++) {
        if (bnnspy_fits_32(row->bound)) {
            uint32_t *index = (uint32_t *)block + i;
            *index = *index < row->bound ? *index : 0;
        } else {
            size_t *index = (size_t *)block + i;
            *index = *index < row->bound ? *index : 0;
        }
    }
    return false;
}
