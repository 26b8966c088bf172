static void negate(int count, const float *x, float *y)
{
    for (int i = 0; i < count; ++i)
        y[i] = -x[i];
}
