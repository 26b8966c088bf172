// Adding to the former output in the shader: if blending would be slower or less precise, and if
// the output is an image.
#if BLENDS
layout(location = BLEND_FACTOR) uniform float blend_factor;

// Rounds like blending: the product, then the sum. The sum itself is not `precise`, since that
// would extend to all multiply-adds of the texel.
TEXEL blended(TEXEL texel, TEXEL former)
{
    precise TEXEL kept = blend_factor * former;
    return texel + kept;
}
#endif
