// Element (row, column) of a PAGED matrix. A layer is a page of rows. `wrap` is always 0; it makes
// the function like those of the other layouts.
float glnn_paged_element(sampler2DArray matrix, int wrap, int row, int column)
{
    int page_rows = textureSize(matrix, 0).y;
    ivec3 texel = ivec3(column >> 2, row % page_rows, row / page_rows);
    return texelFetch(matrix, texel, 0)[column & 3];
}
