// Adding to what the output held before, where blending does not do it: where that would be slower,
// or less precise, and where the output is an image.
#if BLENDS
layout(location = BLEND_FACTOR) uniform float blend_factor;

// Rounded as blending is: the product, then the sum.
TEXEL blended(TEXEL texel, TEXEL former)
{
    precise TEXEL kept = blend_factor * former;
    precise TEXEL sum = texel + kept;
    return sum;
}
#endif
