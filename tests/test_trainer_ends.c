/* Trainers: calls that they refuse, snapshots, and how training ends. */
#include "support/subjects.h"

#include <limits.h>

static void learners_that_update_once_an_epoch_accumulate_no_batches(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const glnn_train_desc how = {.accumulate = 2};
    expect_error(glnn_learner_train(subject_of(LLOYD).learner, data, &how, NULL), GLNN_E_ARG,
                 "once an epoch");
    expect_error(glnn_learner_train(subject_of(MIXTURE).learner, data, &how, NULL), GLNN_E_ARG,
                 "once an epoch");
    expect_error(glnn_learner_train(subject_of(NETWORK).learner, data,
                                    &(glnn_train_desc){.accumulate = -1}, NULL),
                 GLNN_E_ARG, "accumulate is -1");
}

static void calls_out_of_order_are_refused(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 1, .batch = 8});
    expect_error(glnn_trainer_end_epoch(trainer), GLNN_E_STATE, "7 of 7 batches of epoch 1");
    expect_error(glnn_trainer_step(trainer, -1, 0, NULL, NULL), GLNN_E_ARG, "-1 steps");
    expect_error(glnn_trainer_step(trainer, 0, (double)NAN, NULL, NULL), GLNN_E_ARG, "nan ms");
    expect_ok(glnn_trainer_step(trainer, 2, 0, NULL, NULL));
    expect_error(glnn_trainer_end_epoch(trainer), GLNN_E_STATE, "5 of 7 batches of epoch 1");
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_error(glnn_trainer_step(trainer, 0, 0, NULL, NULL), GLNN_E_STATE,
                 "glnn_trainer_end_epoch");
    expect_ok(glnn_trainer_end_epoch(trainer));
    assert_true(glnn_trainer_is_finished(trainer));
    expect_error(glnn_trainer_step(trainer, 0, 0, NULL, NULL), GLNN_E_STATE, "over after 1 of 1");
    expect_error(glnn_trainer_end_epoch(trainer), GLNN_E_STATE, "over after 1 of 1");
    expect_error(glnn_trainer_step(NULL, 0, 0, NULL, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_trainer_evaluate(trainer, NULL, NULL, NULL), GLNN_E_ARG, "null");
}

static void a_learner_has_one_trainer_at_a_time(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const subject of = subject_of(kind);
        const glnn_train_desc how = training_of(kind);
        trainer_of(&of, data, &how);
        expect_error(train_subject(&of, data, &how, NULL), GLNN_E_STATE, "another trainer");
    }
}

static void a_finished_trainer_leaves_its_learner_to_the_next(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const subject of = subject_of(kind), same = subject_of(kind);
        const glnn_train_desc how = training_of(kind);
        glnn_trainer *first = trainer_of(&of, data, &how);
        run_by(first, 0, 0);
        expect_ok(glnn_trainer_restore(first));
        const int epochs = glnn_trainer_get_result(first)->epochs;
        glnn_trainer *second = trainer_of(&of, data, &how);
        expect_error(glnn_trainer_restore(first), GLNN_E_STATE, "has another trainer");
        expect_error(glnn_trainer_save(first, "x"), GLNN_E_STATE, "has another trainer");
        run_by(second, 0, 0);
        assert_int_equal(glnn_trainer_get_result(first)->epochs, epochs);
        expect_ok(train_subject(&same, data, &how, NULL));
        expect_ok(train_subject(&same, data, &how, NULL));
        expect_same_subjects(&of, &same, "two trainers");
    }
}

static void a_path_is_needed_to_save(void **state)
{
    (void)state;
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, dataset_of(some_samples()), NULL);
    expect_error(glnn_trainer_save(trainer, NULL), GLNN_E_ARG, "glnn_trainer_save: `path` is null");
    expect_error(glnn_trainer_save(trainer, ""), GLNN_E_ARG,
                 "glnn_trainer_save: the path is empty");
    expect_error(glnn_learner_load(glnn_test_context(), "", NULL, &(glnn_learner *){NULL}),
                 GLNN_E_ARG, "the path is empty");
}

