/* Trainers: a program's own loop gives what training gives, whatever happens between two steps. */
#include "support/clusters.h"
#include "support/foreign.h"
#include "support/odd_state.h"
#include "support/prototypes.h"

#include <glnn/trainer.h>

#include "gl/gl.h"

enum { SAMPLES = 53, FEATURES = 5, CLASSES = 3 };

/* Kinds of learners, each with a training that has something of its own. */
typedef enum learner_kind { NETWORK, LVQ, KMEANS, LLOYD, MIXTURE, KINDS } learner_kind;

static const char *const kind_names[KINDS] = {"network", "lvq", "mini-batches", "lloyd", "mixture"};

/* A learner of a kind that trains on batches of 8, in parts of at most 4. */
typedef struct subject {
    learner_kind kind;
    glnn_network *network;
    glnn_lvq *lvq;
    glnn_kmeans *kmeans;
    glnn_gmm *gmm;
} subject;

static glnn_network *small_network(int capacity)
{
    return network_of(&(glnn_network_desc){.features = FEATURES,
                                           .layers = {{.units = 6}, {.units = CLASSES}},
                                           .optimizer = {.momentum = 0.9f},
                                           .capacity = capacity,
                                           .seed = 4});
}

static subject subject_of(learner_kind kind)
{
    subject made = {.kind = kind};
    if (kind == NETWORK)
        made.network = small_network(4);
    else if (kind == LVQ)
        made.lvq = lvq_of(&(glnn_lvq_desc){.kind = GLNN_LVQ_GRLVQ,
                                           .features = FEATURES,
                                           .classes = CLASSES,
                                           .xi_growth = 1,
                                           .capacity = 4,
                                           .seed = 2});
    else if (kind == MIXTURE)
        made.gmm = gmm_of(&(glnn_gmm_desc){.features = FEATURES,
                                           .components = 2,
                                           .classes = CLASSES,
                                           .covariance = GLNN_COVARIANCE_DIAGONAL,
                                           .tolerance = 0.02f,
                                           .capacity = 64,
                                           .seed = 5});
    else
        made.kmeans = kmeans_of(&(glnn_kmeans_desc){
            .features = FEATURES, .centres = 4, .tolerance = -1, .capacity = 4, .seed = 3});
    return made;
}

static glnn_train_desc training_of(learner_kind kind)
{
    return (glnn_train_desc){
        .epochs = 3,
        .batch = kind == LLOYD ? 0 : 8,
        .schedule = kind <= LVQ ? (glnn_schedule){GLNN_SCHEDULE_LINEAR, 0.1f, 0.01f, 0, 0}
                                : (glnn_schedule){0},
        .seed = 9,
        .validation_split = 0.2f,
        .restore_best = true,
    };
}

static void train_subject(const subject *of, const glnn_dataset *data, const glnn_train_desc *how,
                          glnn_train_result *result)
{
    if (of->lvq)
        expect_ok(glnn_lvq_initialise(of->lvq, data));
    expect_ok(of->network  ? glnn_network_train(of->network, data, how, result)
              : of->lvq    ? glnn_lvq_train(of->lvq, data, how, result)
              : of->kmeans ? glnn_kmeans_train(of->kmeans, data, how, result)
                           : glnn_gmm_train(of->gmm, data, how, result));
}

static void destroy_trainer(void *trainer)
{
    glnn_trainer_destroy(trainer);
}

static glnn_trainer *trainer_of(const subject *of, const glnn_dataset *data,
                                const glnn_train_desc *how)
{
    glnn_trainer *trainer = NULL;
    if (of->lvq)
        expect_ok(glnn_lvq_initialise(of->lvq, data));
    expect_ok(of->network  ? glnn_network_trainer_create(of->network, data, how, &trainer)
              : of->lvq    ? glnn_lvq_trainer_create(of->lvq, data, how, &trainer)
              : of->kmeans ? glnn_kmeans_trainer_create(of->kmeans, data, how, &trainer)
                           : glnn_gmm_trainer_create(of->gmm, data, how, &trainer));
    learning_own(trainer, destroy_trainer);
    return trainer;
}

