/* The mask of dropout, gradients that are clipped or accumulated, weights of samples, and losses
 * that are not in test_network_gradient. test_network_kinds has what all kinds of layers have in
 * common. */
#include "support/network_checks.h"

enum { INPUTS = 9, UNITS = 6, OUTPUTS = 4, SAMPLES = 24 };

static const glnn_network_desc dropping = {
    .features = INPUTS,
    .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.2f},
               {.units = UNITS, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
               {.units = OUTPUTS}},
    .optimizer.momentum = 0.5f,
    .capacity = SAMPLES,
    .seed = UINT64_C(0x123456789),
};

static const glnn_network_desc plain = {
    .features = INPUTS,
    .layers = {{.units = UNITS, .activation = GLNN_ACTIVATION_TANH}, {.units = OUTPUTS}},
    .capacity = SAMPLES,
    .seed = 5,
};

static bool is_within(double got, double want, double bound)
{
    return fabs(got - want) <= bound;
}

/* An identity network of 2048 x 16 ones through dropout, whose outputs the gradient of the biases
 * of the layer above sums: that many draws stay within five deviations but for one seed in a
 * million. */
static void dropout_drops_its_share_and_scales_the_rest(void **state)
{
    (void)state;
    enum { COUNT = 2048, WIDTH = 16 };
    const glnn_network_desc desc = {
        .features = WIDTH,
        .layers = {{.kind = GLNN_LAYER_DROPOUT, .rate = 0.3f}, {.units = 1}},
        .loss = GLNN_LOSS_SQUARED,
        .capacity = COUNT,
        .seed = 8};
    glnn_learner *network = network_of(&desc);
    const float weights[WIDTH] = {0}, bias = 1;
    expect_ok(write_weights(network, 1, weights, &bias));
    samples all = {.inputs = array_new(COUNT, WIDTH), .targets = array_new(COUNT, 1), .outputs = 1};
    for (size_t i = 0; i < length_of(all.inputs); ++i)
        all.inputs.data[i] = 1;
    float gradient[WIDTH + 1];
    double loss, mean = 0;
    expect_ok(glnn_network_compute_gradient(network, dataset_of(all), COUNT, 1, &loss, gradient));
    for (int j = 0; j < WIDTH; ++j)
        mean += (double)gradient[j] / WIDTH;
    const double deviation = sqrt(0.3 / 0.7 / (COUNT * WIDTH));
    assert_true(fabs(mean - 1) < 5 * deviation);
    for (int j = 0; j < WIDTH; ++j) {
        assert_true(fabs((double)gradient[j] - 1) < 5 * sqrt(0.3 / 0.7 / COUNT));
        assert_true(gradient[j] != 1);
    }
}

static void train(glnn_learner *network, samples all, glnn_train_desc how)
{
    how.seed = 2;
    how.schedule.rate = 0.05f;
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, NULL));
}

static void equal_seeds_drop_the_same_and_other_seeds_do_not(void **state)
{
    (void)state;
    random_seed(7);
    const samples all = samples_random(SAMPLES, INPUTS, OUTPUTS, true);
    glnn_network_desc desc = dropping;
    glnn_learner *one = network_of(&desc), *same = network_of(&desc);
    desc.seed++;
    glnn_learner *other = network_of(&desc);
    for (int l = 1; l < 4; l += 2)
        expect_ok(write_weights(other, l, floats_of(weights_of(one, l)), NULL));
    train(one, all, (glnn_train_desc){.epochs = 3, .batch = 8});
    train(same, all, (glnn_train_desc){.epochs = 3, .batch = 8});
    train(other, all, (glnn_train_desc){.epochs = 3, .batch = 8});
    expect_same_networks(one, same, "equal seeds");
    assert_true(*at(weights_of(one, 3), 0, 0) != *at(weights_of(other, 3), 0, 0));
}

