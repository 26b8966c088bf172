#include "base/unorm8.h"

#include <math.h>
#include <string.h>

void glnn__unorm8_in_place(void *values, size_t count)
{
    unsigned char *bytes = values;
    for (size_t i = 0; i < count; ++i) {
        float value;
        memcpy(&value, bytes + i * sizeof value, sizeof value);
        bytes[i] = value > 0 ? (unsigned char)rintf(255 * fminf(value, 1)) : 0;
    }
}
