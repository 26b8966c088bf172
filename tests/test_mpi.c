/* Groups of processes of libglnn-mpi and the memory for their messages; wrong uses of both. The
 * test starts itself by mpirun; each process then runs one part. */
#include "support/ranks_numbers.h"

#include "base/random.h"

#include <glnn/glnn.h>
#include <glnn/mpi.h>

#include <math.h>
#include <sys/resource.h>
#include <time.h>

/* ---- Parts: what each process does */

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
    PART_OK(with, with->begin_sum(with->user, 1, &value, 1));
    PART_ASSERT(with->begin_sum(with->user, 1, &value, 1) == GLNN_E_STATE);
    PART_ASSERT(strstr(with->get_error(with->user), "message 1 is already under way"));
    PART_OK(with, with->end(with->user, 1));
    PART_ASSERT(value == (float)with->ranks);
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
    with->release(with->user, memory);
    numbers_sum(with, 100000, true);
    glnn_mpi_destroy(mpi);
}

static char said[1024];

static void keep_sentence(void *user, glnn_log_level level, const char *message)
{
    (void)user, (void)level;
    snprintf(said, sizeof said, "%s", message);
}

/* A limit on files leaves no room for shared memory. MPI has made its own files by then. */
static void little_room(void)
{
    static const struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
    glnn_mpi_destroy(part_join(NULL));
    PART_ASSERT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    glnn_log_set(keep_sentence, NULL);
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    glnn_log_set(NULL, NULL);
    PART_ASSERT(with->rank > 0 || strstr(said, "because they cannot share memory: /dev/shm"));
    numbers_sum(with, 100000, true);
    numbers_sum(with, 100000, false);
    glnn_mpi_destroy(mpi);
}

/* A process holds so much shared memory that none is left for other numbers. These travel too. */
static void no_room_left(void)
{
    enum { PARTS = 4096 };
    static void *parts[PARTS];
    static const size_t sizes[] = {(size_t)1 << 24, (size_t)1 << 20, 4096};
    /* Room for buckets and for little more, as this limit on files leaves. */
    static const struct rlimit limit = {.rlim_cur = 96 << 20, .rlim_max = RLIM_INFINITY};
    PART_ASSERT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    numbers_sum(with, 9 * 262144, false);
    for (int i = 0; i < PARTS; ++i)
        PART_OK(with, with->allocate(with->user, sizes[i < 4 ? 0 : i < 40 ? 1 : 2], &parts[i]));
    numbers_sum(with, 1000000, true);
    for (int i = 0; i < PARTS; ++i)
        with->release(with->user, parts[i]);
    numbers_sum(with, 1000000, true);
    glnn_mpi_destroy(mpi);
}

/* Another kind of message is not taken for numbers to add. */
static void other_kinds(void)
{
    glnn_mpi *mpi = part_join(NULL);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    const numbers of = numbers_fill(with, 6000, true);
    static const size_t begins[] = {0, 3000 * sizeof(float), 6000 * sizeof(float)};
    PART_OK(with, with->rank == 1 ? with->begin_gather(with->user, 0, of.values, begins)
                                  : with->begin_sum(with->user, 0, of.values, 3000));
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
    /* Notes between leaders are frequent, so that some are under way when a group ends. */
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
    numbers_sum(glnn_mpi_get_messenger(first), 10000, true);
    numbers_sum(with, 10000, true);
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
    {"misuse", misuse},
    {"memory_comes_and_goes", memory_comes_and_goes},
    {"little_room", little_room},
    {"no_room_left", no_room_left},
    {"other_kinds", other_kinds},
    {"groups", groups},
    {"different_descriptions", different_descriptions},
};

/* ---- Tests */

static void wrong_numbers_are_refused_and_the_group_goes_on(void **state)
{
    (void)state;
    for_each_way("misuse", expect_part);
}

static void memory_for_messages_is_used_again_and_its_end_is_an_error(void **state)
{
    (void)state;
    for_each_way("memory_comes_and_goes", expect_part);
}

static void processes_without_room_for_shared_memory_send_messages(void **state)
{
    (void)state;
    expect_part("little_room", RANKS_MEMORY, 2);
    expect_part("no_room_left", RANKS_MEMORY, 2);
}

static void groups_can_exist_one_after_another_and_at_a_time(void **state)
{
    (void)state;
    for_each_way("groups", expect_part);
}

/* Either process may notice it first, and names the other one. */
static void a_rank_that_begins_another_kind_of_message_is_named(void **state)
{
    run_of_ranks run;
    (void)state;
    run = run_ranks("other_kinds", 2, 120);
    assert_true(run.status > 0);
    assert_true(strstr(run.text, "has begun a gathering, but rank 0 a sum") ||
                strstr(run.text, "has begun a sum, but rank 1 a gathering"));
}

static void ranks_with_different_descriptions_do_not_begin(void **state)
{
    (void)state;
    expect_part("different_descriptions", RANKS_MEMORY, 2);
    expect_part("different_descriptions", RANKS_MEMORY, 3);
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
    expect_error(glnn_mpi_create(&(glnn_mpi_desc){.reserved = {0, 0, 1}}, out), GLNN_E_ARG,
                 "glnn_mpi_create: glnn_mpi_desc.reserved[2] is not 0: the description was not "
                 "initialised, or has a member that this libglnn-mpi does not know");
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
        cmocka_unit_test(wrong_numbers_are_refused_and_the_group_goes_on),
        cmocka_unit_test(memory_for_messages_is_used_again_and_its_end_is_an_error),
        cmocka_unit_test(processes_without_room_for_shared_memory_send_messages),
        cmocka_unit_test(a_rank_that_begins_another_kind_of_message_is_named),
        cmocka_unit_test(groups_can_exist_one_after_another_and_at_a_time),
        cmocka_unit_test(ranks_with_different_descriptions_do_not_begin),
        cmocka_unit_test(bad_descriptions_and_null_pointers_are_refused),
        cmocka_unit_test(each_algorithm_has_a_name),
    };
    parts_of_ways = "misuse,memory_comes_and_goes,groups";
    if (argc == 2)
        return run_part(parts, COUNT_OF(parts), argv[1]);
    return cmocka_run_group_tests_name("mpi", tests, NULL, NULL);
}
