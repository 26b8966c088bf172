/* Training as a whole: the cost of a step after the first one, the rights of callbacks, and the end
 * when the loss is not finite. */
#include "support/learning.h"

static const glnn_optimizer optimizers[] = {
    {0},
    {.momentum = 0.9f},
    {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
    {.kind = GLNN_OPTIMIZER_ADAM},
    {.kind = GLNN_OPTIMIZER_RMSPROP},
    {.kind = GLNN_OPTIMIZER_RMSPROP, .momentum = 0.9f},
};

static glnn_network_desc describe(int inputs, int hidden, int outputs, size_t optimizer)
{
    return (glnn_network_desc){
        .features = inputs,
        .layers = {{.units = hidden, .activation = GLNN_ACTIVATION_RELU}, {.units = outputs}},
        .optimizer = optimizers[optimizer]};
}

static glnn_status train_on(void *network, const glnn_dataset *data, const glnn_train_desc *desc)
{
    return glnn_learner_train(network, data, desc, NULL);
}

static int passes_of_step(const glnn_network_desc *desc, int batch)
{
    glnn_learner *network = network_of(desc);
    return passes_per_step(network, train_on, samples_for(network, 4 * batch, true), batch);
}

static void a_step_of_two_layers_takes_as_many_passes_as_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(optimizers); ++i) {
        const glnn_network_desc desc = describe(20, 12, 5, i);
        assert_int_equal(passes_of_step(&desc, 16), 7);
        release_learning();
    }
}

static void every_layer_adds_three_passes_and_many_outputs_two(void **state)
{
    (void)state;
    glnn_network_desc desc = {.features = 7, .layers = {{.units = 5}, {.units = 5}, {.units = 5}}};
    for (desc.layer_count = 1; desc.layer_count <= 3; ++desc.layer_count)
        assert_int_equal(passes_of_step(&desc, 8), 1 + 3 * desc.layer_count);
    desc = (glnn_network_desc){.features = 7, .layers = {{.units = 65}}};
    assert_int_equal(passes_of_step(&desc, 8), 6);
}

static void mixed_precision_adds_no_pass(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(optimizers); ++i) {
        glnn_network_desc desc = describe(20, 12, 5, i);
        const int passes = passes_of_step(&desc, 16);
        desc.precision = GLNN_PRECISION_MIXED;
        assert_int_equal(passes_of_step(&desc, 16), passes);
        desc.capacity = 8; /* two parts of a batch, one update */
        desc.precision = GLNN_PRECISION_FLOAT32;
        const int parts = passes_of_step(&desc, 16);
        desc.precision = GLNN_PRECISION_MIXED;
        assert_int_equal(passes_of_step(&desc, 16), parts);
        release_learning();
    }
}

static void a_step_on_digits_takes_at_most_eight_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(optimizers); ++i) {
        const glnn_network_desc desc = describe(784, 128, 10, i);
        const int passes = passes_of_step(&desc, 128);
        if (passes > 8)
            fail_at(__FILE__, __LINE__, "optimizer %zu takes %d passes a step of 784-128-10", i,
                    passes);
        release_learning();
    }
}

/* From the end of each epoch to that of the next. */
typedef struct watch {
    glnn_context *ctx;
    int validations, epochs;
} watch;

static bool watch_epoch(void *user, const glnn_report *report)
{
    watch *w = user;
    if (report->event != GLNN_EVENT_EPOCH)
        return true;
    const glnn_counters counters = counters_of(w->ctx);
    if (report->epoch > 2) {
        assert_int_equal(counters.textures_created, 0);
        assert_int_equal(counters.programs_compiled, 0);
        assert_int_equal(counters.programs_loaded, 0);
        /* The CPU may be 64 batches ahead of the device. */
        assert_true(counters.waits <= (uint64_t)(1 + w->validations + report->batches / 64));
        w->epochs++;
    }
    glnn_context_reset_counters(w->ctx);
    return true;
}

