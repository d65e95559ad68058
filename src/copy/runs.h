/* Copying runs of bytes from one stride to another: keyed by their length, not by what they are. */
#ifndef BNNSPY_RUNS_H
#define BNNSPY_RUNS_H

#include <stdbool.h>
#include <stddef.h>

/* For i in 0 .. count - 1: `run` bytes from in + i*in_step to out + i*out_step. */
struct runs {
    char *out;
    const char *in;
    ptrdiff_t out_step, in_step; /* bytes */
    size_t count, run;
    bool stream; /* write around the cache; for long runs */
};

/* Reads and writes exactly the runs. */
void bnnspy_copy_runs(const struct runs *runs);

#endif
