// Adding to what the output held before, where blending does not do it: where that would be slower,
// or less precise, and where the output is an image.
#if BLENDS
layout(location = BLEND_FACTOR) uniform float blend_factor;

// Rounded as blending is: the product, then the sum. Were the sum precise, so would be all that led to
// the texel, down to the last multiply-add of an inner product.
TEXEL blended(TEXEL texel, TEXEL former)
{
    precise TEXEL kept = blend_factor * former;
    return texel + kept;
}
#endif
