// Rounds to the nearest number that 16 bits hold, ties to even, as lib/base/half.c does. Drivers
// round in different ways, so they only get numbers that need no rounding.
vec4 to_half(vec4 x)
{
    // The distance between two 16-bit numbers next to x: 2^-10 of the power of two below |x|, at
    // least 2^-24. Both the distance and its inverse are powers of two, made from exponent bits.
    uvec4 unit = max(floatBitsToUint(x) & 0x7F800000u, uvec4(0x38800000u)) - 0x05000000u;
    vec4 result = roundEven(x * uintBitsToFloat(0x7F000000u - unit)) * uintBitsToFloat(unit);
    return mix(result, sign(x) * INFINITY, greaterThan(abs(result), vec4(65504.0)));
}

float to_half(float x)
{
    return to_half(vec4(x)).x;
}

// Rounds to the nearest number that 8 bits hold: k / 255, from 0 to 1. NaN becomes 0.
vec4 to_unorm8(vec4 x)
{
    return mix(vec4(0.0), roundEven(255.0 * min(x, 1.0)) / 255.0, greaterThan(x, vec4(0.0)));
}

float to_unorm8(float x)
{
    return to_unorm8(vec4(x)).x;
}

// Rounds a texel if the output has 16 or 8 bits.
#if STORAGE == GLNN_STORAGE_FLOAT16
#define rounded(x) to_half(x)
#elif STORAGE == GLNN_STORAGE_UNORM8
#define rounded(x) to_unorm8(x)
#else
#define rounded(x) x
#endif
