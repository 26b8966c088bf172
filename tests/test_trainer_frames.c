/* Training within the frames of a program: calls with a time limit end epochs in parts. */
#include "support/learner_files.h"
#include "support/messenger.h"
#include "support/subjects.h"

/* All programs of the end of an epoch are needed, and several parts of validation samples. */
static glnn_train_desc validated(void)
{
    glnn_train_desc how = training_of(NETWORK);
    how.validation_split = 0.3f;
    how.restore_best = true;
    return how;
}

/* One call of the shortest limit, when the device has finished the call before. */
static void frame(glnn_trainer *trainer, bool *epoch_ended)
{
    expect_ok(glnn_context_finish(glnn_test_context()));
    expect_ok(glnn_trainer_step(trainer, 0, 1e-6, NULL, epoch_ended));
}

/* Frames up to the last step of an epoch, and so many more. */
static void run_to_end(glnn_trainer *trainer, int more)
{
    bool epoch_ended = false;
    while (!epoch_ended)
        frame(trainer, &epoch_ended);
    for (; more > 0 && !glnn_trainer_is_finished(trainer); --more)
        frame(trainer, NULL);
}

static void expect_result_of(const subject *framed, glnn_trainer *trainer, const glnn_dataset *data,
                             const char *what)
{
    const glnn_train_desc how = validated();
    const subject whole = subject_of(NETWORK);
    glnn_train_result result = {.size = sizeof result};
    expect_ok(train_subject(&whole, data, &how, &result));
    const glnn_train_result *got = glnn_trainer_get_result(trainer);
    expect_same_subjects(framed, &whole, what);
    assert_true(got->validation.loss == result.validation.loss);
    assert_true(got->training.loss == result.training.loss);
    assert_int_equal(got->best_epoch, result.best_epoch);
    assert_int_equal(got->steps, result.steps);
}

static void evaluations_do_not_disturb_a_validation_of_several_frames(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = validated();
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    for (int frames = 0; !glnn_trainer_is_finished(trainer); ++frames) {
        assert_in_range(frames, 0, 10000);
        frame(trainer, NULL);
        expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL));
    }
    expect_result_of(&of, trainer, data, "evaluated in each frame");
}

static void an_epoch_that_frames_began_to_end_is_ended_at_once(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (int more = 0; more < 8; ++more) {
        const subject of = subject_of(NETWORK);
        const glnn_train_desc how = validated();
        glnn_trainer *trainer = trainer_of(&of, data, &how);
        for (int epoch = 0; !glnn_trainer_is_finished(trainer); ++epoch) {
            run_to_end(trainer, more);
            if (glnn_trainer_get_result(trainer)->epochs == epoch)
                expect_ok(glnn_trainer_end_epoch(trainer));
        }
        expect_result_of(&of, trainer, data, "ended at once");
    }
}

static void a_checkpoint_is_saved_and_loaded_at_any_frame_of_the_end(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const file_path path = path_of("checkpoint");
    const glnn_train_desc how = validated();
    for (int more = 0; more < 8; ++more) {
        const subject first = subject_of(NETWORK), second = subject_of(NETWORK);
        glnn_trainer *trainer = trainer_of(&first, data, &how);
        run_to_end(trainer, more);
        expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
        glnn_trainer *other = trainer_of(&second, data, &how);
        run_to_end(other, more); /* to be dropped */
        expect_ok(glnn_trainer_load_checkpoint(other, path.text));
        while (!glnn_trainer_is_finished(other))
            frame(other, NULL);
        expect_result_of(&second, other, data, "from a checkpoint");
        run_by(trainer, 0, 1e9);
        expect_result_of(&first, trainer, data, "with a checkpoint");
    }
}

static void a_trainer_can_go_at_any_frame_of_the_end(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const glnn_train_desc how = validated();
    const subject of = subject_of(NETWORK);
    for (int more = 0; more < 8; ++more) {
        glnn_trainer *trainer;
        expect_ok(glnn_trainer_create(of.learner, data, &how, &trainer));
        run_to_end(trainer, more);
        glnn_trainer_destroy(trainer);
    }
}

static void frames_wait_for_nothing_and_make_nothing(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 3, .batch = 8, .schedule.rate = 0.01f};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    run_to_end(trainer, 8);
    const glnn_counters before = counters_of(glnn_test_context());
    int done = 0;
    expect_ok(glnn_trainer_step(trainer, 1, 1e9, &done, NULL));
    const glnn_counters after = counters_of(glnn_test_context());
    assert_int_equal(done, 1);
    assert_int_equal(after.waits, before.waits);
    assert_int_equal(after.textures_created, before.textures_created);
}

static void step_with_limit(const team_member *self)
{
    static const float inputs[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const int labels[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    glnn_dataset *data;
    glnn_learner *network;
    glnn_trainer *trainer;
    expect_ok(glnn_dataset_create(
        self->ctx,
        &(glnn_dataset_desc){
            .samples = 8, .features = 1, .inputs = inputs, .labels = labels, .classes = 2},
        &data));
    expect_ok(glnn_network_create(
        self->ctx, &(glnn_network_desc){.features = 1, .layers = {{.units = 2}}, .seed = 1},
        &network));
    expect_ok(glnn_trainer_create(
        network, data,
        &(glnn_train_desc){.epochs = 1, .batch = 4, .exchange.messenger = self->messenger},
        &trainer));
    assert_int_equal(glnn_trainer_step(trainer, 0, 4, NULL, NULL), GLNN_E_UNSUPPORTED);
    assert_non_null(strstr(glnn_last_error(), "2 processes"));
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}

static void several_processes_refuse_a_time_limit_and_go_on(void **state)
{
    (void)state;
    team_run(&(team_desc){.ranks = 2}, step_with_limit, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(evaluations_do_not_disturb_a_validation_of_several_frames),
        LEARNING_TEST(an_epoch_that_frames_began_to_end_is_ended_at_once),
        LEARNING_TEST(a_checkpoint_is_saved_and_loaded_at_any_frame_of_the_end),
        LEARNING_TEST(a_trainer_can_go_at_any_frame_of_the_end),
        LEARNING_TEST(frames_wait_for_nothing_and_make_nothing),
        LEARNING_TEST(several_processes_refuse_a_time_limit_and_go_on),
    };
    let_driver_have_threads();
    return cmocka_run_group_tests_name("trainer frames", tests, learner_files_setup,
                                       learner_files_teardown);
}
