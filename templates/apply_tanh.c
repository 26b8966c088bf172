#include <math.h>

static void apply_tanh(int count, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = tanhf(x[i]);
}
