/* What the compiler is told beyond C11, in one place. */
#ifndef BNNSPY_COMPILER_H
#define BNNSPY_COMPILER_H

#if defined(__GNUC__)
#define BNNSPY_INLINE static inline __attribute__((always_inline))
#define BNNSPY_COLD __attribute__((cold, noinline))
#define BNNSPY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define BNNSPY_UNLIKELY(condition) __builtin_expect((condition), 0)
/* A value that others may be writing: loaded once, here, whatever an optimiser would prefer. */
#define BNNSPY_LOAD_ONCE(type, place) __atomic_load_n((const type *)(place), __ATOMIC_RELAXED)
#define BNNSPY_PREFETCH_L1(place) __builtin_prefetch((place), 0, 3)
#define BNNSPY_PREFETCH_L2(place) __builtin_prefetch((place), 0, 2)
#define BNNSPY_PREFETCH_WRITE(place) __builtin_prefetch((place), 1, 3)
#else
#define BNNSPY_INLINE static inline
#define BNNSPY_COLD
#define BNNSPY_PRINTF(text, first)
#define BNNSPY_UNLIKELY(condition) (condition)
#define BNNSPY_LOAD_ONCE(type, place) (*(const volatile type *)(place))
#define BNNSPY_PREFETCH_L1(place) ((void)(place))
#define BNNSPY_PREFETCH_L2(place) ((void)(place))
#define BNNSPY_PREFETCH_WRITE(place) ((void)(place))
#endif

/* How many turns of the loop that follows are made straight code. */
#define BNNSPY_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define BNNSPY_UNROLL(turns) BNNSPY_PRAGMA(clang loop unroll_count(turns))
#elif defined(__GNUC__)
#define BNNSPY_UNROLL(turns) BNNSPY_PRAGMA(GCC unroll turns)
#else
#define BNNSPY_UNROLL(turns)
#endif

/* Variants for x86 processors are compiled in, whatever the flags; which one runs is chosen later. */
#if defined(__x86_64__) && defined(__GNUC__)
#define BNNSPY_X86 1
#else
#define BNNSPY_X86 0
#endif

enum { LINE = 64 }; /* bytes of a cache line; only speed depends on it */

#endif
