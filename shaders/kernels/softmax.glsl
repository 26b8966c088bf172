// exp((x - the row's greatest element) - the logarithm of the row's sum of exponentials); both
// stand in STATS.
void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        float greatest = STATS_edge_element(row, 0);
        float log_sum = STATS_edge_element(row, 1);
        tile[t] = exp((X_at(at, t) - greatest) - log_sum);
    }
}
