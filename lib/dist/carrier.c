#include "dist/carrier.h"

#include "dist/sum.h"

#include <stdlib.h>
#include <string.h>

/* Buckets of at most so many bytes are copied to shared memory and added by each process, so that
 * they meet only once. */
enum { SMALL = 16384 };

/* Parts begin at multiples of so many numbers: whole lines of a cache. */
enum { UNIT = 64 };

/* Buckets that rise between hosts while the one before them falls. More of them made the functions
 * of Open MPI 4.1 slower, up to four times. */
enum { BETWEEN_HOSTS = 1 };

/* AUTO sums more numbers by the tree. */
static const size_t most_for_allreduce = 65536;

/* A bucket of a message, as this process has it. */
typedef struct bucket {
    int slot;
    char *numbers, *shown; /* of the program; in memory that the mates read */
    size_t bytes;
    int is_sum;
} bucket;

/* The bytes of a rank in bucket `index` of a gathering; *place receives where they are. */
static size_t share_of(const glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index,
                       int rank, size_t *place)
{
    const size_t begin = m->begins[rank] + index * c->most, end = m->begins[rank + 1];
    *place = begin;
    return begin >= end ? 0 : end - begin < c->most ? end - begin : c->most;
}

static bucket bucket_of(const glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index)
{
    const size_t bytes = m->count * sizeof(float);
    size_t place = index * c->most;
    bucket of = {.slot = (int)((c->carried + index) % GLNN__MPI_SLOTS), .is_sum = !m->begins};
    if (m->begins)
        of.bytes = share_of(c, m, index, c->members->rank, &place);
    else
        of.bytes = bytes - place < c->most ? bytes - place : c->most;
    of.numbers = m->values + place;
    const glnn__mpi_shown *shown = &c->window->shown[c->members->place * GLNN__MPI_SLOTS + of.slot];
    of.shown =
        c->members->mates > 1 ? c->window->bases[c->members->place] + shown->offset : of.numbers;
    return of;
}

/* The bytes of the largest share of a rank, or of the sum. */
static size_t most_bytes(const glnn__mpi_carrier *c, const glnn__mpi_message *m)
{
    size_t most = m->begins ? 0 : m->count * sizeof(float);
    for (int r = 0; m->begins && r < c->members->ranks; ++r) {
        const size_t share = m->begins[r + 1] - m->begins[r];
        most = share > most ? share : most;
    }
    return most;
}

/* ---- Numbers in shared memory */

/* Shows a bucket to the mates. Numbers outside of shared memory are copied to it, and small ones,
 * so that the mates do not read the memory of the program. */
static bool show(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index)
{
    const glnn__mpi_members *members = c->members;
    const bucket of = bucket_of(c, m, index);
    char *shown = of.numbers;
    if (members->mates == 1)
        return true;
    if (of.bytes <= SMALL || !glnn__mpi_window_has(c->window, of.numbers, of.bytes)) {
        if (!c->staging[of.slot])
            c->staging[of.slot] = glnn__mpi_window_allocate(c->window, c->most);
        shown = c->staging[of.slot];
        if (!glnn__mpi_window_has(c->window, shown, of.bytes)) {
            glnn__mpi_notice(c->watch, "rank %d on %s failed: no shared memory for %zu bytes",
                             members->rank, members->hosts[members->rank], c->most);
            return false;
        }
        glnn__pool_copy(c->pool, shown, of.numbers, of.bytes);
    }
    c->window->shown[members->place * GLNN__MPI_SLOTS + of.slot] =
        (glnn__mpi_shown){(size_t)(shown - c->window->bases[members->place]), of.bytes, of.is_sum};
    return true;
}

/* The numbers that a mate has shown, of `bytes` bytes. NULL, after a failure, if it has shown those
 * of another message, or others than its own. */
