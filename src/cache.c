/*
 * See cache.h. Linux tells the size of each cache; sysconf is asked second, since what it says may
 * be the sum over all parts of a package: 256 MB where a core reaches 32.
 */
#define _POSIX_C_SOURCE 200112L
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif
#include "cache.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

enum { MOST_CACHES = 16 };

/* A number, and the letter behind it, from a small file; false when there is none. */
static bool read_number(const char *folder, unsigned cache, const char *name, long *number,
                        char *unit)
{
    char path[256];
    const int length = snprintf(path, sizeof path, "%s/index%u/%s", folder, cache, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (file == NULL)
        return false;
    *unit = '\0';
    const int found = fscanf(file, "%9ld%c", number, unit);
    (void)fclose(file);
    return found >= 1 && *number > 0;
}

size_t bnnspy_cache_in(const char *folder, enum cache which)
{
    size_t last = 0;
    long deepest = 0, level, size;
    char unit;
    for (unsigned k = 0; k < MOST_CACHES; k++) {
        if (!read_number(folder, k, "level", &level, &unit) || level <= deepest ||
            level > (long)which || !read_number(folder, k, "size", &size, &unit))
            continue;
        deepest = level;
        last = (size_t)size << (unit == 'K' ? 10 : unit == 'M' ? 20 : 0);
    }
    return which == LAST_CACHE || deepest == (long)which ? last : 0;
}

/* Where there is no such folder. */
static size_t ask(enum cache which)
{
#if defined(__APPLE__)
    static const char *const names[] = {"hw.l3cachesize", "hw.perflevel0.l2cachesize",
                                        "hw.l2cachesize"};
    for (unsigned k = which == LAST_CACHE ? 0 : 1; k < sizeof names / sizeof names[0]; k++) {
        uint64_t bytes = 0;
        size_t width = sizeof bytes;
        if (sysctlbyname(names[k], &bytes, &width, NULL, 0) == 0 && bytes > 0)
            return (size_t)bytes;
    }
#elif defined(_SC_LEVEL3_CACHE_SIZE)
    const long bytes = sysconf(which == LAST_CACHE ? _SC_LEVEL3_CACHE_SIZE : _SC_LEVEL2_CACHE_SIZE);
    if (bytes > 0)
        return (size_t)bytes;
#endif
    (void)which;
    return 0;
}

size_t bnnspy_system_cache(enum cache which)
{
    const size_t told = bnnspy_cache_in("/sys/devices/system/cpu/cpu0/cache", which);
    return told ? told : ask(which);
}
