//! use maps
//! use score
// The gradient of a sample's loss with respect to what its output units get: softmax(Z) - target
// with cross-entropy, (Z - target) f'(x) with squared error, where Z = f(x). Rows without a sample
// are zero. The fragments of the first blocks of rows add the rows' SCORES to those of former batches.
float delta(int row, int column, int sample_index, vec2 stats)
{
    float z = Z_element(row, column);
    float t = target_of(sample_index, column);
#if LOSS == LOSS_CROSS_ENTROPY
    return exp((z - stats.x) - stats.y) - t;
#else
    return (z - t) * COMPONENT(map_derivative(ACTIVATION, TEXEL(z)), 0);
#endif
}

void add_score(int row, int sample_index, vec2 stats)
{
#if HAS_SCORES
    vec4 sum = imageLoad(SCORES_texture, ivec2(0, row)) + score(row, sample_index, stats);
    imageStore(SCORES_texture, ivec2(0, row), sum);
#endif
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        bool has_sample = row < count;
        int sample_index = sample_of(row);
        vec2 stats = has_sample ? softmax_stats(row) : vec2(0.0);
        if (has_sample && at.x == 0)
            add_score(row, sample_index, stats);
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            int t = r * TEXELS_ACROSS + i;
            for (int c = 0; c < TEXEL_COLUMNS; ++c) {
                int column = block_column(at, t) + c;
                COMPONENT(tile[t], c) = has_sample && column < output_size.y
                                            ? delta(row, column, sample_index, stats)
                                            : 0.0;
            }
        }
    }
}
