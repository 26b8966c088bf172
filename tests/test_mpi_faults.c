/* Processes that fail while others wait for them: the others learn it in time, with a sentence that
 * names the rank, and nothing hangs.
 *
 * GLNN_TEST_KILLS says how often a random rank is killed at a random moment; the usual 4 are for a
 * quick check. */
#include "support/ranks.h"

#include "base/clock.h"
#include "base/random.h"

#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { VICTIM = 1, STEPS_BEFORE = 20, LARGE = 300000, USUAL_KILLS = 4 };

static const double short_limit = 2;

/* ---- MPI that does not return */

static bool probes_for_ever, aborts_for_ever;

static void wait_while(const bool *condition)
{
    while (*(const volatile bool *)condition)
        sleep(1);
}

int MPI_Iprobe(int source, int tag, MPI_Comm of, int *found, MPI_Status *status)
{
    wait_while(&probes_for_ever);
    return PMPI_Iprobe(source, tag, of, found, status);
}

int MPI_Abort(MPI_Comm of, int code)
{
    wait_while(&aborts_for_ever);
    return PMPI_Abort(of, code);
}

/* ---- Parts */

static double last_exchange;

/* Prints the sentence of a failure and ends as a program should. */
static void report_failure(glnn_mpi *mpi, const glnn_messenger *with)
{
    part_report("rank %d after %.2f s: %s\n", with->rank, glnn__clock_seconds() - last_exchange,
                with->get_error(with->user));
    glnn_mpi_destroy(mpi);
    exit(EXIT_FAILURE);
}

/* Sums numbers as a training does: small and large ones, several under way. */
static glnn_status exchange(const glnn_messenger *with, float *values)
{
    static const size_t counts[] = {LARGE, 1000, 1};
    const double begun = glnn__clock_seconds();
    glnn_status status = GLNN_OK;
    for (int i = 0; i < 3 && !status; ++i)
        status = with->begin_sum(with->user, i, values + (size_t)i * LARGE, counts[i]);
    for (int i = 0; i < 3 && !status; ++i)
        status = with->end(with->user, 2 - i);
    last_exchange = status ? last_exchange : begun;
    return status;
}

static float *new_values(const glnn_messenger *with)
{
    const size_t bytes = (size_t)3 * LARGE * sizeof(float);
    void *values;
    PART_OK(with, with->allocate(with->user, bytes, &values));
    memset(values, 0, bytes);
    return values;
}

/* Rank 1 does something after some steps; the others expect a failure. */
static void meet_fault(const glnn_mpi_desc *desc, void (*fault)(glnn_mpi *, const glnn_messenger *))
{
    glnn_mpi *mpi = part_join(desc);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float *values = new_values(with);
    for (int step = 0;; ++step) {
        if (step == STEPS_BEFORE && with->rank == VICTIM)
            fault(mpi, with);
        if (exchange(with, values)) {
            with->release(with->user, values);
            report_failure(mpi, with);
        }
        PART_ASSERT(step <= STEPS_BEFORE);
    }
}

static void die(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)mpi, (void)with;
    raise(SIGKILL);
}

static void stop(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)mpi, (void)with;
    raise(SIGSTOP);
}

static void do_nothing(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)mpi, (void)with;
    sleep(60);
}

static void say_so(glnn_mpi *mpi, const glnn_messenger *with)
{
    (with->fail)(with->user, "the disk is full"); /* cmocka has a macro of this name */
    report_failure(mpi, with);
}

static void end_early(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)mpi, (void)with;
    exit(EXIT_SUCCESS);
}

static void leave_early(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)with;
    glnn_mpi_destroy(mpi);
    exit(EXIT_SUCCESS);
}

static void sum_fewer(glnn_mpi *mpi, const glnn_messenger *with)
{
    static float values[LARGE / 3];
    if (with->begin_sum(with->user, 0, values, LARGE / 3) || with->end(with->user, 0))
        report_failure(mpi, with);
    sleep(60);
}

/* Long work that never ends. */
static void work_for_ever(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)mpi;
    with->set_busy(with->user, true);
    sleep(60);
}

/* The process hangs after long work of twice the time limit. */
static void hang_after_work(glnn_mpi *mpi, const glnn_messenger *with)
{
    with->set_busy(with->user, true);
    sleep(4);
    with->set_busy(with->user, false);
    do_nothing(mpi, with);
}