static char *shown_by(const glnn__mpi_carrier *c, const bucket *of, int place, size_t bytes)
{
    static const char *const kinds[] = {"a gathering", "a sum"};
    const glnn__mpi_members *members = c->members;
    const glnn__mpi_shown shown = c->window->shown[place * GLNN__MPI_SLOTS + of->slot];
    const bool is_held = glnn__mpi_window_holds(c->window, &shown);
    const int rank = members->mate_ranks[place];
    if (members->mates == 1)
        return of->shown;
    if (shown.is_sum == of->is_sum && shown.bytes == bytes && is_held)
        return c->window->bases[place] + shown.offset;
    if (shown.is_sum != of->is_sum)
        glnn__mpi_notice(c->watch, "rank %d on %s has begun %s, but rank %d %s", rank,
                         members->hosts[rank], kinds[!of->is_sum], members->rank,
                         kinds[of->is_sum]);
    else if (shown.bytes != bytes)
        glnn__mpi_notice(c->watch, "rank %d on %s sent %zu bytes, but rank %d expects %zu", rank,
                         members->hosts[rank], shown.bytes, members->rank, bytes);
    else
        glnn__mpi_notice(
            c->watch,
            "rank %d on %s shows %zu bytes from %zu on, but its shared memory has %zu, "
            "with sums at multiples of %zu",
            rank, members->hosts[rank], shown.bytes, shown.offset, c->window->segment,
            sizeof(float));
    return NULL;
}

/* ---- A sum of one host */

/* Where the part of a process begins; that of the last one ends with the numbers. */
static size_t part_begin(size_t count, int place, int mates)
{
    const size_t units = count / UNIT;
    return place < mates ? units * (size_t)place / (size_t)mates * UNIT : count;
}

/* Adds the numbers of all mates from `begin` to `end`. */
static bool add(glnn__mpi_carrier *c, const bucket *of, char *to, size_t begin, size_t end)
{
    for (int place = 0; place < c->members->mates; ++place) {
        const char *numbers = shown_by(c, of, place, of->bytes);
        if (!numbers)
            return false;
        c->from[place] = numbers + begin * sizeof(float);
    }
    glnn__mpi_add(c->pool, to + begin * sizeof(float), c->from, c->members->mates, end - begin);
    return true;
}

static bool add_part(glnn__mpi_carrier *c, const bucket *of)
{
    const int place = c->members->place, mates = c->members->mates;
    const size_t count = of->bytes / sizeof(float);
    return mates == 1 || add(c, of, of->shown, part_begin(count, place, mates),
                             part_begin(count, place + 1, mates));
}

static bool copy_parts(glnn__mpi_carrier *c, const bucket *of, char *to)
{
    const int mates = c->members->mates;
    const size_t count = of->bytes / sizeof(float);
    for (int place = 0; place < mates; ++place) {
        const size_t begin = part_begin(count, place, mates) * sizeof(float);
        const size_t end = part_begin(count, place + 1, mates) * sizeof(float);
        const char *numbers = shown_by(c, of, place, of->bytes);
        if (!numbers)
            return false;
        if (numbers != to)
            glnn__pool_copy(c->pool, to + begin, numbers + begin, end - begin);
    }
    return true;
}

/* ---- A sum of several hosts */

static bool takes_tree(const glnn__mpi_carrier *c, const glnn__mpi_message *m)
{
    return c->algorithm == GLNN_MPI_ALGORITHM_AUTO ? m->count > most_for_allreduce
                                                   : c->algorithm == GLNN_MPI_ALGORITHM_TREE;
}

/* The leader expects the numbers of the next bucket too. */
static bool rise(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index, size_t buckets)
{
    for (size_t i = index ? index + 1 : 0; i <= index + 1 && i < buckets; ++i)
        if (!glnn__mpi_tree_expect(&c->tree, i, bucket_of(c, m, i).bytes / sizeof(float)))
            return false;
    const bucket of = bucket_of(c, m, index);
    return glnn__mpi_tree_rise(&c->tree, index, of.shown, of.bytes / sizeof(float),
                               c->between[of.slot]);
}