static void steps_make_no_texture_or_program_and_do_not_wait(void **state)
{
    (void)state;
    static const struct {
        int capacity, batch;
        bool validates;
    } ways[] = {{0, 16, false}, {0, 16, true},  {8, 40, false},
                {8, 40, true},  {64, -1, true}, {8, 1, true}};
    for (size_t i = 0; i < COUNT_OF(optimizers) * COUNT_OF(ways); ++i) {
        glnn_network_desc desc = describe(20, 12, 5, i % COUNT_OF(optimizers));
        const size_t way = i / COUNT_OF(optimizers);
        desc.capacity = ways[way].capacity;
        desc.layout = rendered_layout(i);
        watch w = {.ctx = glnn_test_context(), .validations = ways[way].validates};
        const glnn_train_desc train = {
            .epochs = 5,
            .batch = ways[way].batch,
            .schedule.rate = 0.001f,
            .validation = ways[way].validates ? dataset_of(samples_random(23, 20, 5, true)) : NULL,
            .restore_best = ways[way].validates,
            .report_every = 1,
            .report = watch_epoch,
            .user = &w,
        };
        expect_ok(glnn_learner_train(network_of(&desc),
                                     dataset_of(samples_random(100, 20, 5, true)), &train, NULL));
        assert_int_equal(w.epochs, 3);
        release_learning();
    }
}

/* A callback that uses the network at every report, with more and fewer samples than a batch. Sums
 * over 400 samples and over the capacity, 1024, are cut into other slices. */
typedef struct curious {
    glnn_learner *network;
    const glnn_dataset *data;
    float *inputs, *outputs;
    int reports;
    double losses[4];
} curious;

static bool look_around(void *user, const glnn_report *report)
{
    curious *c = user;
    glnn_metrics metrics;
    double loss;
    int64_t confusion[25];
    if (report->event == GLNN_EVENT_EPOCH)
        c->losses[report->epoch - 1] = report->training.loss;
    if (c->data == NULL)
        return true;
    float gradient[13 * 5];
    expect_ok(glnn_learner_evaluate(c->network, c->data, &metrics, confusion));
    expect_ok(glnn_network_compute_gradient(c->network, c->data, 3, 1, &loss, gradient));
    expect_ok(
        glnn_learner_predict(c->network, c->reports % 2 ? 1 : 1024, c->inputs, c->outputs, NULL));
    c->reports++;
    return true;
}

static glnn_learner *train_with(curious *c, const glnn_dataset *data)
{
    const glnn_network_desc desc = describe(20, 12, 5, 1);
    c->network = network_of(&desc);
    const glnn_train_desc train = {.epochs = 4,
                                   .batch = 400,
                                   .schedule.rate = 0.01f,
                                   .report_every = 1,
                                   .report = look_around,
                                   .user = c};
    expect_ok(glnn_learner_train(c->network, data, &train, NULL));
    return c->network;
}

static void a_callback_that_uses_the_network_changes_no_bit_and_no_metric(void **state)
{
    (void)state;
    const glnn_dataset *data = dataset_of(samples_random(4000, 20, 5, true));
    curious absent = {0};
    curious present = {
        .data = data, .inputs = floats_new(1024 * 20), .outputs = floats_new(1024 * 5)};
    const glnn_learner *left = train_with(&absent, data), *right = train_with(&present, data);
    /* One at least: how many metrics arrive within an epoch is up to the device. */
    assert_true(present.reports > 0);
    expect_same_networks(left, right, "with a callback that looks around");
    for (int e = 0; e < 4; ++e)
        assert_true(absent.losses[e] == present.losses[e]);
}

static bool count_epochs(void *user, const glnn_report *report)
{
    if (report->event == GLNN_EVENT_EPOCH)
        ++*(int *)user;
    return true;
}

static void expect_finite(const glnn_learner *network)
{
    for (int l = 0; l < glnn_network_get_desc(network)->layer_count; ++l) {
        const array weights = weights_of(network, l);
        for (size_t i = 0; i < length_of(weights); ++i)
            assert_true(isfinite(weights.data[i]));
    }
}

