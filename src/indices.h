/* Index tensors: their types, and whether every index lies within its axis. */
#ifndef BNNSPY_INDICES_H
#define BNNSPY_INDICES_H

#include "kernels/sweep.h"
#include "tensor.h"

/* -1 unless the type (already looked up) is an integer of 8 to 64 bits. */
int bnnspy_indices_typed(const struct tensor *indices);

enum index_kind bnnspy_index_kind(const struct data_type *type);

/*
 * -1005 for the first index, in tuple order, that is not in 0 .. bound - 1. axis and target name
 * what the index points into, in the sentence.
 */
int bnnspy_indices_in_range(const struct tensor *indices, size_t bound, size_t axis,
                            const char *target);

/* -1005 for indices that were in range when they were checked and were not when they were used. */
int bnnspy_indices_changed(const struct tensor *indices);

#endif
