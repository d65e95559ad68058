/* See checks.h. */
#include "checks.h"

/*
 * Values are needed when something is to be written, whatever their own sizes say; indices when there
 * are any, because a bad one is an error even where nothing is written. Of an update each tensor
 * stands for itself: its output may have elements where nothing is to be written.
 */
static bool needs_data(const struct tensor *t, bool writes, bool updates)
{
    return t->use == USE_READ && !updates ? writes : !bnnspy_tensor_looks_empty(t);
}

int bnnspy_check_fields(struct tensor *t, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        TRY(bnnspy_tensor_live(&t[k]));
    bool writes = false, updates = false;
    for (unsigned k = 0; k < n; k++) {
        writes |= bnnspy_writes(t[k].use) && !bnnspy_tensor_looks_empty(&t[k]);
        updates |= t[k].use == USE_UPDATE;
    }
    for (unsigned k = 0; k < n; k++)
        if (needs_data(&t[k], writes, updates))
            TRY(bnnspy_tensor_has_data(&t[k]));
    for (unsigned k = 0; k < n; k++)
        TRY(bnnspy_tensor_typed(&t[k]));
    return bnnspy_status_success;
}

int bnnspy_check_views(struct tensor *t, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        TRY(bnnspy_tensor_laid_out(&t[k]));
    for (unsigned k = 0; k < n; k++)
        TRY(bnnspy_tensor_viewed(&t[k]));
    return bnnspy_status_success;
}
