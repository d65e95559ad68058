/* BNNSTranspose: two axes change places. The contract is in bnns.h. */
#include "checks.h"
#include "copy/rearrange.h"

enum { INVALID = bnnspy_status_invalid_parameter };

static int transpose(struct rearrange *r, size_t axis0, size_t axis1,
                     const BNNSFilterParameters *parameters)
{
    TRY(bnnspy_rearrange_begin(r));
    const unsigned rank = r->src.view->rank;
    REQUIRE(axis0 < rank, INVALID, "axis0", "axis0 is %td, outside 0..%u (src has rank %u)",
            (ptrdiff_t)axis0, rank - 1, rank);
    REQUIRE(axis1 < rank, INVALID, "axis1", "axis1 is %td, outside 0..%u (src has rank %u)",
            (ptrdiff_t)axis1, rank - 1, rank);
    unsigned from[BNNS_MAX_TENSOR_DIMENSION];
    for (unsigned k = 0; k < rank; k++)
        from[k] = k == axis0 ? (unsigned)axis1 : k == axis1 ? (unsigned)axis0 : k;
    return bnnspy_rearrange(r, from, parameters);
}

int BNNSTranspose(BNNSNDArrayDescriptor *dest, const BNNSNDArrayDescriptor *src, size_t axis0,
                  size_t axis1, const BNNSFilterParameters *filter_params)
{
    struct rearrange r;
    bnnspy_open(&r.dest, USE_WRITE, "dest", dest);
    bnnspy_open(&r.src, USE_READ, "src", src);
    return transpose(&r, axis0, axis1, filter_params);
}

bnnspy_outcome bnnspy_transpose(const bnnspy_bounded *dest, const bnnspy_bounded *src, size_t axis0,
                                size_t axis1, const BNNSFilterParameters *filter_params)
{
    struct rearrange r;
    bnnspy_open_bounded(&r.dest, USE_WRITE, "dest", dest);
    bnnspy_open_bounded(&r.src, USE_READ, "src", src);
    return bnnspy_outcome_of(transpose(&r, axis0, axis1, filter_params));
}
