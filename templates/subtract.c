/* y = x - offset */
static void subtract(int count, const float *offset, const float *x, float *y)
{
    for (int i = 0; i < count; ++i)
        y[i] = x[i] - offset[i];
}
