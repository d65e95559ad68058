/* See sum.h. One loop, compiled for each type, and for what processors have. */
#include "scatter/sum.h"

#include "cpu.h"

enum sum bnnspy_sum_of(const struct data_type *type)
{
    if (type->bits < 8)
        return SUM_NONE;
    switch (type->kind) {
    case KIND_FLOAT:
        return type->bits == 32                               ? SUM_FLOAT32
               : type->code == (uint32_t)BNNSDataTypeBFloat16 ? SUM_BFLOAT16
                                                              : SUM_FLOAT16;
    case KIND_SIGNED:
    case KIND_UNSIGNED:
        return type->bits == 8    ? SUM_8
               : type->bits == 16 ? SUM_16
               : type->bits == 32 ? SUM_32
                                  : SUM_64;
    case KIND_BOOLEAN: return SUM_BOOLEAN;
    default: return SUM_NONE; /* what an index into a table is added to means nothing */
    }
}

BNNSPY_INLINE void add_run(enum sum sum, size_t width, char *restrict to, const char *restrict from,
                           size_t bytes)
{
    for (size_t at = 0; at < bytes; at += width)
        bnnspy_add_one(sum, to + at, from + at);
}

#define ADDER(name, attributes, sum, width)                                                        \
    attributes static void name(char *restrict to, const char *restrict from, size_t bytes)        \
    {                                                                                              \
        add_run(sum, width, to, from, bytes);                                                      \
    }
#define ADDERS(variant, attributes)                                                                \
    ADDER(add_float32_##variant, attributes, SUM_FLOAT32, 4)                                       \
    ADDER(add_float16_##variant, attributes, SUM_FLOAT16, 2)                                       \
    ADDER(add_bfloat16_##variant, attributes, SUM_BFLOAT16, 2)                                     \
    ADDER(add_8_##variant, attributes, SUM_8, 1)                                                   \
    ADDER(add_16_##variant, attributes, SUM_16, 2)                                                 \
    ADDER(add_32_##variant, attributes, SUM_32, 4)                                                 \
    ADDER(add_64_##variant, attributes, SUM_64, 8)                                                 \
    ADDER(add_boolean_##variant, attributes, SUM_BOOLEAN, 1)                                       \
    static bnnspy_add *const adders_##variant[] = {                                                \
        [SUM_FLOAT32] = add_float32_##variant, [SUM_FLOAT16] = add_float16_##variant,              \
        [SUM_BFLOAT16] = add_bfloat16_##variant, [SUM_8] = add_8_##variant,                        \
        [SUM_16] = add_16_##variant, [SUM_32] = add_32_##variant, [SUM_64] = add_64_##variant,     \
        [SUM_BOOLEAN] = add_boolean_##variant,                                                     \
    };

ADDERS(portable, )
#if BNNSPY_X86
ADDERS(avx2, __attribute__((target("avx2"))))
#endif

bnnspy_add *bnnspy_adder(enum sum sum)
{
#if BNNSPY_X86
    if (bnnspy_cpu_features() & CPU_AVX2)
        return adders_avx2[sum];
#endif
    return adders_portable[sum];
}