/* The first loss is that of the initial weights; the second step meets weights of 1e30. */
/* The weights of a layer after some epochs of one step each. */
static array trained_weights(const glnn_network_desc *desc, const glnn_dataset *data, int layer,
                             const glnn_train_desc *training)
{
    glnn_learner *network = network_of(desc);
    if (training->epochs > 0)
        expect_ok(glnn_learner_train(network, data, training, NULL));
    return weights_of(network, layer);
}

/* While the gradient stays what it is, both corrected moments are it and its square: whatever its
 * size, each step is the rate. Without either correction the first steps would differ by factors of
 * 3 and 10. */
static void the_first_steps_of_adam_are_as_long_as_the_rate(void **state)
{
    (void)state;
    enum { SAMPLES = 8, STEPS = 3 };
    const double rate = 0x1p-13;
    glnn_network_desc desc = describe(3, 5, 4, 3);
    desc.layers[0].activation = GLNN_ACTIVATION_TANH;
    const glnn_dataset *data = dataset_of(samples_random(SAMPLES, 3, 4, true));
    for (int layer = 0; layer < 2; ++layer)
        for (int steps = 1; steps <= STEPS; steps += STEPS - 1) {
            glnn_train_desc training = {.batch = SAMPLES, .schedule.rate = (float)rate};
            const array start = trained_weights(&desc, data, layer, &training);
            training.epochs = steps;
            const array end = trained_weights(&desc, data, layer, &training);
            for (size_t i = 0; i < length_of(start); ++i) {
                const double moved = fabs(end.data[i] - start.data[i]) / (steps * rate);
                if (!(fabs(moved - 1) < 0.02))
                    fail_at(__FILE__, __LINE__,
                            "%d steps of Adam move weight %zu of layer %d by "
                            "%g of the rate",
                            steps, i, layer, steps * moved);
            }
        }
}

static void a_loss_that_is_not_finite_names_epoch_and_step(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (int loss = 0; loss <= GLNN_LOSS_SQUARED; ++loss) {
            glnn_network_desc desc = describe(20, 12, 5, 0);
            desc.layout = layout;
            desc.loss = (glnn_loss)loss;
            if (loss == GLNN_LOSS_EXPRESSION) {
                desc.loss_value = "abs(y - t)";
                desc.loss_derivative = "sign(y - t)";
            }
            int epochs = 0;
            glnn_train_desc train = {.epochs = 3,
                                     .batch = 16,
                                     .schedule.rate = 1e30f,
                                     .report = count_epochs,
                                     .user = &epochs};
            glnn_train_result result = {.size = sizeof result};
            const glnn_dataset *data = dataset_of(samples_random(64, 20, 5, true));
            expect_error(glnn_learner_train(network_of(&desc), data, &train, &result),
                         GLNN_E_DIVERGED, "step 2 of epoch 1 on (rate 1e+30)");
            assert_int_equal(epochs, 0);
            assert_int_equal(result.epochs, 0);
            train.batch = GLNN_FULL_BATCH;
            expect_error(glnn_learner_train(network_of(&desc), data, &train, &result),
                         GLNN_E_DIVERGED, "step 1 of epoch 2 on");
            assert_int_equal(epochs, 1);
            assert_int_equal(result.epochs, 1);
            release_learning();
        }
}

