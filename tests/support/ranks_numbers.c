#include "ranks_numbers.h"

#include <math.h>

/* A number of a rank that every other rank can compute too, of 24 bits from -0.25 to 0.75: most
 * sums are rounded, so that their bits tell the order. */
static float number_of(int rank, size_t place)
{
    uint32_t mixed = (uint32_t)place * 0x9e3779b9u + (uint32_t)rank * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 16) * 0x7feb352du;
    mixed = (mixed ^ mixed >> 15) * 0x846ca68bu;
    return (float)(mixed >> 8) * 0x1p-24f - 0.25f;
}

/* Sums of floats in any order differ from the exact sum by at most this. */
static double bound_of(int ranks, double magnitudes)
{
    return ranks * 0x1p-24 * magnitudes;
}

static const float marker = 77;

numbers numbers_fill(const glnn_messenger *with, size_t count, bool is_allocated)
{
    numbers made = {.count = count, .is_allocated = is_allocated};
    void *values = NULL;
    if (is_allocated)
        PART_OK(with, with->allocate(with->user, (count + 1) * sizeof(float), &values));
    else
        values = malloc((count + 1) * sizeof(float));
    PART_ASSERT(values);
    made.values = values;
    for (size_t i = 0; i < count; ++i)
        made.values[i] = number_of(with->rank, i);
    made.values[count] = marker;
    return made;
}

void numbers_discard(const glnn_messenger *with, const numbers *of)
{
    if (of->is_allocated)
        with->release(with->user, of->values);
    else
        free(of->values);
}

/* Processes of one host add in the order of the ranks. */
void numbers_check_sum(const glnn_messenger *with, const numbers *of)
{
    const bool is_in_order = part_way() == RANKS_MEMORY;
    for (size_t i = 0; i < of->count; ++i) {
        float in_order = number_of(0, i);
        double sum = in_order, magnitudes = fabs(sum);
        for (int r = 1; r < with->ranks; ++r) {
            const float number = number_of(r, i);
            in_order += number;
            sum += number;
            magnitudes += fabs(number);
        }
        PART_ASSERT(fabs(of->values[i] - sum) <= bound_of(with->ranks, magnitudes));
        PART_ASSERT(!is_in_order || of->values[i] == in_order);
    }
    PART_ASSERT(of->values[of->count] == marker);
}

static uint64_t hash_of(const numbers *of)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < of->count; ++i) {
        uint32_t bits;
        memcpy(&bits, &of->values[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

static void compare_bits(const glnn_messenger *with, const numbers *of)
{
    uint64_t all[16], own = hash_of(of);
    PART_OK(with, with->gather(with->user, &own, sizeof own, all));
    for (int r = 0; r < with->ranks; ++r)
        PART_ASSERT(all[r] == own);
    if (with->rank == 0)
        printf("bits %zu %016llx\n", of->count, (unsigned long long)own);
}

void numbers_sum(const glnn_messenger *with, size_t count, bool is_allocated)
{
    const numbers of = numbers_fill(with, count, is_allocated);
    PART_OK(with, with->begin_sum(with->user, 3, of.values, count));
    PART_OK(with, with->end(with->user, 3));
    numbers_check_sum(with, &of);
    compare_bits(with, &of);
    numbers_discard(with, &of);
}
