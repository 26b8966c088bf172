/* The messenger of libglnn-mpi between two to four processes, through shared memory, by messages
 * and between hosts: sums, gatherings, and several messages under way. The test starts itself by
 * mpirun; each process then runs one part. */
#include "support/ranks.h"

#include "base/half.h"
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

/* Numbers of a message, in memory of the messenger or of the program. */
typedef struct numbers {
    void *values;
    size_t count;
    glnn_storage storage;
    bool is_allocated;
} numbers;

static const float marker = 77;

static float get_number(const numbers *of, size_t i)
{
    return of->storage == GLNN_STORAGE_FLOAT16
               ? glnn__half_to_float(((const uint16_t *)of->values)[i])
               : ((const float *)of->values)[i];
}

static void set_number(const numbers *of, size_t i, float number)
{
    if (of->storage == GLNN_STORAGE_FLOAT16)
        ((uint16_t *)of->values)[i] = glnn__half_from_float(number);
    else
        ((float *)of->values)[i] = number;
}

/* A marker follows the numbers of this process. */
static numbers fill(const glnn_messenger *with, size_t count, glnn_storage storage,
                    bool is_allocated)
{
    numbers made = {.count = count, .storage = storage, .is_allocated = is_allocated};
    if (is_allocated)
        PART_OK(with, with->allocate(with->user, (count + 1) * sizeof(float), &made.values));
    else
        made.values = malloc((count + 1) * sizeof(float));
    PART_ASSERT(made.values);
    for (size_t i = 0; i < count; ++i)
        set_number(&made, i, number_of(with->rank, i));
    set_number(&made, count, marker);
    return made;
}

static void discard(const glnn_messenger *with, const numbers *of)
{
    if (of->is_allocated)
        with->release(with->user, of->values);
    else
        free(of->values);
}

static float stored(glnn_storage storage, float number)
{
    return storage == GLNN_STORAGE_FLOAT16 ? glnn__half_to_float(glnn__half_from_float(number))
                                           : number;
}

/* Processes of one host add in the order of the ranks, and round once. Several hosts, and messages,
 * round at most four partial sums. */
static void check_sum(const glnn_messenger *with, const numbers *of)
{
    const double roundings = of->storage == GLNN_STORAGE_FLOAT16 ? 4 * 0x1p-11 : 0;
    for (size_t i = 0; i < of->count; ++i) {
        float in_order = stored(of->storage, number_of(0, i));
        double sum = in_order, magnitudes = fabs(sum);
        for (int r = 1; r < with->ranks; ++r) {
            const float number = stored(of->storage, number_of(r, i));
            in_order += number;
            sum += number;
            magnitudes += fabs(number);
        }
        const double error = fabs(get_number(of, i) - sum);
        PART_ASSERT(error <= bound_of(with->ranks, magnitudes) + roundings * magnitudes);
        if (part_way() == RANKS_MEMORY)
            PART_ASSERT(get_number(of, i) == stored(of->storage, in_order));
    }
    PART_ASSERT(get_number(of, of->count) == marker);
}

