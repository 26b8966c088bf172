/* Programs that train for hours: memory, open files and results stay the same.
 *
 * A round trains one kind of learner after another with checkpoints, stops each in the middle,
 * resumes it, saves it, loads it and predicts. Every round also has a context of its own.
 * GLNN_TEST_SOAK says for how many seconds; the usual few rounds are for a quick check. */
#include "support/faults.h"
#include "support/learner_files.h"
#include "support/runs.h"

#include "base/clock.h"
#include "gl/gl.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

enum {
    WARM_ROUNDS = 3,
    USUAL_ROUNDS = 2, /* after the warm ones                                    */
    USUAL_STRIDE = 5, /* of the runs in a usual round; a long test has all runs */
    PRINT_SECONDS = 300,
    PREDICTED = 7,
    MOST_OUTPUTS = 64,
    MALLOC_HEADER = 16
};

/* How much the usage may grow after the warm rounds: a round of all runs that keeps 100 bytes of
 * each fails within the hour. */
#define MOST_HEAP     0.25 /* MiB    */
#define MOST_RESIDENT 1.02 /* factor */

/* ---- Usage */

typedef struct usage {
    double heap;     /* MiB that malloc has given out, but for what destroyed contexts keep */
    double resident; /* MiB of the process                                                  */
    int files;       /* open ones                                                           */
} usage;

static double resident_now(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 0x1p20;
}

/* Each round has destroyed a context, of which the library keeps the structure: see
 * glnn_context_destroy(). */
static usage usage_after(int rounds)
{
    const struct mallinfo2 info = mallinfo2();
    const size_t kept = (size_t)rounds * (sizeof(glnn_context) + MALLOC_HEADER);
    return (usage){.heap = (double)(info.uordblks + info.hblkhd - kept) / 0x1p20,
                   .resident = resident_now(),
                   .files = files_open()};
}

static void print_usage(int rounds, double seconds, usage now)
{
    print_message("%.0f s, %d rounds: heap %.3f MiB, resident %.1f MiB, %d open files\n", seconds,
                  rounds, now.heap, now.resident, now.files);
}

static void expect_flat(usage before, usage now)
{
    assert_int_equal(now.files, before.files);
#ifndef OWN_ALLOCATOR
    if (now.heap > before.heap + MOST_HEAP)
        fail_msg("the heap grew from %.3f to %.3f MiB", before.heap, now.heap);
    if (now.resident > before.resident * MOST_RESIDENT)
        fail_msg("the process grew from %.1f to %.1f MiB", before.resident, now.resident);
#endif
}

/* ---- A round */

/* Files of the first round, with whose bits the later ones end. */
static file_path first_end(int number)
{
    char name[32];
    snprintf(name, sizeof name, "first%d", number);
    return path_of(name);
}

static void save_load_and_predict(glnn_trainer *trainer, int features)
{
    const file_path model = path_of("model");
    float outputs[PREDICTED * MOST_OUTPUTS];
    int classes[PREDICTED];
    glnn_learner *loaded;
    expect_ok(glnn_trainer_save(trainer, model.text));
    expect_ok(glnn_learner_load(glnn_test_context(), model.text, NULL, &loaded));
    learning_own_learner(loaded);
    const array inputs = array_random(PREDICTED, features, -1, 1);
    const int width = glnn_learner_get_outputs(loaded);
    assert_true(width > 0 && width <= MOST_OUTPUTS);
    expect_ok(glnn_learner_predict(loaded, PREDICTED, floats_of(inputs), outputs, classes));
}

static void remove_checkpoint(const char *name)
{
    char former[64];
    snprintf(former, sizeof former, "%s.1", name);
    remove(path_of(name).text);
    remove(path_of(former).text);
}

/* Stops in the second epoch, and a new trainer resumes. */
static void train_run(int number, bool is_first)
{
    const run *of = &runs[number];
    const file_path checkpoint = path_of("checkpoint"), end = path_of("end");
    glnn_train_desc how = of->how;
    how.checkpoint = checkpoint.text;
    how.checkpoint_every = 1;
    remove_checkpoint("checkpoint");
    glnn_trainer *trainer = start_run(of, &how);
    advance(trainer, 9, false);
    expect_ok(glnn_trainer_save_checkpoint(trainer, checkpoint.text));
    release_learning();
    how.resume = true;
    trainer = start_run(of, &how);
    finish(trainer);
    const char *path = is_first ? first_end(number).text : end.text;
    expect_ok(glnn_trainer_save_checkpoint(trainer, path));
    if (!is_first)
        expect_same_checkpoints(first_end(number).text, path, of->name);
    save_load_and_predict(trainer, of->features ? of->features : FEATURES);
    release_learning();
}

static void run_round(int stride, bool is_first)
{
    for (int number = 0; number < run_count; number += stride)
        train_run(number, is_first);
    /* release_all destroys the context again. */
    context_use(context_new(0, 0));
    train_run(0, false);
    release_all();
}

/* ---- The test */

/* The first tenth of the time fills what the driver, the C library and the context keep. */
static void what_is_in_use_and_the_results_stay_the_same_for_hours(void **state)
{
    const char *wanted = getenv("GLNN_TEST_SOAK");
    const double seconds = wanted ? atof(wanted) : 0;
    const int stride = wanted || all_cases_are_run() ? 1 : USUAL_STRIDE;
    const double start = glnn__clock_seconds();
    double now = 0, printed = 0;
    int rounds = 0, warm_rounds = 0;
    usage warm = {0}, used = {0};
    (void)state;
    while (rounds < WARM_ROUNDS + USUAL_ROUNDS || now < seconds) {
        run_round(stride, rounds == 0);
        used = usage_after(++rounds);
        now = glnn__clock_seconds() - start;
        if (warm_rounds == 0 && rounds >= WARM_ROUNDS && now >= seconds / 10) {
            warm = used;
            warm_rounds = rounds;
            print_usage(rounds, now, used);
        }
        if (now >= printed + PRINT_SECONDS) {
            print_usage(rounds, now, used);
            printed = now;
        }
    }
    print_usage(rounds, now, used);
    assert_true(rounds > warm_rounds);
    expect_flat(warm, used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(what_is_in_use_and_the_results_stay_the_same_for_hours),
    };
    return cmocka_run_group_tests_name("soak", tests, learner_files_setup, learner_files_teardown);
}
