#include <math.h>

static void gelu(int count, const float *input, float *output)
{
    for (int i = 0; i < count; ++i)
        output[i] = input[i] * 0.5f * erfcf(-0.70710678f * input[i]);
}
