/* Warming up: after it a training, an evaluation and a prediction compile and measure nothing. */
#include "support/foreign.h"
#include "support/learner_files.h"
#include "support/odd_state.h"
#include "support/subjects.h"
#include "support/tuned.h"

#include <glnn/gemm.h>

#include "base/clock.h"

/* Drivers that compile in parallel make many short calls of one program. */
#define MOST_SECONDS 60.0

/* Warms up in the shortest slices, whose progress never falls. Returns the calls that it took. */
static int warm_up(glnn_trainer *trainer)
{
    double progress = 0, former = 0;
    const double end = glnn__clock_seconds() + MOST_SECONDS;
    int calls = 0;
    for (; progress < 1; ++calls, former = progress) {
        assert_true(glnn__clock_seconds() < end);
        expect_ok(glnn_trainer_warm_up(trainer, 1e-6, &progress));
        assert_true(progress >= former && progress <= 1);
    }
    expect_ok(glnn_trainer_warm_up(trainer, 0, &progress));
    assert_true(progress == 1);
    return calls;
}

static uint64_t programs_of(glnn_context *ctx)
{
    const glnn_counters counters = counters_of(ctx);
    return counters.programs_compiled + counters.programs_loaded;
}

static void predict(const subject *of, samples all)
{
    const float *inputs = floats_of(all.inputs);
    float outputs[SAMPLES * CLASSES];
    int classes[SAMPLES];
    if (of->kind < LVQ)
        expect_ok(glnn_learner_predict(of->learner, 8, inputs, outputs, classes));
    else if (glnn_learner_get_kind(of->learner) == GLNN_LEARNER_GMM)
        expect_ok(glnn_learner_predict(of->learner, 8, inputs, outputs, NULL));
    else
        expect_ok(glnn_learner_predict(of->learner, 8, inputs, NULL, classes));
}

/* The same with matrices that glnn_matrix_create makes by default. */
static void predict_matrix(const subject *of, samples all)
{
    glnn_context *ctx = glnn_test_context();
    glnn_matrix *inputs = NULL, *outputs = NULL;
    expect_ok(glnn_matrix_create(ctx,
                                 &(glnn_matrix_desc){.rows = 8,
                                                     .columns = all.inputs.columns,
                                                     .data = floats_of(all.inputs)},
                                 &inputs));
    expect_ok(glnn_matrix_create(
        ctx, &(glnn_matrix_desc){.rows = 8, .columns = of->kind < LVQ ? CLASSES : 1}, &outputs));
    expect_ok(glnn_learner_predict_matrix(of->learner, inputs, outputs));
    glnn_matrix_destroy(inputs);
    glnn_matrix_destroy(outputs);
}

/* Warms up a training in a new context without stored programs, and trains. */
static void expect_warm(glnn_context *ctx, learner_kind kind)
{
    const samples all = some_samples();
    const glnn_dataset *data = dataset_of(all);
    const subject of = subject_of(kind);
    const glnn_train_desc how = training_of(kind);
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    const uint64_t cold = programs_of(ctx);
    warm_up(trainer);
    assert_true(programs_of(ctx) > cold);
    const uint64_t warm = programs_of(ctx);
    const uint64_t waits = counters_of(ctx).waits;
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    if (kind <= LVQ) /* the first step of others reads numbers */
        assert_int_equal(counters_of(ctx).waits, waits);
    assert_int_equal(programs_of(ctx), warm);
    expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL));
    assert_int_equal(programs_of(ctx), warm);
    predict(&of, all);
    assert_int_equal(programs_of(ctx), warm);
    predict_matrix(&of, all);
    assert_int_equal(programs_of(ctx), warm);
    expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
    expect_ok(glnn_trainer_end_epoch(trainer));
    run_by(trainer, 0, 0);
    assert_int_equal(programs_of(ctx), warm);
}

static void after_warming_up_nothing_is_compiled_or_measured(void **state)
{
    (void)state;
    for (int stage = GLNN_STAGE_FRAGMENT; stage < GLNN_STAGE_AUTO; ++stage)
        for (learner_kind kind = 0; kind < KINDS; ++kind) {
            glnn_context *ctx = NULL;
            expect_ok(glnn_context_create(&(glnn_context_desc){.stage = (glnn_stage)stage,
                                                               .cache_dir = "",
                                                               .tuning = GLNN_TUNING_OFF},
                                          &ctx));
            context_use(ctx);
            expect_warm(ctx, kind);
            release_learning();
            glnn_context_destroy(ctx);
        }
    context_use(NULL);
}

