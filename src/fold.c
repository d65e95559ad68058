/* See fold.h. */
#include "fold.h"

static int64_t distance(int64_t step)
{
    return step < 0 ? -step : step;
}

void bnnspy_sort_loops(struct loop *loops, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        const struct loop moved = loops[i];
        unsigned place = i;
        for (; place > 0 && distance(loops[place - 1].step[0]) < distance(moved.step[0]); place--)
            loops[place] = loops[place - 1];
        loops[place] = moved;
    }
}

static bool merges(const struct loop *outer, const struct loop *inner)
{
    for (unsigned k = 0; k < MAX_OPERANDS; k++) {
        int64_t whole;
        if (__builtin_mul_overflow(inner->step[k], (int64_t)inner->count, &whole))
            return false;
        if (whole != outer->step[k])
            return false;
    }
    return true;
}

unsigned bnnspy_fold(struct loop *loops, unsigned n)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        if (loops[i].count == 1)
            continue;
        if (kept > 0 && merges(&loops[kept - 1], &loops[i])) {
            const size_t count = loops[kept - 1].count * loops[i].count;
            loops[kept - 1] = loops[i];
            loops[kept - 1].count = count;
        } else {
            if (kept != i)
                loops[kept] = loops[i];
            kept++;
        }
    }
    return kept;
}

bool bnnspy_next(struct place *place, const struct loop *loops, unsigned n)
{
    for (unsigned k = n; k-- > 0;) {
        for (unsigned operand = 0; operand < MAX_OPERANDS; operand++)
            place->offset[operand] += loops[k].step[operand];
        if (++place->turn[k] < loops[k].count)
            return true;
        for (unsigned operand = 0; operand < MAX_OPERANDS; operand++)
            place->offset[operand] -= loops[k].step[operand] * (int64_t)loops[k].count;
        place->turn[k] = 0;
    }
    return false;
}
