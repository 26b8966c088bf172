/* Programs that train with checkpoints are killed at random moments, and started again until they
 * are done: none loses its training, and all end with the bits of one that was never killed.
 *
 * GLNN_TEST_KILLS says how often; the usual 20 are for a quick check. */
#include "support/runs.h"

#include "base/clock.h"
#include "base/random.h"

#include <glnn/safetensors.h>

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_KILLS = 20, EPOCHS = 6, STRIDE = 7 };

/* ---- The program that is killed: with the number of a run, its checkpoint and the file for its
 * end */

static void train_to_the_end(const run *of, const char *checkpoint, const char *end)
{
    glnn_train_desc how = of->how;
    how.epochs = EPOCHS;
    how.checkpoint = checkpoint;
    how.checkpoint_every = 1;
    how.resume = true;
    glnn_trainer *trainer = start_run(of, &how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, end));
    release_learning();
}

static int train_as_child(char **arguments)
{
    if (test_group_setup(NULL) != 0)
        return EXIT_FAILURE;
    train_to_the_end(&runs[atoi(arguments[1])], arguments[2], arguments[3]);
    return test_teardown(NULL) != 0 || test_group_teardown(NULL) != 0;
}

/* ---- The test */

static pid_t start_child(int number, const char *checkpoint, const char *end)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "training", text, checkpoint, end, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    return child;
}

/* Waits at most so many seconds for the child to end, and kills it otherwise. Returns whether it
 * was killed. */
static bool kill_after(pid_t child, double seconds)
{
    const double end = glnn__clock_seconds() + seconds;
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 && glnn__clock_seconds() < end) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        ended = waitpid(child, &status, WNOHANG);
    }
    if (ended == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return true;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    return false;
}

/* The steps of a checkpoint, which is whole; 0: there is none. */
static int steps_saved(const char *path)
{
    glnn_safetensors *file;
    if (access(path, F_OK) != 0)
        return 0;
    expect_ok(glnn_safetensors_read(path, &file));
    const char *found = strstr(glnn_safetensors_get_metadata(file, "numbers"), "result.steps ");
    assert_non_null(found);
    const int steps = atoi(found + strlen("result.steps "));
    glnn_safetensors_free(file);
    return steps;
}

/* Kills a run until it ends by itself, or until there were `kills`. Returns how often. */
static int kill_run(int number, int kills, double seconds, glnn__random *random)
{
    const file_path checkpoint = path_of("checkpoint"), end = path_of("end");
    int killed = 0, steps = 0;
    bool is_killed = true;
    while (is_killed) {
        const double share = glnn__random_below(random, 1 << 20) * 0x1p-20;
        const pid_t child = start_child(number, checkpoint.text, end.text);
        is_killed = kill_after(child, killed < kills ? share * seconds : HUGE_VAL);
        killed += is_killed;
        const int saved = steps_saved(checkpoint.text);
        assert_true(saved >= steps);
        steps = saved;
    }
    expect_same_checkpoints(path_of("whole").text, end.text, runs[number].name);
    return killed;
}

static void remove_files(void)
{
    static const char *const names[] = {"whole",   "checkpoint", "checkpoint.1", "begun",
                                        "begun.1", "end",        "end.1"};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        remove(path_of(names[i]).text);
}

static void a_killed_training_ends_with_the_bits_of_one_that_never_was(void **state)
{
    const char *wanted = getenv("GLNN_TEST_KILLS");
    const int kills = wanted ? atoi(wanted) : USUAL_KILLS;
    glnn__random random;
    (void)state;
    glnn__random_start(&random, 1);
    for (int killed = 0, number = 0; killed < kills; number = (number + STRIDE) % run_count) {
        const double started = glnn__clock_seconds();
        remove_files();
        assert_false(kill_after(start_child(number, path_of("begun").text, path_of("whole").text),
                                HUGE_VAL));
        const double seconds = glnn__clock_seconds() - started;
        const int times = kill_run(number, kills - killed, seconds, &random);
        killed += times;
        print_message("%s: killed %d times, %d in all\n", runs[number].name, times, killed);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_training_ends_with_the_bits_of_one_that_never_was),
    };
    if (argc == 4)
        return train_as_child(argv);
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
