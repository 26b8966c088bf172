/* Trainers whose learning rate is changed between two steps. */
#include "support/learner_files.h"
#include "support/subjects.h"

static const glnn_train_desc description = {
    .epochs = 2, .batch = 8, .keep_order = true, .schedule.rate = 0.1f};

static void epoch(glnn_trainer *trainer)
{
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
}

static void a_rate_that_is_set_gives_the_bits_of_a_training_with_that_rate(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject changed = subject_of(NETWORK), twice = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&changed, data, &description);
    epoch(trainer);
    expect_ok(glnn_trainer_set_learning_rate(trainer, 0.02f));
    epoch(trainer);
    assert_true(glnn_trainer_get_report(trainer)->rate == 0.02f);
    glnn_train_desc half = description;
    half.epochs = 1;
    expect_ok(train_subject(&twice, data, &half, NULL));
    half.schedule.rate = 0.02f;
    expect_ok(train_subject(&twice, data, &half, NULL));
    expect_same_subjects(&changed, &twice, "0.1, then 0.02");
}

static void a_schedule_goes_on_from_its_place_with_the_new_rate(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    glnn_train_desc how = description;
    how.schedule = (glnn_schedule){.kind = GLNN_SCHEDULE_COSINE, .rate = 0.1f, .final_rate = 0.01f};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    expect_ok(glnn_trainer_step(trainer, 3, 0, NULL, NULL));
    expect_ok(glnn_trainer_set_learning_rate(trainer, 0.4f));
    how.schedule.rate = 0.4f;
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    assert_true(glnn_trainer_get_report(trainer)->rate ==
                glnn_schedule_get_rate(&how.schedule, 3, 14, 0));
}

static void a_checkpoint_contains_the_rate(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject saved = subject_of(NETWORK), loaded = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&saved, data, &description);
    expect_ok(glnn_trainer_step(trainer, 3, 0, NULL, NULL));
    expect_ok(glnn_trainer_set_learning_rate(trainer, 0.02f));
    const file_path path = path_of("checkpoint");
    expect_ok(glnn_trainer_save_checkpoint(trainer, path.text));
    run_by(trainer, 1, 0);
    glnn_trainer *other = trainer_of(&loaded, data, &description);
    expect_ok(glnn_trainer_load_checkpoint(other, path.text));
    run_by(other, 1, 0);
    assert_true(glnn_trainer_get_report(other)->rate == 0.02f);
    expect_same_subjects(&loaded, &saved, "continued with 0.02");
}

static void rates_that_do_not_apply_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const float wrong[] = {0, -1, NAN, INFINITY};
    const glnn_dataset *data = dataset_of(some_samples());
    const subject network = subject_of(NETWORK), means = subject_of(KMEANS);
    glnn_trainer *trainer = trainer_of(&network, data, &description);
    for (size_t i = 0; i < COUNT_OF(wrong); ++i)
        expect_error(glnn_trainer_set_learning_rate(trainer, wrong[i]), GLNN_E_ARG,
                     "it has to be finite and above 0");
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    assert_true(glnn_trainer_get_report(trainer)->rate == 0.1f);
    const glnn_train_desc how = training_of(KMEANS);
    expect_error(glnn_trainer_set_learning_rate(trainer_of(&means, data, &how), 0.1f), GLNN_E_ARG,
                 "this learner has no learning rate");
}

static void rates_of_olvq1_stay_below_one(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const glnn_lvq_desc desc = {.kind = GLNN_LVQ_OLVQ1, .features = FEATURES, .classes = CLASSES};
    glnn_learner *lvq = NULL;
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_lvq_create(glnn_test_context(), &desc, &lvq));
    expect_error(glnn_learner_train(lvq, data, &(glnn_train_desc){.schedule.rate = 1}, NULL),
                 GLNN_E_ARG, "a rate of 1; for this classifier it has to be below 1");
    expect_ok(glnn_trainer_create(lvq, data, NULL, &trainer));
    expect_error(glnn_trainer_set_learning_rate(trainer, 1.5f), GLNN_E_ARG,
                 "a rate of 1.5; for this classifier it has to be below 1");
    glnn_trainer_destroy(trainer);
    glnn_learner_destroy(lvq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_rate_that_is_set_gives_the_bits_of_a_training_with_that_rate),
        LEARNING_TEST(a_schedule_goes_on_from_its_place_with_the_new_rate),
        LEARNING_TEST(a_checkpoint_contains_the_rate),
        LEARNING_TEST(rates_that_do_not_apply_are_refused_and_change_nothing),
        LEARNING_TEST(rates_of_olvq1_stay_below_one),
    };
    return cmocka_run_group_tests(tests, learner_files_setup, learner_files_teardown);
}