static void die_at_work(glnn_mpi *mpi, const glnn_messenger *with)
{
    with->set_busy(with->user, true);
    die(mpi, with);
}

static void wait_in_mpi(glnn_mpi *mpi, const glnn_messenger *with)
{
    (void)mpi, (void)with;
    probes_for_ever = true;
}

static const glnn_mpi_desc quick = {.seconds = 2}, quickest = {.seconds = 0.5}, usual = {0},
                           by_mpi = {.seconds = 2, .algorithm = GLNN_MPI_ALGORITHM_ALLREDUCE};

static void killed(void)
{
    meet_fault(&quick, die);
}

static void killed_by_mpi(void)
{
    meet_fault(&by_mpi, die);
}

/* Neither does the launcher answer when a rank is to end all. */
static void killed_in_silence(void)
{
    aborts_for_ever = true;
    meet_fault(&quick, die);
}

static void stuck(void)
{
    meet_fault(&quick, wait_in_mpi);
}

static void killed_usual(void)
{
    meet_fault(&usual, die);
}

static void stopped(void)
{
    meet_fault(&quick, stop);
}

static void silent(void)
{
    meet_fault(&quick, do_nothing);
}

static void silent_by_mpi(void)
{
    meet_fault(&by_mpi, do_nothing);
}

static void silent_usual(void)
{
    meet_fault(&usual, do_nothing);
}

static void working(void)
{
    meet_fault(&quickest, work_for_ever);
}

static void hanging(void)
{
    meet_fault(&quick, hang_after_work);
}

static void killed_at_work(void)
{
    meet_fault(&quick, die_at_work);
}

static void failing(void)
{
    meet_fault(&quick, say_so);
}

static void ended(void)
{
    meet_fault(&quick, end_early);
}

static void left(void)
{
    meet_fault(&quick, leave_early);
}

static void unequal(void)
{
    meet_fault(&quick, sum_fewer);
}

static void *kill_later(void *argument)
{
    const double *seconds = argument;
    nanosleep(&(struct timespec){.tv_nsec = (long)(*seconds * 1e9)}, NULL);
    raise(SIGKILL);
    kill(getpid(), SIGKILL);
    return NULL;
}

/* The environment names the rank that is killed, and when. */
static void killed_at_random(void)
{
    static double seconds;
    pthread_t thread;
    glnn_mpi *mpi = part_join(&quick);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float *values = new_values(with);
    seconds = atof(getenv("PART_SECONDS"));
    last_exchange = glnn__clock_seconds();
    if (with->rank == atoi(getenv("PART_VICTIM")))
        PART_ASSERT(pthread_create(&thread, NULL, kill_later, &seconds) == 0);
    while (exchange(with, values) == GLNN_OK)
        continue;
    report_failure(mpi, with);
}

/* Rank 1 dies before it joins a second group. */
static void killed_before(void)
{
    glnn_mpi *mpi = part_join(&quickest);
    const int rank = glnn_mpi_get_rank(mpi);
    glnn_mpi_destroy(mpi);
    if (rank == VICTIM)
        raise(SIGKILL);
    const double begun = glnn__clock_seconds();
    PART_ASSERT(glnn_mpi_create(&quickest, &mpi) == GLNN_E_PROCESS && !mpi);
    part_report("rank %d after %.2f s: %s\n", rank, glnn__clock_seconds() - begun,
                glnn_last_error());
    exit(EXIT_FAILURE);
}

/* Processes are slow, for less than the time limit while others wait for a message, and for longer
 * while nobody does. */
static void slow(void)
{
    glnn_mpi *mpi = part_join(&quick);
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float values[2] = {1, 2};
    for (int i = 0; i < 2; ++i) {
        if (with->rank == i)
            sleep(1);
        PART_OK(with, with->begin_sum(with->user, 0, values, 2));
        PART_OK(with, with->end(with->user, 0));
    }
    sleep(3);
    PART_OK(with, with->gather(with->user, NULL, 0, NULL));
    PART_ASSERT(values[1] == (float)(2 * with->ranks * with->ranks));
    if (with->rank == 0)
        sleep(3);
    glnn_mpi_destroy(mpi);
}

