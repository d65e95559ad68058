/* The kernels that have variants for some processors: one table, one choice a process. */
#ifndef BNNSPY_KERNELS_H
#define BNNSPY_KERNELS_H

#include "kernels/move.h"
#include "kernels/narrow.h"

/* How often a move is made again, and how far on each time. */
struct repeat {
    size_t count;
    ptrdiff_t in_step, out_step;
    bool fetching; /* memory of turns to come is fetched */
};

struct kernels {
    const char *name;
    unsigned needs; /* CPU_ bits */

    /* Checks, and with a block stores, a row of indices: see bnnspy_narrow. */
    bool (*narrow)(const struct index_row *row, size_t count, void *block);

    /*
     * Sweeps with the same indices, each over a table that fits into registers; NULL when the
     * variant has none. The runs are 4 bytes, one after the other in table and output, in_step is
     * 0, bound is at most REGISTER_TABLE, and indices are narrow.
     */
    void (*table)(const struct move *move, size_t bound, const struct repeat *rows);
};

enum { REGISTER_TABLE = 64 };

/* The best variant that this processor has. */
const struct kernels *bnnspy_kernels(void);

bool bnnspy_narrow_portable(const struct index_row *row, size_t count, void *block);
bool bnnspy_narrow_avx2(const struct index_row *row, size_t count, void *block);
bool bnnspy_narrow_avx512(const struct index_row *row, size_t count, void *block);
void bnnspy_table_avx512(const struct move *move, size_t bound, const struct repeat *rows);

#endif
