/*
 * One body, compiled once for each pair of index kind and run: with both literal, the load is one
 * instruction and the copy a few, about four times as fast as a copy of variable length.
 */
#include "kernels/sweep.h"

#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

INLINE uint64_t load(const char *place, enum index_kind kind)
{
    union {
        int8_t i8; int16_t i16; int32_t i32; int64_t i64;
        uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
    } value;
    switch (kind) {
    case INDEX_INT8: memcpy(&value, place, 1); return (uint64_t)value.i8;
    case INDEX_INT16: memcpy(&value, place, 2); return (uint64_t)value.i16;
    case INDEX_INT32: memcpy(&value, place, 4); return (uint64_t)value.i32;
    case INDEX_INT64: memcpy(&value, place, 8); return value.u64;
    case INDEX_UINT8: memcpy(&value, place, 1); return value.u8;
    case INDEX_UINT16: memcpy(&value, place, 2); return value.u16;
    case INDEX_UINT32: memcpy(&value, place, 4); return value.u32;
    case INDEX_UINT64: memcpy(&value, place, 8); return value.u64;
    }
    return 0;
}

uint64_t bnnspy_load_index(const char *place, enum index_kind kind)
{
    return load(place, kind);
}

/* run and kind are literals wherever this is called. A negative index is a huge unsigned one. */
INLINE bool sweep(const struct sweep *s, enum index_kind kind, size_t run)
{
    char *out = s->out;
    const char *in = s->in, *place = s->indices;
    uint64_t bad = 0;
    for (size_t i = 0; i < s->count; i++) {
        uint64_t index = load(place, kind);
        const uint64_t outside = index >= s->bound;
        bad |= outside;
        if (run != 0) {
            index = outside ? 0 : index;
            memcpy(out, in + (ptrdiff_t)index * s->index_step, run);
            out += s->out_step;
            in += s->in_step;
        }
        place += s->indices_step;
    }
    return bad == 0;
}

INLINE bool by_run(const struct sweep *s, enum index_kind kind)
{
    switch (s->run) {
    case 0: return sweep(s, kind, 0);
    case 1: return sweep(s, kind, 1);
    case 2: return sweep(s, kind, 2);
    case 4: return sweep(s, kind, 4);
    case 8: return sweep(s, kind, 8);
    case 12: return sweep(s, kind, 12);
    case 16: return sweep(s, kind, 16);
    case 32: return sweep(s, kind, 32);
    case 64: return sweep(s, kind, 64);
    default: return sweep(s, kind, s->run);
    }
}

bool bnnspy_sweep(const struct sweep *s)
{
    switch (s->kind) {
    case INDEX_INT8: return by_run(s, INDEX_INT8);
    case INDEX_INT16: return by_run(s, INDEX_INT16);
    case INDEX_INT32: return by_run(s, INDEX_INT32);
    case INDEX_INT64: return by_run(s, INDEX_INT64);
    case INDEX_UINT8: return by_run(s, INDEX_UINT8);
    case INDEX_UINT16: return by_run(s, INDEX_UINT16);
    case INDEX_UINT32: return by_run(s, INDEX_UINT32);
    case INDEX_UINT64: return by_run(s, INDEX_UINT64);
    }
    return false;
}
