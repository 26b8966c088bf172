//! use maps
//! use losses
//! use factors
//! use row_metrics
// The delta of the last layer: the derivative of a sample's loss with respect to the inputs of its
// output units, times the weight of the sample and its factor of the FACTORS. t is the target,
// smoothed if the network smooths its labels.
//
//   cross-entropy, several classes  softmax(Z) - t
//   cross-entropy, one output       sigmoid(Z) - t
//   squared error                   (Z - t) f'(x), with Z = f(x)
//
// Rows without a sample become zero. The fragments in the first column of blocks also add the
// metrics of their rows to METRICS.
// Uniforms:
//   entry: the place of the first row in the order of the epoch
TEXEL delta(TEXEL z, TEXEL target, vec2 stats)
{
#if LOSS == SIGMOID_LOSS
    return map_value(GLNN_MAP_SIGMOID, z) - smoothed(target);
#elif LOSS == SOFTMAX_LOSS
    return exp((z - stats.x) - stats.y) - smoothed(target);
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
                WEIGHED(delta(Z_texel(row, texel), target_texel(key, texel), stats), entry + row);
#if WEIGHTED
            tile[r * TEXELS_ACROSS + i] *= weight_of(sample_index);
#endif
        }
        if (at.x == 0) {
            vec4 sum = former_metrics(row, 0);
            vec4 metrics = row_metrics(row, sample_index, key, stats);
            store_metrics(row, 0, sum + metrics);
            store_loss(entry + row, metrics.x);
        }
    }
}
