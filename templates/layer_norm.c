#include <math.h>

/* y = weight n + bias, where n are the numbers x with mean 0 and variance 1. A channel has `pixels`
 * numbers, a weight and a bias. */
static void layer_norm(int channels, int pixels, float epsilon, const float *weight,
                       const float *bias, const float *x, float *y)
{
    const int count = channels * pixels;
    double mean = 0, squares = 0;
    for (int i = 0; i < count; ++i)
        mean += (double)x[i] / count;
    for (int i = 0; i < count; ++i)
        squares += ((double)x[i] - mean) * ((double)x[i] - mean);
    const double scale = 1 / sqrt(squares / count + (double)epsilon);
    for (int i = 0; i < count; ++i)
        y[i] = weight[i / pixels] * (float)(((double)x[i] - mean) * scale) + bias[i / pixels];
}
