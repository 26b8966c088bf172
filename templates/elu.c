#include <math.h>

static void elu(int count, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = x[i] < 0 ? expm1f(x[i]) : x[i];
}
