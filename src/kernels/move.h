/* Moving elements or rows to where private, valid indices say: keyed by bytes, not by type. */
#ifndef BNNSPY_MOVE_H
#define BNNSPY_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For i in 0 .. count - 1: `run` bytes from in + i*in_step + index[i]*index_step to out + i*out_step. */
struct move {
    char *out;
    const char *in;
    ptrdiff_t out_step; /* bytes, as all steps */
    ptrdiff_t in_step;
    ptrdiff_t index_step;
    const void *index;  /* uint32_t, or size_t when wide */
    size_t count;
    size_t run;
    size_t ahead;       /* how many indices ahead memory is fetched; 0 for none */
    size_t known;       /* entries of index that are there, count or more: for fetching */
    bool begun;         /* what the first `ahead` of them need has been fetched */
    bool wide;
    bool near;          /* long rows are fetched into the first cache, not the second */
    bool stream;        /* write around the cache; for long rows */
};

/* Reads and writes exactly the runs. */
void bnnspy_move(const struct move *move);

#endif
