/* Adding runs of elements to others, by type. */
#ifndef BNNSPY_SUM_H
#define BNNSPY_SUM_H

#include "compiler.h"
#include "data_type.h"
#include "scatter/half.h"

#include <stdbool.h>
#include <stddef.h>

/* How two elements of a type are added; integers of either sign are added alike. */
enum sum {
    SUM_FLOAT32,
    SUM_FLOAT16,
    SUM_BFLOAT16,
    SUM_8,
    SUM_16,
    SUM_32,
    SUM_64,
    SUM_BOOLEAN,
    SUM_NONE, /* not at all: a run overwrites the other */
};

/* How elements of a type are added; SUM_NONE for types that have no sum. */
enum sum bnnspy_sum_of(const struct data_type *type);

/* Adds `bytes` of elements to others, which share no byte with them; any alignment. */
typedef void bnnspy_add(char *restrict to, const char *restrict from, size_t bytes);

/* The function that adds runs of a type, by what the processor has. Not for SUM_NONE. */
bnnspy_add *bnnspy_adder(enum sum sum);

/* A load, an addition and a store: the value at `to` becomes the sum. The type is a literal. */
#define BNNSPY_ADD(type, sum_of_a_and_b)                                                           \
    do {                                                                                           \
        type a, b;                                                                                 \
        memcpy(&a, to, sizeof a);                                                                  \
        memcpy(&b, from, sizeof b);                                                                \
        const type total = (type)(sum_of_a_and_b);                                                 \
        memcpy(to, &total, sizeof total);                                                          \
    } while (0)

BNNSPY_INLINE float bnnspy_sum_float32(float a, float b)
{
    const float sum = a + b;
    return sum != sum ? bnnspy_float_from_bits(BNNSPY_NAN_FLOAT32) : sum;
}

/* One element. `sum` is a literal. Unsigned integers wrap around, as those with a sign are to. */
BNNSPY_INLINE void bnnspy_add_one(enum sum sum, char *restrict to, const char *restrict from)
{
    switch (sum) {
    case SUM_FLOAT32: BNNSPY_ADD(float, bnnspy_sum_float32(a, b)); break;
    case SUM_FLOAT16:
        BNNSPY_ADD(uint16_t, bnnspy_to_float16(bnnspy_from_float16(a) + bnnspy_from_float16(b)));
        break;
    case SUM_BFLOAT16:
        BNNSPY_ADD(uint16_t, bnnspy_to_bfloat16(bnnspy_from_bfloat16(a) + bnnspy_from_bfloat16(b)));
        break;
    case SUM_8: BNNSPY_ADD(uint8_t, a + b); break;
    case SUM_16: BNNSPY_ADD(uint16_t, a + b); break;
    case SUM_32: BNNSPY_ADD(uint32_t, a + b); break;
    case SUM_64: BNNSPY_ADD(uint64_t, a + b); break;
    case SUM_BOOLEAN: BNNSPY_ADD(uint8_t, (a | b) != 0); break;
    case SUM_NONE: break;
    }
}

#endif
