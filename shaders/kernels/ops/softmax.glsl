// out = exp((x - greatest) - log(sum)), the softmax of each row of X. STATS has the greatest
// element of the row and the logarithm of its sum of exponentials (row_stats.glsl). If the output
// has one more column than X, that column is the log-sum-exp of the row, greatest + log(sum).
// Uniforms:
//   count: rows to compute; the rows from `count` on become zero

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        vec4 stats = STATS_edge_group(block_row(at, t), 0);
        tile[t] = exp((X_at(at, t) - stats.x) - stats.y);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            if (block_column(at, t) + c >= X_size.y)
                COMPONENT(tile[t], c) = stats.x + stats.y;
        if (block_row(at, t) >= count)
            tile[t] = TEXEL(0.0);
    }
}
