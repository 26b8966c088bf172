// The biases of a transposed convolution, whose parameters have them after `lines` rows of weights,
// one row after the other.
// Without SUMS, X is the parameters and the output is the biases as a row.
// With SUMS, the output is the gradient of the parameters: X is that of the weights, and SUMS that
// of the biases as a row.
// Uniforms:
//   lines: rows of the weights

float number_at(int row, int column)
{
#if HAS_SUMS
    int bias = (row - lines) * output_size.y + column;
    if (row < lines)
        return X_edge_element(row, column);
    return bias < SUMS_size.y ? SUMS_edge_element(0, bias) : 0.0;
#else
    int line = column / X_size.y;
    return X_edge_element(lines + line, column - line * X_size.y);
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) =
                number_at(block_row(at, t), min(block_column(at, t) + c, output_size.y - 1));
}
