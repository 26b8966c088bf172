#include <math.h>

static void softsign(int count, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] /= 1 + fabsf(x[i]);
}
