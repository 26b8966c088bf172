#include "dist/bucket.h"

#include "dist/between.h"
#include "dist/gather.h"
#include "dist/host.h"
#include "dist/operations.h"
#include "dist/within.h"

#include <stdlib.h>

/* All libraries of MPI have tags up to this one. */
enum { TAGS = 32768 };

/* AUTO sums more numbers by the tree. */
static const size_t most_for_allreduce = 65536;

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

size_t glnn__mpi_bucket_count(const glnn_mpi *group, const glnn__mpi_message *message)
{
    size_t most = 0;
    if (!message->begins)
        return divide_up(message->count, group->desc.bucket);
    for (int r = 0; r < group->ranks; ++r) {
        const size_t bytes = message->begins[r + 1] - message->begins[r];
        most = bytes > most ? bytes : most;
    }
    return divide_up(most, group->desc.bucket * sizeof(float));
}

glnn_status glnn__mpi_bucket_create(glnn__mpi_bucket *bucket, int ranks)
{
    return glnn__mpi_operations_create(bucket, ranks);
}

void glnn__mpi_bucket_destroy(glnn__mpi_bucket *bucket)
{
    glnn__mpi_operations_destroy(bucket);
    free(bucket->children);
}

bool glnn__mpi_bucket_is_free(const glnn__mpi_bucket *bucket)
{
    return !bucket->stages;
}

/* ---- Stages */

static void deliver(glnn__mpi_bucket *bucket)
{
    if (bucket->of)
        ++bucket->of->finished;
    bucket->of = NULL;
}

/* The program may use its numbers at once if the other processes read a copy of them. */
static void give_back(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    glnn__mpi_host_reach(group, bucket, GLNN__MPI_TAKEN);
    glnn__mpi_host_await(bucket, GLNN__MPI_TAKEN, false);
    if (bucket->shown != bucket->numbers)
        deliver(bucket);
}

#define REDUCE glnn__mpi_between_reduce
#define TREE                                                                                       \
    glnn__mpi_between_collect, glnn__mpi_between_rise, glnn__mpi_between_await,                    \
        glnn__mpi_between_spread
#define HOST_SUM  glnn__mpi_within_show, glnn__mpi_within_add_part
#define TO_LEADER HOST_SUM, glnn__mpi_within_lead
#define TO_ALL    glnn__mpi_within_announce, glnn__mpi_within_copy_sum, give_back

/* Sums of one host, and of several: between processes that are alone on their hosts, and others. */
static const glnn__mpi_stage small_stages[] = {glnn__mpi_within_show_copy, glnn__mpi_within_add,
                                               give_back, NULL},
                             host_stages[] = {HOST_SUM, glnn__mpi_within_copy_parts, give_back,
                                              NULL},
                             reduce_stages[] = {REDUCE, NULL}, tree_stages[] = {TREE, NULL},
                             hosts_reduce_stages[] = {TO_LEADER, REDUCE, TO_ALL, NULL},
                             hosts_tree_stages[] = {TO_LEADER, TREE, TO_ALL, NULL},
                             gather_stages[] = {glnn__mpi_gather_exchange, NULL},
                             host_gather_stages[] = {glnn__mpi_gather_exchange,
                                                     glnn__mpi_gather_copy, give_back, NULL};

static bool takes_tree(const glnn_mpi *group, const glnn__mpi_message *message)
{
    if (group->desc.algorithm == GLNN_MPI_ALGORITHM_AUTO)
        return message->count > most_for_allreduce;
    return group->desc.algorithm == GLNN_MPI_ALGORITHM_TREE;
}

static const glnn__mpi_stage *stages_of(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    const bool is_shared = glnn__mpi_host_is_shared(group);
    if (bucket->kind == GLNN__MPI_GATHERING)
        return is_shared ? host_gather_stages : gather_stages;
    if (is_shared && group->leaders == 1)
        return bucket->bytes <= GLNN__MPI_SMALL ? small_stages : host_stages;
    if (takes_tree(group, bucket->of))
        return is_shared ? hosts_tree_stages : tree_stages;
    return is_shared ? hosts_reduce_stages : reduce_stages;
}

/* ---- From stage to stage */

static void enter_stage(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const glnn__mpi_stage enter = *bucket->stages++;
    bucket->awaits = -1;
    if (enter) {
        enter(group, bucket);
        return;
    }
    deliver(bucket);
    bucket->stages = NULL;
}

static void find_numbers(const glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    const glnn__mpi_message *of = bucket->of;
    const size_t most = group->desc.bucket, before = bucket->index * most;
    if (of->begins) {
        size_t place;
        bucket->kind = GLNN__MPI_GATHERING;
        bucket->bytes = glnn__mpi_gather_share(group, bucket, group->rank, &place);
        bucket->numbers = of->values + place;
        return;
    }
    bucket->kind = GLNN__MPI_SUM;
    bucket->count = of->count - before < most ? of->count - before : most;
    bucket->bytes = bucket->count * sizeof(float);
    bucket->numbers = of->values + before * sizeof(float);
}

void glnn__mpi_bucket_begin(glnn_mpi *group, glnn__mpi_bucket *bucket, glnn__mpi_message *message,
                            uint64_t number)
{
    bucket->of = message;
    bucket->index = message->started++;
    bucket->number = number;
    bucket->tag = (int)(number % TAGS);
    find_numbers(group, bucket);
    bucket->shown = bucket->numbers;
    bucket->stages = stages_of(group, bucket);
    enter_stage(group, bucket);
}

bool glnn__mpi_bucket_advance(glnn_mpi *group, glnn__mpi_bucket *bucket)
{
    bool moved = false;
    while (bucket->stages && glnn__mpi_operations_test(group, bucket) &&
           glnn__mpi_host_behind(group, bucket) < 0 && !group->watch.noticed.text[0]) {
        enter_stage(group, bucket);
        moved = true;
    }
    return moved;
}

int glnn__mpi_bucket_peer(const glnn_mpi *group, const glnn__mpi_bucket *bucket)
{
    if (!bucket->of)
        return -1;
    const int peer = glnn__mpi_operations_peer(bucket);
    return peer < 0 ? glnn__mpi_host_behind(group, bucket) : peer;
}