/* Each rank in turn does long work, for longer than the time limit while the others wait. */
static void busy(void)
{
    glnn_mpi *mpi = part_join(&(glnn_mpi_desc){.seconds = 1});
    const glnn_messenger *with = glnn_mpi_get_messenger(mpi);
    float values[2] = {1, 2};
    for (int i = 0; i < with->ranks; ++i) {
        if (with->rank == i) {
            with->set_busy(with->user, true);
            sleep(3);
            with->set_busy(with->user, false);
        }
        PART_OK(with, with->begin_sum(with->user, 0, values, 2));
        PART_OK(with, with->end(with->user, 0));
    }
    glnn_mpi_destroy(mpi);
}

/* clang-format off */
#define PART(name) {#name, name}
/* clang-format on */

static const part parts[] = {
    PART(killed),         PART(killed_by_mpi), PART(killed_usual),      PART(stopped),
    PART(silent),         PART(silent_by_mpi), PART(silent_usual),      PART(failing),
    PART(ended),          PART(left),          PART(unequal),           PART(killed_at_random),
    PART(slow),           PART(busy),          PART(working),           PART(hanging),
    PART(killed_at_work), PART(killed_before), PART(killed_in_silence), PART(stuck),
};

/* ---- Tests */

/* Whether the launcher lets the others go on when a rank is killed. It then ends with status 0. */
static bool recovers;

static void set_recovery(bool on)
{
    recovers = on;
    ranks_set_recovery(on);
}

static int end_others_again(void **state)
{
    (void)state;
    set_recovery(false);
    return 0;
}

/* Each other rank has printed a sentence that names the victim. Returns the most seconds between
 * the last exchange of a rank and its sentence. */
static double expect_sentences(const run_of_ranks *run, int ranks, int victim, const char *what)
{
    char start[32], named[32];
    double most = 0;
    snprintf(named, sizeof named, " rank %d on ", victim);
    for (int r = 0; r < ranks; ++r) {
        snprintf(start, sizeof start, "rank %d after ", r);
        if (r == victim)
            continue;
        const char *line = strstr(run->text, start);
        if (!line)
            fail_msg("rank %d of %d has printed nothing:\n%s", r, ranks, run->text);
        const double seconds = atof(line + strlen(start));
        const char *end = strchr(line, '\n');
        const char *name = strstr(line, named), *why = strstr(line, what);
        if (!name || name > end || !why || why > end || seconds < 0)
            fail_msg("rank %d of %d, expected '%s':\n%s", r, ranks, what, run->text);
        most = fmax(most, seconds);
    }
    return most;
}

/* Runs a part whose sentences have to come within `limit` seconds in one of three runs: other
 * programs may keep a machine from it for a moment. */
static run_of_ranks run_fault(const char *name, int ranks, int victim, const char *what,
                              double limit)
{
    double seconds = INFINITY;
    run_of_ranks run = {.status = 0};
    for (int i = 0; i < 3 && seconds > limit; ++i) {
        run = run_ranks(name, ranks, 60);
        if (run.status == -1 || (run.status == 0 && !recovers))
            fail_msg("%s with %d ranks: status %d\n%s", name, ranks, run.status, run.text);
        seconds = expect_sentences(&run, ranks, victim, what);
    }
    if (seconds > limit)
        fail_msg("%s with %d ranks: %.2f s, not %.1f:\n%s", name, ranks, seconds, limit, run.text);
    return run;
}

static void expect_fault_in(ranks_way way, const char *name, int ranks, const char *what,
                            double limit)
{
    ranks_set_way(way);
    run_fault(name, ranks, VICTIM, what, limit);
}

/* Two ranks make one host. Unless all cases are run, they share memory, and three ranks have all
 * ways. */
static void expect_fault(const char *name, int ranks, const char *what, double limit)
{
    const int ways_of_two = all_cases_are_run() ? RANKS_HOSTS : RANKS_MESSAGES;
    for (int way = 0; way < (ranks > 2 ? RANKS_WAYS : ways_of_two); ++way)
        expect_fault_in((ranks_way)way, name, ranks, what, limit);
    ranks_set_way(RANKS_MEMORY);
}

static void a_killed_rank_is_named_by_the_others(void **state)
{
    (void)state;
    set_recovery(true);
    expect_fault("killed", 2, "; no sign of life", short_limit + 1.5);
    expect_fault("killed", 3, "; no sign of life", short_limit + 1.5);
    expect_fault_in(RANKS_MESSAGES, "killed_by_mpi", 3, "; no sign of life", short_limit + 1.5);
}