static void expect_same_subjects(const subject *left, const subject *right, const char *what)
{
    const char *name = kind_names[left->kind];
    if (left->network)
        expect_same_networks(left->network, right->network, what);
    else if (left->lvq)
        expect_same_classifiers(left->lvq, right->lvq, what);
    else if (left->kmeans)
        expect_same_bits(centres_of(left->kmeans), centres_of(right->kmeans), "%s: %s", what, name);
    else
        expect_same_bits(gmm_reference_of(left->gmm).means, gmm_reference_of(right->gmm).means,
                         "%s: %s", what, name);
}

static void expect_same_results(const glnn_train_result *left, const glnn_train_result *right)
{
    assert_int_equal(left->epochs, right->epochs);
    assert_int_equal(left->steps, right->steps);
    assert_int_equal(left->stopped, right->stopped);
    assert_int_equal(left->best_epoch, right->best_epoch);
    assert_true(left->loss == right->loss && left->accuracy == right->accuracy);
    assert_true(left->validation_loss == right->validation_loss);
    assert_true(left->validation_accuracy == right->validation_accuracy);
}

static samples some_samples(void)
{
    random_seed(7);
    return samples_clustered(SAMPLES, FEATURES, CLASSES, 2, CLASSES);
}

/* Steps to the end, so many at a time. */
static void run_by(glnn_trainer *trainer, int steps, double milliseconds)
{
    while (!glnn_trainer_is_finished(trainer)) {
        int done = 0;
        bool epoch_ended = false;
        expect_ok(glnn_trainer_step(trainer, steps, milliseconds, &done, &epoch_ended));
        assert_true(done >= 1 || epoch_ended);
        assert_true(steps == 0 || done <= steps);
        if (epoch_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
    }
}

/* Inside the tests of this program's context, loops trained in these ways. */
static void expect_bits_of_training(const glnn_dataset *data, int steps, double milliseconds,
                                    const char *what)
{
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const glnn_train_desc how = training_of(kind);
        const subject whole = subject_of(kind), stepped = subject_of(kind);
        glnn_train_result result;
        train_subject(&whole, data, &how, &result);
        glnn_trainer *trainer = trainer_of(&stepped, data, &how);
        run_by(trainer, steps, milliseconds);
        expect_same_subjects(&stepped, &whole, what);
        expect_same_results(glnn_trainer_get_result(trainer), &result);
    }
}

static void steps_one_at_a_time_give_the_bits_of_training(void **state)
{
    (void)state;
    expect_bits_of_training(dataset_of(some_samples()), 1, 0, "single steps");
}

static void steps_on_a_stream_give_the_bits_of_training(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_within(some_samples(), 2 * 48 * 16);
    assert_true(glnn_dataset_streams(data));
    const glnn_train_desc how = training_of(NETWORK);
    const subject whole = subject_of(NETWORK), stepped = subject_of(NETWORK);
    glnn_train_result result;
    train_subject(&whole, data, &how, &result);
    glnn_trainer *trainer = trainer_of(&stepped, data, &how);
    while (!glnn_trainer_is_finished(trainer)) {
        bool epoch_ended;
        expect_ok(glnn_trainer_step(trainer, 2, 0, NULL, &epoch_ended));
        expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL)); /* takes the windows over */
        if (epoch_ended)
            expect_ok(glnn_trainer_end_epoch(trainer));
    }
    expect_same_subjects(&stepped, &whole, "stream");
}

static void a_time_limit_changes_no_bits(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    expect_bits_of_training(data, 0, 1e-6, "no time");
    expect_bits_of_training(data, 5, 1e9, "all the time in the world");
}

static void the_first_of_steps_and_time_ends_a_call(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 2, .batch = 8};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    int done = 0;
    bool epoch_ended = true;
    expect_ok(glnn_trainer_step(trainer, 3, 1e-6, &done, &epoch_ended));
    assert_true(done == 1 && !epoch_ended);
    expect_ok(glnn_trainer_step(trainer, 3, 1e9, &done, &epoch_ended));
    assert_true(done == 3 && !epoch_ended);
    expect_ok(glnn_trainer_step(trainer, 0, 1e9, &done, &epoch_ended));
    assert_true(done == 3 && epoch_ended);
    assert_int_equal(glnn_trainer_get_result(trainer)->steps, 7);
}

