// The share of each component in the density of a sample: exp((z - greatest) - log of the sum), from
// the row's STATS (gmm_stats.glsl). The column behind the components has the logarithm of the density
// itself. Zero for rows without a sample.

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        float greatest = STATS_edge_element(row, 0);
        float log_sum = STATS_edge_element(row, 1);
        TEXEL shares = exp((Z_texel(row, block_texel(at, t)) - greatest) - log_sum);
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int column = block_column(at, t) + c;
            float value = column < components ? COMPONENT(shares, c) : greatest + log_sum;
            COMPONENT(tile[t], c) = row < count && column <= components ? value : 0.0;
        }
    }
}
