/* What the system says of the processor's caches. */
#ifndef BNNSPY_CACHE_H
#define BNNSPY_CACHE_H

#include <stddef.h>

/* Bytes of the last cache that one core sees, 0 when the system does not say. */
size_t bnnspy_system_last_cache(void);

/* The same from a folder as Linux has it: index0/level, index0/size, index1/level and so on. */
size_t bnnspy_last_cache_in(const char *folder);

#endif
