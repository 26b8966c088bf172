// Declares a side output that has a texel for each row, where shaders only write render targets.
// Its name replaces the word in capitals below. The stage draws a point where the row's texel is
// stored. Blending adds to the former texels, so they count as zero here.
flat out vec4 row_texel;
ivec2 row_place;

#define WRITTEN_row(block) vec4(0.0)
#define WRITTEN_store_row(block, texel) row_place = WRITTEN_place(block), row_texel = texel