static void networks_of_images_are_warmed_up_too(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .shape = {1, 8, 8},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}},
                   {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = CLASSES}},
        .capacity = 16,
    };
    for (int stage = GLNN_STAGE_FRAGMENT; stage < GLNN_STAGE_AUTO; ++stage) {
        glnn_context *ctx = NULL;
        expect_ok(glnn_context_create(&(glnn_context_desc){.stage = (glnn_stage)stage,
                                                           .cache_dir = "",
                                                           .tuning = GLNN_TUNING_OFF},
                                      &ctx));
        context_use(ctx);
        random_seed(3);
        const samples all = samples_clustered(SAMPLES, 64, CLASSES, 2, CLASSES);
        const glnn_dataset *data = dataset_of(all);
        float outputs[16 * CLASSES];
        int classes[16];
        glnn_learner *network;
        glnn_trainer *trainer;
        expect_ok(glnn_network_create(ctx, &desc, &network));
        expect_ok(glnn_trainer_create(
            network, data, &(glnn_train_desc){.batch = 16, .validation_split = 0.3f}, &trainer));
        warm_up(trainer);
        const uint64_t warm = programs_of(ctx);
        expect_ok(glnn_trainer_step(trainer, 0, 0, NULL, NULL));
        expect_ok(glnn_trainer_end_epoch(trainer));
        expect_ok(glnn_trainer_evaluate(trainer, data, NULL, NULL));
        expect_ok(glnn_learner_predict(network, 16, floats_of(all.inputs), outputs, classes));
        assert_int_equal(programs_of(ctx), warm);
        glnn_trainer_destroy(trainer);
        glnn_learner_destroy(network);
        release_learning();
        glnn_context_destroy(ctx);
    }
    context_use(NULL);
}

static void warming_up_changes_no_bits(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    for (learner_kind kind = 0; kind < KINDS; ++kind) {
        const glnn_train_desc how = training_of(kind);
        const subject whole = subject_of(kind), warmed = subject_of(kind);
        expect_ok(train_subject(&whole, data, &how, NULL));
        glnn_trainer *trainer = trainer_of(&warmed, data, &how);
        warm_up(trainer);
        run_by(trainer, 0, 0);
        expect_same_subjects(&warmed, &whole, "warmed up");
    }
}

static void a_profile_is_measured_in_slices_and_stored(void **state)
{
    (void)state;
    char cache[TREE_PATH];
    tree_make(cache);
    for (int run = 0; run < 2; ++run) {
        glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
        double progress = 0, former = 0;
        int calls = 0;
        for (; progress < 1; ++calls, former = progress) {
            expect_ok(glnn_context_warm_up(ctx, 1e-6, &progress));
            assert_true(progress >= former && progress <= 1);
        }
        assert_true(run ? calls == 1 : calls > 20);
        const uint64_t waits = counters_of(ctx).waits;
        glnn_matrix *a = random_matrix(ctx, GLNN_LAYOUT_TILED, 300, 300, 1);
        glnn_matrix *c = random_matrix(ctx, GLNN_LAYOUT_TILED, 300, 300, 2);
        expect_ok(glnn_gemm(ctx, NULL, 1, a, a, 0, c));
        assert_int_equal(counters_of(ctx).waits, waits);
        glnn_matrix_destroy(a);
        glnn_matrix_destroy(c);
        glnn_context_destroy(ctx);
    }
    tree_remove(cache);
}

