//! use edge
//! use exact_sum
//! use random
//! use round
// The beginning and the end of every epilogue that updates parameters. Each texel is read and
// written by one invocation alone.

// The gradient. With NOISE, each element gets a random number of a normal distribution with mean 0.
TEXEL noisy(ivec2 at, int t, TEXEL gradient)
{
#if NOISE
    int column = block_column(at, t);
    vec4 drawn = normal_numbers(block_row(at, t), column >> 2, uvec2(key_low, key_high));
#if TEXEL_COLUMNS == 1
    return gradient + inside(deviation * drawn[column & 3], at, t);
#else
    return gradient + inside(deviation * drawn, at, t);
#endif
#else
    return gradient;
#endif
}

// Adds a change to parameters of two parts: to the high digits, which are the former output, and to
// LOW.
#if EPILOGUE_BLENDS
TEXEL low_texels[TEXELS_HELD];

TEXEL epilogue_blended(ivec2 at, int t, TEXEL change, TEXEL former)
{
    precise TEXEL added = low_texels[HELD(t)] + (change - decay * former);
    TEXEL low;
    TEXEL sum = exact_sum(former, added, low);
    LOW_store(at, t, low);
    return sum;
}
#endif

// Loads the digits of LOW.
void load_low(ivec2 at, int t)
{
#if EPILOGUE_BLENDS
    low_texels[HELD(t)] = LOW_load(at, t);
#endif
}

// If there is a COPY, it receives the new parameters in 16 bits.
void epilogue_sum(ivec2 at, int t, TEXEL values)
{
#if HAS_COPY
    COPY_store(at, t, to_half(values));
#endif
}
