// Declares a side output that has a texel for each row, where shaders only write render targets.
// Its name replaces the word in capitals below. The stage draws a point where the row's texel is
// stored. A shader that counts fetches (stage/fetches.glsl) stores nothing. Usually blending adds
// to the former texels, so they count as zero here. With BLENDS the shader reads them from the
// former texture.
#if BLENDS
UNIFORM_AT(FORMER_UNIT) sampler2D former_texture;
#define WRITTEN_row(block) texelFetch(former_texture, WRITTEN_place(block), 0)
#else
#define WRITTEN_row(block) vec4(0.0)
#endif

#if COUNTS_POINTS
#define POINT_place(block) WRITTEN_place(block)
vec4 row_texel;
#else
flat out vec4 row_texel;
#endif
ivec2 row_place;

#define WRITTEN_store_row(block, texel) row_place = WRITTEN_place(block), row_texel = texel
