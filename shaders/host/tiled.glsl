// Element (row, column) of a TILED matrix; `wrap` is that of glnn_texture_info.
float glnn_tiled_element(sampler2DArray matrix, int wrap, int row, int column)
{
    int groups = textureSize(matrix, 0).z >> 2; // column groups of a block: two, or one
    int group = column >> 2;
    int across = (group >> (groups - 1)) << wrap;
    int down = row >> 2;
    ivec2 texel = ivec2(across | (down & ((1 << wrap) - 1)), down >> wrap);
    int layer = (row & 3) * groups + (group & (groups - 1));
    return texelFetch(matrix, ivec3(texel, layer), 0)[column & 3];
}
