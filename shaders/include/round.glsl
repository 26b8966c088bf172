// Rounding to 16 bits, to nearest even like lib/base/half.c. Drivers round in different ways, so
// they get numbers that need no rounding.
vec4 to_half(vec4 x)
{
    // The distance between two numbers of x's magnitude: 2^-10 of its power of two, or 2^-24 below
    // 2^-14. It and its inverse are made from the bits of an exponent.
    uvec4 unit = max(floatBitsToUint(x) & 0x7F800000u, uvec4(0x38800000u)) - 0x05000000u;
    vec4 result = roundEven(x * uintBitsToFloat(0x7F000000u - unit)) * uintBitsToFloat(unit);
    return mix(result, sign(x) * INFINITY, greaterThan(abs(result), vec4(65504.0)));
}

float to_half(float x)
{
    return to_half(vec4(x)).x;
}

// Rounds a texel if the output has 16 bits.
#if ROUNDS
#define rounded(x) to_half(x)
#else
#define rounded(x) x
#endif
