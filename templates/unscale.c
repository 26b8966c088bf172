/* x = x / factor + offset */
static void unscale(int count, const float *offset, const float *factor, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = x[i] / factor[i] + offset[i];
}
