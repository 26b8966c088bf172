//! use losses
//! use row_metrics
// The metrics (metrics.glsl) of each row of a batch, in columns 0 to 3. Blending adds them to those
// of the batches before.
// Uniforms:
//   entry: the place of the first row in the order of the epoch
vec4 metrics_of_row(int row)
{
    int sample_index = sample_of(row);
    return row_metrics(row, sample_index, target_key(sample_index), softmax_stats(row));
}

void measure_row(int row)
{
    if (row < count)
        store_loss(entry + row, former_loss(entry + row) + metrics_of_row(row).x);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        int column = block_column(at, t);
        vec4 metrics = row < count && column < 4 ? metrics_of_row(row) : vec4(0.0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = metrics[(column + c) & 3];
        if (row < count && column == 0)
            store_loss(entry + row, former_loss(entry + row) + metrics.x);
    }
}
