/*
 * A gather written for nothing but being right, and what has to be true of memory after a call. It
 * shares no code and no table with the core: element by element, bit by bit.
 */
#ifndef BNNSPY_PROMISES_REFERENCE_H
#define BNNSPY_PROMISES_REFERENCE_H

#include "bnnspy.h"

#include <stdbool.h>

enum { INPUT, INDICES, OUTPUT, TENSORS };

/* Where a tensor's elements are, in tuple order; in elements from data. */
struct places {
    unsigned rank;
    size_t size[8];
    int64_t stride[8];
    int64_t start;
    uint64_t extent; /* from data to the end of the last element; as if no size were 0 */
    bool empty;
};

/* False when the descriptor can't be understood: layout, strides that decrease, an overflow. */
bool reference_places(const BNNSNDArrayDescriptor *descriptor, struct places *places);

/* Bits of an element, 0 for an unknown type. */
unsigned reference_bits(uint32_t data_type);

/* Memory of a known size, and what was in it before the call. */
struct buffer {
    unsigned char *bytes, *before;
    size_t size;
};

/* A call: three descriptors, each into one of the buffers (two of them perhaps into one). */
struct call {
    size_t axis;
    BNNSNDArrayDescriptor tensor[TENSORS];
    struct buffer buffer[TENSORS];
    unsigned uses[TENSORS]; /* tensor -> buffer */
    bool wraps;             /* negative indices count from the back; only bnnspy_take does so */
};

/* True when the elements of a tensor (that can be understood) lie in its buffer. */
bool reference_inside(const struct call *call, unsigned tensor, const struct places *places);

/* True when an index of the call is out of range. The tensors must be understood and inside. */
bool reference_bad_index(const struct call *call);

/* Copies the buffers to `before`. */
void reference_remember(struct call *call);

/*
 * Judges the status and the memory after a call on one thread: NULL, or what is wrong. The statuses
 * -1 and -1003 are taken as they are, but then memory must be as before.
 */
const char *reference_judge(const struct call *call, int status);

#endif
