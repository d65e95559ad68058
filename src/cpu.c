/* See cpu.h. */
#include "cpu.h"

#include "cache.h"
#include "environment.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

/* What the environment gives, or else what the system says; kept, with 1 for nothing. */
static size_t keep(atomic_size_t *kept, size_t given, enum cache which)
{
    const size_t told = given > 0 ? given : bnnspy_system_cache(which);
    atomic_store_explicit(kept, told ? told : 1, memory_order_relaxed);
    return told ? told : 1;
}

size_t bnnspy_cpu_last_cache(void)
{
    static atomic_size_t kept;
    size_t bytes = atomic_load_explicit(&kept, memory_order_relaxed);
    if (bytes == 0)
        bytes = keep(&kept, bnnspy_environment_number("BNNSPY_LAST_CACHE"), LAST_CACHE);
    return bytes > 1 ? bytes : 0;
}

size_t bnnspy_cpu_second_cache(void)
{
    static atomic_size_t kept;
    size_t bytes = atomic_load_explicit(&kept, memory_order_relaxed);
    if (bytes == 0)
        bytes = keep(&kept, bnnspy_environment_number("BNNSPY_SECOND_CACHE"), SECOND_CACHE);
    return bytes > 1 ? bytes : 0;
}