static void check_steps(const glnn_network_desc *desc, int batch, int accumulate, float rate)
{
    const samples all = samples_random(SAMPLES, INPUTS, OUTPUTS, true);
    glnn_learner *network = network_of(desc);
    for (int s = 0; s < 3; ++s)
        expect_step(
            network, all,
            (glnn_train_desc){.batch = batch, .accumulate = accumulate, .schedule.rate = rate},
            "a step");
    release_learning();
}

static const glnn_optimizer optimizers[] = {
    {.weight_decay = 0.01f},
    {.momentum = 0.9f},
    {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
    {.kind = GLNN_OPTIMIZER_ADAM},
    {.kind = GLNN_OPTIMIZER_RMSPROP, .momentum = 0.9f},
};

/* The first norm is about 0.6: one limit clips, the other does not. */
static void clipped_steps_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(9);
    for (size_t o = 0; o < COUNT_OF(optimizers); ++o)
        for (int clips = 0; clips < 2; ++clips) {
            glnn_network_desc desc = plain;
            desc.optimizer = optimizers[o];
            desc.optimizer.clip_norm = clips ? 0.05f : 100;
            desc.layout = rendered_layout(o);
            desc.capacity = clips ? 10 : SAMPLES;
            check_steps(&desc, SAMPLES, 1, 0.0625f);
        }
    glnn_network_desc mixed = plain;
    mixed.precision = GLNN_PRECISION_MIXED;
    mixed.optimizer.clip_norm = 0.05f;
    check_steps(&mixed, SAMPLES, 1, 0.0625f);
}

/* Plain descent of rate 1 moves the weights by the clipped gradient, whose norm is the limit. */
static void a_clipped_step_is_as_long_as_the_limit(void **state)
{
    (void)state;
    random_seed(10);
    glnn_network_desc desc = plain;
    desc.optimizer.clip_norm = 0.125f;
    glnn_learner *network = network_of(&desc);
    const array before[2] = {weights_of(network, 0), weights_of(network, 1)};
    const glnn_train_desc how = {.epochs = 1, .batch = GLNN_FULL_BATCH, .schedule.rate = 1};
    const samples all = samples_random(SAMPLES, INPUTS, OUTPUTS, true);
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, NULL));
    double squares = 0;
    for (int l = 0; l < 2; ++l) {
        const array after = weights_of(network, l);
        for (size_t i = 0; i < length_of(after); ++i)
            squares += pow(after.data[i] - before[l].data[i], 2);
    }
    assert_true(is_within(sqrt(squares), 0.125, 1e-5));
}

static void accumulated_batches_step_as_one_does(void **state)
{
    (void)state;
    random_seed(11);
    glnn_network_desc desc = plain;
    desc.optimizer.momentum = 0.9f;
    check_steps(&desc, 7, 4, 0.0625f); /* batches of 7, 7, 7 and 3 */
    desc.optimizer.clip_norm = 0.05f;
    check_steps(&desc, 7, 4, 0.0625f);
    check_steps(&dropping, 7, 4, 0.0625f); /* elements are dropped by their place in the step */
}

static void weights_of_samples_scale_their_losses_and_gradients(void **state)
{
    (void)state;
    random_seed(12);
    static const glnn_loss losses[] = {GLNN_LOSS_CROSS_ENTROPY, GLNN_LOSS_SQUARED,
                                       GLNN_LOSS_SQUARED};
    for (size_t g = 0; g < COUNT_OF(losses); ++g)
        for (int outputs = 1; outputs <= 70; outputs += 69) {
            glnn_network_desc desc = plain;
            desc.loss = losses[g];
            desc.layers[1].units = outputs;
            glnn_learner *network = network_of(&desc);
            samples all = samples_for(network, SAMPLES, g < 2);
            all.weights = array_random(SAMPLES, 1, 0.0, 3.0);
            *at(all.weights, 0, 0) = 0;
            expect_gradients(network, all, SAMPLES, "weighted samples");
            const network_reference net = network_reference_of(network);
            glnn_metrics metrics;
            expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
            expect_bounded(metrics.loss, network_reference_loss(&net, all), "the loss",
                           "weighted samples");
            release_learning();
        }
}

