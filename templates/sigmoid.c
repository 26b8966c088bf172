#include <math.h>

static void sigmoid(int count, float *x)
{
    for (int i = 0; i < count; ++i)
        x[i] = 1 / (1 + expf(-x[i]));
}
