#include <math.h>

/* The probability of each class, if each prototype is the mean of a Gaussian and `precision` is
 * 1 / (2 sigma^2). The greatest exponent is 0. */
static void posteriors(int count, int outputs, const int *class_of, float precision,
                       const float *distance, float *output)
{
    float least = distance[0], sum = 0;
    for (int i = 1; i < count; ++i)
        least = distance[i] < least ? distance[i] : least;
    for (int i = 0; i < outputs; ++i)
        output[i] = 0;
    for (int i = 0; i < count; ++i) {
        const float density = expf(-precision * (distance[i] - least));
        output[class_of[i]] += density;
        sum += density;
    }
    for (int i = 0; i < outputs; ++i)
        output[i] /= sum;
}
