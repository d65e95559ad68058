/* See workspace.h. */
#define _POSIX_C_SOURCE 200112L
#include "workspace.h"

#include <stdlib.h>

enum { ALIGNMENT = 64 };

void bnnspy_workspace_free(const BNNSFilterParameters *parameters, void *memory)
{
    if (memory == NULL)
        return;
    if (parameters == NULL || parameters->alloc_memory == NULL)
        free(memory);
    else if (parameters->free_memory != NULL)
        parameters->free_memory(memory);
}

void *bnnspy_workspace(const BNNSFilterParameters *parameters, size_t bytes)
{
    void *memory = NULL;
    const bool own = parameters != NULL && parameters->alloc_memory != NULL;
    const int failed = own ? parameters->alloc_memory(&memory, ALIGNMENT, bytes)
                           : posix_memalign(&memory, ALIGNMENT, bytes);
    if (failed)
        return NULL;
    if ((uintptr_t)memory % ALIGNMENT != 0) { /* not what was asked for, so not to be used */
        bnnspy_workspace_free(parameters, memory);
        return NULL;
    }
    return memory;
}
