/*
 * With -DCOUNT_ALLOCATIONS, on glibc, every allocation of the process is counted, those inside of
 * the C library too; without it there is nothing to see here. Sanitizers and valgrind have
 * allocators of their own, so they are built without.
 */
#include "promises.h"

#if defined(COUNT_ALLOCATIONS)

#include <errno.h>
#include <stdatomic.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long count;

long allocations(void)
{
    return atomic_load(&count);
}

void *malloc(size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    atomic_fetch_add(&count, 1);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size);
int posix_memalign(void **memory, size_t alignment, size_t size)
{
    void *found = memalign(alignment, size);
    if (found == NULL)
        return ENOMEM;
    *memory = found;
    return 0;
}

#else

long allocations(void)
{
    return -1;
}

#endif
