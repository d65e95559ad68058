/* See turn.h: the choice among the variants, and the one for every processor. */
#include "copy/turn.h"

#include "copy/tiles.h"

#include <stdatomic.h>

BNNSPY_INLINE void turn_width(const struct plane *plane, unsigned width)
{
    const struct plane copy = *plane, *p = &copy; /* so that no store can change it */
    if (!turn_few(p, width))
        turn_squares(p, width);
}

void bnnspy_turn_portable(const struct plane *p)
{
    switch (p->width) {
    case 1: turn_width(p, 1); break;
    case 2: turn_width(p, 2); break;
    case 3: turn_width(p, 3); break;
    case 4: turn_width(p, 4); break;
    case 6: turn_width(p, 6); break;
    case 8: turn_width(p, 8); break;
    case 12: turn_width(p, 12); break;
    case 16: turn_width(p, 16); break;
    default: break;
    }
}

struct turner {
    unsigned needs;
    void (*turn)(const struct plane *plane);
};

void bnnspy_turn(const struct plane *plane)
{
#define ROW(name, needs) {needs, bnnspy_turn_##name},
    static const struct turner turners[] = {BNNSPY_TURNERS(ROW)};
#undef ROW
    static _Atomic(const struct turner *) chosen; /* all threads choose the same */
    const struct turner *found = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (found == NULL) {
        const unsigned features = bnnspy_cpu_features();
        found = turners;
        while ((found->needs & features) != found->needs)
            found++;
        atomic_store_explicit(&chosen, found, memory_order_relaxed);
    }
    found->turn(plane);
}
