/*
 * Stands in the unit tests in place of the core's kernels/narrow.c, and is that: but a test can have
 * something done before a row of indices is made private, which is after all of them were checked.
 */
#define bnnspy_narrow bnnspy_narrow_as_it_is
#include "kernels/narrow.c" /* of src/ */
#undef bnnspy_narrow

#include <stdatomic.h>

/* Set by a test: is called before each row, on the thread that the row is for. NULL for nothing. */
void (*_Atomic test_before_use)(void);

bool bnnspy_narrow(const struct index_row *row, size_t count, void *block)
{
    void (*const interfere)(void) = atomic_load(&test_before_use);
    if (interfere != NULL)
        interfere();
    return bnnspy_narrow_as_it_is(row, count, block);
}
