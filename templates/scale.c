/* y = (x - offset) * factor */
static void scale(int count, const float *offset, const float *factor, const float *x, float *y)
{
    for (int i = 0; i < count; ++i)
        y[i] = (x[i] - offset[i]) * factor[i];
}
