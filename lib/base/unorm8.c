#include "base/unorm8.h"

#include <math.h>

void glnn__unorm8_in_place(float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        values[i] = values[i] > 0 ? rintf(255 * fminf(values[i], 1)) / 255 : 0;
}
