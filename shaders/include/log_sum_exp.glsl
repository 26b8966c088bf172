// log(sum over a row of Z of exp), with the greatest element taken out first
float log_sum_exp(int row)
{
    float greatest = -INFINITY;
    for (int j = 0; j < Z_size.y; ++j)
        greatest = max(greatest, Z_element(row, j));
    float sum = 0.0;
    for (int j = 0; j < Z_size.y; ++j)
        sum += exp(Z_element(row, j) - greatest);
    return greatest + log(sum);
}
