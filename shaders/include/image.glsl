// Declares a matrix that the shader writes as an image: a side output, or the output if it is not a
// render target. Its name replaces the word in capitals below. The variant defines the layout, the
// format and the image unit.
#if IMAGE_LAYOUT == GLNN_LAYOUT_TILED
layout(binding = IMAGE_UNIT, IMAGE_FORMAT) uniform image2DArray IMAGE_texture;
#else
layout(binding = IMAGE_UNIT, IMAGE_FORMAT) uniform image2D IMAGE_texture;
#endif
