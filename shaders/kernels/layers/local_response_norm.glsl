//! use maps
// Local response normalisation of each row of X, with s = k + share * the sum of x^2 over channels
// c - size / 2 to c + (size - 1) / 2.
//   PART_OUTPUTS  x / s^beta
//   PART_RATIOS   d x / s^(beta + 1), with the delta D of the output
//   PART_DELTAS   (d / s^beta - 2 share beta x sum) f'(x), the delta of the input. The sum is that
//                 of RATIOS over the channels whose s has x: c - (size - 1) / 2 to c + size / 2. X
//                 has gone through f, given by ACTIVATION.
// Uniforms:
//   size: channels that are summed
//   share: alpha / size
//   beta, k

float scale_at(int row, int column)
{
    float sum = 0.0;
    int end = min(column + (size - 1) / 2, X_size.y - 1);
    for (int c = max(column - size / 2, 0); c <= end; ++c) {
        float x = X_edge_element(row, c);
        sum += x * x;
    }
    return k + share * sum;
}

#if PART == PART_DELTAS
float sum_ratios(int row, int column)
{
    float sum = 0.0;
    int end = min(column + size / 2, X_size.y - 1);
    for (int c = max(column - (size - 1) / 2, 0); c <= end; ++c)
        sum += RATIOS_edge_element(row, c);
    return sum;
}
#endif

float number_at(int row, int column)
{
    float x = X_edge_element(row, column);
    float scale = scale_at(row, column);
#if PART == PART_OUTPUTS
    return x * pow(scale, -beta);
#elif PART == PART_RATIOS
    return D_edge_element(row, column) * x * pow(scale, -beta - 1.0);
#else
    return D_edge_element(row, column) * pow(scale, -beta) -
           2.0 * share * beta * x * sum_ratios(row, column);
#endif
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t) {
        int row = block_row(at, t);
        for (int c = 0; c < TEXEL_COLUMNS; ++c)
            COMPONENT(tile[t], c) = number_at(row, min(block_column(at, t) + c, X_size.y - 1));
#if PART == PART_DELTAS
        tile[t] *= map_derivative(ACTIVATION, X_texel(row, block_texel(at, t)));
#endif
    }
}
