/* Index tensors: their types, and whether every index lies within its axis. */
#ifndef BNNSPY_INDICES_H
#define BNNSPY_INDICES_H

#include "take/take.h"
#include "tensor.h"

/* -1 unless the type (already looked up) is an integer of 8 to 64 bits. */
int bnnspy_indices_typed(const struct tensor *indices);

enum index_kind bnnspy_index_kind(const struct data_type *type);

/* The row that begins at the tensor's origin; its step is left to the loops that go along it. */
void bnnspy_index_row(const struct tensor *indices, size_t bound, struct index_row *row);

/* What an index points into, for the sentence. */
struct target {
    const char *name;
    size_t axis;
};

/*
 * Moves, when all indices are valid; -1005 else, and the sentence names the first of them in the
 * order of the loops. take is folded and in bytes, or NULL when there is nothing to move. Operand 0
 * of the index loops is where an index is, relative to row.place; there are as many loops as the
 * index tensor has axes.
 */
int bnnspy_take_checked(const struct take *take, const struct index_row *row,
                        const struct loop *loops, unsigned n, struct target target);

/* The loops over an index tensor of a descriptor, in tuple order. Returns how many. */
unsigned bnnspy_index_loops(const struct tensor *indices, struct loop *loops);

#endif
