/* Layouts: what size[] and stride[] mean under each. */
#ifndef BNNSPY_LAYOUT_H
#define BNNSPY_LAYOUT_H

#include "bnnspy.h"
#include "data_type.h"

#include <stdbool.h>

/*
 * One layout. The orders are written as hexadecimal digits, the lowest digit for tuple axis 0; each
 * is its own inverse, so the same digits also read from slot to axis.
 */
struct layout {
    uint32_t code;
    uint8_t rank;
    uint8_t packing;       /* one of the values below */
    uint8_t reversed;      /* bit k: tuple axis k runs against its stride */
    uint32_t size_order;   /* tuple axis -> slot of size[] */
    uint32_t stride_order; /* tuple axis -> slot of stride[] */
    const char *name;
};

enum { PACKING_STRIDED, PACKING_BLOCKS_OF_32, PACKING_SPARSE };

/* The row of a code, or NULL. */
const struct layout *bnnspy_layout(uint32_t code);

/* -1 for an unknown layout, and for one that strides can't say. */
int bnnspy_check_layout(const BNNSNDArrayDescriptor *descriptor, const char *name);

/*
 * bnnspy_describe for a descriptor whose type (or NULL) is already known. Entries of view beyond
 * the rank are left alone, and after a failure view means nothing.
 */
int bnnspy_view_of(const BNNSNDArrayDescriptor *descriptor, const struct data_type *type,
                   const char *name, bnnspy_view *view);

/* bnnspy_describe as a question: false where it would fail, and no error is recorded. */
bool bnnspy_describes(const BNNSNDArrayDescriptor *descriptor, bnnspy_view *view);

#endif
