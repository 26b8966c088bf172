/* The squared distance of x from each prototype. */
static void distances(int count, int features, const float *prototypes, const float *x, float *y)
{
    for (int i = 0; i < count; ++i) {
        float sum = 0;
        for (int j = 0; j < features; ++j)
            sum += (x[j] - prototypes[j]) * (x[j] - prototypes[j]);
        y[i] = sum;
        prototypes += features;
    }
}