static void use_between_steps(const subject *of, glnn_trainer *trainer, const glnn_dataset *data,
                              samples all)
{
    const float *inputs = floats_of(all.inputs);
    float outputs[SAMPLES * CLASSES];
    int classes[SAMPLES];
    expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL));
    if (of->network)
        expect_ok(glnn_network_predict(of->network, 3, inputs, outputs));
    else if (of->lvq)
        expect_ok(glnn_lvq_predict(of->lvq, 3, inputs, NULL, classes, NULL));
    else if (of->kmeans)
        expect_ok(glnn_kmeans_predict(of->kmeans, 3, inputs, classes, NULL, NULL));
    else
        expect_ok(glnn_gmm_predict(of->gmm, 3, inputs, outputs, NULL));
}

static void trainers_take_turns_and_learners_are_used_between_steps(void **state)
{
    (void)state;
    const samples all = some_samples();
    const glnn_dataset *data = dataset_of(all);
    subject subjects[KINDS];
    glnn_trainer *trainers[KINDS];
    glnn_train_desc how[KINDS];
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        how[kind] = training_of(kind);
        subjects[kind] = subject_of(kind);
        trainers[kind] = trainer_of(&subjects[kind], data, &how[kind]);
    }
    for (int running = KINDS; running > 0;) {
        running = 0;
        for (learner_kind kind = 0; kind < KINDS; ++kind) {
            if (glnn_trainer_is_finished(trainers[kind]))
                continue;
            running++;
            bool epoch_ended;
            expect_ok(glnn_trainer_step(trainers[kind], 1, 0, NULL, &epoch_ended));
            use_between_steps(&subjects[kind], trainers[kind], data, all);
            if (epoch_ended)
                expect_ok(glnn_trainer_end_epoch(trainers[kind]));
        }
    }
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const subject whole = subject_of(kind);
        train_subject(&whole, data, &how[kind], NULL);
        expect_same_subjects(&subjects[kind], &whole, "in turns");
    }
}

static void several_batches_make_one_step(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = NETWORK; kind <= LVQ; ++kind) {
        glnn_train_desc at_once = training_of(kind), in_batches = training_of(kind);
        const subject large = subject_of(kind), small = subject_of(kind);
        glnn_train_result result_large, result_small;
        at_once.batch = 12;
        in_batches.batch = 4;
        in_batches.accumulate = 3;
        train_subject(&large, data, &at_once, &result_large);
        train_subject(&small, data, &in_batches, &result_small);
        assert_int_equal(result_large.steps, 3 * 4); /* 43 samples */
        expect_same_subjects(&small, &large, "accumulated");
        expect_same_results(&result_small, &result_large);
    }
}

static void learners_that_update_once_an_epoch_accumulate_no_batches(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const glnn_train_desc how = {.accumulate = 2};
    expect_error(glnn_kmeans_train(subject_of(LLOYD).kmeans, data, &how, NULL), GLNN_E_ARG,
                 "once an epoch");
    expect_error(glnn_gmm_train(subject_of(MIXTURE).gmm, data, &how, NULL), GLNN_E_ARG,
                 "once an epoch");
    expect_error(glnn_network_train(subject_of(NETWORK).network, data,
                                    &(glnn_train_desc){.accumulate = -1}, NULL),
                 GLNN_E_ARG, "accumulate -1");
}

static void steps_without_a_time_limit_wait_for_nothing_and_make_nothing(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const glnn_train_desc how = {.epochs = 3, .batch = 8, .schedule.rate = 0.01f};
    const subject of = {.network = small_network(64)};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    for (int epoch = 0; epoch < 2; ++epoch) {
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        expect_ok(glnn_trainer_end_epoch(trainer));
    }
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    glnn_context_reset_counters(glnn_test_context());
    for (int i = 0; i < 5; ++i)
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    const glnn_counters counters = counters_of(glnn_test_context());
    assert_int_equal(counters.waits, 0);
    assert_int_equal(counters.textures_created, 0);
    assert_int_equal(counters.bytes_uploaded + counters.bytes_downloaded, 0);
    assert_int_equal(counters.passes, 5 * 7); /* 1 + 3 a layer, as glnn/network.h promises */
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
        glnn_trainer *other = NULL;
        trainer_of(&of, data, &how);
        expect_error(of.network  ? glnn_network_train(of.network, data, &how, NULL)
                     : of.lvq    ? glnn_lvq_train(of.lvq, data, &how, NULL)
                     : of.kmeans ? glnn_kmeans_train(of.kmeans, data, &how, NULL)
                                 : glnn_gmm_trainer_create(of.gmm, data, &how, &other),
                     GLNN_E_STATE, "another trainer");
    }
}

