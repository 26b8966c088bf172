/* Trainers: objects that the program destroys while a trainer uses them. */
#include "support/foreign.h"
#include "support/learner_files.h"
#include "support/subjects.h"

#include <glnn/curve.h>

enum { TRAINING = 1, VALIDATION = 2, BOTH = 3 };

/* The first bytes are those of a resident set, the second ones those of a stream. */
static const size_t budgets[] = {0, 2 * 48 * 16};

/* A training whose data sets are the program's own. */
typedef struct lent {
    subject of;
    samples all, others;
    glnn_dataset *data, *validation;
    glnn_train_desc how;
    glnn_trainer *trainer;
} lent;

static lent lend(learner_kind kind, size_t budget)
{
    lent made = {.of = subject_of(kind), .all = some_samples(), .how = training_of(kind)};
    made.others = samples_part(made.all, 3, 30);
    made.data = dataset_create(made.all, budget);
    made.validation = dataset_create(made.others, budget);
    made.how.validation_split = 0;
    made.how.validation = made.validation;
    return made;
}

static lent start(learner_kind kind, size_t budget)
{
    lent made = lend(kind, budget);
    made.trainer = trainer_of(&made.of, made.data, &made.how);
    return made;
}

static void destroy(lent *from, int which)
{
    if (which & TRAINING)
        glnn_dataset_destroy(from->data);
    if (which & VALIDATION)
        glnn_dataset_destroy(from->validation);
}

/* The bits are those of a training whose data sets stay. */
static void expect_undisturbed(const lent *of, size_t budget, const char *what)
{
    const subject whole = subject_of(of->of.kind);
    glnn_train_desc how = of->how;
    how.validation = dataset_within(of->others, budget);
    expect_ok(train_subject(&whole, dataset_within(of->all, budget), &how, NULL));
    expect_same_subjects(&of->of, &whole, what);
}

/* Destroys data sets in the middle of the first epoch, saves a checkpoint and goes on. */
static void train_without(learner_kind kind, size_t budget, int which, double milliseconds)
{
    const file_path path = path_of("half.ckpt");
    lent training = start(kind, budget);
    expect_ok(glnn_trainer_step(training.trainer, 1, milliseconds, NULL, NULL));
    destroy(&training, which);
    expect_ok(glnn_trainer_save_checkpoint(training.trainer, path.text));
    run_by(training.trainer, 0, milliseconds);
    expect_undisturbed(&training, budget, "data sets that were destroyed");
    destroy(&training, BOTH & ~which);
    release_learning();
}

static void data_sets_can_be_destroyed_in_the_middle_of_an_epoch(void **state)
{
    (void)state;
    for (learner_kind kind = 0; kind < KINDS; ++kind)
        for (int which = TRAINING; which <= BOTH; ++which)
            train_without(kind, 0, which, 0);
}

static void streams_can_be_destroyed_in_the_middle_of_an_epoch(void **state)
{
    (void)state;
    for (int which = TRAINING; which <= BOTH; ++which)
        train_without(NETWORK, budgets[1], which, 0);
}

static void data_sets_can_be_destroyed_between_two_frames(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(budgets); ++i)
        for (int which = TRAINING; which <= BOTH; ++which)
            train_without(NETWORK, budgets[i], which, 1e-6);
}

/* Frames up to the measurement of the validation samples. */
static void data_sets_can_be_destroyed_at_the_end_of_an_epoch(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(budgets); ++i) {
        lent training = start(NETWORK, budgets[i]);
        bool epoch_ended = false;
        while (!epoch_ended)
            expect_ok(glnn_trainer_step(training.trainer, 0, 1e-6, NULL, &epoch_ended));
        expect_ok(glnn_context_finish(glnn_test_context()));
        expect_ok(glnn_trainer_step(training.trainer, 0, 1e-6, NULL, NULL));
        destroy(&training, BOTH);
        run_by(training.trainer, 0, 1e-6);
        expect_undisturbed(&training, budgets[i], "destroyed at the end of an epoch");
        release_learning();
    }
}

