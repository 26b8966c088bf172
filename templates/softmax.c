#include <math.h>

/* The greatest exponent is 0, so that nothing overflows. */
static void softmax(int count, float *x)
{
    float most = x[0], sum = 0;
    for (int i = 1; i < count; ++i)
        most = x[i] > most ? x[i] : most;
    for (int i = 0; i < count; ++i) {
        x[i] = expf(x[i] - most);
        sum += x[i];
    }
    for (int i = 0; i < count; ++i)
        x[i] /= sum;
}