static glnn_learner *binary_network(void)
{
    glnn_network_desc desc = plain;
    desc.layers[1].units = 1;
    return network_of(&desc);
}

static void one_output_tells_two_classes_apart_by_a_sigmoid(void **state)
{
    (void)state;
    random_seed(13);
    glnn_learner *network = binary_network();
    samples all = samples_random(SAMPLES, INPUTS, 2, true);
    for (int i = 0; i < SAMPLES; ++i)
        *at(all.labels, i, 0) = *at(all.inputs, i, 0) > 0;
    const glnn_train_desc how = {.epochs = 200, .batch = GLNN_FULL_BATCH, .schedule.rate = 1};
    const glnn_dataset *data = dataset_of(all);
    expect_ok(glnn_learner_train(network, data, &how, NULL));
    float outputs[SAMPLES];
    int64_t confusion[4], counted[4] = {0};
    glnn_metrics metrics;
    expect_ok(glnn_learner_predict(network, SAMPLES, floats_of(all.inputs), outputs, NULL));
    expect_ok(glnn_learner_evaluate(network, data, &metrics, confusion));
    for (int i = 0; i < SAMPLES; ++i)
        counted[2 * (int)*at(all.labels, i, 0) + (outputs[i] > 0.5f)]++;
    assert_memory_equal(confusion, counted, sizeof counted);
    assert_true(metrics.accuracy == (double)(counted[0] + counted[3]) / SAMPLES);
    assert_true(metrics.accuracy > 0.9);
    expect_error(
        glnn_learner_train(network, dataset_of(samples_random(5, INPUTS, 1, true)), NULL, NULL),
        GLNN_E_SHAPE,
        "the data set has samples of one class only; the network needs a data set of 2 classes");
}

/* A float cannot hold exp(1000), so the loss has to be computed from the logit. */
static void large_logits_have_a_finite_loss(void **state)
{
    (void)state;
    glnn_learner *network = binary_network();
    const float weights[UNITS] = {0}, biases[] = {-1000, 1000};
    samples all = {.inputs = array_new(2, INPUTS), .labels = array_new(2, 1), .outputs = 2};
    *at(all.labels, 1, 0) = 1;
    for (int i = 0; i < 2; ++i) {
        glnn_metrics metrics;
        expect_ok(write_weights(network, 1, weights, &biases[i]));
        expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
        assert_true(metrics.loss == 500);
    }
}

static void weights_of_samples_enter_the_squared_error_and_r_squared(void **state)
{
    (void)state;
    random_seed(14);
    glnn_network_desc desc = plain;
    desc.loss = GLNN_LOSS_SQUARED;
    glnn_learner *network = network_of(&desc);
    samples all = samples_random(SAMPLES, INPUTS, OUTPUTS, false);
    all.weights = array_random(SAMPLES, 1, 0.5, 2.0);
    const network_reference net = network_reference_of(network);
    const array outputs = network_reference_predict(&net, all.inputs).value;
    double errors = 0, distances = 0;
    for (int j = 0; j < OUTPUTS; ++j) {
        double mean = 0;
        for (int i = 0; i < SAMPLES; ++i)
            mean += *at(all.targets, i, j) / SAMPLES;
        for (int i = 0; i < SAMPLES; ++i) {
            const double t = *at(all.targets, i, j), weight = *at(all.weights, i, 0);
            errors += weight * pow(*at(outputs, i, j) - t, 2);
            distances += weight * pow(t - mean, 2);
        }
    }
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
    assert_true(is_within(metrics.squared_error, errors / (SAMPLES * OUTPUTS), 1e-5));
    assert_true(is_within(metrics.r_squared, 1 - errors / distances, 1e-5));
    const glnn_train_desc how = {.epochs = 1, .schedule.rate = 1e-12f};
    glnn_train_result result = {.size = sizeof result};
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, &result));
    assert_true(is_within(result.training.squared_error, errors / (SAMPLES * OUTPUTS), 1e-5));
    assert_true(is_within(result.training.r_squared, 1 - errors / distances, 1e-5));
}

