/* Runs of bytes put, or added, to where indices say, over any strides: what every scatter becomes. */
#ifndef BNNSPY_SPREAD_H
#define BNNSPY_SPREAD_H

#include "bnnspy.h"
#include "fold.h"
#include "kernels/narrow.h"
#include "scatter/sum.h"

/* The operands of the loops; they are sorted by the distance in the input. */
enum { SPREAD_IN, SPREAD_OUT, SPREAD_INDEX };

/*
 * Nested loops over the input. Each turn of a loop moves the three operands by its steps; the index
 * then moves the output by index * index_step. Bytes throughout, save that bnnspy_spread_fold works
 * in any unit. Two turns that meet in one output element differ only in loops without a step of the
 * output, and these are gone through in the order of their turns.
 */
struct spread {
    char *out;
    const char *in;
    struct index_row indices; /* place is that of the first index; step is not used */
    struct loop loops[MAX_LOOPS + 1];
    unsigned n;
    size_t run; /* contiguous in input and output; an element to begin with */
    size_t width; /* of an element, where it is added */
    ptrdiff_t index_step;
    size_t reach; /* bytes of output: what indices may move to */
    enum sum sum;
    const BNNSFilterParameters *parameters; /* may be NULL */
};

/*
 * Makes the loops few and long, and the run as long as they allow. The last loop is then the one to
 * sweep: the innermost that moves the index, or one of count 1. No count may be 0.
 */
void bnnspy_spread_fold(struct spread *spread);

enum spread_result { SPREAD_DONE, SPREAD_BAD_INDEX, SPREAD_CHANGED };

/*
 * Checks all indices, and when they are valid moves the runs: a folded spread in bytes, or NULL when
 * there is nothing to move. Operand 0 of the n index loops is where an index is, relative to
 * row->place; no count is 0. BAD_INDEX: nothing was written. CHANGED: an index was valid when it was
 * checked and not when it was used; it counted as another that is valid.
 */
enum spread_result bnnspy_spread(const struct spread *spread, const struct index_row *row,
                                 const struct loop *index_loops, unsigned n);

#endif
