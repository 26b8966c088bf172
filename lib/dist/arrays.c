#include "dist/arrays.h"

#include "base/half.h"

#include <stdint.h>
#include <string.h>

/* So many partial sums stay in the first cache. */
enum { BLOCK = 256 };

typedef struct sum {
    glnn_storage storage;
    char *to;
    const void *const *from;
    int arrays;
} sum;

size_t glnn__mpi_size_of(glnn_storage storage)
{
    return storage == GLNN_STORAGE_FLOAT16 ? sizeof(uint16_t) : sizeof(float);
}

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

static void sum_floats(const sum *of, size_t begin, size_t count)
{
    float total[BLOCK];
    memcpy(total, (const float *)of->from[0] + begin, count * sizeof *total);
    for (int i = 1; i < of->arrays; ++i)
        add_block(total, (const float *)of->from[i] + begin, count);
    memcpy(of->to + begin * sizeof *total, total, count * sizeof *total);
}

static void sum_halves(const sum *of, size_t begin, size_t count)
{
    float total[BLOCK], numbers[BLOCK];
    glnn__halves_to_floats((const uint16_t *)of->from[0] + begin, count, total);
    for (int i = 1; i < of->arrays; ++i) {
        glnn__halves_to_floats((const uint16_t *)of->from[i] + begin, count, numbers);
        add_block(total, numbers, count);
    }
    glnn__halves_from_floats(total, count, (uint16_t *)(void *)of->to + begin);
}

static void add_part(const void *work, size_t begin, size_t end)
{
    const sum *of = work;
    for (size_t i = begin; i < end; i += BLOCK) {
        const size_t count = end - i < BLOCK ? end - i : BLOCK;
        if (of->storage == GLNN_STORAGE_FLOAT16)
            sum_halves(of, i, count);
        else
            sum_floats(of, i, count);
    }
}

void glnn__mpi_add(glnn__pool *pool, glnn_storage storage, void *to, const void *const *from,
                   int arrays, size_t count)
{
    const sum of = {storage, to, from, arrays};
    glnn__pool_run(pool, add_part, &of, count, ((size_t)arrays + 1) * glnn__mpi_size_of(storage));
}
