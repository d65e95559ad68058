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
 * Does a folded take in bytes when it is one sweep of a few indices, all of them valid: for these a
 * plan would take longer than the work. False: nothing was written, and bnnspy_take_all finds out.
 */
bool bnnspy_take_few(const struct take *take);

enum take_result { TAKE_DONE, TAKE_BAD_INDEX, TAKE_CHANGED };

/*
 * Checks all indices, and when they are valid moves the runs: a folded take in bytes, or NULL when
 * there is nothing to move. Operand 0 of the n index loops is where an index is, relative to
 * row->place; no count is 0. BAD_INDEX: nothing was written. CHANGED: an index was valid when it was
 * checked and not when it was used; it counted as another that is valid.
 */
enum take_result bnnspy_take_all(const struct take *take, const struct index_row *row,
                                 const struct loop *index_loops, unsigned n);

#endif