static void a_capacity_that_no_texture_holds_is_named(void **state)
{
    (void)state;
    glnn_learner *network = NULL;
    const glnn_network_desc desc = {
        .features = FEATURES, .layers = {{.units = CLASSES}}, .capacity = INT_MAX};
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_LIMIT,
                 "a capacity of 2147483647 samples is too large");
}

static void a_trainer_can_go_in_the_middle_of_an_epoch(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_within(some_samples(), 2 * 48 * 16);
    const glnn_train_desc how = {.epochs = 2, .batch = 8, .schedule.rate = 0.1f};
    const subject left = subject_of(NETWORK), whole = subject_of(NETWORK);
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_trainer_create(left.learner, data, &how, &trainer));
    expect_ok(glnn_trainer_step(trainer, 3, 0, NULL, NULL));
    glnn_trainer_destroy(trainer);
    assert_int_equal(glnn_network_get_steps(left.learner), 3);
    glnn_trainer *other = trainer_of(&whole, data, &how);
    expect_ok(glnn_trainer_step(other, 3, 0, NULL, NULL));
    expect_same_subjects(&left, &whole, "three steps");
    expect_ok(glnn_learner_train(left.learner, data, &how, NULL));
}

static void the_trainer_of_a_destroyed_learner_fails(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    glnn_learner *lvq = NULL;
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_lvq_create(glnn_test_context(),
                              &(glnn_lvq_desc){.features = FEATURES, .classes = CLASSES}, &lvq));
    expect_ok(glnn_learner_initialise(lvq, data));
    expect_ok(glnn_trainer_create(lvq, data, NULL, &trainer));
    learning_own(trainer, destroy_trainer);
    glnn_learner_destroy(lvq);
    expect_error(glnn_trainer_step(trainer, 1, 0, NULL, NULL), GLNN_E_STATE, "was destroyed");
    expect_error(glnn_trainer_evaluate(trainer, data, NULL, NULL), GLNN_E_STATE, "was destroyed");
    expect_error(glnn_trainer_snapshot(trainer), GLNN_E_STATE, "was destroyed");
    expect_error(glnn_trainer_save(trainer, "x"), GLNN_E_STATE, "was destroyed");
    assert_true(glnn_trainer_is_finished(trainer));
}

static void a_snapshot_brings_back_what_was_learnt(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        glnn_train_desc how = training_of(kind);
        how.restore_best = false;
        const subject of = subject_of(kind);
        glnn_trainer *trainer = trainer_of(&of, data, &how);
        glnn_metrics before, changed, after;
        expect_error(glnn_trainer_restore(trainer), GLNN_E_STATE, "there is no snapshot");
        expect_ok(glnn_trainer_evaluate(trainer, data, &before, NULL));
        expect_ok(glnn_trainer_snapshot(trainer));
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        expect_ok(glnn_trainer_end_epoch(trainer));
        expect_ok(glnn_trainer_evaluate(trainer, data, &changed, NULL));
        expect_ok(glnn_trainer_restore(trainer));
        if (glnn_learner_get_kind(of.learner) ==
            GLNN_LEARNER_LVQ) /* xi grows with the epochs, and the loss with it */
            expect_ok(glnn_lvq_set_epochs(of.learner, 0));
        expect_ok(glnn_trainer_evaluate(trainer, data, &after, NULL));
        assert_true(changed.loss != before.loss && after.loss == before.loss);
    }
}

static void with_restore_best_snapshots_are_those_of_the_best_epoch(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 2, .batch = 8, .restore_best = true};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    expect_error(glnn_trainer_snapshot(trainer), GLNN_E_STATE, "restore_best");
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    const array best = weights_of(of.learner, 0);
    expect_ok(glnn_trainer_step(trainer, 3, 0, NULL, NULL));
    expect_ok(glnn_trainer_restore(trainer));
    expect_same_bits(weights_of(of.learner, 0), best, "the first epoch is the best so far");
}

