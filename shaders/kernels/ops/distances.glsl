//! use difference
// The squared distances of each row of X to two rows of M, whose numbers are in WINNERS.
//
// A distance is summed in slices of the features, to keep a device busy with few rows. Columns 4 s
// and 4 s + 1 of a row of the output have the two sums over slice s.
// Uniforms:
//   count: rows of X
//   slice_groups: column groups of a slice

float slice_of_distance(int row, int index, int begin, int end)
{
    vec4 sum = vec4(0.0);
    for (int q = begin; q < end; ++q)
        sum += squared_difference(X_edge_group(row, q), M_edge_group(index, q), q);
    return sum_of(sum);
}

TEXEL distances_of(int row, int column)
{
    vec4 winners = WINNERS_group(row, 0);
    int begin = (column >> 2) * slice_groups;
    int end = min(begin + slice_groups, (X_size.y + 3) >> 2);
    TEXEL distances = TEXEL(0.0);
    for (int c = 0; c < TEXEL_COLUMNS; ++c) {
        int index = winner_index(winners, column + c & 1);
        if ((column + c & 3) < 2 && index >= 0)
            COMPONENT(distances, c) = slice_of_distance(row, index, begin, end);
    }
    return distances;
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        tile[t] = row < count ? distances_of(row, block_column(at, t)) : TEXEL(0.0);
    }
}
