/* Optimizers of networks: the rules of training that belong to one of them. */
#include "support/network_checks.h"

#include <glnn/trainer.h>

enum { SAMPLES = 40, FEATURES = 6, CLASSES = 3 };

static glnn_learner *network_in(glnn_layout layout, glnn_optimizer optimizer)
{
    const glnn_network_desc desc = {
        .features = FEATURES,
        .layers = {{.units = 9, .activation = GLNN_ACTIVATION_TANH}, {.units = CLASSES}},
        .optimizer = optimizer,
        .layout = layout,
        .seed = 3,
    };
    return network_of(&desc);
}

static glnn_learner *network_by(glnn_optimizer optimizer)
{
    return network_in(GLNN_LAYOUT_AUTO, optimizer);
}

static samples draw_samples(void)
{
    random_seed(31);
    return samples_random(SAMPLES, FEATURES, CLASSES, true);
}

static glnn_status train(glnn_learner *network, glnn_train_desc how)
{
    how.epochs = 5;
    how.keep_order = true;
    return glnn_learner_train(network, dataset_of(draw_samples()), &how, NULL);
}

static void rprop_takes_all_samples_in_each_step(void **state)
{
    (void)state;
    glnn_learner *network = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    expect_error(train(network, (glnn_train_desc){.batch = SAMPLES - 1}), GLNN_E_ARG,
                 "a step of 39 samples; rprop needs all 40 training samples in each step");
    expect_error(train(network, (glnn_train_desc){.batch = 13, .accumulate = 3}), GLNN_E_ARG,
                 "a step of 39 samples");
    expect_error(train(network, (glnn_train_desc){.batch = 20, .validation_split = 0.25f}),
                 GLNN_E_ARG, "all 30 training samples");
    assert_int_equal(glnn_network_get_steps(network), 0);
    expect_ok(train(network, (glnn_train_desc){.batch = 0}));
    assert_int_equal(glnn_network_get_steps(network), 5);
}

/* Parts of a step round differently than the whole, but no sign changes by that here. */
static void rprop_makes_the_same_steps_from_accumulated_batches(void **state)
{
    (void)state;
    glnn_learner *whole = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    glnn_learner *parts = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    expect_ok(train(whole, (glnn_train_desc){.batch = GLNN_FULL_BATCH}));
    expect_ok(train(parts, (glnn_train_desc){.batch = 14, .accumulate = 3}));
    for (int l = 0; l < 2; ++l) {
        const array a = weights_of(whole, l), b = weights_of(parts, l);
        for (size_t i = 0; i < length_of(a); ++i)
            assert_true(fabs(a.data[i] - b.data[i]) < 1e-5);
    }
}

/* Epochs of a rate that grows: the best one is followed by worse ones, which change both parts. */
static void the_best_epoch_has_both_parts(void **state)
{
    (void)state;
    const glnn_optimizer optimizer = {.two_parts = true, .momentum = 0.5f};
    glnn_learner *network = network_by(optimizer), *same = network_by(optimizer);
    glnn_train_desc how = {
        .batch = GLNN_FULL_BATCH,
        .epochs = 6,
        .keep_order = true,
        .schedule = {.kind = GLNN_SCHEDULE_STEP, .rate = 0.1f, .factor = 1e3f, .every = 3},
        .restore_best = true};
    glnn_train_result result = {.size = sizeof result};
    const glnn_dataset *data = dataset_of(draw_samples());
    expect_ok(glnn_learner_train(network, data, &how, &result));
    assert_in_range(result.best_epoch, 1, 4);
    how.epochs = result.best_epoch;
    how.restore_best = false;
    expect_ok(glnn_learner_train(same, data, &how, NULL));
    for (int l = 0; l < 2; ++l) {
        expect_same_bits(weights_of(network, l), weights_of(same, l), "high digits");
        expect_same_bits(state_of(network, l, 1), state_of(same, l, 1), "low digits");
    }
}

