// Element (row, column) of a PACKED matrix; `wrap` is that of glnn_texture_info.
float glnn_packed_element(sampler2D matrix, int wrap, int row, int column)
{
    int across = (column >> 2) << wrap;
    ivec2 texel = ivec2(across | (row & ((1 << wrap) - 1)), row >> wrap);
    return texelFetch(matrix, texel, 0)[column & 3];
}
