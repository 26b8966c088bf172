/* Sums and gatherings of libglnn-mpi between one to four processes, through shared memory, by
 * messages and between hosts, with several messages under way. The test starts itself by mpirun;
 * each process then runs one part. */
#include "support/ranks_numbers.h"

/* ---- Parts: what each process does */

/* Small ones, one more and less than a bucket or a part, large ones, and primes. */
static const size_t counts[] = {0,    1,    2,    7,    15,   16,   17,    63,    64,
                                65,   127,  997,  999,  1000, 1001, 4095,  4096,  4097,
                                5003, 7919, 8191, 8192, 8193, 9999, 10000, 10001, 40009};

/* In memory of the messenger, in other memory, and in both. */
static void sum_each_count(const glnn_messenger *with)
{
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        numbers_sum(with, counts[i], true);
        numbers_sum(with, counts[i], false);
        numbers_sum(with, counts[i], with->rank % 2 == 0);
    }
}

static void sums_of(glnn_mpi_algorithm algorithm)
{
    /* Buckets that are small, and others. */
    static const size_t buckets[] = {1000, 10000};
    for (size_t i = 0; i < COUNT_OF(buckets); ++i) {
        glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.algorithm = algorithm, .bucket = buckets[i]});
        sum_each_count(glnn_mpi_get_messenger(mpi));
        glnn_mpi_destroy(mpi);
    }
}

static void sums_by_allreduce(void)
{
    sums_of(GLNN_MPI_ALGORITHM_ALLREDUCE);
}

static void sums_by_tree(void)
{
    sums_of(GLNN_MPI_ALGORITHM_TREE);
}

/* With the usual buckets, of which a sum of this size has more than are under way at once. */
static void large_sum(void)
{
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    const size_t count = (size_t)with->ranks * 9 * 131072 + 12345;
    numbers_sum(with, count, true);
    numbers_sum(with, count, false);
    glnn_mpi_destroy(mpi);
}

/* Rank r has some of `total` numbers; one rank has none. */
static void gather_uneven(const glnn_messenger *with, size_t total, bool is_allocated)
{
    size_t begins[16] = {0};
    const numbers of = numbers_fill(with, total, is_allocated);
    float *values = of.values;
    for (int r = 0; r < with->ranks; ++r)
        begins[r + 1] = r == 1 ? begins[r] : total * (size_t)(r + 1) / (size_t)with->ranks;
    begins[with->ranks] = with->ranks == 2 ? begins[1] : total;
    const size_t end = begins[with->ranks];
    for (size_t i = 0; i <= end; ++i)
        values[i] = i >= begins[with->rank] && i < begins[with->rank + 1] ? (float)i : -1;
    for (int r = 0; r <= with->ranks; ++r)
        begins[r] *= sizeof *values;
    PART_OK(with, with->begin_gather(with->user, 1000, values, begins));
    memset(begins, 0xff, sizeof begins);
    PART_OK(with, with->end(with->user, 1000));
    for (size_t i = 0; i < end; ++i)
        PART_ASSERT(values[i] == (float)i);
    PART_ASSERT(values[end] == -1);
    numbers_discard(with, &of);
}

static void gatherings(void)
{
    glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.bucket = 7000});
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        gather_uneven(with, counts[i], true);
        gather_uneven(with, counts[i], false);
    }
    int all[16];
    const int own = 100 + with->rank;
    PART_OK(with, with->gather(with->user, &own, sizeof own, all));
    for (int r = 0; r < with->ranks; ++r)
        PART_ASSERT(all[r] == 100 + r);
    PART_OK(with, with->gather(with->user, NULL, 0, NULL));
    glnn_mpi_destroy(mpi);
}

/* Sums and gatherings under way at a time, ended in another order on each process. */
static void mixed_order(void)
{
    enum { MESSAGES = 24, ROUNDS = 20 };
    glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.bucket = 6000});
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    numbers messages[MESSAGES];
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < MESSAGES; ++i) {
            const size_t count = (size_t)(i * i) * 53;
            messages[i] = numbers_fill(with, count, (i + with->rank) % 3 > 0);
            PART_OK(with, with->begin_sum(with->user, i, messages[i].values, count));
            if (i % 5 == round % 5)
                gather_uneven(with, (size_t)i * 310, i % 2);
        }
        for (int i = 0; i < MESSAGES; ++i) {
            const int number = (i * (with->rank ? 7 : 11) + round) % MESSAGES;
            bool done = false;
            PART_OK(with, with->is_done(with->user, number, &done));
            PART_OK(with, with->end(with->user, number));
            numbers_check_sum(with, &messages[number]);
            numbers_discard(with, &messages[number]);
        }
    }
    glnn_mpi_destroy(mpi);
}

static const part parts[] = {
    {"sums_by_allreduce", sums_by_allreduce},
    {"sums_by_tree", sums_by_tree},
    {"large_sum", large_sum},
    {"gatherings", gatherings},
    {"mixed_order", mixed_order},
};

/* ---- Tests */

static void all_reduce_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs(void **state)
{
    (void)state;
    for_each_way("sums_by_allreduce", expect_equal_runs);
}

static void the_tree_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs(void **state)
{
    (void)state;
    for_each_way("sums_by_tree", expect_equal_runs);
}

static void a_sum_of_more_buckets_than_are_under_way_has_the_same_bits(void **state)
{
    (void)state;
    for_each_way("large_sum", expect_equal_runs);
}

static void uneven_and_empty_shares_are_gathered_in_place(void **state)
{
    (void)state;
    for_each_way("gatherings", expect_part);
}

static void messages_under_way_can_end_in_any_order(void **state)
{
    (void)state;
    for_each_way("mixed_order", expect_part);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_reduce_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs),
        cmocka_unit_test(the_tree_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs),
        cmocka_unit_test(a_sum_of_more_buckets_than_are_under_way_has_the_same_bits),
        cmocka_unit_test(uneven_and_empty_shares_are_gathered_in_place),
        cmocka_unit_test(messages_under_way_can_end_in_any_order),
    };
    parts_of_ways = "sums_by_allreduce,sums_by_tree,large_sum,gatherings,mixed_order";
    parts_with_bits = "sums_by_allreduce,sums_by_tree,large_sum";
    if (argc == 2)
        return run_part(parts, COUNT_OF(parts), argv[1]);
    return cmocka_run_group_tests_name("mpi_sums", tests, NULL, NULL);
}
