/* How a folded copy is carried out: every choice that only speed depends on, made in one place. */
#ifndef BNNSPY_COPY_PLAN_H
#define BNNSPY_COPY_PLAN_H

#include "copy/copies.h"

struct copy_plan {
    bool turns;       /* the last loop and `across` are a plane to turn; else runs are copied */
    unsigned across;  /* the loop along which elements of the input lie side by side */
    bool large;       /* planes are far beyond the caches */
    bool stream;      /* runs are written around the cache */
    size_t threads;   /* so many would pay, if they are there */
};

void bnnspy_copy_plan(const struct copy *copy, struct copy_plan *plan);

#endif