static void a_trainer_can_go_in_the_middle_of_an_epoch(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_within(some_samples(), 2 * 48 * 16);
    const glnn_train_desc how = {.epochs = 2, .batch = 8, .schedule.rate = 0.1f};
    const subject left = subject_of(NETWORK), whole = subject_of(NETWORK);
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_network_trainer_create(left.network, data, &how, &trainer));
    expect_ok(glnn_trainer_step(trainer, 3, 0, NULL, NULL));
    glnn_trainer_destroy(trainer);
    assert_int_equal(glnn_network_get_steps(left.network), 3);
    glnn_trainer *other = trainer_of(&whole, data, &how);
    expect_ok(glnn_trainer_step(other, 3, 0, NULL, NULL));
    expect_same_subjects(&left, &whole, "three steps");
    expect_ok(glnn_network_train(left.network, data, &how, NULL));
}

static void the_trainer_of_a_destroyed_learner_fails(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    glnn_lvq *lvq = NULL;
    glnn_trainer *trainer = NULL;
    expect_ok(glnn_lvq_create(glnn_test_context(),
                              &(glnn_lvq_desc){.features = FEATURES, .classes = CLASSES}, &lvq));
    expect_ok(glnn_lvq_initialise(lvq, data));
    expect_ok(glnn_lvq_trainer_create(lvq, data, NULL, &trainer));
    learning_own(trainer, destroy_trainer);
    glnn_lvq_destroy(lvq);
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
        if (of.lvq) /* xi grows with the epochs, and the loss with it */
            expect_ok(glnn_lvq_set_epochs(of.lvq, 0));
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
    const array best = weights_of(of.network, 0);
    expect_ok(glnn_trainer_step(trainer, 3, 0, NULL, NULL));
    expect_ok(glnn_trainer_restore(trainer));
    expect_same_bits(weights_of(of.network, 0), best, "the first epoch is the best so far");
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

/* The mean squared error and R^2 of a network's outputs, in double. */
static glnn_metrics regression_of(glnn_network *network, samples all)
{
    const int outputs = all.targets.columns, rows = all.inputs.rows;
    float *predicted = floats_new((size_t)(rows * outputs));
    double errors = 0, spread = 0;
    expect_ok(glnn_network_predict(network, rows, floats_of(all.inputs), predicted));
    for (int j = 0; j < outputs; ++j) {
        double mean = 0;
        for (int i = 0; i < rows; ++i)
            mean += *at(all.targets, i, j) / rows;
        for (int i = 0; i < rows; ++i) {
            const double error = (double)predicted[i * outputs + j] - *at(all.targets, i, j);
            errors += error * error;
            spread += (*at(all.targets, i, j) - mean) * (*at(all.targets, i, j) - mean);
        }
    }
    return (glnn_metrics){.squared_error = errors / (rows * outputs),
                          .r_squared = 1 - errors / spread};
}

static void expect_near(double got, double want, const char *what)
{
    if (!(fabs(got - want) <= 1e-5 * (1 + fabs(want))))
        fail_at(__FILE__, __LINE__, "%s is %.9g, expected %.9g", what, got, want);
}

static void regression_reports_squared_error_and_r_squared(void **state)
{
    (void)state;
    random_seed(3);
    const samples all = samples_random(SAMPLES, FEATURES, 3, false);
    for (int i = 0; i < SAMPLES; ++i)
        *at(all.targets, i, 0) = 7 + *at(all.inputs, i, 0); /* far from 0, and easy to learn */
    const glnn_dataset *data = dataset_of(all);
    const subject of = {.network = network_of(&(glnn_network_desc){.features = FEATURES,
                                                                   .layers = {{.units = 3}},
                                                                   .loss = GLNN_LOSS_SQUARED})};
    const glnn_train_desc how = {.epochs = 20, .batch = 8, .validation = data};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    run_by(trainer, 0, 0);
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    const glnn_metrics want = regression_of(of.network, all);
    glnn_metrics got;
    expect_ok(glnn_trainer_evaluate(trainer, data, &got, NULL));
    assert_true(want.r_squared > 0.1 && want.r_squared < 1);
    expect_near(got.squared_error, want.squared_error, "the squared error");
    expect_near(got.r_squared, want.r_squared, "R^2");
    expect_near(result->validation_squared_error, want.squared_error, "the validation's error");
    expect_near(result->validation_r_squared, want.r_squared, "the validation's R^2");
    assert_true(result->squared_error > 0 && result->r_squared < 1);
    assert_true(got.accuracy == 0 && result->accuracy == 0);
}

static void metrics_that_do_not_apply_are_not_numbers(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = {.epochs = 1};
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    run_by(trainer, 0, 0);
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    glnn_metrics metrics;
    expect_ok(glnn_trainer_evaluate(trainer, data, &metrics, NULL));
    assert_true(isnan(metrics.squared_error) && isnan(metrics.r_squared) && metrics.accuracy > 0);
    assert_true(isnan(result->squared_error) && isnan(result->r_squared));
    assert_true(isnan(result->validation_squared_error) && isnan(result->validation_r_squared));
}

static void equal_targets_have_no_r_squared(void **state)
{
    (void)state;
    samples all = samples_random(34, FEATURES, 1, false);
    for (int i = 0; i < 34; ++i)
        *at(all.targets, i, 0) = 3.1;
    const glnn_dataset *data = dataset_of(all);
    const subject of = {.network = network_of(&(glnn_network_desc){.features = FEATURES,
                                                                   .layers = {{.units = 1}},
                                                                   .loss = GLNN_LOSS_SQUARED})};
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 1});
    run_by(trainer, 0, 0);
    assert_true(isnan(glnn_trainer_get_result(trainer)->r_squared));
    assert_true(glnn_trainer_get_result(trainer)->squared_error > 0);
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

