/*
 * The checks of tensor.h over all tensors of an operation, in the order in which several faults are
 * reported. An operation names its tensors and how it uses each; what is special about it comes
 * between the steps.
 */
#ifndef BNNSPY_CHECKS_H
#define BNNSPY_CHECKS_H

#include "tensor.h"

/*
 * Whether a call with these tensors has an element to write. An update has one where there is also
 * something to write.
 */
BNNSPY_INLINE bool bnnspy_tensors_move(const struct tensor *t, unsigned n)
{
    bool writes = false, updates = false, reads = true;
    for (unsigned k = 0; k < n; k++) {
        writes |= bnnspy_writes(t[k].use) && t[k].view->count != 0;
        updates |= t[k].use == USE_UPDATE;
        reads &= t[k].use != USE_READ || t[k].view->count != 0;
    }
    return writes && (reads || !updates);
}

/* True when the steps up to views would pass for all of them, as bnnspy_bind has found out. */
BNNSPY_INLINE bool bnnspy_tensors_sound(struct tensor *t, unsigned n)
{
    bool sound = true;
    for (unsigned k = 0; k < n; k++)
        sound = sound && bnnspy_tensor_sound(&t[k]);
    return sound;
}

/* Live, with data where the call needs some, of a known type. */
int bnnspy_check_fields(struct tensor *tensors, unsigned n);

/* Layouts, sizes and strides; every view is set then. */
int bnnspy_check_views(struct tensor *tensors, unsigned n);

/*
 * Inside the memory that is known; outputs writable, their elements distinct, and none sharing a
 * byte with an element of a tensor that is read. An output that is the very view of a tensor that is
 * read passes where `in_place` says so.
 */
BNNSPY_INLINE int bnnspy_check_memory(const struct tensor *t, unsigned n, bool in_place)
{
    const bool moves = bnnspy_tensors_move(t, n);
    for (unsigned k = 0; k < n; k++)
        if (moves || t[k].use != USE_READ)
            TRY(bnnspy_tensor_in_bounds(&t[k]));
    for (unsigned k = 0; k < n; k++)
        if (bnnspy_writes(t[k].use))
            TRY(bnnspy_tensor_writable(&t[k]));
    for (unsigned k = 0; k < n; k++)
        for (unsigned other = 0; bnnspy_writes(t[k].use) && other < n; other++)
            if (!bnnspy_writes(t[other].use) && !(in_place && bnnspy_tensor_same(&t[k], &t[other])))
                TRY(bnnspy_tensor_apart(&t[k], &t[other]));
    return bnnspy_status_success;
}

#endif
