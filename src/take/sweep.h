/* Walking through the loops of a take on one thread, as its plan says. */
#ifndef BNNSPY_SWEEP_H
#define BNNSPY_SWEEP_H

#include "take/plan.h"

/*
 * Moves all runs of a folded take in bytes. workspace is what the plan wants, or NULL. False when an
 * index was not valid: it counted as 0. Where the plan makes the indices private once, that is the
 * check, and nothing was written then.
 */
bool bnnspy_sweep(const struct take *take, const struct plan *plan, void *workspace);

#endif
