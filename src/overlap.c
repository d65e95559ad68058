/*
 * Shared bytes as a question about integers. An element covers the bits from sum x_k s_k on,
 * 0 <= x_k < size_k. Two elements meet when the difference of
 * their places lies in an open window; the difference is a sum of terms c_k x_k with bounded x_k,
 * and a depth-first search over the largest coefficients first decides whether the window can be
 * met. Each level can only choose the few x_k that the smaller terms can still make up for, so real
 * layouts take a handful of steps; a budget ends the search on those made to be slow.
 */
#include "overlap.h"

#include <stdbool.h>

enum { MAX_TERMS = 2 * BNNS_MAX_TENSOR_DIMENSION, BUDGET = 20000 };

struct term {
    int64_t coefficient; /* > 0 */
    int64_t most;        /* x runs from 0 to most */
};

struct search {
    struct term terms[MAX_TERMS]; /* largest coefficient first */
    int64_t rest[MAX_TERMS + 1];  /* what terms[k..] can add up to at most */
    int64_t gcd[MAX_TERMS + 1];   /* of the coefficients of terms[k..] */
    unsigned n;
    unsigned budget;
};

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

/* Adds step * x, 0 <= x <= most. A negative step counts from the other end, moving the window. */
static void add_term(struct search *s, int64_t step, int64_t most, int64_t *low, int64_t *high)
{
    if (most == 0)
        return;
    if (step < 0) {
        const int64_t whole = -step * most;
        *low += whole;
        *high += whole;
        step = -step;
    }
    unsigned place = s->n;
    for (unsigned k = 0; k < s->n; k++) {
        if (s->terms[k].coefficient == step) {
            s->terms[k].most += most;
            return;
        }
    }
    for (; place > 0 && s->terms[place - 1].coefficient < step; place--)
        s->terms[place] = s->terms[place - 1];
    s->terms[place] = (struct term){step, most};
    s->n++;
}

static void prepare(struct search *s)
{
    s->rest[s->n] = 0;
    s->gcd[s->n] = 0;
    for (unsigned k = s->n; k-- > 0;) {
        s->rest[k] = s->rest[k + 1] + s->terms[k].coefficient * s->terms[k].most;
        s->gcd[k] = greatest_common_divisor(s->terms[k].coefficient, s->gcd[k + 1]);
    }
    s->budget = BUDGET;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Can terms[k..] add up to a value from low to high? */
static enum overlap reach(struct search *s, unsigned k, int64_t low, int64_t high)
{
    if (low < 0)
        low = 0;
    if (high > s->rest[k])
        high = s->rest[k];
    if (low > high)
        return OVERLAP_NONE;
    if (low == 0 || high == s->rest[k])
        return OVERLAP_FOUND; /* all at 0, or all at their most */
    if (floor_divide(high, s->gcd[k]) * s->gcd[k] < low)
        return OVERLAP_NONE;
    const struct term term = s->terms[k];
    int64_t from = floor_divide(low - s->rest[k + 1] + term.coefficient - 1, term.coefficient);
    int64_t to = high / term.coefficient;
    if (from < 0)
        from = 0;
    if (to > term.most)
        to = term.most;
    for (int64_t x = to; x >= from; x--) {
        if (s->budget == 0)
            return OVERLAP_UNDECIDED;
        s->budget--;
        const int64_t used = x * term.coefficient;
        const enum overlap found = reach(s, k + 1, low - used, high - used);
        if (found != OVERLAP_NONE)
            return found;
    }
    return OVERLAP_NONE;
}

/*
 * The elements of a view, contiguous neighbours taken together: blocks of `bits` bits, the lowest at
 * data. A reversed axis covers the same places as a forward one, so strides count without sign.
 */
struct blocks {
    int64_t bits;
    unsigned n;
    struct term axes[BNNS_MAX_TENSOR_DIMENSION]; /* by slot: smallest stride first */
};

static struct blocks blocks_of(const bnnspy_view *view)
{
    struct blocks b;
    b.bits = view->bits;
    b.n = 0;
    for (unsigned slot = 0; slot < view->rank; slot++) {
        unsigned axis = 0;
        while (view->stride_slot[axis] != slot)
            axis++;
        if (view->size[axis] <= 1)
            continue;
        const int64_t stride = view->stride[axis] < 0 ? -view->stride[axis] : view->stride[axis];
        const int64_t step = stride * view->bits;
        if (b.n == 0 && step == b.bits)
            b.bits *= (int64_t)view->size[axis];
        else
            b.axes[b.n++] = (struct term){step, (int64_t)view->size[axis] - 1};
    }
    return b;
}

enum overlap bnnspy_overlap(struct extent a, struct extent b)
{
    if (bnnspy_ranges_apart(a, b))
        return OVERLAP_NONE;
    const struct blocks in_a = blocks_of(a.view), in_b = blocks_of(b.view);
    /* Block i of a minus block j of b lies strictly between -bits(a) and bits(b). Blocks that end
     * within a byte are taken to be a byte longer at each end. */
    const int64_t widen = (in_a.bits | in_b.bits) % 8 == 0 ? 0 : 8;
    const int64_t offset = (int64_t)(intptr_t)((uintptr_t)a.data - (uintptr_t)b.data) * 8;
    int64_t low = 1 - in_a.bits - widen - offset, high = in_b.bits - 1 + widen - offset;
    struct search s;
    s.n = 0;
    for (unsigned k = 0; k < in_a.n; k++)
        add_term(&s, in_a.axes[k].coefficient, in_a.axes[k].most, &low, &high);
    for (unsigned k = 0; k < in_b.n; k++)
        add_term(&s, -in_b.axes[k].coefficient, in_b.axes[k].most, &low, &high);
    prepare(&s);
    return reach(&s, 0, low, high);
}

/* True when each stride steps over all that the smaller ones can reach: the usual case. */
static bool nested(const struct blocks *b)
{
    int64_t reached = b->bits;
    for (unsigned k = 0; k < b->n; k++) {
        if (b->axes[k].coefficient < reached)
            return false;
        reached += b->axes[k].coefficient * b->axes[k].most;
    }
    return true;
}

/*
 * Two different blocks differ by d_k in axis k, not all 0. Take the last axis that differs, with
 * d_k >= 1 (else swap the two): one search for each such axis. Packed elements of less than a byte
 * share bytes by their nature, so the question here is about bits.
 */
enum overlap bnnspy_overlaps_itself(const bnnspy_view *view)
{
    if (view->count <= 1)
        return OVERLAP_NONE;
    const struct blocks b = blocks_of(view);
    if (nested(&b))
        return OVERLAP_NONE;
    for (unsigned last = 0; last < b.n; last++) {
        const int64_t step = b.axes[last].coefficient;
        int64_t low = 1 - b.bits - step, high = b.bits - 1 - step;
        struct search s;
        s.n = 0;
        add_term(&s, step, b.axes[last].most - 1, &low, &high);
        for (unsigned k = 0; k < last; k++) {
            add_term(&s, b.axes[k].coefficient, b.axes[k].most, &low, &high);
            add_term(&s, -b.axes[k].coefficient, b.axes[k].most, &low, &high);
        }
        prepare(&s);
        const enum overlap found = reach(&s, 0, low, high);
        if (found != OVERLAP_NONE)
            return found;
    }
    return OVERLAP_NONE;
}
