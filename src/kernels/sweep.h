/* The one movement kernel: a sweep along a row of indices, keyed by the bytes it moves an index. */
#ifndef BNNSPY_SWEEP_H
#define BNNSPY_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an index is stored. */
enum index_kind {
    INDEX_INT8, INDEX_INT16, INDEX_INT32, INDEX_INT64,
    INDEX_UINT8, INDEX_UINT16, INDEX_UINT32, INDEX_UINT64,
};

/* For i in 0 .. count - 1: moves `run` bytes from in + i*in_step + index*index_step to out + i*out_step. */
struct sweep {
    char *out;
    const char *in;
    const char *indices;    /* index i is at indices + i*indices_step, of any alignment */
    ptrdiff_t out_step;     /* bytes, as all steps */
    ptrdiff_t in_step;
    ptrdiff_t indices_step;
    ptrdiff_t index_step;
    size_t count;
    uint64_t bound;         /* valid indices are 0 .. bound - 1 */
    size_t run;             /* 0 checks the indices and moves nothing */
    enum index_kind kind;
};

/*
 * True when every index was within bounds. One that is not counts as 0, which must then be a place
 * that can be read. Every index is loaded once, and nothing else than the runs is read or written.
 */
bool bnnspy_sweep(const struct sweep *sweep);

/* The index at this place, sign-extended to 64 bits. */
uint64_t bnnspy_load_index(const char *place, enum index_kind kind);

#endif
