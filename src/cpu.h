/* What this processor can do, and how large its cache is: looked up once. */
#ifndef BNNSPY_CPU_H
#define BNNSPY_CPU_H

#include <stddef.h>

/* Features that kernels ask for, as bits. */
enum { CPU_AVX2 = 1, CPU_AVX512 = 2 };

/*
 * The features that are there and not masked. The environment variable BNNSPY_DISABLE_CPU, a list of
 * "avx2" and "avx512" with commas, masks them; it is read at the first call.
 */
unsigned bnnspy_cpu_features(void);

/*
 * Bytes of the last cache, 0 when the system does not say. The environment variable
 * BNNSPY_LAST_CACHE says it instead, where a virtual machine tells stories; read at the first call.
 */
size_t bnnspy_cpu_last_cache(void);

/* The same of the second cache, and BNNSPY_SECOND_CACHE. */
size_t bnnspy_cpu_second_cache(void);

#endif
