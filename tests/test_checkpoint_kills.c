/* Programs that train with checkpoints are killed at random moments, and started again until they
 * are done: none loses its training, and all end with the bits of one that was never killed.
 *
 * GLNN_TEST_KILLS says how often; the usual 20 are for a quick check. */
#include "support/kills.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USUAL_KILLS = 20 };

/* The program that is killed gets the number of a run, its checkpoint and the file for its end. */
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

static void kill_child(pid_t child, glnn__random *random)
{
    (void)random;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void a_killed_training_ends_with_the_bits_of_one_that_never_was(void **state)
{
    (void)state;
    kill_trainings(&(victim){.start = start_child, .kill = kill_child}, USUAL_KILLS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_training_ends_with_the_bits_of_one_that_never_was),
    };
    if (argc == 4)
        return train_to_the_end(atoi(argv[1]), argv[2], argv[3], &(glnn_exchange_desc){0});
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
