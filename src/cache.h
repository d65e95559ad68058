/* What the system says of the processor's caches. */
#ifndef BNNSPY_CACHE_H
#define BNNSPY_CACHE_H

#include <stddef.h>

/* The second level of cache, or the last one that there is. */
enum cache { SECOND_CACHE = 2, LAST_CACHE = 9 };

/* Bytes of that cache as one core sees it, 0 when the system does not say. */
size_t bnnspy_system_cache(enum cache which);

/* The same from a folder as Linux has it: index0/level, index0/size, index1/level and so on. */
size_t bnnspy_cache_in(const char *folder, enum cache which);

#endif
