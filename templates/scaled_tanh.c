#include <math.h>

static void scaled_tanh(int count, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = 1.7159f * tanhf(x[i] * (2.0f / 3.0f));
}