/* The leader begins to sum a bucket with the other leaders, when its host has. */
static bool begin_between(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index,
                          size_t buckets)
{
    const bucket of = bucket_of(c, m, index);
    if (c->members->leader < 0)
        return true;
    if (c->members->mates > 1 && !copy_parts(c, &of, of.shown))
        return false;
    if (takes_tree(c, m))
        return rise(c, m, index, buckets);
    return glnn__mpi_check(c->watch,
                           MPI_Iallreduce(MPI_IN_PLACE, of.shown, (int)(of.bytes / sizeof(float)),
                                          MPI_FLOAT, MPI_SUM, c->members->between,
                                          &c->between[of.slot][0]),
                           "MPI_Iallreduce");
}

static bool end_between(glnn__mpi_carrier *c, const bucket *of, bool by_tree)
{
    MPI_Request *requests = c->between[of->slot];
    if (c->members->leader < 0)
        return true;
    if (by_tree && !glnn__mpi_tree_fall(&c->tree, of->shown, of->bytes / sizeof(float), requests))
        return false;
    return glnn__mpi_complete(c->watch, GLNN__MPI_TREE_REQUESTS, requests, MPI_STATUSES_IGNORE);
}

static bool copy_sum(glnn__mpi_carrier *c, const bucket *of)
{
    const char *sum = shown_by(c, of, 0, of->bytes);
    if (sum && sum != of->numbers)
        glnn__pool_copy(c->pool, of->numbers, sum, of->bytes);
    return sum;
}

/* ---- Messages */

/* One round between two meetings. Each bucket is added in one round, and copied in the next one, or
 * when the leaders have summed it. */
static bool sum_round(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t buckets,
                      size_t round)
{
    const bool by_tree = takes_tree(c, m), is_alone = c->members->leaders == 1;
    const bool has_added = round >= 1 && round - 1 < buckets;
    bucket of;
    if (round < buckets) {
        of = bucket_of(c, m, round);
        if (!add_part(c, &of))
            return false;
    }
    if (round + 1 < buckets && !show(c, m, round + 1))
        return false;
    if (has_added) {
        of = bucket_of(c, m, round - 1);
        if (!(is_alone ? copy_parts(c, &of, of.numbers) : begin_between(c, m, round - 1, buckets)))
            return false;
    }
    if (!is_alone && round > BETWEEN_HOSTS && round - 1 - BETWEEN_HOSTS < buckets) {
        of = bucket_of(c, m, round - 1 - BETWEEN_HOSTS);
        if (!end_between(c, &of, by_tree))
            return false;
    }
    if (!is_alone && round > 1 + BETWEEN_HOSTS) {
        of = bucket_of(c, m, round - 2 - BETWEEN_HOSTS);
        return copy_sum(c, &of);
    }
    return true;
}

static bool carry_sum(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t buckets)
{
    const bool is_alone = c->members->leaders == 1;
    const size_t rounds = buckets + (is_alone ? 1 : 2 + BETWEEN_HOSTS);
    if (is_alone && buckets == 1 && m->count * sizeof(float) <= SMALL) {
        const bucket of = bucket_of(c, m, 0);
        return show(c, m, 0) && glnn__mpi_meet(c->watch) && add(c, &of, of.numbers, 0, m->count);
    }
    if (!show(c, m, 0))
        return false;
    for (size_t round = 0; round < rounds; ++round)
        if (!glnn__mpi_meet(c->watch) || !sum_round(c, m, buckets, round))
            return false;
    return glnn__mpi_meet(c->watch);
}

