// Gaussian mixtures with full covariances: the logarithm of the density of component j at sample i,
//
//   log(w_j N(x_i; m_j, S_j)) = CONSTANT_j - 1/2 |y_ij|^2.
//
// y_ij is the deviation of sample i from mean j, multiplied by a factor of the inverse covariance.
// Row i of Y has the y of all components side by side, each padded with zeros to `stride` columns.
// Uniforms:
//   stride: a multiple of 4
//
// The alternative is to square Y and to multiply it by a matrix that sums the columns of each
// component. It would take 3.3 to 6.2 times as long for 4 to 12 components of 16 features, and 50
// times for 104 (llvmpipe).

float density(int row, int component)
{
    vec4 squares = vec4(0.0);
    int first = component * (stride >> 2);
    for (int q = 0; q < stride >> 2; ++q) {
        vec4 y = Y_group(row, first + q);
        squares += y * y;
    }
    return CONSTANT_element(0, component) -
           0.5 * ((squares.x + squares.y) + (squares.z + squares.w));
}

void block(ivec2 at)
{
    for (int t = 0; t < BLOCK_TEXELS; ++t)
        for (int c = 0; c < TEXEL_COLUMNS; ++c) {
            int row = block_row(at, t);
            int column = block_column(at, t) + c;
            COMPONENT(tile[t], c) =
                row < output_size.x && column < output_size.y ? density(row, column) : 0.0;
        }
}
