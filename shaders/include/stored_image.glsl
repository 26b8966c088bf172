// Declares a matrix of the output's shape that the shader stores as an image and cannot load from
// it: OpenGL ES allows both in a shader for few formats. Its name replaces the word in capitals
// below. The former texels come from a texture. The variant defines the layout, the format, the
// number of the image, -1 if this part of the pass does not store it, and the two locations.
#if BLOCK_TEXELS > 1
UNIFORM_AT(WRITTEN_UNIT) sampler2DArray WRITTEN_texture;
#else
UNIFORM_AT(WRITTEN_UNIT) sampler2D WRITTEN_texture;
#endif

#define WRITTEN_load(at, t) TO_TEXEL(texelFetch(WRITTEN_texture, BLOCK_PLACE(at, t), 0))

#if WRITTEN_IMAGE < 0
#define WRITTEN_store(at, t, texel)
#else
#if BLOCK_TEXELS > 1
layout(location = WRITTEN_IMAGE_UNIT, binding = WRITTEN_IMAGE, WRITTEN_FORMAT)
writeonly uniform image2DArray WRITTEN_image;
#else
layout(location = WRITTEN_IMAGE_UNIT, binding = WRITTEN_IMAGE, WRITTEN_FORMAT)
writeonly uniform image2D WRITTEN_image;
#endif
#define WRITTEN_store(at, t, texel) imageStore(WRITTEN_image, BLOCK_PLACE(at, t), vec4(texel))
#endif
