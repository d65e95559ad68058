/* Size arithmetic that reports overflow: each is true when the result does not fit. */
#ifndef BNNSPY_INTEGER_H
#define BNNSPY_INTEGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool multiply_overflows(size_t a, size_t b, size_t *product)
{
    return __builtin_mul_overflow(a, b, product);
}

static inline bool add_overflows(size_t a, size_t b, size_t *sum)
{
    return __builtin_add_overflow(a, b, sum);
}

static inline size_t at_least_one(size_t n)
{
    return n > 1 ? n : 1;
}

#endif
