/* One sweep of a scatter: runs side by side put, or added, to where private indices say. */
#ifndef BNNSPY_PUT_H
#define BNNSPY_PUT_H

#include "scatter/sum.h"

/* Turn i takes the run of input j, which is i, or from[i] where not all are this sweep's to do. */
struct put {
    char *out;            /* of index 0 at j = 0 */
    const char *in;       /* of j = 0 */
    ptrdiff_t out_step;   /* for the next j */
    ptrdiff_t in_step;
    ptrdiff_t index_step; /* of out, for the next index */
    const void *index;    /* [count]: uint32_t, or size_t where `wide` or `from` */
    const uint32_t *from; /* [count], or NULL */
    size_t count;
    size_t run;           /* bytes; of one element where it is added and `single` */
    size_t ahead;         /* runs whose places are fetched ahead, 0 for none */
    enum sum sum;
    bool wide;
    bool single;          /* the run is one element */
    bool stream;          /* runs are written around the cache: not where they are added */
};

/* One after the other, in order: of equal indices the last one is kept, and sums go by turns. */
void bnnspy_put(const struct put *put);

#endif
