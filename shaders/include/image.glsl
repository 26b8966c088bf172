// Declares a matrix that the shader writes as an image: a side output, or the output if it is not a
// render target. Its name replaces the word in capitals below. The variant defines the layout, the
// format and the location of its image unit.
//   WRITTEN_load(at, t), WRITTEN_store(at, t, texel)  texel t of the block `at` of the output
//   WRITTEN_row(block), WRITTEN_store_row(block, texel)  the texel of a block of the matrix
#if WRITTEN_LAYOUT == GLNN_LAYOUT_TILED
layout(location = WRITTEN_UNIT, WRITTEN_FORMAT) uniform image2DArray WRITTEN_texture;
#else
layout(location = WRITTEN_UNIT, WRITTEN_FORMAT) uniform image2D WRITTEN_texture;
#endif

#define WRITTEN_load(at, t) TO_TEXEL(imageLoad(WRITTEN_texture, BLOCK_PLACE(at, t)))
#define WRITTEN_store(at, t, texel) imageStore(WRITTEN_texture, BLOCK_PLACE(at, t), vec4(texel))
#define WRITTEN_row(block) imageLoad(WRITTEN_texture, WRITTEN_place(block))
#define WRITTEN_store_row(block, texel) imageStore(WRITTEN_texture, WRITTEN_place(block), texel)
