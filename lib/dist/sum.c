#include "dist/sum.h"

#include <string.h>

/* So many partial sums stay in the first cache. */
enum { BLOCK = 256 };

typedef struct sum {
    char *to;
    const void *const *from;
    int arrays;
} sum;

/* The length of a full block is a constant, so that the compiler makes vector instructions. */
static void add_block(float *restrict total, const float *restrict numbers, size_t count)
{
    if (count == BLOCK)
        for (size_t i = 0; i < BLOCK; ++i)
            total[i] += numbers[i];
    else
        for (size_t i = 0; i < count; ++i)
            total[i] += numbers[i];
}

static void add_part(const void *work, size_t begin, size_t end)
{
    const sum *of = work;
    for (size_t i = begin; i < end; i += BLOCK) {
        const size_t count = end - i < BLOCK ? end - i : BLOCK;
        float total[BLOCK];
        memcpy(total, (const float *)of->from[0] + i, count * sizeof *total);
        for (int k = 1; k < of->arrays; ++k)
            add_block(total, (const float *)of->from[k] + i, count);
        memcpy(of->to + i * sizeof *total, total, count * sizeof *total);
    }
}

void glnn__mpi_add(glnn__pool *pool, void *to, const void *const *from, int arrays, size_t count)
{
    const sum of = {to, from, arrays};
    glnn__pool_run(pool, add_part, &of, count, ((size_t)arrays + 1) * sizeof(float));
}
