// Element (row, column) of an UNPACKED matrix; `wrap` is that of glnn_texture_info.
float glnn_unpacked_element(sampler2D matrix, int wrap, int row, int column)
{
    ivec2 texel = ivec2((column << wrap) | (row & ((1 << wrap) - 1)), row >> wrap);
    return texelFetch(matrix, texel, 0).r;
}
