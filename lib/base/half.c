#include "base/half.h"

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
