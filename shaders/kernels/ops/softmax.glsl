// exp((x - the row's greatest element) - the logarithm of the row's sum of exponentials); both
// stand in STATS. A column after those of X has the log-sum-exp itself. Rows from `count` on are
// zero.

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
