#include "base/half.h"

#include <stdbool.h>
#include <string.h>

/* Bits of a float. Its exponent has a bias of 127, that of a half one of 15. */
#define EXPONENT_MASK   0x7F800000u
#define SMALLEST_NORMAL 0x38800000u /* 2^-14 */
#define OVERFLOWS       0x477FF000u /* 65520: halfway from 65504, the largest half, to 2^16 */
#define EXPONENT_SHIFT  0x38000000u /* the difference of the biases */
#define NOT_A_NUMBER    0x7E00u
#define INFINITE        0x7C00u
#define NORMAL_HALF     0x0400u /* 2^-14 as a half */

/* magnitude / 2^shift, rounded to the nearest integer, ties to even. */
static uint32_t shift_rounded(uint32_t magnitude, unsigned shift)
{
    const uint32_t below_half = ((uint32_t)1 << (shift - 1)) - 1;
    return (magnitude + below_half + (magnitude >> shift & 1)) >> shift;
}

uint16_t glnn__half_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > EXPONENT_MASK)
        return (uint16_t)(sign | NOT_A_NUMBER);
    if (magnitude >= OVERFLOWS)
        return (uint16_t)(sign | INFINITE);
    if (magnitude >= SMALLEST_NORMAL)
        return (uint16_t)(sign | shift_rounded(magnitude - EXPONENT_SHIFT, 13));
    /* Halves below 2^-14 are multiples of 2^-24: shift the mantissa, with its leading one, to this
     * unit. */
    const uint32_t exponent = magnitude >> 23;
    const uint32_t mantissa = (magnitude & 0x007FFFFFu) | 0x00800000u;
    return (uint16_t)(sign | (exponent < 102 ? 0 : shift_rounded(mantissa, 126 - exponent)));
}

/* Halves below 2^-14 are multiples of 2^-24. */
float glnn__half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, magnitude = half & 0x7FFFu;
    uint32_t bits = magnitude << 13;
    float value = (float)magnitude * 0x1p-24f;
    if (magnitude < NORMAL_HALF)
        memcpy(&bits, &value, sizeof bits);
    else
        bits = magnitude < INFINITE ? bits + EXPONENT_SHIFT : bits | EXPONENT_MASK;
    bits |= sign;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void glnn__halves_in_place(void *values, size_t count)
{
    unsigned char *bytes = values;
    for (size_t i = 0; i < count; ++i) {
        float value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        const uint16_t half = glnn__half_from_float(value);
        memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
}

/* ---- Many numbers: all cases are computed and masks choose among them, because compilers make
 * vector instructions of loops without branches whose length is a constant. */

enum { BLOCK = 32 };

static uint32_t choose(bool first, uint32_t a, uint32_t b)
{
    const uint32_t mask = 0u - first;
    return (a & mask) | (b & ~mask);
}

static void widen_block(const uint16_t *restrict halves, uint32_t *restrict floats)
{
    union {
        float values[BLOCK];
        uint32_t bits[BLOCK];
    } small;
    for (int i = 0; i < BLOCK; ++i)
        small.values[i] = (float)(halves[i] & 0x7FFF) * 0x1p-24f;
    for (int i = 0; i < BLOCK; ++i) {
        const int32_t magnitude = halves[i] & 0x7FFF;
        const uint32_t wide = (uint32_t)magnitude << 13;
        const uint32_t large =
            choose(magnitude < (int32_t)INFINITE, wide + EXPONENT_SHIFT, wide | EXPONENT_MASK);
        floats[i] = choose(magnitude < (int32_t)NORMAL_HALF, small.bits[i], large) |
                    (uint32_t)(halves[i] & 0x8000) << 16;
    }
}

/* A number below 2^-14 is rounded to a multiple of 2^-24 by the addition of 0.5, whose last bit is
 * one of 2^-24. */
static void round_block(const float *restrict floats, uint16_t *restrict halves)
{
    union {
        float values[BLOCK];
        uint32_t bits[BLOCK];
    } all, small;
    memcpy(all.values, floats, sizeof all.values);
    for (int i = 0; i < BLOCK; ++i)
        all.bits[i] &= 0x7FFFFFFFu;
    for (int i = 0; i < BLOCK; ++i)
        small.values[i] = all.values[i] + 0.5f;
    memcpy(all.values, floats, sizeof all.values);
    for (int i = 0; i < BLOCK; ++i) {
        const int32_t magnitude = (int32_t)(all.bits[i] & 0x7FFFFFFFu);
        const uint32_t bits = (uint32_t)magnitude;
        const uint32_t normal = (bits - EXPONENT_SHIFT + 0xFFFu + (bits >> 13 & 1)) >> 13;
        const uint32_t beyond = choose(magnitude > (int32_t)EXPONENT_MASK, NOT_A_NUMBER, INFINITE);
        const uint32_t finite =
            choose(magnitude < (int32_t)SMALLEST_NORMAL, small.bits[i] - 0x3F000000u, normal);
        halves[i] = (uint16_t)(choose(magnitude >= (int32_t)OVERFLOWS, beyond, finite) |
                               (all.bits[i] >> 16 & 0x8000u));
    }
}

void glnn__halves_to_floats(const uint16_t *halves, size_t count, float *floats)
{
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        uint32_t bits[BLOCK];
        widen_block(halves + i, bits);
        memcpy(floats + i, bits, sizeof bits);
    }
    for (; i < count; ++i)
        floats[i] = glnn__half_to_float(halves[i]);
}

void glnn__halves_from_floats(const float *floats, size_t count, uint16_t *halves)
{
    size_t i = 0;
    for (; i + BLOCK <= count; i += BLOCK)
        round_block(floats + i, halves + i);
    for (; i < count; ++i)
        halves[i] = glnn__half_from_float(floats[i]);
}
