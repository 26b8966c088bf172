/* Warming up: after it two whole epochs of any learner compile nothing, in frames and without. */
#include "support/subjects.h"

typedef void learner_test(glnn_stage stage);

static uint64_t programs_of(glnn_context *ctx)
{
    const glnn_counters counters = counters_of(ctx);
    return counters.programs_compiled + counters.programs_loaded;
}

/* Nothing is stored, so that each learner compiles all its programs. */
static glnn_context *cold_context(glnn_stage stage)
{
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(
        &(glnn_context_desc){.stage = stage, .cache_dir = "", .tuning = GLNN_TUNING_OFF}, &ctx));
    context_use(ctx);
    return ctx;
}

/* Trains for an epoch in frames, and for another one without a limit. */
static void expect_warm(glnn_context *ctx, const subject *of, int batch, const char *name)
{
    const glnn_train_desc how = {
        .epochs = 2, .batch = batch, .seed = 9, .validation_split = 0.2f, .restore_best = true};
    glnn_trainer *trainer = trainer_of(of, dataset_of(some_samples()), &how);
    const glnn_train_result *result = glnn_trainer_get_result(trainer);
    double progress = 0;
    expect_ok(glnn_trainer_warm_up(trainer, 0, &progress));
    assert_true(progress == 1);
    const uint64_t warm = programs_of(ctx);
    while (result->epochs == 0) {
        expect_ok(glnn_context_finish(ctx));
        expect_ok(glnn_trainer_step(trainer, 0, 1e-6, NULL, NULL));
    }
    run_by(trainer, 0, 0);
    expect_ok(glnn_trainer_restore(trainer));
    assert_int_equal(result->epochs, 2);
    if (programs_of(ctx) != warm)
        fail_msg("%s compiled %d programs after the warm-up", name, (int)(programs_of(ctx) - warm));
    release_learning();
    glnn_context_destroy(ctx);
    context_use(NULL);
}

/* The parts of a batch have at most `capacity` samples; 0: a batch has one part. */
static void train_classifier(glnn_stage stage, glnn_lvq_kind kind, int capacity)
{
    glnn_context *ctx = cold_context(stage);
    const glnn_lvq_desc desc = {
        .kind = kind, .features = FEATURES, .classes = CLASSES, .capacity = capacity, .seed = 2};
    expect_warm(ctx, &(subject){.kind = LVQ, .learner = lvq_of(&desc)}, 8,
                glnn_lvq_kind_name(kind));
}

static void classifiers(glnn_stage stage)
{
    for (int kind = 0; kind < GLNN_LVQ_KIND_COUNT; ++kind)
        for (int capacity = 0; capacity <= 4; capacity += 4)
            train_classifier(stage, (glnn_lvq_kind)kind, capacity);
}

/* A batch of 0 is the full batch. */
static void train_centres(glnn_stage stage, int classes, int batch)
{
    glnn_context *ctx = cold_context(stage);
    const glnn_kmeans_desc desc = {
        .features = FEATURES, .centres = 4, .classes = classes, .tolerance = -1, .seed = 3};
    expect_warm(ctx, &(subject){.kind = KMEANS, .learner = kmeans_of(&desc)}, batch, "k-means");
}

static void centres(glnn_stage stage)
{
    for (int batch = 0; batch <= 8; batch += 8)
        for (int classes = 0; classes <= CLASSES; classes += CLASSES)
            train_centres(stage, classes, batch);
}

static void train_mixture(glnn_stage stage, int classes, glnn_covariance covariance)
{
    glnn_context *ctx = cold_context(stage);
    const glnn_gmm_desc desc = {.features = FEATURES,
                                .components = 2,
                                .classes = classes,
                                .covariance = covariance,
                                .tolerance = -1,
                                .seed = 5};
    expect_warm(ctx, &(subject){.kind = MIXTURE, .learner = gmm_of(&desc)}, 0, "a mixture");
}

static void mixtures(glnn_stage stage)
{
    for (int covariance = 0; covariance < GLNN_COVARIANCE_COUNT; ++covariance)
        for (int classes = 0; classes <= CLASSES; classes += CLASSES)
            train_mixture(stage, classes, (glnn_covariance)covariance);
}

static void networks(glnn_stage stage)
{
    for (int precision = 0; precision < GLNN_PRECISION_COUNT; ++precision) {
        glnn_context *ctx = cold_context(stage);
        const glnn_network_desc desc = {.features = FEATURES,
                                        .layers = {{.units = 6}, {.units = CLASSES}},
                                        .precision = (glnn_precision)precision};
        expect_warm(ctx, &(subject){.kind = NETWORK, .learner = network_of(&desc)}, 8, "a network");
    }
}

static void in_both_stages(learner_test *test)
{
    for (int stage = GLNN_STAGE_FRAGMENT; stage < GLNN_STAGE_AUTO; ++stage)
        test((glnn_stage)stage);
}

static void classifiers_compile_nothing_after_warming_up(void **state)
{
    (void)state;
    in_both_stages(classifiers);
}

static void k_means_compiles_nothing_after_warming_up(void **state)
{
    (void)state;
    in_both_stages(centres);
}

static void mixtures_compile_nothing_after_warming_up(void **state)
{
    (void)state;
    in_both_stages(mixtures);
}

static void networks_compile_nothing_after_warming_up(void **state)
{
    (void)state;
    in_both_stages(networks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(classifiers_compile_nothing_after_warming_up),
        LEARNING_TEST(k_means_compiles_nothing_after_warming_up),
        LEARNING_TEST(mixtures_compile_nothing_after_warming_up),
        LEARNING_TEST(networks_compile_nothing_after_warming_up),
    };
    return cmocka_run_group_tests_name("warm up epochs", tests, test_group_setup,
                                       test_group_teardown);
}
