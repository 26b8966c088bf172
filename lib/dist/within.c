#include "dist/within.h"

#include "base/pool.h"
#include "dist/arrays.h"
#include "dist/host.h"

#include <string.h>

/* Parts begin at multiples of so many numbers: whole lines of a cache. */
enum { UNIT = 64 };

void glnn__mpi_within_show(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    glnn__mpi_host_show(group, bucket, false);
}

void glnn__mpi_within_show_copy(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    glnn__mpi_host_show(group, bucket, true);
}

/* Lists the numbers of all processes from a place on. Returns false after a failure. */
static bool list_numbers(glnn_mpi *group, const glnn__mpi_bucket *bucket, size_t begin)
{
    for (int place = 0; place < group->mates; ++place) {
        const char *numbers = glnn__mpi_host_numbers(group, bucket, place, bucket->bytes);
        if (!numbers)
            return false;
        group->from[place] = numbers + begin;
    }
    return true;
}

static void add(glnn_mpi *group, const glnn__mpi_bucket *bucket, void *to, size_t begin, size_t end)
{
    if (list_numbers(group, bucket, begin * sizeof(float)))
        glnn__mpi_add(group->pool, to, group->from, group->mates, end - begin);
}

void glnn__mpi_within_add(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    add(group, bucket, bucket->numbers, 0, bucket->count);
}

/* Where the part of a process begins; that of the last one ends with the numbers. */
static size_t part_begin(size_t count, int place, int mates)
{
    const size_t units = count / UNIT;
    return place < mates ? units * (size_t)place / (size_t)mates * UNIT : count;
}

void glnn__mpi_within_add_part(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const size_t begin = part_begin(bucket->count, group->place, group->mates);
    const size_t end = part_begin(bucket->count, group->place + 1, group->mates);
    add(group, bucket, bucket->shown + begin * sizeof(float), begin, end);
    glnn__mpi_host_reach(group, bucket, GLNN__MPI_ADDED);
    glnn__mpi_host_await(bucket, GLNN__MPI_ADDED, false);
}

/* ---- Copies of the parts */

typedef struct parts {
    char *to;
    const void *const *from; /* the numbers of all processes */
    int mates;
    size_t count;
} parts;

static void copy_parts(const void *work, size_t begin, size_t end)
{
    const parts *of = work;
    for (int place = 0; place < of->mates; ++place) {
        const size_t first = part_begin(of->count, place, of->mates);
        const size_t last = part_begin(of->count, place + 1, of->mates);
        const size_t from = (begin > first ? begin : first) * sizeof(float);
        const size_t to = (end < last ? end : last) * sizeof(float);
        const char *numbers = of->from[place];
        if (from < to && numbers != of->to)
            memcpy(of->to + from, numbers + from, to - from);
    }
}

static void copy_all_parts(glnn_mpi *group, const glnn__mpi_bucket *bucket, char *to)
{
    const parts work = {to, group->from, group->mates, bucket->count};
    if (list_numbers(group, bucket, 0))
        glnn__pool_run(group->pool, copy_parts, &work, bucket->count, 2 * sizeof(float));
}

void glnn__mpi_within_copy_parts(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    copy_all_parts(group, bucket, bucket->numbers);
}

void glnn__mpi_within_lead(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    if (group->place == 0)
        copy_all_parts(group, bucket, bucket->shown);
}

/* ---- The sum of all hosts */

void glnn__mpi_within_announce(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    if (group->place == 0)
        glnn__mpi_host_reach(group, bucket, GLNN__MPI_WHOLE);
    glnn__mpi_host_await(bucket, GLNN__MPI_WHOLE, true);
}

void glnn__mpi_within_copy_sum(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const char *sum = glnn__mpi_host_numbers(group, bucket, 0, bucket->bytes);
    if (sum && sum != bucket->numbers)
        glnn__pool_copy(group->pool, bucket->numbers, sum, bucket->bytes);
}
