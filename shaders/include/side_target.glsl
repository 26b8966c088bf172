// Declares a side output of the output's shape where shaders only write render targets. Its name
// replaces the word in capitals below. The shader reads the former texels from the texture of the
// side output, and the stage writes those that it stores to another texture.
#if BLOCK_TEXELS > 1
UNIFORM_AT(WRITTEN_UNIT) sampler2DArray WRITTEN_texture;
#else
UNIFORM_AT(WRITTEN_UNIT) sampler2D WRITTEN_texture;
#endif

TEXEL WRITTEN_texels[BLOCK_TEXELS];

#define WRITTEN_load(at, t) TO_TEXEL(texelFetch(WRITTEN_texture, BLOCK_PLACE(at, t), 0))
#define WRITTEN_store(at, t, texel) WRITTEN_texels[t] = texel
