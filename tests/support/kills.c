#include "kills.h"

#include "base/clock.h"

#include <glnn/safetensors.h>

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EPOCHS = 6, STRIDE = 7 };

static void train(int number, const char *checkpoint, const char *end,
                  const glnn_exchange_desc *exchange)
{
    glnn_train_desc how = runs[number].how;
    how.epochs = EPOCHS;
    how.checkpoint = checkpoint;
    how.checkpoint_every = 1;
    how.resume = true;
    how.exchange = *exchange;
    glnn_trainer *trainer = start_run(&runs[number], &how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, end));
    release_learning();
}

int train_to_the_end(int number, const char *checkpoint, const char *end,
                     const glnn_exchange_desc *exchange)
{
    if (test_group_setup(NULL) != 0)
        return EXIT_FAILURE;
    train(number, checkpoint, end, exchange);
    return test_teardown(NULL) != 0 || test_group_teardown(NULL) != 0;
}

static void fail_ended(const victim *of, int status)
{
    static char text[4096];
    if (of->output)
        file_read(path_of(of->output).text, text, sizeof text - 1);
    fail_msg("the training ended with status %d: %s", status, text);
}

/* Waits until there is the first checkpoint, or until the process has ended. */
static void wait_for_checkpoint(pid_t process, const char *path)
{
    siginfo_t ended = {0};
    while (access(path, F_OK) != 0 && ended.si_pid == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        assert_int_equal(waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    }
}

/* Waits at most so many seconds for the process to end, and kills it otherwise. Returns whether it
 * was killed. */
static bool kill_after(const victim *of, pid_t process, double seconds, glnn__random *random)
{
    const double end = glnn__clock_seconds() + seconds;
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 && glnn__clock_seconds() < end) {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        ended = waitpid(process, &status, WNOHANG);
    }
    if (ended == 0) {
        of->kill(process, random);
        return true;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_ended(of, status);
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

/* The seconds of a training that nobody kills. */
typedef struct life {
    double first, all; /* until the first checkpoint, and the end */
} life;

static life live(const victim *of, int number, glnn__random *random)
{
    const file_path checkpoint = path_of("begun");
    const double started = glnn__clock_seconds();
    const pid_t process = of->start(number, checkpoint.text, path_of("whole").text);
    wait_for_checkpoint(process, checkpoint.text);
    const double first = glnn__clock_seconds() - started;
    assert_false(kill_after(of, process, HUGE_VAL, random));
    return (life){first, glnn__clock_seconds() - started};
}

/* One moment in four lies before the training. */
static double draw_moment(const life *of, glnn__random *random)
{
    const double share = glnn__random_below(random, 1 << 20) * 0x1p-20;
    return glnn__random_below(random, 4) == 0 ? share * of->first
                                              : of->first + share * (of->all - of->first);
}

/* The kills of a run, and those after which the checkpoint had more steps than before. */
typedef struct deaths {
    int kills, in_training;
} deaths;

/* Kills a run until it ends by itself, or until there were `kills`. */
static deaths kill_run(const victim *of, int number, int kills, const life *whole,
                       glnn__random *random)
{
    const file_path checkpoint = path_of("checkpoint"), end = path_of("end");
    deaths found = {0};
    int steps = 0;
    bool is_killed = true;
    while (is_killed) {
        const double moment = found.kills < kills ? draw_moment(whole, random) : HUGE_VAL;
        const pid_t process = of->start(number, checkpoint.text, end.text);
        is_killed = kill_after(of, process, moment, random);
        const int saved = steps_saved(checkpoint.text);
        assert_true(saved >= steps);
        found.kills += is_killed;
        found.in_training += is_killed && saved > steps;
        steps = saved;
    }
    expect_same_checkpoints(path_of("whole").text, end.text, runs[number].name);
    return found;
}

static void remove_files(void)
{
    static const char *const names[] = {"whole",   "checkpoint", "checkpoint.1", "begun",
                                        "begun.1", "end",        "end.1"};
    for (size_t i = 0; i < COUNT_OF(names); ++i)
        remove(path_of(names[i]).text);
}

void kill_trainings(const victim *of, int usual)
{
    const char *wanted = getenv("GLNN_TEST_KILLS");
    const int kills = wanted ? atoi(wanted) : usual;
    glnn__random random;
    assert_true(kills > 0);
    glnn__random_start(&random, 1);
    for (int killed = 0, number = 0; killed < kills; number = (number + STRIDE) % run_count) {
        if (of->takes && !of->takes(&runs[number]))
            continue;
        remove_files();
        const life whole = live(of, number, &random);
        const deaths found = kill_run(of, number, kills - killed, &whole, &random);
        killed += found.kills;
        print_message("%s, %.2f s, with steps from %.2f s on: killed %d times, %d of them after "
                      "new checkpoints; %d in all\n",
                      runs[number].name, whole.all, whole.first, found.kills, found.in_training,
                      killed);
    }
}
