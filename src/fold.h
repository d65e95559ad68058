/* Loops over strided axes, made as few and as long as they can be. Integers only, no data. */
#ifndef BNNSPY_FOLD_H
#define BNNSPY_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_OPERANDS = 3, MAX_LOOPS = 64 };

/* One loop: how often, and how far each operand moves a turn (bits or bytes, as the caller says). */
struct loop {
    size_t count;
    int64_t step[MAX_OPERANDS];
};

/* Sorts outermost first: by the distance that operand 0 moves, the longest first. Stable. */
void bnnspy_sort_loops(struct loop *loops, unsigned n);

/*
 * Drops loops of count 1 and merges neighbours that one loop can say for all operands. No count may
 * be 0. Returns how many loops are left, at the front.
 */
unsigned bnnspy_fold(struct loop *loops, unsigned n);

/* Where a walk through nested loops stands. */
struct place {
    size_t turn[MAX_LOOPS];
    int64_t offset[MAX_OPERANDS];
};

/* The beginning of a walk through n loops. */
static inline void bnnspy_begin(struct place *place, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        place->turn[k] = 0;
    for (unsigned operand = 0; operand < MAX_OPERANDS; operand++)
        place->offset[operand] = 0;
}

/* Goes on by one turn of the innermost loop; false after the last. */
bool bnnspy_next(struct place *place, const struct loop *loops, unsigned n);

#endif
