/* The messenger of libglnn-mpi between two and three processes: sums, gatherings, and several
 * messages under way. The test starts itself by mpirun; each process then runs one part. */
#include "support/ranks.h"

#include "base/random.h"

#include <glnn/glnn.h>
#include <glnn/mpi.h>

#include <math.h>
#include <time.h>

/* ---- Parts: what each process does */

/* Numbers of a rank that every other rank can compute too. */
static float number_of(int rank, size_t place)
{
    glnn__random random;
    glnn__random_start(&random, (uint64_t)rank * 1000003u + (uint64_t)place);
    return (float)glnn__random_below(&random, 1 << 20) * 0x1p-20f - 0.25f;
}

/* Sums of floats in any order differ from the exact sum by at most this. */
static double bound_of(int ranks, double magnitudes)
{
    return ranks * 0x1p-24 * magnitudes;
}

static float *fill(int rank, size_t count)
{
    float *values = malloc((count + 1) * sizeof *values);
    PART_ASSERT(values);
    for (size_t i = 0; i < count; ++i)
        values[i] = number_of(rank, i);
    values[count] = 77;
    return values;
}

static void check_sum(const glnn_messenger *with, const float *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        double sum = 0, magnitudes = 0;
        for (int r = 0; r < with->ranks; ++r) {
            sum += number_of(r, i);
            magnitudes += fabs(number_of(r, i));
        }
        PART_ASSERT(fabs(values[i] - sum) <= bound_of(with->ranks, magnitudes));
    }
    PART_ASSERT(values[count] == 77);
}

static uint64_t hash_of(const float *values, size_t count)
{
    uint64_t hash = 1469598103934665603u;
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < count * sizeof *values; ++i)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

/* The bits of all processes are equal; rank 0 prints them, to compare them with another run. */
static void compare_bits(const glnn_messenger *with, const float *values, size_t count)
{
    uint64_t all[16], own = hash_of(values, count);
    PART_OK(with, with->gather(with->user, &own, sizeof own, all));
    for (int r = 0; r < with->ranks; ++r)
        PART_ASSERT(all[r] == own);
    if (with->rank == 0)
        printf("bits %zu %016llx\n", count, (unsigned long long)own);
}

static const size_t counts[] = {0, 1, 2, 7, 997, 1000, 1001, 5003, 40009};

static void sum_each_count(const glnn_messenger *with)
{
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        float *values = fill(with->rank, counts[i]);
        PART_OK(with, with->begin_sum(with->user, 3, values, counts[i], GLNN_STORAGE_FLOAT32));
        PART_OK(with, with->end(with->user, 3));
        check_sum(with, values, counts[i]);
        compare_bits(with, values, counts[i]);
        free(values);
    }
}

static void sums_of(glnn_mpi_algorithm algorithm)
{
    glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.algorithm = algorithm, .bucket = 1000});
    sum_each_count(glnn_mpi_get_messenger(mpi));
    glnn_mpi_destroy(mpi);
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
    enum { COUNT = 9 * 262144 + 12345 };
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float *values = fill(with->rank, COUNT);
    PART_OK(with, with->begin_sum(with->user, 0, values, COUNT, GLNN_STORAGE_FLOAT32));
    PART_OK(with, with->end(with->user, 0));
    check_sum(with, values, COUNT);
    compare_bits(with, values, COUNT);
    free(values);
    glnn_mpi_destroy(mpi);
}

/* Rank r has some of `total` numbers; one rank has none. */
static void gather_uneven(const glnn_messenger *with, size_t total)
{
    size_t begins[16] = {0};
    float *values = malloc((total + 1) * sizeof *values);
    PART_ASSERT(values);
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
    free(values);
}

static void gatherings(void)
{
    glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.bucket = 1000});
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    for (size_t i = 0; i < COUNT_OF(counts); ++i)
        gather_uneven(with, counts[i]);
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
    glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.bucket = 100});
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float *values[MESSAGES];
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < MESSAGES; ++i) {
            values[i] = fill(with->rank, (size_t)i * 53);
            PART_OK(with, with->begin_sum(with->user, i, values[i], (size_t)i * 53,
                                          GLNN_STORAGE_FLOAT32));
            if (i % 5 == round % 5)
                gather_uneven(with, (size_t)i * 31);
        }
        for (int i = 0; i < MESSAGES; ++i) {
            const int number = (i * (with->rank ? 7 : 11) + round) % MESSAGES;
            bool done = false;
            PART_OK(with, with->is_done(with->user, number, &done));
            PART_OK(with, with->end(with->user, number));
            check_sum(with, values[number], (size_t)number * 53);
            free(values[number]);
        }
    }
    glnn_mpi_destroy(mpi);
}

