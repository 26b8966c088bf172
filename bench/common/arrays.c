#include "common/arrays.h"

#include <stdint.h>

#include "common/failure.h"

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory)
        REQUIRE(refuse("no memory for %zu elements of %zu bytes", count, size));
    return memory;
}

float *random_floats(size_t count, float low, float high)
{
    uint64_t state = 0x9e3779b97f4a7c15u ^ count;
    float *values = allocate(count, sizeof *values);
    for (size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = low + (high - low) * (float)(state >> 40) * 0x1p-24f;
    }
    return values;
}
