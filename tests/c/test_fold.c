/* Folded loops go the same way as the loops they were made of. */
#include "fold.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TURNS = 4096 };

struct way {
    unsigned turns;
    int64_t offset[MOST_TURNS][MAX_OPERANDS];
};

/* All places of a walk, by counting turns with no help of the core. */
static void walk(const struct loop *loops, unsigned n, struct way *way)
{
    size_t turn[8] = {0};
    way->turns = 0;
    for (;;) {
        for (unsigned k = 0; k < MAX_OPERANDS; k++) {
            int64_t sum = 0;
            for (unsigned i = 0; i < n; i++)
                sum += (int64_t)turn[i] * loops[i].step[k];
            way->offset[way->turns][k] = sum;
        }
        way->turns++;
        unsigned i = n;
        while (i > 0 && ++turn[i - 1] == loops[i - 1].count)
            turn[--i] = 0;
        if (i == 0)
            return;
    }
}

static int mergeable(const struct loop *outer, const struct loop *inner)
{
    for (unsigned k = 0; k < MAX_OPERANDS; k++)
        if (outer->step[k] != inner->step[k] * (int64_t)inner->count)
            return 0;
    return 1;
}

/* Loops like those of tensors: some packed, some padded, some standing still, some turned. */
static unsigned some_loops(struct loop *loops)
{
    const unsigned n = (unsigned)test_random(1, 6);
    int64_t step[MAX_OPERANDS] = {1, 1, 1};
    for (unsigned i = n; i-- > 0;) {
        loops[i].count = (size_t)test_random(1, 4);
        for (unsigned k = 0; k < MAX_OPERANDS; k++) {
            const int64_t kind = test_random(0, 9);
            loops[i].step[k] = kind == 0 ? 0 : kind == 1 ? -step[k] : step[k];
            step[k] = step[k] * (int64_t)loops[i].count + (test_random(0, 3) == 0);
        }
    }
    return n;
}

static void folding(void)
{
    static struct way before, after;
    struct loop loops[8];
    const unsigned n = some_loops(loops);
    walk(loops, n, &before);
    const unsigned left = bnnspy_fold(loops, n);
    EXPECT(left <= n);
    walk(loops, left, &after);
    EXPECT(before.turns == after.turns);
    EXPECT(memcmp(before.offset, after.offset, before.turns * sizeof before.offset[0]) == 0);
    for (unsigned i = 0; i < left; i++) {
        EXPECT(loops[i].count > 1);
        EXPECT(i == 0 || !mergeable(&loops[i - 1], &loops[i]));
    }
    struct place place;
    bnnspy_begin(&place, left);
    for (unsigned turn = 0; turn < after.turns; turn++) {
        EXPECT(memcmp(place.offset, after.offset[turn], sizeof place.offset) == 0);
        EXPECT(bnnspy_next(&place, loops, left) == (turn + 1 < after.turns));
    }
}

static void sorting(void)
{
    struct loop loops[8], before[8];
    const unsigned n = some_loops(loops);
    for (unsigned i = 0; i < n; i++) {
        loops[i].step[0] = test_random(-3, 3);
        loops[i].step[2] = i; /* where it stood */
    }
    memcpy(before, loops, sizeof before);
    bnnspy_sort_loops(loops, n);
    for (unsigned i = 0; i < n; i++) {
        EXPECT(memcmp(&loops[i], &before[loops[i].step[2]], sizeof loops[i]) == 0);
        if (i == 0)
            continue;
        const int64_t outer = llabs(loops[i - 1].step[0]), inner = llabs(loops[i].step[0]);
        EXPECT(outer > inner || (outer == inner && loops[i - 1].step[2] < loops[i].step[2]));
    }
}

void test_fold(void)
{
    for (unsigned round = 0; round < 4000; round++) {
        folding();
        sorting();
    }
    /* A product that no int64_t holds is no step that could be met. */
    struct loop wide[2] = {{2, {0, 0, 0}}, {3, {INT64_MAX, 0, 0}}};
    EXPECT(bnnspy_fold(wide, 2) == 2);
}