/* Wrong uses are refused, and the group goes on. */
static void misuse(void)
{
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float value = 1;
    bool done;
    PART_ASSERT(with->end(with->user, 1) == GLNN_E_STATE);
    PART_ASSERT(strcmp(with->get_error(with->user), "end: message 1 is not under way") == 0);
    PART_ASSERT(with->is_done(with->user, 1, &done) == GLNN_E_STATE);
    PART_OK(with, with->begin_sum(with->user, 1, &value, 1, GLNN_STORAGE_FLOAT32));
    PART_ASSERT(with->begin_sum(with->user, 1, &value, 1, GLNN_STORAGE_FLOAT32) == GLNN_E_STATE);
    PART_ASSERT(strstr(with->get_error(with->user), "message 1 is already under way"));
    PART_OK(with, with->end(with->user, 1));
    PART_ASSERT(value == (float)with->ranks);
    glnn_mpi_destroy(mpi);
}

static void sleep_milliseconds(int milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL);
}

/* Groups one after another and at a time; the place of the process and its device. */
static void groups(void)
{
    /* Signs of life are frequent, so that some are under way when a group ends. */
    static const glnn_mpi_desc quick = {.seconds = 0.5};
    glnn_mpi *first = part_join(NULL);
    glnn_mpi *second = part_join(&(glnn_mpi_desc){.seconds = 5});
    const glnn_messenger *with = glnn_mpi_get_messenger(second);
    int device = -1;
    PART_ASSERT(glnn_mpi_get_rank(first) == with->rank);
    PART_ASSERT(glnn_mpi_get_ranks(first) == with->ranks);
    PART_ASSERT(glnn_mpi_get_host_rank(first) == with->rank);
    PART_ASSERT(glnn_mpi_get_host_ranks(first) == with->ranks);
    PART_ASSERT(glnn_mpi_get_device(first, &device) == GLNN_OK);
    PART_ASSERT(device >= 0);
    sum_each_count(glnn_mpi_get_messenger(first));
    sum_each_count(with);
    glnn_mpi_destroy(second);
    glnn_mpi_destroy(first);
    for (int i = 0; i < 20; ++i) {
        first = part_join(&quick);
        with = glnn_mpi_get_messenger(first);
        sleep_milliseconds(10 * (i % 3));
        PART_OK(with, with->gather(with->user, NULL, 0, NULL));
        glnn_mpi_destroy(first);
    }
}

/* Rank 1 asks for other buckets: all processes learn it. */
static void different_descriptions(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    glnn_mpi *mpi = NULL;
    PART_ASSERT(rank);
    const bool is_one = atoi(rank) == 1;
    PART_ASSERT(glnn_mpi_create(&(glnn_mpi_desc){.bucket = is_one ? 10 : 20}, &mpi) == GLNN_E_ARG);
    PART_ASSERT(!mpi);
    PART_ASSERT(strstr(glnn_last_error(), is_one ? "rank 0 on " : "rank 1 on "));
    PART_ASSERT(strstr(glnn_last_error(), is_one ? "buckets of 20 " : "buckets of 10 "));
}

static const part parts[] = {
    {"sums_by_allreduce", sums_by_allreduce},
    {"sums_by_tree", sums_by_tree},
    {"large_sum", large_sum},
    {"gatherings", gatherings},
    {"mixed_order", mixed_order},
    {"misuse", misuse},
    {"groups", groups},
    {"different_descriptions", different_descriptions},
};

/* ---- Tests */

static void expect_part(const char *name, int ranks, run_of_ranks *run)
{
    *run = run_ranks(name, ranks, 120);
    if (run->status != 0)
        fail_msg("%s with %d ranks: status %d\n%s", name, ranks, run->status, run->text);
}

static void expect_same_runs(const char *name)
{
    for (int ranks = 1; ranks <= 3; ++ranks) {
        run_of_ranks first, second;
        expect_part(name, ranks, &first);
        expect_part(name, ranks, &second);
        assert_non_null(strstr(first.text, "bits "));
        assert_string_equal(first.text, second.text);
    }
}

static void all_reduce_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs(void **state)
{
    (void)state;
    expect_same_runs("sums_by_allreduce");
}

static void the_tree_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs(void **state)
{
    (void)state;
    expect_same_runs("sums_by_tree");
}

static void a_sum_of_more_buckets_than_are_under_way_has_the_same_bits(void **state)
{
    (void)state;
    expect_same_runs("large_sum");
}

static void expect_with_each_count(const char *name)
{
    run_of_ranks run;
    for (int ranks = 1; ranks <= 3; ++ranks)
        expect_part(name, ranks, &run);
}

static void uneven_and_empty_shares_are_gathered_in_place(void **state)
{
    (void)state;
    expect_with_each_count("gatherings");
}

