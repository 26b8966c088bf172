/* The squared distance of x from each prototype, with a relevance for each feature. */
static void weighted_distances(int count, int features, const float *relevances,
                               const float *prototypes, const float *x, float *y)
{
    for (int i = 0; i < count; ++i) {
        float sum = 0;
        for (int j = 0; j < features; ++j)
            sum += relevances[j] * (x[j] - prototypes[j]) * (x[j] - prototypes[j]);
        y[i] = sum;
        prototypes += features;
    }
}