static void a_trainer_can_be_destroyed_after_its_data_sets(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(budgets); ++i) {
        lent training = start(NETWORK, budgets[i]);
        expect_ok(glnn_trainer_step(training.trainer, 1, 0, NULL, NULL));
        destroy(&training, BOTH);
        release_learning();
    }
}

static bool destroy_in_report(void *user, const glnn_report *report)
{
    lent *of = user;
    (void)report;
    destroy(of, BOTH);
    of->data = of->validation = NULL;
    return true;
}

static void a_report_function_can_destroy_the_data_sets(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(budgets); ++i) {
        lent training = lend(NETWORK, budgets[i]);
        training.how.report = destroy_in_report;
        training.how.user = &training;
        expect_ok(train_subject(&training.of, training.data, &training.how, NULL));
        assert_null(training.data);
        training.how.report = NULL;
        expect_undisturbed(&training, budgets[i], "a report function");
        release_learning();
    }
}

/* The context reports each trainer that still exists, and not its data set. */
static void data_sets_end_with_the_last_trainer_that_uses_them(void **state)
{
    (void)state;
    for (int kept = 0; kept < 3; ++kept) {
        glnn_context *ctx = NULL;
        glnn_learner *networks[2] = {NULL};
        glnn_trainer *trainers[2] = {NULL};
        expect_ok(glnn_context_create(NULL, &ctx));
        context_use(ctx);
        glnn_dataset *data = dataset_create(some_samples(), 0);
        const glnn_network_desc desc = {.features = FEATURES, .layers = {{.units = CLASSES}}};
        for (int i = 0; i < 2; ++i) {
            expect_ok(glnn_network_create(ctx, &desc, &networks[i]));
            expect_ok(glnn_trainer_create(networks[i], data, &(glnn_train_desc){.validation = data},
                                          &trainers[i]));
        }
        glnn_dataset_destroy(data);
        for (int i = 0; i < 2; ++i)
            glnn_learner_destroy(networks[i]);
        for (int i = kept; i < 2; ++i)
            glnn_trainer_destroy(trainers[i]);
        watch_log();
        glnn_context_destroy(ctx);
        assert_int_equal(watched_messages(GLNN_LOG_WARNING), kept);
        for (int i = 0; i < kept; ++i)
            glnn_trainer_destroy(trainers[i]);
        context_use(NULL);
    }
}

static void a_curve_can_be_destroyed_before_its_trainer(void **state)
{
    (void)state;
    const subject of = subject_of(NETWORK);
    glnn_train_desc how = training_of(NETWORK);
    expect_ok(glnn_curve_create(&how.curve));
    glnn_trainer *trainer = trainer_of(&of, dataset_of(some_samples()), &how);
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    assert_int_equal(glnn_curve_get_count(how.curve), 1);
    glnn_curve_destroy(how.curve);
    run_by(trainer, 0, 0);
    expect_ok(glnn_trainer_save_checkpoint(trainer, path_of("end.ckpt").text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(data_sets_can_be_destroyed_in_the_middle_of_an_epoch),
        LEARNING_TEST(streams_can_be_destroyed_in_the_middle_of_an_epoch),
        LEARNING_TEST(data_sets_can_be_destroyed_between_two_frames),
        LEARNING_TEST(data_sets_can_be_destroyed_at_the_end_of_an_epoch),
        LEARNING_TEST(a_trainer_can_be_destroyed_after_its_data_sets),
        LEARNING_TEST(a_report_function_can_destroy_the_data_sets),
        LEARNING_TEST(data_sets_end_with_the_last_trainer_that_uses_them),
        LEARNING_TEST(a_curve_can_be_destroyed_before_its_trainer),
    };
    return cmocka_run_group_tests_name("trainer owners", tests, learner_files_setup,
                                       learner_files_teardown);
}
