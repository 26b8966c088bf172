// A constant, or random numbers from Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011). The counter is
// the place of an element, so the numbers depend neither on the layout nor on the order.
// Uniforms:
//   offset: the constant, the least number or the mean
//   scale: the span or the deviation
//   most: of uniform numbers, which rounding may exceed

uvec4 philox(uvec4 counter)
{
    uvec2 key = uvec2(key_low, key_high);
    for (int i = 0; i < 10; ++i) {
        uvec2 high, low;
        umulExtended(uvec2(0xD2511F53u, 0xCD9E8D57u), counter.xz, high, low);
        counter = uvec4(high.y ^ counter.y ^ key.x, low.y, high.x ^ counter.w ^ key.y, low.x);
        key += uvec2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

// Four numbers in [0, 1) with 24 bits, for the quad of a row
vec4 uniform_quad(int row, int quad, int stream)
{
    return vec4(philox(uvec4(row, quad, stream, 0)) >> 8) * exp2(-24.0);
}

vec4 random_quad(int row, int quad)
{
#if RANDOM == RANDOM_NORMAL
    vec4 u = uniform_quad(row, quad, 1);
    vec4 v = uniform_quad(row, quad, 2);
    return sqrt(-2.0 * log(1.0 - u)) * cos(6.28318530717958648 * v);
#else
    return uniform_quad(row, quad, 0);
#endif
}

vec4 number_quad(int row, int quad)
{
    vec4 numbers = offset + scale * random_quad(row, quad);
#if RANDOM == RANDOM_UNIFORM
    numbers = min(numbers, vec4(most));
#endif
    return numbers;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
#if RANDOM == RANDOM_NONE
        tile[t] = TEXEL(offset);
#else
        int column = block_column(at, t);
        vec4 numbers = number_quad(block_row(at, t), column >> 2);
#if TEXEL_COLUMNS == 1
        tile[t] = numbers[column & 3];
#else
        tile[t] = numbers;
#endif
#endif
    }
}
