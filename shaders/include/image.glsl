// Declares a matrix that the shader writes as an image: a side output, or the output if it is not a
// render target. Its name replaces the word in capitals below. The variant defines the layout, the
// format, the location of its image unit, and how the texture is wrapped.
#if IMAGE_LAYOUT == GLNN_LAYOUT_TILED
layout(location = IMAGE_UNIT, IMAGE_FORMAT) uniform image2DArray IMAGE_texture;
#else
layout(location = IMAGE_UNIT, IMAGE_FORMAT) uniform image2D IMAGE_texture;
#endif

// The texel of a block of the matrix.
ivec2 IMAGE_place(ivec2 block)
{
    return ivec2(block.x << IMAGE_WRAP | block.y & (1 << IMAGE_WRAP) - 1, block.y >> IMAGE_WRAP);
}
