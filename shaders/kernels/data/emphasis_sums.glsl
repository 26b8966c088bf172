//! use sequence
// A level of a tree of sums: number i of the output is the sum of the numbers CHILDREN i to
// CHILDREN i + CHILDREN - 1 of X. Both are sequences, and X has zeros after its last number.

float sum_of(int i)
{
    int row = sequence_row(CHILDREN * i);
    int first = sequence_column(CHILDREN * i) / 4;
    vec4 sum = vec4(0.0);
    if (row >= X_size.x)
        return 0.0;
    for (int q = 0; q < CHILDREN / 4; ++q)
        sum += X_group(row, first + q);
    return (sum.x + sum.y) + (sum.z + sum.w);
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) =
                block_column(at, t) + c < SEQUENCE_COLUMNS ? sum_of(sequence_index(at, t) + c)
                                                           : 0.0;
}
