// r_ij (x_i - m_j) for all components j side by side, each padded to `stride` columns: a product with
// the samples then makes the second moments of all components at once.
layout(location = INTEGER_0) uniform int stride; // a multiple of 4
layout(location = INTEGER_1) uniform int features;

TEXEL deviation(int row, int component, int feature)
{
    int t = feature / TEXEL_COLUMNS;
    return R_edge_element(row, component) * (X_texel(row, t) - MEAN_texel(component, t));
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int column = block_column(at, t);
        int component = column / stride;
        int feature = column - component * stride;
        tile[t] = deviation(block_row(at, t), component, feature);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            if (feature + c >= features)
                COMPONENT(tile[t], c) = 0.0;
    }
}
