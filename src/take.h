/* Moving runs of bytes to where indices say, over any strides: what every gather becomes. */
#ifndef BNNSPY_TAKE_H
#define BNNSPY_TAKE_H

#include "bnnspy.h"
#include "fold.h"
#include "kernels/narrow.h"

/* The operands of the loops. */
enum { TAKE_OUT, TAKE_IN, TAKE_INDEX };

/*
 * Nested loops over the output. Each turn of a loop moves the three operands by its steps; the
 * index then moves the input by index * index_step. Bytes throughout, save that bnnspy_take_fold
 * works in any unit.
 */
struct take {
    char *out;
    const char *in;
    struct index_row indices; /* place is that of the first index; step is not used */
    struct loop loops[MAX_LOOPS + 1];
    unsigned n;
    size_t run;               /* contiguous in input and output; an element to begin with */
    ptrdiff_t index_step;
    const BNNSFilterParameters *parameters; /* may be NULL */
};

/*
 * Makes the loops few and long, and the run as long as they allow. The last loop is then the one to
 * sweep: the innermost that moves the index, or one of count 1. No count may be 0.
 */
void bnnspy_take_fold(struct take *take);

/*
 * Does it, on a folded take in bytes whose indices were all found valid. False when an index was not
 * valid any more; it counted as 0.
 */
bool bnnspy_take_run(const struct take *take);

/*
 * True when all indices under these loops are valid: operand 0 of the loops is where the index is,
 * relative to row->place.
 */
bool bnnspy_all_sound(struct index_row row, struct loop *loops, unsigned n);

#endif
