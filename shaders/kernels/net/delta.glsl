//! use maps
//! use score
// The gradient of a sample's loss with respect to what its output units get: softmax(Z) - target or
// sigmoid(Z) - target with cross-entropy, (Z - target) f'(x) with squared error, where Z = f(x). Rows
// without a sample are zero. The fragments of the first blocks of rows add the rows' SCORES to those of
// former batches.
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

void add_score(int row, int key, vec2 stats)
{
#if HAS_SCORES
    vec4 sum = imageLoad(SCORES_texture, ivec2(0, row)) + score(row, key, stats);
    imageStore(SCORES_texture, ivec2(0, row), sum);
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
        int key = target_key(sample_of(row));
        vec2 stats = softmax_stats(row);
        for (int i = 0; i < TEXELS_ACROSS; ++i) {
            int texel = block_texel(at, i);
            tile[r * TEXELS_ACROSS + i] =
                delta(Z_texel(row, texel), target_texel(key, texel), stats);
        }
        if (at.x == 0)
            add_score(row, key, stats);
    }
}
