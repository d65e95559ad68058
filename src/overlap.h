/* Do strided elements share a byte? Exact, within a bounded amount of work. */
#ifndef BNNSPY_OVERLAP_H
#define BNNSPY_OVERLAP_H

#include "bnnspy.h"

#include <stdbool.h>

enum overlap { OVERLAP_NONE, OVERLAP_FOUND, OVERLAP_UNDECIDED };

/* Elements of a view in memory; data is where the descriptor's data points. */
struct extent {
    const char *data;
    const bnnspy_view *view; /* count > 0, bits >= 1 */
};

/* True when all of a lies before or behind all of b: the usual case, and soon decided. */
static inline bool bnnspy_ranges_apart(struct extent a, struct extent b)
{
    const uintptr_t a_from = (uintptr_t)a.data, b_from = (uintptr_t)b.data;
    const uint64_t a_bytes = ((uint64_t)a.view->extent * a.view->bits + 7) / 8;
    const uint64_t b_bytes = ((uint64_t)b.view->extent * b.view->bits + 7) / 8;
    return a_from >= b_from ? a_from - b_from >= b_bytes : b_from - a_from >= a_bytes;
}

/* Does an element of a share a byte with an element of b? */
enum overlap bnnspy_overlap(struct extent a, struct extent b);

/* Do two elements of one view share a byte? */
enum overlap bnnspy_overlaps_itself(const bnnspy_view *view);

#endif
