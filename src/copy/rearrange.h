/* Operations of two tensors, one written with the elements of the other in another order. */
#ifndef BNNSPY_REARRANGE_H
#define BNNSPY_REARRANGE_H

#include "tensor.h"

struct rearrange {
    union { /* by name, and as the list that is checked */
        struct {
            struct tensor dest, src;
        };
        struct tensor tensors[2];
    };
};

/* The checks of each tensor alone, and that the types are equal; views are set then. */
int bnnspy_rearrange_begin(struct rearrange *r);

/*
 * The rest: dest[.., i_k, ..] = src[.., i_k as the index of axis from[k], ..]. dest has src's rank,
 * and along axis k src's size along from[k].
 */
int bnnspy_rearrange(struct rearrange *r, const unsigned *from,
                     const BNNSFilterParameters *parameters);

#endif
