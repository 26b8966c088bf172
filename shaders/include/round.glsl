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

// Rounds a texel if the output has 16 bits.
#if ROUNDS
#define rounded(x) to_half(x)
#else
#define rounded(x) x
#endif
