//! use random
// Fills a matrix with a constant, or with random numbers:
//   RANDOM_NONE     offset
//   RANDOM_UNIFORM  offset + scale u
//   RANDOM_NORMAL   offset + scale sqrt(-2 log(1 - u)) cos(2 pi v)
// u and v are uniform in [0, 1). They are functions of the place of the element (random.glsl), so
// they depend neither on the layout nor on the order in which fragments run.
// Uniforms:
//   offset: the constant, the least number or the mean
//   scale: the span or the standard deviation
//   most: the greatest number of a uniform distribution, which rounding might exceed
//   key_low, key_high: the seed

vec4 random_group(int row, int group)
{
#if RANDOM == RANDOM_NORMAL
    return normal_numbers(row, group, uvec2(key_low, key_high));
#else
    return uniform_numbers(uvec4(row, group, 0, 0), uvec2(key_low, key_high));
#endif
}

vec4 number_group(int row, int group)
{
    vec4 numbers = offset + scale * random_group(row, group);
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
        vec4 numbers = number_group(block_row(at, t), column >> 2);
#if TEXEL_COLUMNS == 1
        tile[t] = numbers[column & 3];
#else
        tile[t] = numbers;
#endif
#endif
    }
}