static void a_loss_that_is_not_finite_names_the_step_and_ends_training(void **state)
{
    (void)state;
    samples all = some_samples();
    *at(all.inputs, 20, 0) = 3e38; /* its step, the third, takes the weights beyond float32 */
    const glnn_dataset *data = dataset_of(all);
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 2, .batch = 8, .keep_order = true};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_error(glnn_trainer_end_epoch(trainer), GLNN_E_DIVERGED, "step 4 of epoch 1");
    assert_true(glnn_trainer_is_finished(trainer));
    expect_error(glnn_trainer_step(trainer, 1, 0, NULL, NULL), GLNN_E_STATE, "training is over");
}

typedef struct driver {
    glnn_trainer *trainer;
    glnn_status step, end;
} driver;

/* Makes the calls that a report function is not allowed to make. */
static bool drive(void *user, const glnn_report *report)
{
    driver *d = user;
    (void)report;
    d->step = glnn_trainer_step(d->trainer, 1, 0, NULL, NULL);
    d->end = glnn_trainer_end_epoch(d->trainer);
    glnn_trainer_destroy(d->trainer);
    return true;
}

static void a_report_function_cannot_drive_its_own_trainer(void **state)
{
    (void)state;
    driver d = {0};
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    d.trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 2, .report = drive, .user = &d});
    run_by(d.trainer, 0, 0);
    assert_int_equal(d.step, GLNN_E_STATE);
    assert_int_equal(d.end, GLNN_E_STATE);
    assert_int_equal(glnn_trainer_get_result(d.trainer)->epochs, 2);
}

static bool stop_at_once(void *user, const glnn_report *report)
{
    (void)user;
    return report->event != GLNN_EVENT_EPOCH;
}

static void a_report_function_ends_the_loop(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 9, .batch = 8, .report = stop_at_once};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    run_by(trainer, 2, 0);
    assert_true(glnn_trainer_get_result(trainer)->stopped);
    assert_int_equal(glnn_trainer_get_result(trainer)->epochs, 1);
    assert_int_equal(glnn_trainer_get_report(trainer)->epoch, 1);
}

static void between_two_epochs_all_batches_are_left(void **state)
{
    (void)state;
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer =
        trainer_of(&of, dataset_of(some_samples()), &(glnn_train_desc){.epochs = 3, .batch = 8});
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    expect_error(glnn_trainer_end_epoch(trainer), GLNN_E_STATE,
                 "7 of 7 batches of epoch 2 are left");
}

static void without_its_context_a_trainer_is_finished(void **state)
{
    (void)state;
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_EGL}, &ctx));
    context_use(ctx);
    glnn_dataset *data = dataset_create(some_samples(), 0);
    glnn_learner *network;
    glnn_trainer *trainer;
    expect_ok(glnn_network_create(
        ctx, &(glnn_network_desc){.features = FEATURES, .layers = {{.units = CLASSES}}}, &network));
    expect_ok(glnn_trainer_create(network, data, NULL, &trainer));
    assert_false(glnn_trainer_is_finished(trainer));
    glnn_context_destroy(ctx);
    assert_true(glnn_trainer_is_finished(trainer));
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(learners_that_update_once_an_epoch_accumulate_no_batches),
        LEARNING_TEST(calls_out_of_order_are_refused),
        LEARNING_TEST(a_learner_has_one_trainer_at_a_time),
        LEARNING_TEST(a_finished_trainer_leaves_its_learner_to_the_next),
        LEARNING_TEST(a_path_is_needed_to_save),
        LEARNING_TEST(a_capacity_that_no_texture_holds_is_named),
        LEARNING_TEST(a_trainer_can_go_in_the_middle_of_an_epoch),
        LEARNING_TEST(the_trainer_of_a_destroyed_learner_fails),
        LEARNING_TEST(a_snapshot_brings_back_what_was_learnt),
        LEARNING_TEST(with_restore_best_snapshots_are_those_of_the_best_epoch),
        LEARNING_TEST(a_loss_that_is_not_finite_names_the_step_and_ends_training),
        LEARNING_TEST(a_report_function_cannot_drive_its_own_trainer),
        LEARNING_TEST(a_report_function_ends_the_loop),
        LEARNING_TEST(between_two_epochs_all_batches_are_left),
        LEARNING_TEST(without_its_context_a_trainer_is_finished),
    };
    return cmocka_run_group_tests_name("trainer ends", tests, test_group_setup,
                                       test_group_teardown);
}
