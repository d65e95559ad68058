/* Rows of indices: are they in range, and copied into private memory as plain unsigned numbers. */
#ifndef BNNSPY_NARROW_H
#define BNNSPY_NARROW_H

#include "compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an index is stored. */
enum index_kind {
    INDEX_INT8,
    INDEX_INT16,
    INDEX_INT32,
    INDEX_INT64,
    INDEX_UINT8,
    INDEX_UINT16,
    INDEX_UINT32,
    INDEX_UINT64,
};

/* Always inline: the loops over indices are vector code only where this is a literal. */
BNNSPY_INLINE size_t bnnspy_bytes_of_index(enum index_kind kind)
{
    return (size_t)1 << (kind % 4);
}

/* A row of indices in somebody's memory. */
struct index_row {
    const char *place;    /* of the first; any alignment */
    ptrdiff_t step;       /* bytes from one to the next */
    size_t bound;         /* valid ones are 0 .. bound - 1, at most PTRDIFF_MAX */
    enum index_kind kind;
    bool wrap;            /* -bound .. -1 count from the back (signed kinds) */
};

/* True when all of the first `count` indices are valid. Reads each of them once. */
bool bnnspy_indices_sound(const struct index_row *row, size_t count);

/*
 * Copies `count` indices, wrapped where they are to be, reading each of them once. block gets
 * uint32_t when bnnspy_fits_32(bound), else size_t. False when an index is not valid; it becomes one
 * that is: what its low 32 bits say, where block gets only those and they are below bound, else 0.
 */
bool bnnspy_narrow(const struct index_row *row, size_t count, void *block);

static inline bool bnnspy_fits_32(size_t bound)
{
    return bound <= INT32_MAX;
}

/* One index, as it is stored. is_negative tells the sign of what the bits mean. */
uint64_t bnnspy_load_index(const char *place, enum index_kind kind, bool *is_negative);

#endif
