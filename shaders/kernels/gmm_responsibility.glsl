// The share of each component in the density of a sample: exp((z - greatest) - log of the sum), from
// the row's STATS (gmm_stats.glsl); zero for the components of other classes than the sample's own
// and for rows without a sample.
layout(location = INTEGER_0) uniform int count;
layout(location = INTEGER_1) uniform int per_class; // components

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        float greatest = STATS_edge_element(row, 0);
        float log_sum = STATS_edge_element(row, 1);
        int own = int(STATS_edge_element(row, 3));
        TEXEL shares = exp((Z_at(at, t) - greatest) - log_sum);
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            bool takes_part = own < 0 || (block_column(at, t) + c) / per_class == own;
            COMPONENT(tile[t], c) = row < count && takes_part ? COMPONENT(shares, c) : 0.0;
        }
    }
}
