// blended(texel, former) adds the former output in the shader. It replaces blending where blending
// would be slower or less precise, and where the output is an image, which cannot blend.
#if BLENDS
UNIFORM_AT(BLEND_FACTOR) float blend_factor;

// Blending rounds the product and then the sum, so the product is `precise` here. The sum is not:
// that would forbid fused multiply-adds everywhere in the computation of the texel.
TEXEL blended(TEXEL texel, TEXEL former)
{
    precise TEXEL kept = blend_factor * former;
    return texel + kept;
}
#endif