static void weights_that_are_set_have_no_low_digits(void **state)
{
    (void)state;
    glnn_learner *network = network_by((glnn_optimizer){.two_parts = true});
    expect_ok(train(network, (glnn_train_desc){.batch = GLNN_FULL_BATCH}));
    const array before = state_of(network, 1, 0);
    const float biases[CLASSES] = {0};
    expect_ok(write_weights(network, 1, NULL, biases));
    const array low = state_of(network, 1, 0);
    double kept = 0;
    for (int i = 0; i < low.rows; ++i)
        for (int j = 0; j < low.columns; ++j) {
            assert_true(*at(low, i, j) == (i < 9 ? *at(before, i, j) : 0));
            kept += fabs(*at(low, i, j));
        }
    assert_true(kept > 0);
}

/* Inputs of zeros have no gradient of weights but the noise. */
static array noise_of_step(glnn_learner *network, int layer, uint64_t steps)
{
    enum { COUNT = 4 };
    const samples zeros = {.inputs = array_new(COUNT, 64),
                           .labels = array_new(COUNT, 1),
                           .outputs = glnn_learner_get_outputs(network)};
    const glnn_train_desc how = {.epochs = 1, .batch = COUNT, .schedule.rate = 1};
    const array before = weights_of(network, layer);
    expect_ok(glnn_network_set_steps(network, steps));
    expect_ok(glnn_learner_train(network, dataset_of(zeros), &how, NULL));
    array noise = weights_of(network, layer);
    for (size_t i = 0; i < length_of(noise); ++i)
        noise.data[i] -= before.data[i];
    return noise;
}

static double mean_product(array a, array b)
{
    double sum = 0;
    for (size_t i = 0; i < 64 * 64; ++i)
        sum += a.data[i] * b.data[i];
    return sum / (64 * 64);
}

/* The mean of 4096 products of independent normal numbers has a deviation of 1/64, and that of
 * squares sqrt(2)/64: 0.1 is more than four of them. */
static void noise_has_the_variance_of_its_step_and_is_new_in_each(void **state)
{
    (void)state;
    const glnn_network_desc desc = {
        .features = 64,
        .layers = {{.units = 64, .activation = GLNN_ACTIVATION_TANH}, {.units = 64}},
        .optimizer = {.gradient_noise = 0.25f, .noise_decay = 1},
        .seed = 77};
    glnn_learner *network = network_of(&desc), *same = network_of(&desc);
    glnn_network_desc seeded = desc;
    seeded.seed++;
    const array first = noise_of_step(network, 0, 0), ninth = noise_of_step(network, 0, 8);
    const array again = noise_of_step(same, 0, 8);
    const array other = noise_of_step(network_of(&seeded), 0, 0);
    const array upper = noise_of_step(network_of(&desc), 1, 0);
    assert_true(fabs(mean_product(first, first) / 0.25 - 1) < 0.1);
    assert_true(fabs(mean_product(ninth, ninth) / (0.25 / 9) - 1) < 0.1);
    assert_true(fabs(mean_product(first, ninth) / (0.25 / 3)) < 0.1);
    assert_true(fabs(mean_product(first, other) / 0.25) < 0.1);
    assert_true(fabs(mean_product(first, upper) / 0.25) < 0.1);
    for (size_t i = 0; i < 64 * 64; ++i)
        assert_true(fabs(ninth.data[i] - again.data[i]) < 1e-5);
}

static void rprop_has_no_learning_rate(void **state)
{
    (void)state;
    glnn_learner *network = network_by((glnn_optimizer){.kind = GLNN_OPTIMIZER_RPROP});
    expect_error(train(network, (glnn_train_desc){.schedule.rate = 0.1f}), GLNN_E_ARG,
                 "a rate of 0.1, but this learner has no learning rate");
    expect_error(train(network, (glnn_train_desc){.schedule.kind = GLNN_SCHEDULE_COSINE}),
                 GLNN_E_ARG, "schedule cosine, but this learner has no learning rate");
}

