// What training counts, per row of a batch, as in score.glsl: the loss is minus the logarithm of the
// sample's density. STATS is what gmm_stats.glsl found.
#define GREATEST_FINITE 3.4e38

vec4 score(int row)
{
    float loss = -(STATS_element(row, 0) + STATS_element(row, 1));
    bool is_right = STATS_element(row, 2) == STATS_element(row, 3);
    bool is_finite = abs(loss) < GREATEST_FINITE;
    return vec4(loss, is_right ? 1.0 : 0.0, is_finite ? 1.0 : 0.0, 1.0);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        vec4 scores = row < count && column < 4 ? score(row) : vec4(0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = scores[(column + c) & 3];
    }
}