/* Processes of one host copy the shares of the others. */
static bool copy_shares(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index)
{
    const bucket of = bucket_of(c, m, index);
    for (int i = 0; i < c->members->mates; ++i) {
        size_t place;
        const size_t bytes = share_of(c, m, index, c->members->mate_ranks[i], &place);
        const char *share = shown_by(c, &of, i, bytes);
        if (!share)
            return false;
        if (i != c->members->place)
            glnn__pool_copy(c->pool, m->values + place, share, bytes);
    }
    return true;
}

/* Processes of several hosts. Displacements of MPI_Iallgatherv end at 2^31 bytes, so each process
 * broadcasts its share. */
static bool broadcast_shares(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t index)
{
    const int ranks = c->members->ranks;
    for (int r = 0; r < ranks; ++r) {
        size_t place;
        const size_t bytes = share_of(c, m, index, r, &place);
        c->requests[r] = MPI_REQUEST_NULL;
        if (bytes && !glnn__mpi_check(c->watch,
                                      MPI_Ibcast(m->values + place, (int)bytes, MPI_BYTE, r,
                                                 c->members->all, &c->requests[r]),
                                      "MPI_Ibcast"))
            return false;
    }
    return glnn__mpi_complete(c->watch, ranks, c->requests, MPI_STATUSES_IGNORE);
}

static bool carry_shares(glnn__mpi_carrier *c, const glnn__mpi_message *m, size_t buckets)
{
    const bool is_alone = c->members->leaders == 1;
    for (size_t i = 0; i < buckets; ++i) {
        if ((is_alone && !show(c, m, i)) || !glnn__mpi_meet(c->watch) ||
            !(is_alone ? copy_shares(c, m, i) : broadcast_shares(c, m, i)))
            return false;
    }
    return !is_alone || most_bytes(c, m) <= SMALL || glnn__mpi_meet(c->watch);
}

bool glnn__mpi_carry(glnn__mpi_carrier *carrier, const glnn__mpi_message *message)
{
    const size_t bytes = most_bytes(carrier, message);
    glnn__mpi_begin_message(carrier->watch);
    const size_t buckets = bytes / carrier->most + (bytes % carrier->most != 0);
    const bool is_well = buckets == 0      ? true
                         : message->begins ? carry_shares(carrier, message, buckets)
                                           : carry_sum(carrier, message, buckets);
    carrier->carried += buckets;
    return is_well;
}

size_t glnn__mpi_carrier_needs(size_t numbers)
{
    return (GLNN__MPI_SLOTS + 1) * numbers * sizeof(float);
}

bool glnn__mpi_carrier_create(const glnn__mpi_members *members, glnn__mpi_window *window,
                              glnn__mpi_watch *watch, glnn__pool *pool, const glnn_mpi_desc *desc,
                              glnn__mpi_carrier *out)
{
    const size_t bytes = desc->bucket * sizeof(float);
    *out = (glnn__mpi_carrier){
        .members = members,
        .window = window,
        .watch = watch,
        .pool = pool,
        .algorithm = desc->algorithm,
        .most = bytes,
        .tree = {.members = members, .watch = watch, .pool = pool, .bytes = bytes}};
    for (int i = 0; i < GLNN__MPI_SLOTS * GLNN__MPI_TREE_REQUESTS; ++i)
        out->between[i / GLNN__MPI_TREE_REQUESTS][i % GLNN__MPI_TREE_REQUESTS] = MPI_REQUEST_NULL;
    out->from = calloc((size_t)members->mates, sizeof *out->from);
    out->requests = calloc((size_t)members->ranks, sizeof *out->requests);
    return glnn__mpi_tree_create(&out->tree) && out->from && out->requests;
}

void glnn__mpi_carrier_destroy(glnn__mpi_carrier *carrier)
{
    for (int i = 0; i < GLNN__MPI_SLOTS; ++i)
        if (carrier->staging[i])
            glnn__mpi_window_release(carrier->window, carrier->staging[i]);
    free(carrier->from);
    free(carrier->requests);
    free(carrier->tree.children);
}
