/* The kernels that have variants for some processors: one table, one choice a process. */
#ifndef BNNSPY_KERNELS_H
#define BNNSPY_KERNELS_H

#include "kernels/move.h"
#include "kernels/narrow.h"

struct kernels {
    const char *name;
    unsigned needs; /* CPU_ bits */

    /* Checks, and with a block stores, a row of indices: see bnnspy_narrow. */
    bool (*narrow)(const struct index_row *row, size_t count, void *block);

    /*
     * A move whose table fits into registers, turn after turn; NULL when the variant has none. The
     * runs are 4 bytes, one after the other in table and output, in_step is 0, bound is at most
     * REGISTER_TABLE, and indices are narrow.
     */
    void (*table)(const struct move *move);

    /* memcpy for long rows, which takes as long wherever the two lie. */
    void (*copy)(char *restrict out, const char *restrict in, size_t bytes);
};

enum { REGISTER_TABLE = 64 };

/* The best variant that this processor has. */
const struct kernels *bnnspy_kernels(void);

bool bnnspy_narrow_portable(const struct index_row *row, size_t count, void *block);
bool bnnspy_narrow_avx2(const struct index_row *row, size_t count, void *block);
bool bnnspy_narrow_avx512(const struct index_row *row, size_t count, void *block);
void bnnspy_table_avx512(const struct move *move);
void bnnspy_copy_portable(char *restrict out, const char *restrict in, size_t bytes);
void bnnspy_copy_avx2(char *restrict out, const char *restrict in, size_t bytes);

#endif
