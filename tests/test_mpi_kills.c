/* Trainings of two processes are killed at random moments, and started again until they are done:
 * either the whole job, with its launcher, or one of the processes, whereupon the launcher ends the
 * other one. No training is lost, and all end with the bits of two processes that were never
 * killed.
 *
 * GLNN_TEST_KILLS says how often; the usual 2 are for a quick check. */
#include "support/kills.h"
#include "support/ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_KILLS = 2, RANKS = 2 };

/* ---- The processes that are killed */

/* Neither the kind of the exchange nor the shares depend on measured times. */
static void train_together(void)
{
    glnn_mpi *mpi = part_join(NULL);
    const glnn_exchange_desc exchange = {
        .messenger = glnn_mpi_get_messenger(mpi),
        .kind = (glnn_exchange_kind)atoi(getenv("PART_EXCHANGE")),
        .every = atoi(getenv("PART_EVERY")),
        .share = 1,
    };
    PART_ASSERT(train_to_the_end(atoi(getenv("PART_RUN")), getenv("PART_CHECKPOINT"),
                                 getenv("PART_END"), &exchange) == 0);
    glnn_mpi_destroy(mpi);
}

static const part parts[] = {{"train_together", train_together}};

/* ---- The test */

/* Emphasis is for a process that trains alone. The steps of this OLVQ1 have two parts, which
 * several processes refuse. */
static bool is_for_several(const run *of)
{
    return of->how.emphasis == 0 && strcmp(of->name, "OLVQ1") != 0;
}

/* These exchange averages, the others gradients. */
static bool is_for_averages(const run *of)
{
    return strcmp(of->name, "own order") == 0 || strcmp(of->name, "streamed") == 0;
}

static void set_number(const char *name, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static pid_t start_job(int number, const char *checkpoint, const char *end)
{
    const bool averages = is_for_averages(&runs[number]);
    set_number("PART_RUN", number);
    set_number("PART_EXCHANGE", averages ? GLNN_EXCHANGE_AVERAGES : GLNN_EXCHANGE_GRADIENTS);
    set_number("PART_EVERY", averages ? 2 : 0);
    setenv("PART_CHECKPOINT", checkpoint, 1);
    setenv("PART_END", end, 1);
    const int output = open(path_of("output").text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(output >= 0);
    const pid_t launcher = ranks_start("train_together", RANKS, output);
    close(output);
    return launcher;
}

static bool has_ended(pid_t process)
{
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    const bool is_known = file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    if (file)
        fclose(file);
    return !is_known || state == 'Z' || state == 'X';
}

/* A process that is killed may still end a call of the system. */
static void wait_for_end(pid_t process)
{
    while (!has_ended(process))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Kills the launcher and all ranks, or only one of the ranks if there are any yet. The launcher is
 * stopped before it could start another one. */
static void kill_job(pid_t launcher, glnn__random *random)
{
    pid_t ranks[RANKS];
    const int chosen = (int)glnn__random_below(random, 2 * RANKS);
    if (chosen >= RANKS)
        kill(launcher, SIGSTOP);
    const int count = ranks_find(launcher, ranks, RANKS);
    if (chosen < count) {
        kill(ranks[chosen], SIGKILL);
    } else {
        kill(launcher, SIGKILL);
        for (int r = 0; r < count; ++r)
            kill(ranks[r], SIGKILL);
    }
    waitpid(launcher, NULL, 0);
    for (int r = 0; r < count; ++r)
        wait_for_end(ranks[r]);
}

static void
killed_processes_that_train_together_end_with_the_bits_of_those_that_never_were(void **state)
{
    (void)state;
    kill_trainings(
        &(victim){
            .takes = is_for_several, .start = start_job, .kill = kill_job, .output = "output"},
        USUAL_KILLS);
}

/* Open MPI leaves the memory that killed processes share, so it has a place that is removed. */
static int set_up(void **state)
{
    if (folder_make(state))
        return 1;
    return setenv("OMPI_MCA_btl_vader_backing_directory", path_of("").text, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            killed_processes_that_train_together_end_with_the_bits_of_those_that_never_were),
    };
    if (argc == 2)
        return run_part(parts, COUNT_OF(parts), argv[1]);
    return cmocka_run_group_tests_name("mpi_kills", tests, set_up, folder_remove);
}
