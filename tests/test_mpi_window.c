/* Memory that processes of a host share: what others wrote there is checked before it is used. The
 * test is one process, with a mate that has written its part of the table and then only waits. */
#include "support/support.h"

#include "base/random.h"
#include "dist/courier.h"

#include <stdio.h>

enum { MATES = 2, SEGMENT = 1 << 16, PLACE = 4096, COUNT = 8, BYTES = COUNT * sizeof(float) };

static struct {
    int ranks[MATES], leader_of[MATES];
    char hosts[MATES][MPI_MAX_PROCESSOR_NAME];
    char *bases[MATES];
    glnn__mpi_life lives[MATES];
    glnn__mpi_shown shown[MATES * GLNN__MPI_SLOTS];
    glnn__mpi_failure failure;
    glnn__mpi_members members;
    glnn__mpi_window window;
    glnn__mpi_watch *watch;
    glnn__pool *pool;
    glnn__mpi_carrier carrier;
} group = {.ranks = {0, 1}, .hosts = {"here", "there"}};

static int make_group(void **state)
{
    static const glnn_mpi_desc desc = {
        .bucket = 1000, .seconds = 60, .algorithm = GLNN_MPI_ALGORITHM_AUTO};
    (void)state;
    for (int i = 0; i < MATES; ++i)
        group.bases[i] = aligned_alloc(PLACE, SEGMENT);
    atomic_store(&group.lives[1].arrivals, UINT64_MAX);
    group.members = (glnn__mpi_members){.ranks = MATES,
                                        .host_ranks = MATES,
                                        .hosts = group.hosts,
                                        .mates = MATES,
                                        .mate_ranks = group.ranks,
                                        .leader_of = group.leader_of,
                                        .leaders = 1,
                                        .leader_ranks = group.ranks};
    group.window = (glnn__mpi_window){.bases = group.bases,
                                      .failure = &group.failure,
                                      .lives = group.lives,
                                      .shown = group.shown,
                                      .segment = SEGMENT,
                                      .memory = group.bases[0],
                                      .bytes = SEGMENT,
                                      .lock = GLNN__MUTEX};
    group.pool = glnn__pool_create_share(MATES);
    group.watch = glnn__mpi_watch_create(&group.members, &group.window, desc.seconds);
    return group.bases[0] && group.bases[1] && group.pool && group.watch &&
                   glnn__mpi_carrier_create(&group.members, &group.window, group.watch, group.pool,
                                            &desc, &group.carrier)
               ? 0
               : -1;
}

static int end_group(void **state)
{
    (void)state;
    glnn__mpi_carrier_destroy(&group.carrier);
    glnn__mpi_watch_destroy(group.watch);
    glnn__pool_destroy(group.pool);
    free(group.window.parts);
    for (int i = 0; i < MATES; ++i)
        free(group.bases[i]);
    return 0;
}

/* The mate shows the same in all slots. */
static void show(glnn__mpi_shown of)
{
    for (int i = 0; i < GLNN__MPI_SLOTS; ++i)
        group.shown[GLNN__MPI_SLOTS + i] = of;
    atomic_store(&group.failure.state, 0);
}

/* A sum of numbers from 0 on, or a gathering of two equal shares. */
static bool carry(float values[COUNT], bool is_sum)
{
    static const size_t begins[MATES + 1] = {0, BYTES / 2, BYTES};
    for (int i = 0; i < COUNT; ++i)
        values[i] = (float)i;
    const glnn__mpi_message message = {
        .values = (char *)values, .count = is_sum ? COUNT : 0, .begins = is_sum ? NULL : begins};
    return glnn__mpi_carry(&group.carrier, &message);
}

static void numbers_that_a_mate_shows_are_added_and_gathered(void **state)
{
    (void)state;
    float values[COUNT];
    for (size_t i = 0; i < COUNT; ++i)
        memcpy(group.bases[1] + PLACE + i * sizeof(float), &(float){100}, sizeof(float));
    show((glnn__mpi_shown){PLACE, BYTES, true});
    assert_true(carry(values, true));
    for (int i = 0; i < COUNT; ++i)
        assert_true(values[i] == 100 + (float)i);
    show((glnn__mpi_shown){PLACE, BYTES / 2, false});
    assert_true(carry(values, false));
    for (int i = 0; i < COUNT; ++i)
        assert_true(values[i] == (i < COUNT / 2 ? (float)i : 100));
}

static void numbers_outside_of_the_memory_of_a_mate_end_the_group(void **state)
{
    (void)state;
    static const size_t offsets[] = {2,           SEGMENT - BYTES + 4, SEGMENT,
                                     SEGMENT + 1, SIZE_MAX - BYTES,    SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(offsets); ++i) {
        float values[COUNT];
        char words[128];
        show((glnn__mpi_shown){offsets[i], BYTES, true});
        assert_false(carry(values, true));
        snprintf(words, sizeof words,
                 "rank 1 on there shows %d bytes from %zu on, but its shared memory has %d, with "
                 "sums at multiples of 4",
                 (int)BYTES, offsets[i], (int)SEGMENT);
        assert_string_equal(glnn__mpi_watch_noticed(group.watch), words);
    }
    float values[COUNT];
    show((glnn__mpi_shown){SEGMENT - BYTES, BYTES, true});
    assert_true(carry(values, true));
}

/* Sanitizers see a number that is read outside of the memory. */
static void no_table_of_a_mate_makes_others_read_outside_of_its_memory(void **state)
{
    (void)state;
    static const size_t places[] = {0, BYTES / 2, BYTES, PLACE, SEGMENT - BYTES, SEGMENT, SIZE_MAX};
    glnn__random random;
    glnn__random_start(&random, 3);
    for (int i = 0; i < 4096; ++i) {
        float values[COUNT];
        const uint32_t drawn = glnn__random_next(&random);
        const size_t near = (drawn >> 8) % 17;
        show((glnn__mpi_shown){places[drawn % COUNT_OF(places)] + near - 8,
                               places[(drawn >> 16) % 3] + (drawn % 5 == 0), (int)(drawn >> 30)});
        assert_true(carry(values, drawn % 2) || *glnn__mpi_watch_noticed(group.watch));
    }
}

static void a_sentence_without_an_end_is_cut(void **state)
{
    (void)state;
    show((glnn__mpi_shown){PLACE, BYTES, true});
    memset(group.failure.sentence, 'x', sizeof group.failure.sentence);
    atomic_store(&group.failure.state, 2);
    glnn__mpi_courier *courier = glnn__mpi_courier_create(&group.carrier, 60);
    assert_non_null(courier);
    const glnn_messenger *messenger = glnn__mpi_courier_get_messenger(courier);
    (messenger->fail)(messenger->user, "it is over");
    const char *said = messenger->get_error(messenger->user);
    assert_int_equal(strspn(said, "x"), sizeof group.failure.sentence - 1);
    assert_int_equal(strlen(said), sizeof group.failure.sentence - 1);
    assert_true(glnn__mpi_courier_leave(courier) > 0);
    glnn__mpi_courier_destroy(courier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_a_mate_shows_are_added_and_gathered),
        cmocka_unit_test(numbers_outside_of_the_memory_of_a_mate_end_the_group),
        cmocka_unit_test(no_table_of_a_mate_makes_others_read_outside_of_its_memory),
        cmocka_unit_test(a_sentence_without_an_end_is_cut),
    };
    return cmocka_run_group_tests_name("shared windows", tests, make_group, end_group);
}