static void a_host_finds_its_state_between_steps(void **state)
{
    (void)state;
    foreign host = foreign_headless();
    glnn_context *guest = NULL;
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT}, &guest));
    context_use(guest);
    const glnn_dataset *data = dataset_within(some_samples(), 2 * 48 * 16);
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 2, .batch = 8});
    set_odd_state();
    snapshot *before = snapshot_take();
    for (int i = 0; i < 4; ++i) {
        expect_ok(glnn_trainer_step(trainer, 2, i % 2 ? 1e9 : 0, NULL, NULL));
        snapshot_check(before);
    }
    expect_ok(glnn_trainer_end_epoch(trainer));
    snapshot_check(before);
    snapshot_free(before);
    release_learning();
    glnn_context_destroy(guest);
    foreign_end(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(steps_one_at_a_time_give_the_bits_of_training),
        LEARNING_TEST(steps_on_a_stream_give_the_bits_of_training),
        LEARNING_TEST(a_time_limit_changes_no_bits),
        LEARNING_TEST(the_first_of_steps_and_time_ends_a_call),
        LEARNING_TEST(trainers_take_turns_and_learners_are_used_between_steps),
        LEARNING_TEST(several_batches_make_one_step),
        LEARNING_TEST(learners_that_update_once_an_epoch_accumulate_no_batches),
        LEARNING_TEST(steps_without_a_time_limit_wait_for_nothing_and_make_nothing),
        LEARNING_TEST(calls_out_of_order_are_refused),
        LEARNING_TEST(a_learner_has_one_trainer_at_a_time),
        LEARNING_TEST(a_trainer_can_go_in_the_middle_of_an_epoch),
        LEARNING_TEST(the_trainer_of_a_destroyed_learner_fails),
        LEARNING_TEST(a_snapshot_brings_back_what_was_learnt),
        LEARNING_TEST(with_restore_best_snapshots_are_those_of_the_best_epoch),
        LEARNING_TEST(a_loss_that_is_not_finite_names_the_step_and_ends_training),
        LEARNING_TEST(regression_reports_squared_error_and_r_squared),
        LEARNING_TEST(metrics_that_do_not_apply_are_not_numbers),
        LEARNING_TEST(equal_targets_have_no_r_squared),
        LEARNING_TEST(a_report_function_ends_the_loop),
        LEARNING_TEST(a_report_function_cannot_drive_its_own_trainer),
        LEARNING_TEST(a_host_finds_its_state_between_steps),
    };
    return cmocka_run_group_tests_name("trainer", tests, test_group_setup, test_group_teardown);
}
