//! use edge
//! use round
// The fragment stage: a fragment computes the block at its place and writes one texel of it to each
// render target. BLENDS adds to what the output held before, which is another texture then: where
// blending would be slower, or less precise.
layout(location = 0) out TEXEL target[BLOCK_TEXELS];

#if BLENDS && BLOCK_TEXELS > 1
layout(binding = FORMER_UNIT) uniform sampler2DArray former;
#define FORMER(at, t) texelFetch(former, ivec3(at, t), 0)
#elif BLENDS && TEXEL_COLUMNS == 4
layout(binding = FORMER_UNIT) uniform sampler2D former;
#define FORMER(at, t) texelFetch(former, at, 0)
#elif BLENDS
layout(binding = FORMER_UNIT) uniform sampler2D former;
#define FORMER(at, t) texelFetch(former, at, 0).r
#endif

#if BLENDS
layout(location = BLEND_FACTOR) uniform float blend_factor;

// Rounded as blending is: the product, then the sum.
TEXEL blended(TEXEL texel, ivec2 at, int t)
{
    precise TEXEL kept = blend_factor * FORMER(at, t);
    precise TEXEL sum = texel + kept;
    return sum;
}
#else
#define blended(texel, at, t) texel
#endif

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    block(at);
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        TEXEL texel = inside(tile[t], at, t);
        target[t] = rounded(blended(texel, at, t));
    }
}
