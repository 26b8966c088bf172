// exp((x - the row's greatest element) - the logarithm of the row's sum of exponentials); both
// stand in STATS.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        vec4 stats = STATS_edge_quad(block_row(at, t), 0);
        tile[t] = exp((X_at(at, t) - stats.x) - stats.y);
    }
}
