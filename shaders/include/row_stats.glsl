// What a softmax needs to know of a row of Z: its greatest element, and the logarithm of the sum of
// exp(z - greatest). Apart, so that large outputs cost no digits.
vec2 row_stats(int row)
{
    float greatest = -INFINITY;
    for (int j = 0; j < Z_size.y; ++j)
        greatest = max(greatest, Z_element(row, j));
    float sum = 0.0;
    for (int j = 0; j < Z_size.y; ++j)
        sum += exp(Z_element(row, j) - greatest);
    return vec2(greatest, log(sum));
}