static uint64_t hash_of(const numbers *of)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < of->count; ++i) {
        const float number = get_number(of, i);
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

/* The bits of all processes are equal; rank 0 prints them, to compare them with another run. */
static void compare_bits(const glnn_messenger *with, const numbers *of)
{
    uint64_t all[16], own = hash_of(of);
    PART_OK(with, with->gather(with->user, &own, sizeof own, all));
    for (int r = 0; r < with->ranks; ++r)
        PART_ASSERT(all[r] == own);
    if (with->rank == 0)
        printf("bits %zu %016llx\n", of->count, (unsigned long long)own);
}

/* Small ones, one more and less than a bucket or a part, large ones, and primes. */
static const size_t counts[] = {0,    1,    2,    7,    15,   16,   17,    63,    64,
                                65,   127,  997,  999,  1000, 1001, 4095,  4096,  4097,
                                5003, 7919, 8191, 8192, 8193, 9999, 10000, 10001, 40009};

static void sum_once(const glnn_messenger *with, size_t count, glnn_storage storage,
                     bool is_allocated)
{
    const numbers of = fill(with, count, storage, is_allocated);
    PART_OK(with, with->begin_sum(with->user, 3, of.values, count, storage));
    PART_OK(with, with->end(with->user, 3));
    check_sum(with, &of);
    compare_bits(with, &of);
    discard(with, &of);
}

/* In memory of the messenger, in other memory, and in both. */
static void sum_each_count(const glnn_messenger *with)
{
    for (size_t i = 0; i < COUNT_OF(counts); ++i)
        for (int s = 0; s < STORED_COUNT; ++s) {
            sum_once(with, counts[i], (glnn_storage)s, true);
            sum_once(with, counts[i], (glnn_storage)s, false);
            sum_once(with, counts[i], (glnn_storage)s, with->rank % 2 == 0);
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
    enum { COUNT = 9 * 262144 + 12345 };
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    sum_once(with, COUNT, GLNN_STORAGE_FLOAT32, true);
    sum_once(with, COUNT, GLNN_STORAGE_FLOAT16, false);
    glnn_mpi_destroy(mpi);
}

/* Rank r has some of `total` numbers; one rank has none. */
static void gather_uneven(const glnn_messenger *with, size_t total, bool is_allocated)
{
    size_t begins[16] = {0};
    const numbers of = fill(with, total, GLNN_STORAGE_FLOAT32, is_allocated);
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
    discard(with, &of);
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
            const glnn_storage storage = (glnn_storage)(i % STORED_COUNT);
            const size_t count = (size_t)(i * i) * 53;
            messages[i] = fill(with, count, storage, (i + with->rank) % 3 > 0);
            PART_OK(with, with->begin_sum(with->user, i, messages[i].values, count, storage));
            if (i % 5 == round % 5)
                gather_uneven(with, (size_t)i * 310, i % 2);
        }
        for (int i = 0; i < MESSAGES; ++i) {
            const int number = (i * (with->rank ? 7 : 11) + round) % MESSAGES;
            bool done = false;
            PART_OK(with, with->is_done(with->user, number, &done));
            PART_OK(with, with->end(with->user, number));
            check_sum(with, &messages[number]);
            discard(with, &messages[number]);
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
    PART_ASSERT(with->begin_sum(with->user, 1, &value, 1, (glnn_storage)2) == GLNN_E_ARG);
    PART_ASSERT(strstr(with->get_error(with->user), "message 1 has numbers of an unknown storage"));
    glnn_mpi_destroy(mpi);
}

/* Each process allocates and releases as it likes. */
static void memory_comes_and_goes(void)
{
    enum { ROUNDS = 2000, PARTS = 16 };
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    char *parts[PARTS] = {NULL};
    size_t sizes[PARTS] = {0};
    glnn__random random;
    void *memory = &random;
    glnn__random_start(&random, (uint64_t)with->rank);
    for (int i = 0; i < ROUNDS; ++i) {
        const size_t p = glnn__random_below(&random, PARTS);
        if (parts[p])
            PART_ASSERT(parts[p][0] == (char)p && parts[p][sizes[p] - 1] == (char)p);
        with->release(with->user, parts[p]);
        sizes[p] = 1 + glnn__random_below(&random, i % 64 ? 10000 : 16 << 20);
        PART_OK(with, with->allocate(with->user, sizes[p], (void **)&parts[p]));
        PART_ASSERT((uintptr_t)parts[p] % 64 == 0);
        parts[p][0] = parts[p][sizes[p] - 1] = (char)p;
    }
    for (size_t p = 0; p < PARTS; ++p)
        with->release(with->user, parts[p]);
    with->release(with->user, NULL);
    PART_ASSERT(with->allocate(with->user, SIZE_MAX / 2, &memory) == GLNN_E_NOMEM);
    PART_ASSERT(strstr(with->get_error(with->user), "no memory for a message of "));
    PART_OK(with, with->allocate(with->user, 0, &memory));
    sum_once(with, 100000, GLNN_STORAGE_FLOAT32, true);
    glnn_mpi_destroy(mpi);
}

/* Another kind of message, or another storage, is not taken for numbers. */
static void other_kinds(void)
{
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    const glnn_storage storage = with->rank == 1 ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
    const numbers of = fill(with, 6000, storage, true);
    PART_OK(with,
            with->begin_sum(with->user, 0, of.values, with->rank == 1 ? 6000 : 3000, storage));
    PART_ASSERT(with->end(with->user, 0) == GLNN_E_PROCESS);
    puts(with->get_error(with->user));
    fflush(stdout);
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
    sum_once(glnn_mpi_get_messenger(first), 10000, GLNN_STORAGE_FLOAT32, true);
    sum_once(with, 10000, GLNN_STORAGE_FLOAT32, true);
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
    {"memory_comes_and_goes", memory_comes_and_goes},
    {"other_kinds", other_kinds},
    {"groups", groups},
    {"different_descriptions", different_descriptions},
};

/* ---- Tests */

static void expect_part(const char *name, int ranks, run_of_ranks *run)
{
    *run = run_ranks(name, ranks, 120);
    if (run->status != 0)
        fail_msg("%s with %d ranks in way %s: status %d\n%s", name, ranks, getenv("PART_WAY"),
                 run->status, run->text);
}

static void for_each_way(const char *name, void (*expect)(const char *name, int ranks))
{
    static const struct {
        ranks_way way;
        int ranks;
    } runs[] = {{RANKS_MEMORY, 1},   {RANKS_MEMORY, 2}, {RANKS_MEMORY, 3}, {RANKS_MESSAGES, 2},
                {RANKS_MESSAGES, 3}, {RANKS_HOSTS, 3},  {RANKS_HOSTS, 4}};
    for (size_t i = 0; i < COUNT_OF(runs); ++i) {
        ranks_set_way(runs[i].way);
        expect(name, runs[i].ranks);
    }
    ranks_set_way(RANKS_MEMORY);
}

static void expect_equal_runs(const char *name, int ranks)
{
    run_of_ranks first, second;
    expect_part(name, ranks, &first);
    expect_part(name, ranks, &second);
    assert_non_null(strstr(first.text, "bits "));
    assert_string_equal(first.text, second.text);
}

static void expect_success(const char *name, int ranks)
{
    run_of_ranks run;
    expect_part(name, ranks, &run);
}

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
    for_each_way("gatherings", expect_success);
}

static void messages_under_way_can_end_in_any_order(void **state)
{
    (void)state;
    for_each_way("mixed_order", expect_success);
}

static void wrong_numbers_are_refused_and_the_group_goes_on(void **state)
{
    (void)state;
    for_each_way("misuse", expect_success);
}

static void memory_for_messages_is_used_again_and_its_end_is_an_error(void **state)
{
    (void)state;
    for_each_way("memory_comes_and_goes", expect_success);
}

static void groups_can_exist_one_after_another_and_at_a_time(void **state)
{
    (void)state;
    for_each_way("groups", expect_success);
}

/* Either process may notice it first, and names the other one. */
static void a_rank_that_sums_numbers_of_another_storage_is_named(void **state)
{
    run_of_ranks run;
    (void)state;
    run = run_ranks("other_kinds", 2, 120);
    assert_true(run.status > 0);
    assert_true(strstr(run.text, "has begun a sum of float16, but rank 0 a sum of float32") ||
                strstr(run.text, "has begun a sum of float32, but rank 1 a sum of float16"));
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
        cmocka_unit_test(memory_for_messages_is_used_again_and_its_end_is_an_error),
        cmocka_unit_test(a_rank_that_sums_numbers_of_another_storage_is_named),
        cmocka_unit_test(groups_can_exist_one_after_another_and_at_a_time),
        cmocka_unit_test(ranks_with_different_descriptions_do_not_begin),
        cmocka_unit_test(bad_descriptions_and_null_pointers_are_refused),
        cmocka_unit_test(each_algorithm_has_a_name),
    };
    if (argc == 2)
        return run_part(parts, COUNT_OF(parts), argv[1]);
    return cmocka_run_group_tests_name("mpi", tests, NULL, NULL);
}
