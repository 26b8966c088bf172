// What a product with the samples sums to the moments of all components at once: r_ij (x_i - m_j) for
// all components j side by side, each padded to `stride` columns, and from column `end` on the
// columns of R themselves.
layout(location = INTEGER_0) uniform int stride; // a multiple of 4
layout(location = INTEGER_1) uniform int features;
layout(location = INTEGER_2) uniform int end; // a multiple of 4

TEXEL deviation(int row, int column)
{
    int component = column / stride;
    int feature = column - component * stride;
    int t = feature / TEXEL_COLUMNS;
    TEXEL weighted =
        R_edge_element(row, component) * (X_texel(row, t) - MEAN_texel(component, t));
    for (int c = 0; c < TEXEL_COLUMNS; ++c)
        if (feature + c >= features)
            COMPONENT(weighted, c) = 0.0;
    return weighted;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        if (column < end)
            tile[t] = deviation(row, column);
        else
            tile[t] = R_texel(row, (column - end) / TEXEL_COLUMNS);
    }
}
