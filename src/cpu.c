/* See cpu.h. */
#include "cpu.h"

#include "environment.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KNOWN = 1 << 30 }; /* a bit beside the features: they have been looked up */

static unsigned look_up(void)
{
    unsigned found = 0;
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        found |= CPU_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        found |= CPU_AVX512;
#endif
    const char *masked = getenv("BNNSPY_DISABLE_CPU");
    if (masked != NULL && strstr(masked, "avx2"))
        found &= ~(unsigned)CPU_AVX2;
    if (masked != NULL && strstr(masked, "avx512"))
        found &= ~(unsigned)CPU_AVX512;
    return found;
}

unsigned bnnspy_cpu_features(void)
{
    static atomic_uint features; /* two threads may both look: they find the same */
    unsigned found = atomic_load_explicit(&features, memory_order_relaxed);
    if ((found & KNOWN) == 0) {
        found = look_up() | KNOWN;
        atomic_store_explicit(&features, found, memory_order_relaxed);
    }
    return found & ~(unsigned)KNOWN;
}

size_t bnnspy_cpu_last_cache(void)
{
    static atomic_size_t bytes;
    size_t known = atomic_load_explicit(&bytes, memory_order_relaxed);
    if (known == 0) {
        known = bnnspy_environment_number("BNNSPY_LAST_CACHE");
#if defined(_SC_LEVEL3_CACHE_SIZE)
        const long found = known == 0 ? sysconf(_SC_LEVEL3_CACHE_SIZE) : 0;
        if (found > 0)
            known = (size_t)found;
#endif
        if (known == 0)
            known = 1;
        atomic_store_explicit(&bytes, known, memory_order_relaxed);
    }
    return known > 1 ? known : 0;
}
