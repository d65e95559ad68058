/* Memory for the time of one call, through the caller's allocator. */
#ifndef BNNSPY_WORKSPACE_H
#define BNNSPY_WORKSPACE_H

#include "bnnspy.h"

/* At most so much for each thread. */
enum { WORKSPACE_MOST = 1 << 20 };

/*
 * bytes of memory aligned to 64, or NULL when there is none; the call then works without.
 * parameters may be NULL. On the caller's thread only.
 */
void *bnnspy_workspace(const BNNSFilterParameters *parameters, size_t bytes);
void bnnspy_workspace_free(const BNNSFilterParameters *parameters, void *memory);

#endif