static void a_loss_that_is_not_finite_names_large_inputs_alone(void **state)
{
    (void)state;
    glnn_network_desc desc = describe(20, 12, 5, 0);
    desc.loss = GLNN_LOSS_SQUARED;
    const glnn_train_desc steep = {.epochs = 3, .schedule.rate = 1e30f};
    samples all = samples_random(64, 20, 5, true);
    const glnn_dataset *usual = dataset_of(all);
    expect_error(glnn_learner_train(network_of(&desc), usual, &steep, NULL), GLNN_E_DIVERGED,
                 "a lower rate may help");
    assert_null(strstr(glnn_last_error(), "magnitude"));
    *at(all.inputs, 40, 3) = -3e38;
    const glnn_dataset *large = dataset_of(all);
    expect_error(glnn_learner_train(network_of(&desc), large, &steep, NULL), GLNN_E_DIVERGED,
                 "; an input of data set has the magnitude 3e+38, which may be the cause");
    const glnn_train_desc validated = {
        .epochs = 3, .batch = 16, .schedule.rate = 1e30f, .validation = large};
    expect_error(glnn_learner_train(network_of(&desc), usual, &validated, NULL), GLNN_E_DIVERGED,
                 "the loss is not finite");
    assert_null(strstr(glnn_last_error(), "magnitude"));
    const glnn_train_desc gentle = {.schedule.rate = 0.01f, .validation = large};
    expect_error(glnn_learner_train(network_of(&desc), usual, &gentle, NULL), GLNN_E_DIVERGED,
                 "the magnitude 3e+38");
}

/* Where the rate grows, the first epochs are good. */
static void after_divergence_the_weights_of_the_best_epoch_are_back(void **state)
{
    (void)state;
    glnn_network_desc desc = describe(20, 12, 5, 0);
    const glnn_dataset *data = dataset_of(samples_random(64, 20, 5, true));
    glnn_train_desc train = {
        .epochs = 40,
        .batch = 16,
        .schedule = {.kind = GLNN_SCHEDULE_STEP, .rate = 0.1f, .factor = 1e20f, .every = 3},
        .restore_best = true,
        .keep_order = true};
    glnn_train_result result = {.size = sizeof result};
    glnn_learner *network = network_of(&desc);
    expect_error(glnn_learner_train(network, data, &train, &result), GLNN_E_DIVERGED, "epoch 4");
    assert_int_equal(result.epochs, 3);
    assert_int_equal(result.best_epoch, 3);
    expect_finite(network);
    train.epochs = 3;
    glnn_learner *same = network_of(&desc);
    expect_ok(glnn_learner_train(same, data, &train, NULL));
    expect_ok(glnn_network_set_steps(same, glnn_network_get_steps(network)));
    expect_same_networks(network, same, "after divergence");
}

static void a_validation_loss_that_is_not_finite_ends_training_too(void **state)
{
    (void)state;
    const glnn_network_desc desc = describe(20, 12, 5, 0);
    const glnn_dataset *data = dataset_of(samples_random(64, 20, 5, true));
    const glnn_train_desc train = {
        .batch = GLNN_FULL_BATCH, .schedule.rate = 1e30f, .validation = data, .restore_best = true};
    glnn_train_result result = {.size = sizeof result};
    expect_error(glnn_learner_train(network_of(&desc), data, &train, &result), GLNN_E_DIVERGED,
                 "epoch 1");
    assert_int_equal(result.best_epoch, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_step_of_two_layers_takes_as_many_passes_as_documented),
        LEARNING_TEST(every_layer_adds_three_passes_and_many_outputs_two),
        LEARNING_TEST(mixed_precision_adds_no_pass),
        LEARNING_TEST(a_step_on_digits_takes_at_most_eight_passes),
        LEARNING_TEST(steps_make_no_texture_or_program_and_do_not_wait),
        LEARNING_TEST(a_callback_that_uses_the_network_changes_no_bit_and_no_metric),
        LEARNING_TEST(the_first_steps_of_adam_are_as_long_as_the_rate),
        LEARNING_TEST(a_loss_that_is_not_finite_names_epoch_and_step),
        LEARNING_TEST(a_loss_that_is_not_finite_names_large_inputs_alone),
        LEARNING_TEST(after_divergence_the_weights_of_the_best_epoch_are_back),
        LEARNING_TEST(a_validation_loss_that_is_not_finite_ends_training_too),
    };
    return cmocka_run_group_tests_name("network training", tests, test_group_setup,
                                       test_group_teardown);
}
