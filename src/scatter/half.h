/* Elements of 16 bits as floats and back: exact one way, rounded to nearest even the other. */
#ifndef BNNSPY_HALF_H
#define BNNSPY_HALF_H

#include "compiler.h"

#include <stdint.h>
#include <string.h>

/* What a sum is that is no number: one value for each type, so that its bits do not depend on which
   of two operands the processor takes them from. */
#define BNNSPY_NAN_FLOAT32 0x7FC00000u
#define BNNSPY_NAN_FLOAT16 0x7E00u
#define BNNSPY_NAN_BFLOAT16 0x7FC0u

BNNSPY_INLINE float bnnspy_float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

BNNSPY_INLINE uint32_t bnnspy_bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

BNNSPY_INLINE float bnnspy_from_bfloat16(uint16_t stored)
{
    return bnnspy_float_from_bits((uint32_t)stored << 16);
}

BNNSPY_INLINE uint16_t bnnspy_to_bfloat16(float value)
{
    const uint32_t bits = bnnspy_bits_of_float(value);
    if (value != value)
        return BNNSPY_NAN_BFLOAT16;
    return (uint16_t)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/* Integers but for one exact product, so that threads that flush subnormal floats read them too. */
BNNSPY_INLINE float bnnspy_from_float16(uint16_t stored)
{
    const uint32_t sign = (uint32_t)(stored & 0x8000) << 16;
    const uint32_t exponent = stored >> 10 & 31, mantissa = stored & 0x3FF;
    if (exponent == 0) {
        const uint32_t size = bnnspy_bits_of_float((float)mantissa * 0x1p-24f);
        return bnnspy_float_from_bits(size | sign);
    }
    const uint32_t biased = exponent == 31 ? 255 : exponent + 112; /* infinite or NaN; 127 - 15 */
    return bnnspy_float_from_bits(sign | biased << 23 | mantissa << 13);
}

BNNSPY_INLINE uint16_t bnnspy_to_float16(float value)
{
    const uint32_t bits = bnnspy_bits_of_float(value);
    const uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7FFFFFFF;
    if (value != value)
        return BNNSPY_NAN_FLOAT16;
    if (size >= 0x47800000) /* 65536; what is between that and the largest rounds by itself */
        return (uint16_t)(sign | 0x7C00);
    if (size >= 0x38800000) { /* 2^-14: the least that is normal */
        const uint32_t rebiased = size - (112u << 23);
        return (uint16_t)(sign | (rebiased + 0xFFF + (rebiased >> 13 & 1)) >> 13);
    }
    const uint32_t exponent = size >> 23;
    if (exponent < 102) /* below half of the least */
        return (uint16_t)sign;
    const uint32_t mantissa = (size & 0x7FFFFF) | 0x800000, shift = 126 - exponent;
    const uint32_t whole = mantissa >> shift, rest = mantissa & ((1u << shift) - 1);
    const uint32_t middle = 1u << (shift - 1);
    return (uint16_t)(sign | (whole + (rest > middle || (rest == middle && (whole & 1)))));
}

#endif
