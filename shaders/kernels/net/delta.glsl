//! use maps
//! use row_metrics
// The gradient of a sample's loss with respect to the inputs of its output units, times the
// sample's weight. With cross-entropy it is softmax(Z) - target or sigmoid(Z) - target, with
// squared error (Z - target) f'(x), where Z = f(x). Rows without a sample are zero. The fragments
// of the first blocks of rows add the rows' METRICS.
TEXEL delta(TEXEL z, TEXEL target, vec2 stats)
{
#if LOSS == SIGMOID_LOSS
    return map_value(GLNN_MAP_SIGMOID, z) - target;
#elif LOSS == SOFTMAX_LOSS
    return exp((z - stats.x) - stats.y) - target;
#else
    return (z - target) * map_derivative(ACTIVATION, z);
#endif
}

void block(ivec2 at)
{
    for (int r = 0; r < BLOCK_ROWS; ++r) {
        int row = at.y * BLOCK_ROWS + r;
        for (int i = 0; i < TEXELS_ACROSS; ++i)
            tile[r * TEXELS_ACROSS + i] = TEXEL(0.0);
        if (row >= count)
            continue;
        int sample_index = sample_of(row);
        int key = target_key(sample_index);
        vec2 stats = softmax_stats(row);
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            int texel = block_texel(at, i);
            tile[r * TEXELS_ACROSS + i] =
                delta(Z_texel(row, texel), target_texel(key, texel), stats);
#if WEIGHTED
            tile[r * TEXELS_ACROSS + i] *= weight_of(sample_index);
#endif
        }
        if (at.x == 0) {
            vec4 sum = former_metrics(row);
            store_metrics(row, sum + row_metrics(row, sample_index, key, stats));
        }
    }
}
