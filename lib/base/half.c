#include "base/half.h"

#include <string.h>

/* Exponents are taken as they stand in the bits of a float: 127 stands for 0. */
#define EXPONENT_MASK   0x7F800000u
#define SMALLEST_NORMAL 0x38800000u /* 2^-14 */
#define OVERFLOWS       0x477FF000u /* 65520: halfway from 65504 to what would be 2^16 */
#define EXPONENT_SHIFT  0x38000000u /* from one bias, 127, to the other, 15 */
#define NOT_A_NUMBER    0x7E00u
#define INFINITE        0x7C00u

/* magnitude / 2^shift, to the nearest and then to even. */
static uint32_t shift_rounded(uint32_t magnitude, unsigned shift)
{
    const uint32_t below_half = ((uint32_t)1 << (shift - 1)) - 1;
    return (magnitude + below_half + (magnitude >> shift & 1)) >> shift;
}

/* The nearest of them, of two equally near ones the even one; beyond 65504, from 65520 on,
 * infinity. A NaN stays one. */
static uint16_t from_float(float value)
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
    /* Multiples of 2^-24: the mantissa with its leading one is shifted to where that is the
     * unit. */
    const uint32_t exponent = magnitude >> 23;
    const uint32_t mantissa = (magnitude & 0x007FFFFFu) | 0x00800000u;
    return (uint16_t)(sign | (exponent < 102 ? 0 : shift_rounded(mantissa, 126 - exponent)));
}

void glnn__halves_in_place(void *values, size_t count)
{
    unsigned char *bytes = values;
    for (size_t i = 0; i < count; ++i) {
        float value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        const uint16_t half = from_float(value);
        memcpy(bytes + i * sizeof half, &half, sizeof half);
    }
}