static const glnn_optimizer rules[] = {
    {.weight_decay = 0.01f},
    {.momentum = 0.9f, .weight_decay = 0.02f},
    {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
    {.kind = GLNN_OPTIMIZER_ADAM, .weight_decay = 0.1f},
    {.kind = GLNN_OPTIMIZER_RMSPROP, .weight_decay = 0.1f},
    {.kind = GLNN_OPTIMIZER_RMSPROP, .momentum = 0.9f},
    {.kind = GLNN_OPTIMIZER_RPROP, .step_max = 0.25f},
};

/* Two parts, noise, or both. RPROP takes no noise. */
enum { VARIANTS = 3 };

static glnn_optimizer variant_of(glnn_optimizer rule, int variant)
{
    rule.two_parts = variant != 1;
    rule.gradient_noise = variant > 0 && rule.kind != GLNN_OPTIMIZER_RPROP ? 0.01f : 0;
    return rule;
}

/* How a gradient comes to be; RPROP has no norm to clip. */
typedef struct way {
    int batch, accumulate, capacity;
    float clip_norm;
    glnn_precision precision;
} way;

static const way ways[] = {
    {.batch = GLNN_FULL_BATCH},
    {.batch = GLNN_FULL_BATCH, .clip_norm = 0.05f},
    {.batch = 14, .accumulate = 3},
    {.batch = 14, .accumulate = 3, .clip_norm = 0.05f},
    {.batch = GLNN_FULL_BATCH, .capacity = 17},
    {.batch = GLNN_FULL_BATCH, .precision = GLNN_PRECISION_MIXED},
    {.batch = 14, .accumulate = 3, .precision = GLNN_PRECISION_MIXED, .clip_norm = 0.05f},
};

static glnn_learner *network_on(const way *how, glnn_layout layout, glnn_optimizer optimizer)
{
    glnn_network_desc desc = *glnn_network_get_desc(network_in(layout, optimizer));
    desc.optimizer.clip_norm = optimizer.kind == GLNN_OPTIMIZER_RPROP ? 0 : how->clip_norm;
    desc.capacity = how->capacity;
    desc.precision = how->precision;
    return network_of(&desc);
}

static void check_steps(const way *how, glnn_layout layout, glnn_optimizer optimizer)
{
    glnn_learner *network = network_on(how, layout, optimizer);
    const bool has_rate = optimizer.kind != GLNN_OPTIMIZER_RPROP;
    for (int s = 0; s < 3; ++s)
        expect_step(network, draw_samples(),
                    (glnn_train_desc){.batch = how->batch,
                                      .accumulate = how->accumulate,
                                      .schedule.rate = has_rate ? 0x1p-7f : 0},
                    glnn_optimizer_kind_name(optimizer.kind));
    release_learning();
}

/* Each rule meets each way, each rule each variant, and each way each variant. */
static void steps_with_two_parts_and_noise_agree_with_the_reference(void **state)
{
    (void)state;
    size_t turn = 0;
    for (size_t r = 0; r < COUNT_OF(rules); ++r)
        for (size_t w = 0; w < COUNT_OF(ways); ++w)
            for (int v = 0; v < VARIANTS; ++v)
                if (all_cases_are_run() || (r + w) % VARIANTS == (size_t)v)
                    check_steps(&ways[w], rendered_layout(turn++), variant_of(rules[r], v));
}

static void equal_seeds_give_equal_bits_with_two_parts_and_noise(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rules); ++r) {
        const glnn_layout layout = rendered_layout(r);
        const glnn_optimizer optimizer = variant_of(rules[r], 2);
        glnn_learner *one = network_in(layout, optimizer), *other = network_in(layout, optimizer);
        expect_ok(train(one, (glnn_train_desc){.batch = GLNN_FULL_BATCH}));
        expect_ok(train(other, (glnn_train_desc){.batch = GLNN_FULL_BATCH}));
        expect_same_networks(one, other, glnn_optimizer_kind_name(optimizer.kind));
        release_learning();
    }
}

static void expect_other(const glnn_matrix *left, const glnn_matrix *right, const char *rule)
{
    if (left && left == right)
        fail_msg("%s: a pass has %s twice", rule, glnn_matrix_get_name(left));
}

