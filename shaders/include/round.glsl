// Rounding to what 16 bits hold, to the nearest number and of two to the even one, as lib/base/half.c
// does it: drivers disagree about how they round, so they get what needs no rounding.
vec4 to_half(vec4 x)
{
    // The distance between two numbers of x's magnitude: 2^-10 of its power of two, and 2^-24 for
    // those below 2^-14. Both it and its inverse are put together as the bits of an exponent.
    uvec4 unit = max(floatBitsToUint(x) & 0x7F800000u, uvec4(0x38800000u)) - 0x05000000u;
    vec4 result = roundEven(x * uintBitsToFloat(0x7F000000u - unit)) * uintBitsToFloat(unit);
    return mix(result, sign(x) * INFINITY, greaterThan(abs(result), vec4(65504.0)));
}

float to_half(float x)
{
    return to_half(vec4(x)).x;
}

// What is stored in 16 bits is rounded before.
#if ROUNDS
#define rounded(x) to_half(x)
#else
#define rounded(x) x
#endif
