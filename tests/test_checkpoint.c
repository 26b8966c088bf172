/* Checkpoints: a training that was stopped anywhere and resumed ends with the bits of one that
 * never was. */
#include "support/learner_files.h"
#include "support/runs.h"

/* Numbers of steps after which trainings are stopped: in the middle of an epoch and at its end. */
static const uint64_t stops[] = {1, 4, 6, 13, 20};

/* Destroys everything, also the context, and goes on in a new one. */
static void start_anew(void)
{
    release_learning();
    context_use(context_new(0, 0.0));
}

static void save_whole_run(const run *of, const char *path)
{
    glnn_trainer *trainer = start_run(of, &of->how);
    finish(trainer);
    expect_ok(glnn_trainer_save_checkpoint(trainer, path));
}

/* Names of the checkpoints that are made in the first context. */
static file_path checkpoint_of(size_t stop)
{
    char name[16];
    snprintf(name, sizeof name, "half %zu", stop);
    return path_of(name);
}

static void save_halves(const run *of)
{
    for (size_t s = 0; s < COUNT_OF(stops); ++s) {
        glnn_trainer *trainer = start_run(of, &of->how);
        advance(trainer, stops[s], s % 2);
        expect_ok(glnn_trainer_save_checkpoint(trainer, checkpoint_of(s).text));
    }
}

/* Every checkpoint is loaded by new objects, in a context that knows nothing of the training. */
static void a_resumed_training_ends_with_the_bits_of_one_that_never_stopped(void **state)
{
    (void)state;
    const file_path whole = path_of("whole"), resumed = path_of("resumed");
    for (int i = 0; i < run_count; ++i) {
        save_whole_run(&runs[i], whole.text);
        save_halves(&runs[i]);
        start_anew();
        for (size_t s = 0; s < COUNT_OF(stops); ++s) {
            if (case_is_left_out(i + (int)s))
                continue;
            glnn_trainer *trainer = start_run(&runs[i], &runs[i].how);
            expect_ok(glnn_trainer_load_checkpoint(trainer, checkpoint_of(s).text));
            finish(trainer);
            expect_ok(glnn_trainer_save_checkpoint(trainer, resumed.text));
            expect_same_checkpoints(whole.text, resumed.text, runs[i].name);
        }
        release_learning();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_resumed_training_ends_with_the_bits_of_one_that_never_stopped),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
