/* Index tensors: their types, and whether every index lies within its axis. */
#ifndef BNNSPY_INDICES_H
#define BNNSPY_INDICES_H

#include "fold.h"
#include "kernels/narrow.h"
#include "tensor.h"

/* -1 unless the type (already looked up) is an integer of 8 to 64 bits. */
int bnnspy_indices_typed(const struct tensor *indices);

enum index_kind bnnspy_index_kind(const struct data_type *type);

/* The row that begins at the tensor's origin; its step is left to the loops that go along it. */
struct index_row bnnspy_index_row(const struct tensor *indices, size_t bound);

/* What an index points into, for the sentence. */
struct target {
    const char *name;
    size_t axis;
};

/*
 * -1005 for the first index, in the order of the loops, that is not valid. Operand 0 of the loops is
 * where the index is, relative to row.place; there are as many loops as the index tensor has axes.
 */
int bnnspy_indices_valid(struct index_row row, const struct loop *loops, unsigned n,
                         struct target target);

/* The same for an index tensor of a descriptor, in tuple order. */
int bnnspy_indices_in_range(const struct tensor *indices, size_t bound, struct target target);

/* -1005 for indices that were in range when they were checked and were not when they were used. */
int bnnspy_indices_changed(void);

#endif
