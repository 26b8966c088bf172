// Writing one matrix as an image, whose name stands in for the word in capitals below: a side output,
// or the output where that is no render target. The variant defines its layout, its format and its
// image unit.
#if IMAGE_LAYOUT == GLNN_LAYOUT_TILED
layout(binding = IMAGE_UNIT, IMAGE_FORMAT) uniform image2DArray IMAGE_texture;
#else
layout(binding = IMAGE_UNIT, IMAGE_FORMAT) uniform image2D IMAGE_texture;
#endif