/* The order of two such writes would be up to the driver. */
static void no_pass_has_two_outputs_that_are_one_matrix(void **state)
{
    (void)state;
    for (size_t r = 0; r < COUNT_OF(rules); ++r) {
        glnn_learner *network = network_by(variant_of(rules[r], 0));
        glnn_trainer *trainer = NULL;
        const glnn_train_desc how = {.batch = GLNN_FULL_BATCH};
        expect_ok(glnn_trainer_create(network, dataset_of(draw_samples()), &how, &trainer));
        expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
        const int count = glnn_trainer_get_pass_count(trainer);
        assert_true(count > 0);
        for (int number = 0; number < count; ++number) {
            glnn_pass_info pass = {.size = sizeof pass};
            expect_ok(glnn_trainer_get_pass(trainer, number, &pass));
            for (int i = 0; i < GLNN_PASS_MAX_SIDE_OUTPUTS; ++i) {
                expect_other(pass.side_outputs[i], pass.output, pass.kernel);
                for (int j = 0; j < i; ++j)
                    expect_other(pass.side_outputs[i], pass.side_outputs[j], pass.kernel);
            }
        }
        glnn_trainer_destroy(trainer);
        release_learning();
    }
}

/* The weights of the last layer are 1, and deltas and outputs of tanh below 1. A step of rate 2^-26
 * is therefore below half of the distance between floats there, 2^-24, and float32 loses it. The
 * sum of the two parts moves as far as double precision, but for the roundings of gradients, which
 * are below 1e-5. After 64 steps that is more than the distance between floats. */
static void parameters_of_two_parts_learn_where_float32_stalls(void **state)
{
    (void)state;
    enum { STEPS = 64 };
    const float rate = 0x1p-26f;
    float ones[9 * CLASSES + CLASSES];
    for (size_t i = 0; i < COUNT_OF(ones); ++i)
        ones[i] = 1;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (int two_parts = 0; two_parts < 2; ++two_parts) {
            glnn_learner *network = network_in(layout, (glnn_optimizer){.two_parts = two_parts});
            const samples all = draw_samples();
            expect_ok(write_weights(network, 1, ones, ones));
            network_reference net = network_reference_of(network);
            const array start = array_copy(net.parameters[1].value);
            for (int s = 0; s < STEPS; ++s)
                network_reference_step(&net, all, (double)rate);
            const glnn_train_desc how = {
                .epochs = STEPS, .batch = GLNN_FULL_BATCH, .schedule.rate = rate};
            expect_ok(glnn_learner_train(network, dataset_of(all), &how, NULL));
            const array high = weights_of(network, 1);
            double moved = 0;
            for (size_t i = 0; i < length_of(high); ++i) {
                const double low = two_parts ? state_of(network, 1, 0).data[i] : 0;
                const double want = net.parameters[1].value.data[i] - start.data[i];
                const double got = high.data[i] - start.data[i] + low;
                assert_true(fabs(got - (two_parts ? want : 0)) <= 1e-5 * STEPS * (double)rate);
                moved = fmax(moved, fabs(want));
            }
            assert_true(moved > 0x1p-24);
            release_learning();
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(rprop_takes_all_samples_in_each_step),
        LEARNING_TEST(rprop_makes_the_same_steps_from_accumulated_batches),
        LEARNING_TEST(steps_with_two_parts_and_noise_agree_with_the_reference),
        LEARNING_TEST(equal_seeds_give_equal_bits_with_two_parts_and_noise),
        LEARNING_TEST(no_pass_has_two_outputs_that_are_one_matrix),
        LEARNING_TEST(parameters_of_two_parts_learn_where_float32_stalls),
        LEARNING_TEST(the_best_epoch_has_both_parts),
        LEARNING_TEST(weights_that_are_set_have_no_low_digits),
        LEARNING_TEST(noise_has_the_variance_of_its_step_and_is_new_in_each),
        LEARNING_TEST(rprop_has_no_learning_rate),
    };
    return cmocka_run_group_tests_name("network optimizers", tests, test_group_setup,
                                       test_group_teardown);
}