/* The operation that needs the profile ends the measurement, and a context can go meanwhile. */
static void a_measurement_that_is_interrupted_is_ended_or_dropped(void **state)
{
    (void)state;
    char cache[TREE_PATH];
    double progress;
    tree_make(cache);
    glnn_context *ctx = context_with(cache, GLNN_TUNING_QUICK);
    for (int i = 0; i < 10; ++i)
        expect_ok(glnn_context_warm_up(ctx, 1e-6, &progress));
    assert_true(progress < 1);
    glnn_context_destroy(ctx);
    ctx = context_with(cache, GLNN_TUNING_QUICK);
    for (int i = 0; i < 10; ++i)
        expect_ok(glnn_context_warm_up(ctx, 1e-6, &progress));
    glnn_matrix *a = random_matrix(ctx, GLNN_LAYOUT_TILED, 300, 300, 1);
    glnn_matrix *c = random_matrix(ctx, GLNN_LAYOUT_TILED, 300, 300, 2);
    expect_ok(glnn_gemm(ctx, NULL, 1, a, a, 0, c));
    expect_ok(glnn_context_warm_up(ctx, 1e-6, &progress));
    assert_true(progress == 1);
    glnn_matrix_destroy(a);
    glnn_matrix_destroy(c);
    glnn_context_destroy(ctx);
    tree_remove(cache);
}

static void a_host_finds_its_state_after_each_slice(void **state)
{
    (void)state;
    char cache[TREE_PATH];
    foreign host = foreign_headless();
    glnn_context *guest = NULL;
    tree_make(cache);
    expect_ok(glnn_context_create(&(glnn_context_desc){.platform = GLNN_PLATFORM_ADOPT,
                                                       .cache_dir = cache,
                                                       .tuning = GLNN_TUNING_QUICK},
                                  &guest));
    context_use(guest);
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    const glnn_train_desc how = training_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, data, &how);
    set_odd_state();
    snapshot *before = snapshot_take();
    double progress = 0;
    for (int i = 0; progress < 1; ++i) {
        expect_ok(glnn_trainer_warm_up(trainer, 1e-6, &progress));
        if (i % 16 == 0 || progress == 1)
            snapshot_check(before);
    }
    const uint64_t warm = programs_of(guest), waits = counters_of(guest).waits;
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    assert_int_equal(programs_of(guest), warm);
    assert_int_equal(counters_of(guest).waits, waits);
    snapshot_check(before);
    snapshot_free(before);
    release_learning();
    glnn_context_destroy(guest);
    leave_odd_state();
    foreign_end(&host);
    tree_remove(cache);
}

/* A step takes 8 samples at a time, an evaluation all of them. */
static void a_stream_that_is_too_small_for_an_evaluation_is_warmed_up(void **state)
{
    (void)state;
    const samples all = some_samples();
    const glnn_dataset *data = dataset_within(all, 1000);
    const subject of = {.learner = network_of(&(glnn_network_desc){
                            .features = all.inputs.columns, .layers = {{.units = CLASSES}}})};
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 1, .batch = 8});
    expect_error(glnn_trainer_evaluate(trainer, data, NULL, NULL), GLNN_E_LIMIT, "two windows");
    warm_up(trainer);
    const uint64_t warm = programs_of(glnn_test_context());
    run_by(trainer, 0, 0);
    assert_int_equal(programs_of(glnn_test_context()), warm);
}

static void wrong_limits_are_refused(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(some_samples());
    const subject of = subject_of(NETWORK);
    glnn_trainer *trainer = trainer_of(&of, data, &(glnn_train_desc){.epochs = 1, .batch = 8});
    expect_error(glnn_trainer_warm_up(NULL, 0, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_trainer_warm_up(trainer, -1, NULL), GLNN_E_ARG, "-1 ms");
    expect_error(glnn_context_warm_up(NULL, 0, NULL), GLNN_E_ARG, "null");
    expect_error(glnn_context_warm_up(glnn_test_context(), (double)NAN, NULL), GLNN_E_ARG,
                 "nan ms");
    run_by(trainer, 0, 0);
    expect_error(glnn_trainer_warm_up(trainer, 0, NULL), GLNN_E_STATE, "training is over");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(after_warming_up_nothing_is_compiled_or_measured),
        LEARNING_TEST(networks_of_images_are_warmed_up_too),
        LEARNING_TEST(warming_up_changes_no_bits),
        LEARNING_TEST(a_profile_is_measured_in_slices_and_stored),
        LEARNING_TEST(a_measurement_that_is_interrupted_is_ended_or_dropped),
        LEARNING_TEST(a_host_finds_its_state_after_each_slice),
        LEARNING_TEST(a_stream_that_is_too_small_for_an_evaluation_is_warmed_up),
        LEARNING_TEST(wrong_limits_are_refused),
    };
    return cmocka_run_group_tests_name("warm up", tests, learner_files_setup,
                                       learner_files_teardown);
}