static void a_killed_rank_is_named_by_the_launcher_that_ends_the_others(void **state)
{
    (void)state;
    const run_of_ranks run = run_ranks("killed", 3, 60);
    assert_true(run.status > 0);
    assert_non_null(strstr(run.text, "rank 1 "));
    assert_true(run.seconds < 10);
}

static void a_stopped_rank_is_named_by_the_others(void **state)
{
    (void)state;
    expect_fault("stopped", 2, "; no sign of life", short_limit + 1.5);
    expect_fault("stopped", 3, "; no sign of life", short_limit + 1.5);
}

static void a_rank_whose_message_never_comes_is_named(void **state)
{
    (void)state;
    expect_fault("silent", 2, "has not arrived at message 60, ", short_limit + 1.5);
    expect_fault("silent", 3, "has not arrived at message 60, ", short_limit + 1.5);
    expect_fault_in(RANKS_HOSTS, "silent_by_mpi", 3, "has not arrived at message 60, ",
                    short_limit + 1.5);
}

static void with_the_usual_time_limit_ten_seconds_suffice(void **state)
{
    (void)state;
    set_recovery(true);
    expect_fault_in(RANKS_MEMORY, "killed_usual", 2, "; no sign of life", 10);
    expect_fault_in(RANKS_MEMORY, "silent_usual", 2, "has not arrived at message 60, ", 10);
}

static void all_ranks_receive_the_sentence_of_one_that_fails(void **state)
{
    (void)state;
    expect_fault("failing", 2, " failed: the disk is full", 1.5);
    expect_fault("failing", 3, " failed: the disk is full", 1.5);
}

static void a_rank_that_ends_or_leaves_before_the_others_is_named(void **state)
{
    (void)state;
    expect_fault("ended", 3, " failed: it ended without glnn_mpi_destroy", 1.5);
    expect_fault("left", 3, "has left, but rank ", short_limit + 1.5);
}

static void a_rank_that_sums_another_number_of_values_is_named(void **state)
{
    (void)state;
    expect_fault_in(RANKS_MESSAGES, "unequal", 2, "sent 137856 bytes, but rank 0 expects 262144",
                    1.5);
    ranks_set_way(RANKS_MEMORY);
    /* Each rank sees the bytes of the other one. */
    const run_of_ranks run = run_ranks("unequal", 2, 60);
    assert_true(run.status > 0);
    assert_true(strstr(run.text, "sent 400000 bytes, but rank 0 expects 1048576") ||
                strstr(run.text, "sent 1048576 bytes, but rank 1 expects 400000"));
}

static void slow_ranks_are_waited_for(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= 3; ++ranks) {
        const run_of_ranks run = run_ranks("slow", ranks, 60);
        if (run.status != 0)
            fail_msg("status %d\n%s", run.status, run.text);
    }
}

static void ranks_that_do_long_work_are_waited_for(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= 3; ++ranks) {
        const run_of_ranks run = run_ranks("busy", ranks, 60);
        if (run.status != 0)
            fail_msg("status %d\n%s", run.status, run.text);
    }
}

static void a_rank_whose_long_work_does_not_end_is_named(void **state)
{
    (void)state;
    expect_fault("working", 2, "longer than 10 times glnn_mpi_desc.seconds", 5 + 1.5);
    expect_fault("working", 3, "longer than 10 times glnn_mpi_desc.seconds", 5 + 1.5);
}

static void a_rank_that_fails_during_or_after_long_work_is_named_in_time(void **state)
{
    (void)state;
    set_recovery(true);
    expect_fault("hanging", 3, "longer than glnn_mpi_desc.seconds, 2 s", 4 + short_limit + 1.5);
    expect_fault("killed_at_work", 3, "; no sign of life", short_limit + 1.5);
}

static void a_group_that_a_killed_rank_does_not_join_is_given_up_in_time(void **state)
{
    (void)state;
    set_recovery(true);
    const run_of_ranks run = run_ranks("killed_before", 3, 60);
    for (int r = 0; r < 3; r += 2) {
        char start[32];
        snprintf(start, sizeof start, "rank %d after ", r);
        const char *line = strstr(run.text, start);
        if (!line || fabs(atof(line + strlen(start)) - 5.5) > 1)
            fail_msg("rank %d:\n%s", r, run.text);
        assert_ptr_equal(strstr(line, "glnn_mpi_create: not all processes have called it for 5 s"),
                         strstr(line, "glnn_mpi_create: "));
    }
}

