/* Copying elements between any strides: what every operation becomes that only rearranges. */
#ifndef BNNSPY_COPY_H
#define BNNSPY_COPY_H

#include "bnnspy.h"
#include "fold.h"

/* The operands of the loops. */
enum { COPY_OUT, COPY_IN };

/*
 * Nested loops over the output; each turn of a loop moves the two operands by its steps. An input
 * step may be 0 or negative. Bytes throughout, save that bnnspy_copy_fold works in any unit.
 */
struct copy {
    char *out;
    const char *in;
    struct loop loops[MAX_LOOPS + 1];
    unsigned n;
    size_t run; /* contiguous in input and output; an element to begin with */
    const BNNSFilterParameters *parameters; /* may be NULL */
};

/* Makes the loops few and long, and the run as long as they allow. No count may be 0. */
void bnnspy_copy_fold(struct copy *copy);

/* Bits to bytes, for types of less than 8 bits; false when something is not whole bytes. */
bool bnnspy_copy_to_bytes(struct copy *copy);

/* Does a folded copy in bytes. */
void bnnspy_copy(const struct copy *copy);

#endif
