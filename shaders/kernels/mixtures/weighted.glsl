// One operand of the product that sums the moments of all components. Component j has the columns
// r_ij (x_i - m_j), where R holds the responsibilities r_ij; they are padded to `stride` columns.
// The columns of R follow from column `end` on. The product of this matrix and the samples then has
// all sums that the new means and covariances need.
// Uniforms:
//   stride, end: multiples of 4
//   features: columns of X
//
// Subtracting a mean, multiplying by a column of R and copying into place would be three passes per
// component. They take 4 times as long for 4 components of 16 features, 4.6 times for 12, and as
// long for 2 components of 64 (llvmpipe).

// Fills texel column i of the block, which begins with this feature of the component.
void find_deviations(ivec2 at, int i, int component, int feature)
{
    int t = feature / TEXEL_COLUMNS;
    TEXEL mean = MEAN_texel(component, t);
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = block_row(at, r * TEXELS_ACROSS);
        TEXEL weighted = R_edge_element(row, component) * (X_texel(row, t) - mean);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(weighted, c) = feature + c < features ? COMPONENT(weighted, c) : 0.0;
        tile[r * TEXELS_ACROSS + i] = weighted;
    }
}

void block(ivec2 at)
{
    for (int i = 0; i < TEXELS_ACROSS; ++i) {
        int column = block_column(at, i);
        int component = column / stride;
        if (column < end)
            find_deviations(at, i, component, column - component * stride);
        else
            for (int r = 0; r < BLOCK_ROWS; ++r)
                tile[r * TEXELS_ACROSS + i] =
                    R_texel(block_row(at, r * TEXELS_ACROSS), (column - end) / TEXEL_COLUMNS);
    }
}