static void ranks_end_in_time_when_the_launcher_does_not_answer(void **state)
{
    (void)state;
    set_recovery(true);
    expect_fault_in(RANKS_MEMORY, "killed_in_silence", 3, "; no sign of life", short_limit + 1.5);
}

/* The rank itself says so, and the other one misses it. */
static void a_function_of_mpi_that_does_not_return_is_noticed(void **state)
{
    (void)state;
    set_recovery(true);
    expect_fault_in(RANKS_MESSAGES, "stuck", 2, "", 2 * short_limit + 1.5);
    const run_of_ranks run = run_ranks("stuck", 2, 60);
    assert_non_null(strstr(run.text, "a function of MPI has not returned to rank 1 on "));
    assert_non_null(strstr(run.text, " rank 1 on "));
}

static void kill_one(glnn__random *random, int number)
{
    char text[32];
    const int ranks = 2 + (int)glnn__random_below(random, 2);
    const int victim = (int)glnn__random_below(random, (uint32_t)ranks);
    snprintf(text, sizeof text, "%d", victim);
    setenv("PART_VICTIM", text, 1);
    snprintf(text, sizeof text, "%f", (double)glnn__random_below(random, 1000) * 0.5e-3);
    setenv("PART_SECONDS", text, 1);
    set_recovery(number % 2);
    ranks_set_way(number / 2 % 3 == 1 ? RANKS_MESSAGES : ranks > 2 ? RANKS_HOSTS : RANKS_MEMORY);
    const run_of_ranks run = recovers ? run_fault("killed_at_random", ranks, victim,
                                                  "; no sign of life", short_limit + 1.5)
                                      : run_ranks("killed_at_random", ranks, 60);
    if (run.status == -1 || run.seconds > 10)
        fail_msg("kill %d: status %d after %.1f s\n%s", number, run.status, run.seconds, run.text);
    snprintf(text, sizeof text, "rank %d ", victim);
    if (!strstr(run.text, text))
        fail_msg("kill %d: status %d after %.1f s, without \"%s\"\n%s", number, run.status,
                 run.seconds, text, run.text);
    ranks_set_way(RANKS_MEMORY);
}

static void a_random_rank_killed_at_a_random_moment_is_named(void **state)
{
    const char *wanted = getenv("GLNN_TEST_KILLS");
    const int kills = wanted ? atoi(wanted) : USUAL_KILLS;
    glnn__random random;
    (void)state;
    glnn__random_start(&random, 1);
    for (int i = 0; i < kills; ++i)
        kill_one(&random, i);
    print_message("%d ranks killed\n", kills);
}

#define TEST_OF_FAULT(name) cmocka_unit_test_setup(name, end_others_again)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST_OF_FAULT(a_killed_rank_is_named_by_the_others),
        TEST_OF_FAULT(a_killed_rank_is_named_by_the_launcher_that_ends_the_others),
        TEST_OF_FAULT(a_stopped_rank_is_named_by_the_others),
        TEST_OF_FAULT(a_rank_whose_message_never_comes_is_named),
        TEST_OF_FAULT(with_the_usual_time_limit_ten_seconds_suffice),
        TEST_OF_FAULT(all_ranks_receive_the_sentence_of_one_that_fails),
        TEST_OF_FAULT(a_rank_that_ends_or_leaves_before_the_others_is_named),
        TEST_OF_FAULT(a_rank_that_sums_another_number_of_values_is_named),
        TEST_OF_FAULT(slow_ranks_are_waited_for),
        TEST_OF_FAULT(ranks_that_do_long_work_are_waited_for),
        TEST_OF_FAULT(a_rank_whose_long_work_does_not_end_is_named),
        TEST_OF_FAULT(a_rank_that_fails_during_or_after_long_work_is_named_in_time),
        TEST_OF_FAULT(a_group_that_a_killed_rank_does_not_join_is_given_up_in_time),
        TEST_OF_FAULT(ranks_end_in_time_when_the_launcher_does_not_answer),
        TEST_OF_FAULT(a_function_of_mpi_that_does_not_return_is_noticed),
        TEST_OF_FAULT(a_random_rank_killed_at_a_random_moment_is_named),
    };
    if (argc == 2)
        return run_part(parts, COUNT_OF(parts), argv[1]);
    return cmocka_run_group_tests_name("mpi_faults", tests, NULL, NULL);
}
