/*
 * Stands in the unit tests in place of the core's kernels/move.c, and is that: but a test can have
 * something done before runs are moved, which is after all indices were checked.
 */
#define bnnspy_move bnnspy_move_as_it_is
#include "kernels/move.c" /* of src/ */
#undef bnnspy_move

#include <stdatomic.h>

/* See narrow.c beside this file. */
extern void (*_Atomic test_before_use)(void);

bool bnnspy_move(const struct move *m)
{
    void (*const interfere)(void) = atomic_load(&test_before_use);
    if (interfere != NULL)
        interfere();
    return bnnspy_move_as_it_is(m);
}
