// Element (row, column) of a TILED matrix; `wrap` is that of glnn_texture_info.
float glnn_tiled_element(sampler2DArray matrix, int wrap, int row, int column)
{
    int across = (column >> 3) << wrap, down = row >> 2;
    ivec2 texel = ivec2(across | (down & ((1 << wrap) - 1)), down >> wrap);
    int layer = ((row & 3) << 1) | ((column >> 2) & 1);
    return texelFetch(matrix, ivec3(texel, layer), 0)[column & 3];
}