static void images_are_features_in_the_order_of_channels(void **state)
{
    (void)state;
    glnn_network_desc desc = plain;
    desc.features = 0;
    desc.shape = (glnn_shape){3, 2, 4};
    glnn_learner *network = network_of(&desc);
    assert_int_equal(glnn_network_get_desc(network)->features, 24);
    const glnn_shape in = glnn_network_get_shape(network, -1);
    assert_true(in.channels == 3 && in.height == 2 && in.width == 4);
    const glnn_shape out = glnn_network_get_shape(network, 1);
    assert_true(out.channels == OUTPUTS && out.height == 1 && out.width == 1);
    assert_int_equal(glnn_network_get_shape(network, 2).channels, 0);
    assert_int_equal(glnn_network_get_shape(NULL, 0).channels, 0);
    assert_int_equal(weights_of(network, 0).rows, 25);
}

static glnn_status no_steps(void *network, const glnn_dataset *data, const glnn_train_desc *desc)
{
    return glnn_learner_train(network, data, desc, NULL);
}

/* Two layers take 7 passes. Clipping takes two reductions of two passes each, one sum and two
 * updates; dropout one forward, and one backward where a layer below learns. */
static void only_what_stands_between_gradient_and_step_adds_passes(void **state)
{
    (void)state;
    random_seed(15);
    glnn_network_desc desc = plain;
    const samples all = samples_random(4 * 8, INPUTS, OUTPUTS, true);
    assert_int_equal(passes_per_step(network_of(&desc), no_steps, all, 8), 7);
    desc.optimizer.clip_norm = 1;
    assert_int_equal(passes_per_step(network_of(&desc), no_steps, all, 8), 14);
    assert_int_equal(passes_per_step(network_of(&dropping), no_steps, all, 8), 10);
}

static void steps_that_drop_and_clip_make_nothing_and_do_not_wait(void **state)
{
    (void)state;
    random_seed(16);
    glnn_network_desc desc = dropping;
    desc.optimizer.clip_norm = 0.5f;
    epoch_watch watch = {.most_waits = 1};
    const glnn_train_desc how = {
        .epochs = 4, .batch = 7, .accumulate = 2, .report = watch_steady_epoch, .user = &watch};
    expect_ok(glnn_learner_train(
        network_of(&desc), dataset_of(samples_random(SAMPLES, INPUTS, OUTPUTS, true)), &how, NULL));
    assert_int_equal(watch.epochs, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(dropout_drops_its_share_and_scales_the_rest),
        LEARNING_TEST(equal_seeds_drop_the_same_and_other_seeds_do_not),
        LEARNING_TEST(clipped_steps_agree_with_the_reference),
        LEARNING_TEST(a_clipped_step_is_as_long_as_the_limit),
        LEARNING_TEST(accumulated_batches_step_as_one_does),
        LEARNING_TEST(weights_of_samples_scale_their_losses_and_gradients),
        LEARNING_TEST(one_output_tells_two_classes_apart_by_a_sigmoid),
        LEARNING_TEST(large_logits_have_a_finite_loss),
        LEARNING_TEST(weights_of_samples_enter_the_squared_error_and_r_squared),
        LEARNING_TEST(images_are_features_in_the_order_of_channels),
        LEARNING_TEST(steps_that_drop_and_clip_make_nothing_and_do_not_wait),
        LEARNING_TEST(only_what_stands_between_gradient_and_step_adds_passes),
    };
    return cmocka_run_group_tests_name("network layers", tests, test_group_setup,
                                       test_group_teardown);
}
