//! use edge
// The fragment stage: a fragment computes the block at its place and writes one texel of it to each
// render target. BLENDS adds to what the output held before, which is another texture then.
layout(location = 0) out TEXEL target[BLOCK_TEXELS];

#if BLENDS
layout(location = BLEND_FACTOR) uniform float blend_factor;
#if BLOCK_TEXELS > 1
layout(binding = OUTPUT_UNIT) uniform sampler2DArray former;
#define FORMER(at, t) texelFetch(former, ivec3(at, t), 0)
#elif TEXEL_COLUMNS == 4
layout(binding = OUTPUT_UNIT) uniform sampler2D former;
#define FORMER(at, t) texelFetch(former, at, 0)
#else
layout(binding = OUTPUT_UNIT) uniform sampler2D former;
#define FORMER(at, t) texelFetch(former, at, 0).r
#endif
#endif

// Rounded as blending is: the product, then the sum.
TEXEL blended(TEXEL texel, ivec2 at, int t)
{
#if BLENDS
    precise TEXEL kept = blend_factor * FORMER(at, t);
    precise TEXEL sum = texel + kept;
    return sum;
#else
    return texel;
#endif
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        target[t] = blended(inside(tile[t], block_row(at, t), block_column(at, t)), at, t);
}
