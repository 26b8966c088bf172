//! use edge
//! use round
// How the compute stage writes: texel by texel into the output as an image. BLENDS adds to what is
// there, as blending does in the fragment stage.
#if BLOCK_TEXELS > 1
layout(binding = 0, IMAGE_FORMAT) uniform image2DArray target;
#define TARGET_PLACE(at, t) ivec3(at, t)
#elif TEXEL_COLUMNS == 4
layout(binding = 0, IMAGE_FORMAT) uniform image2D target;
#define TARGET_PLACE(at, t) at
#else
layout(binding = 0, IMAGE_FORMAT) uniform image2D target;
#define TARGET_PLACE(at, t) at
#endif

layout(location = REGION) uniform ivec4 region; // of blocks: x, y, width, height
layout(location = BLEND_FACTOR) uniform float blend_factor;

bool is_in_region(ivec2 at)
{
    return all(greaterThanEqual(at, region.xy)) && all(lessThan(at, region.xy + region.zw));
}

void store(ivec2 at, int t, TEXEL texel)
{
    texel = inside(texel, at, t);
#if TEXEL_COLUMNS == 1
    vec4 value = vec4(texel, 0.0, 0.0, 0.0);
#else
    vec4 value = texel;
#endif
#if BLENDS
    value += blend_factor * imageLoad(target, TARGET_PLACE(at, t));
#endif
    imageStore(target, TARGET_PLACE(at, t), rounded(value));
}
