/* z = x y, number by number */
static void multiply(int count, const float *x, const float *y, float *z)
{
    for (int i = 0; i < count; ++i)
        z[i] = x[i] * y[i];
}
