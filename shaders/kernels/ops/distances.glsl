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

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        tile[t] = TEXEL(0.0);
        if (row >= count)
            continue;
        vec4 winners = WINNERS_group(row, 0);
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int column = block_column(at, t) + c;
            int begin = (column >> 2) * slice_groups;
            int end = min(begin + slice_groups, (X_size.y + 3) >> 2);
            int index = winner_index(winners, column & 1);
            if ((column & 3) < 2 && index >= 0)
                COMPONENT(tile[t], c) = slice_of_distance(row, index, begin, end);
        }
    }
}