static void messages_under_way_can_end_in_any_order(void **state)
{
    (void)state;
    expect_with_each_count("mixed_order");
}

static void wrong_numbers_are_refused_and_the_group_goes_on(void **state)
{
    (void)state;
    expect_with_each_count("misuse");
}

static void groups_can_exist_one_after_another_and_at_a_time(void **state)
{
    (void)state;
    expect_with_each_count("groups");
}

static void ranks_with_different_descriptions_do_not_begin(void **state)
{
    run_of_ranks run;
    (void)state;
    expect_part("different_descriptions", 2, &run);
    expect_part("different_descriptions", 3, &run);
}

static void bad_descriptions_and_null_pointers_are_refused(void **state)
{
    glnn_mpi *mpi, **out = &mpi;
    glnn_mpi_algorithm algorithm = GLNN_MPI_ALGORITHM_TREE;
    int device;
    (void)state;
    expect_error(glnn_mpi_create(NULL, NULL), GLNN_E_ARG, "glnn_mpi_create: `out` is null");
    expect_error(glnn_mpi_create(&(glnn_mpi_desc){.bucket = (size_t)1 << 29}, out), GLNN_E_ARG,
                 "glnn_mpi_create: desc.bucket is 536870912");
    expect_error(glnn_mpi_create(&(glnn_mpi_desc){.seconds = -1}, out), GLNN_E_ARG,
                 "glnn_mpi_create: desc.seconds is -1");
    expect_error(glnn_mpi_create(&(glnn_mpi_desc){.seconds = NAN}, out), GLNN_E_ARG,
                 "glnn_mpi_create: desc.seconds is ");
    expect_error(glnn_mpi_create(&(glnn_mpi_desc){.algorithm = (glnn_mpi_algorithm)3}, out),
                 GLNN_E_ARG, "glnn_mpi_create: 3 is not a glnn_mpi_algorithm");
    expect_error(glnn_mpi_get_device(NULL, &device), GLNN_E_ARG,
                 "glnn_mpi_get_device: `mpi` is null");
    expect_error(glnn_mpi_algorithm_from_name("ring", &algorithm), GLNN_E_ARG, "'ring' is unknown");
    expect_error(glnn_mpi_algorithm_from_name(NULL, &algorithm), GLNN_E_ARG, "`name` is null");
    expect_error(glnn_mpi_algorithm_from_name("tree", NULL), GLNN_E_ARG, "`out` is null");
    assert_int_equal(algorithm, GLNN_MPI_ALGORITHM_TREE);
    assert_null(glnn_mpi_get_messenger(NULL));
    assert_int_equal(glnn_mpi_get_rank(NULL), 0);
    assert_int_equal(glnn_mpi_get_ranks(NULL), 0);
    assert_int_equal(glnn_mpi_get_host_rank(NULL), 0);
    assert_int_equal(glnn_mpi_get_host_ranks(NULL), 0);
    glnn_mpi_destroy(NULL);
}

static void each_algorithm_has_a_name(void **state)
{
    static const char *const names[] = {"auto", "allreduce", "tree"};
    (void)state;
    for (int i = 0; i < GLNN_MPI_ALGORITHM_COUNT; ++i) {
        glnn_mpi_algorithm found = GLNN_MPI_ALGORITHM_COUNT;
        assert_string_equal(glnn_mpi_algorithm_name((glnn_mpi_algorithm)i), names[i]);
        expect_ok(glnn_mpi_algorithm_from_name(names[i], &found));
        assert_int_equal(found, i);
    }
    assert_string_equal(glnn_mpi_algorithm_name(GLNN_MPI_ALGORITHM_COUNT), "unknown");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_reduce_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs),
        cmocka_unit_test(the_tree_gives_the_sum_with_the_same_bits_on_all_ranks_and_in_all_runs),
        cmocka_unit_test(a_sum_of_more_buckets_than_are_under_way_has_the_same_bits),
        cmocka_unit_test(uneven_and_empty_shares_are_gathered_in_place),
        cmocka_unit_test(messages_under_way_can_end_in_any_order),
        cmocka_unit_test(wrong_numbers_are_refused_and_the_group_goes_on),
        cmocka_unit_test(groups_can_exist_one_after_another_and_at_a_time),
        cmocka_unit_test(ranks_with_different_descriptions_do_not_begin),
        cmocka_unit_test(bad_descriptions_and_null_pointers_are_refused),
        cmocka_unit_test(each_algorithm_has_a_name),
    };
    if (argc == 2)
        return run_part(parts, COUNT_OF(parts), argv[1]);
    return cmocka_run_group_tests_name("mpi", tests, NULL, NULL);
}
