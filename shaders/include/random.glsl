// Random numbers as a function of a counter and a key, Philox4x32-10 (Salmon, Moraes, Dror, Shaw
// 2011). They have no state, so each fragment computes its own numbers in any order.
#if __VERSION__ < 310
// The halves of the products of 32-bit numbers, out of products of their 16-bit halves.
void umulExtended(uvec2 x, uvec2 y, out uvec2 high, out uvec2 low)
{
    uvec2 a = x & 0xFFFFu, b = x >> 16, c = y & 0xFFFFu, d = y >> 16;
    uvec2 middle = a * d + (a * c >> 16);
    uvec2 other = b * c + (middle & 0xFFFFu);
    high = b * d + (middle >> 16) + (other >> 16);
    low = x * y;
}

// cos(2 pi turns), for 0 to 1. WebGL promises no precision of its function, so this is the sine of
// at most a quarter of a turn, by its series.
vec4 cosine_of_turns(vec4 turns)
{
    vec4 x = 6.28318530717958648 * (abs(turns - 0.5) - 0.25);
    vec4 y = x * x;
    vec4 series = 1.0 / 362880.0 - y / 39916800.0;
    series = 1.0 / 120.0 + y * (-1.0 / 5040.0 + y * series);
    return x + x * y * (-1.0 / 6.0 + y * series);
}
#else
#define cosine_of_turns(turns) cos(6.28318530717958648 * (turns))
#endif

uvec4 philox(uvec4 counter, uvec2 key)
{
    for (int i = 0; i < 10; ++i) {
        uvec2 high, low;
        umulExtended(uvec2(0xD2511F53u, 0xCD9E8D57u), counter.xz, high, low);
        counter = uvec4(high.y ^ counter.y ^ key.x, low.y, high.x ^ counter.w ^ key.y, low.x);
        key += uvec2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

// Four numbers in [0, 1), multiples of 2^-24.
vec4 uniform_numbers(uvec4 counter, uvec2 key)
{
    return vec4(philox(counter, key) >> 8) * exp2(-24.0);
}

// Four numbers of a normal distribution with mean 0 and deviation 1, for a column group of a row
// (Box, Muller 1958).
vec4 normal_numbers(int row, int group, uvec2 key)
{
    vec4 u = uniform_numbers(uvec4(row, group, 1, 0), key);
    vec4 v = uniform_numbers(uvec4(row, group, 2, 0), key);
    return sqrt(-2.0 * log(1.0 - u)) * cosine_of_turns(v);
}
