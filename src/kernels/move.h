/* Moving elements or rows to where indices say: keyed by bytes, not by type. */
#ifndef BNNSPY_MOVE_H
#define BNNSPY_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the indices of a move are stored, and whose they are. */
enum index_form {
    FORM_NARROW,     /* private and valid: uint32_t */
    FORM_WIDE,       /* private and valid: size_t */
    FORM_CALLERS_32, /* the caller's: aligned, one after the other, and checked as they are used */
    FORM_CALLERS_64,
};

/* For i in 0 .. count - 1: `run` bytes from in + i*in_step + index[i]*index_step to out + i*out_step. */
struct move {
    char *out;
    const char *in;
    ptrdiff_t out_step; /* bytes, as all steps */
    ptrdiff_t in_step;
    ptrdiff_t index_step;
    const void *index;
    enum index_form form;
    size_t bound; /* indices are below it, or not valid */
    size_t count;
    size_t run;
    size_t ahead; /* how many indices ahead memory is fetched; 0 for none */
    size_t known; /* entries of index that are there, count or more: for fetching */
    bool begun; /* what the first `ahead` of them need has been fetched */
    bool stream; /* write around the cache; for long rows with private indices */
    size_t turns; /* private indices: all of it so often, and */
    ptrdiff_t turn_in; /* so far on each time, */
    ptrdiff_t turn_out;
    bool fetch_turns; /* fetching for turns to come, where the kernel can */
};

/*
 * Reads and writes exactly the runs. The caller's indices are for runs one after the other, in the
 * table and in the output; each is loaded once for its run, and one that is not valid counts as 0:
 * the answer is false then. Fetching looks at indices besides.
 */
bool bnnspy_move(const struct move *move);

#endif
