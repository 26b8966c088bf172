/* Recurrent layers: shapes, lengths, windows, first weights, passes and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include "net/network_passes.h"

#include <limits.h>
#include <stdio.h>

static const glnn_layer_kind kinds[] = {GLNN_LAYER_RECURRENT, GLNN_LAYER_GRU};

static const struct {
    glnn_shape shape;
    int units;
    bool all_states;
    int window;
} cases[] = {
    {{1, 1, 1}, 1, false, 0}, {{3, 1, 7}, 8, true, 0}, {{4, 1, 6}, 5, false, 4},
    {{2, 3, 2}, 9, true, 1},  {{9, 1, 2}, 3, true, 2},
};

static glnn_network_desc describe(glnn_layer_kind kind, int c)
{
    return (glnn_network_desc){
        .shape = cases[c].shape,
        .loss = GLNN_LOSS_SQUARED,
        .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
                   {.kind = kind,
                    .units = cases[c].units,
                    .all_states = cases[c].all_states,
                    .window = cases[c].window},
                   {.kind = GLNN_LAYER_FLATTEN}}};
}

/* States have blocks of 4 x 8 on software rasterisers, and of 1 x 4 where GPUs have few of them. */
static void every_shape_agrees_with_the_reference(void **state)
{
    (void)state;
    random_seed(141);
    bool *is_software = &glnn_test_context()->info.software;
    const bool was_software = *is_software;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (int c = 0; c < (int)COUNT_OF(cases); ++c) {
            char where[96];
            const glnn_network_desc desc = describe(kinds[k], c);
            snprintf(where, sizeof where, "%s of %d units, case %d", glnn_layer_kind_name(kinds[k]),
                     cases[c].units, c);
            *is_software = was_software && (k + (size_t)c) % 2 == 0;
            expect_layers(&desc, 1 + c, where);
        }
    *is_software = was_software;
}

/* ---- Lengths */

enum { TIMES = 6, SAMPLES = 7 };

/* The last number of the first channel decides on the length, from below 1 to above the times. */
static glnn_network_desc describe_lengths(glnn_layer_kind kind, bool all_states, int window)
{
    return (glnn_network_desc){.shape = {2, 1, TIMES},
                               .loss = GLNN_LOSS_SQUARED,
                               .capacity = SAMPLES,
                               .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                                           .units = 1,
                                           .kernel = {1, TIMES},
                                           .activation = GLNN_ACTIVATION_IDENTITY},
                                          {.kind = kind,
                                           .units = 5,
                                           .inputs = {2, 1},
                                           .all_states = all_states,
                                           .window = window},
                                          {.kind = GLNN_LAYER_FLATTEN}}};
}

static glnn_learner *network_with_lengths(glnn_network_desc desc)
{
    glnn_learner *network = network_of(&desc);
    float weights[2 * TIMES] = {[TIMES - 1] = 4};
    draw_parameters(network);
    expect_ok(write_tensor(network, "0.weight", weights));
    expect_ok(write_tensor(network, "0.bias", &(float){TIMES / 2 + 0.3f}));
    return network;
}

static void sequences_of_different_lengths_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(142);
    for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
        const bool is_mixed = i >= RENDERED_COUNT;
        glnn_network_desc desc = describe_lengths(kinds[i % 2], i % 4 < 2, i % 3 == 0 ? 2 : 0);
        desc.layout = rendered_layout(i);
        desc.precision = is_mixed ? GLNN_PRECISION_MIXED : GLNN_PRECISION_FLOAT32;
        glnn_learner *network = network_with_lengths(desc);
        expect_predictions(network, SAMPLES, "lengths");
        expect_gradients(network, samples_for(network, SAMPLES, false), SAMPLES, "lengths");
        release_learning();
    }
}

/* Without a window: finite differences know nothing of one. The lengths lie between integers. */
static void gradients_of_sequences_with_lengths_are_slopes(void **state)
{
    (void)state;
    random_seed(143);
    for (int i = 0; i < 4; ++i) {
        glnn_learner *network = network_with_lengths(describe_lengths(kinds[i % 2], i < 2, 0));
        network_reference net = network_reference_of(network);
        expect_slopes(&net, samples_for(network, 3, false), "lengths");
        release_learning();
    }
}

/* Each sample has the state of a network whose sequences end there, and then zeros. */
static void a_sequence_with_a_length_is_one_that_ends_there(void **state)
{
    (void)state;
    random_seed(144);
    for (int length = 1; length <= TIMES; ++length) {
        const array x = array_random(1, 2 * TIMES, -1.0, 1.0);
        glnn_network_desc desc = describe_lengths(GLNN_LAYER_GRU, false, 0);
        glnn_learner *network = network_of(&desc);
        const float zeros[2 * TIMES] = {0};
        expect_ok(write_tensor(network, "0.weight", zeros));
        expect_ok(write_tensor(network, "0.bias", &(float){(float)length}));
        const array ended = predictions_of(network, x);
        glnn_network_desc shorter = {.shape = {2, 1, length},
                                     .loss = GLNN_LOSS_SQUARED,
                                     .layers = {{.kind = GLNN_LAYER_GRU, .units = 5}}};
        glnn_learner *other = network_of(&shorter);
        static const char *const names[] = {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0",
                                            "bias_hh_l0"};
        for (size_t n = 0; n < COUNT_OF(names); ++n) {
            char from[32], to[32];
            snprintf(from, sizeof from, "1.%s", names[n]);
            snprintf(to, sizeof to, "0.%s", names[n]);
            float *values = floats_new(tensor_of(network, from).count);
            expect_ok(read_tensor(network, from, values));
            expect_ok(write_tensor(other, to, values));
        }
        array part = array_new(1, 2 * length);
        for (int j = 0; j < 2 * length; ++j)
            part.data[j] = x.data[j / length * TIMES + j % length];
        expect_same_bits(ended, predictions_of(other, part), "length %d", length);
        release_learning();
    }
}

/* ---- Many samples */

/* The states of all times have more rows of blocks than a texture has rows, so they are wrapped. */
static void states_of_many_samples_are_those_of_few(void **state)
{
    (void)state;
    enum { MANY = 70000 };
    glnn_network_desc desc = {.shape = {1, 1, 2},
                              .loss = GLNN_LOSS_SQUARED,
                              .layers = {{.kind = GLNN_LAYER_GRU, .units = 1}},
                              .seed = 4};
    random_seed(147);
    const float *inputs = floats_of(array_random(MANY, 2, -1.0, 1.0));
    float *outputs[2];
    for (int i = 0; i < 2; ++i) {
        desc.capacity = i == 0 ? MANY : 300;
        glnn_learner *network = network_of(&desc);
        outputs[i] = floats_new(MANY);
        assert_int_equal(glnn_network_get_desc(network)->capacity, desc.capacity);
        expect_ok(glnn_learner_predict(network, MANY, inputs, outputs[i], NULL));
    }
    assert_memory_equal(outputs[0], outputs[1], MANY * sizeof(float));
}

/* ---- Windows */

/* A window as long as the sequence, or longer, cuts nothing. */
static void a_window_of_all_times_changes_no_bit(void **state)
{
    (void)state;
    random_seed(145);
    array gradients[3];
    for (int i = 0; i < 3; ++i) {
        glnn_network_desc desc = describe_lengths(GLNN_LAYER_GRU, true,
                                                  i == 0   ? 0
                                                  : i == 1 ? TIMES
                                                           : TIMES - 1);
        random_seed(146);
        glnn_learner *network = network_with_lengths(desc);
        const samples all = samples_for(network, SAMPLES, false);
        double loss;
        gradients[i] = gradient_of(network, dataset_of(all), SAMPLES, 1, &loss);
    }
    expect_same_bits(gradients[1], gradients[0], "a window of all times");
    assert_memory_not_equal(gradients[2].data, gradients[0].data,
                            length_of(gradients[0]) * sizeof(double));
}

/* ---- The first weights */

static void first_weights_lie_within_the_inverse_root_of_the_units(void **state)
{
    (void)state;
    const glnn_network_desc desc = {.shape = {30, 1, 2},
                                    .loss = GLNN_LOSS_SQUARED,
                                    .layers = {{.kind = GLNN_LAYER_GRU, .units = 26}},
                                    .seed = 5};
    const array weights = weights_of(network_of(&desc), 0);
    double greatest[2] = {0};
    assert_int_equal(weights.rows, 30 + 1 + 26 + 1);
    assert_int_equal(weights.columns, 3 * 28);
    for (int i = 0; i < weights.rows; ++i)
        for (int j = 0; j < weights.columns; ++j) {
            const double weight = fabs(*at(weights, i, j));
            assert_true(weight == 0 || (j % 28 < 26 && i != 30 && i != 57));
            greatest[i > 30] = fmax(greatest[i > 30], weight);
        }
    for (int m = 0; m < 2; ++m)
        assert_true(greatest[m] <= 1 / sqrt(26.0) && greatest[m] > 0.99 / sqrt(26.0));
}

/* ---- Passes and programs */

static glnn_status train(void *learner, const glnn_dataset *data, const glnn_train_desc *how)
{
    return glnn_learner_train(learner, data, how, NULL);
}

/* FLATTEN takes two passes. */
static int count_passes(glnn_layer_kind kind, int times)
{
    const glnn_network_desc desc = {
        .shape = {2, 1, times},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 2, .kernel = {1, 1}},
                   {.kind = kind, .units = kind == GLNN_LAYER_FLATTEN ? 0 : 4},
                   {.units = 3}}};
    glnn_learner *network = network_of(&desc);
    return passes_per_step(network, train, samples_for(network, 32, true), 8);
}

static void a_step_takes_the_passes_that_the_header_states(void **state)
{
    (void)state;
    for (int times = 4; times < 10; times += 5) {
        const int without = count_passes(GLNN_LAYER_FLATTEN, times) - 2;
        assert_int_equal(count_passes(GLNN_LAYER_RECURRENT, times), without + 2 * times + 13);
        assert_int_equal(count_passes(GLNN_LAYER_GRU, times), without + 2 * times + 14);
    }
}

static uint64_t programs_made(void)
{
    const glnn_counters counters = counters_of(glnn_test_context());
    return counters.programs_compiled + counters.programs_loaded;
}

static void longer_sequences_need_no_further_programs(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(kinds); ++k) {
        count_passes(kinds[k], 12);
        const uint64_t made = programs_made();
        count_passes(kinds[k], 13);
        assert_int_equal(programs_made(), made);
        release_learning();
    }
}

/* ---- Errors */

static const struct {
    glnn_layer_desc layer;
    glnn_status status;
    const char *part;
} unfit[] = {
    {{.kind = GLNN_LAYER_GRU}, GLNN_E_ARG, "layer 1 has 0 units; gru has at least 1"},
    {{.kind = GLNN_LAYER_GRU, .units = 2, .window = -1}, GLNN_E_ARG, "layer 1: window is -1"},
    {{.kind = GLNN_LAYER_GRU, .units = 2, .activation = GLNN_ACTIVATION_RELU},
     GLNN_E_ARG,
     "activation is relu, but gru layers do not use it"},
    {{.kind = GLNN_LAYER_DENSE, .units = 2, .all_states = true},
     GLNN_E_ARG,
     "all_states is true, but dense layers do not use it"},
    {{.kind = GLNN_LAYER_GRU, .units = INT_MAX / 3}, GLNN_E_LIMIT, "has too many numbers"},
    {{.kind = GLNN_LAYER_GRU, .units = INT_MAX}, GLNN_E_LIMIT, "has too many numbers"},
    {{.kind = GLNN_LAYER_GRU, .units = INT_MAX / 20, .all_states = true},
     GLNN_E_LIMIT,
     "for 3 channels at 24 times has too many numbers"},
    {{.kind = GLNN_LAYER_GRU, .units = 2, .inputs = {1, 2}},
     GLNN_E_SHAPE,
     "layer 1, gru: the second input is 2 channels of 4 x 6; it has to be one number"},
    {{.kind = GLNN_LAYER_GRU, .units = 2, .inputs = {1, 2, 2}},
     GLNN_E_ARG,
     "layer 1: gru has 3 inputs; it takes at most 2"},
};

static void layers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(unfit); ++i) {
        glnn_learner *network;
        const glnn_network_desc desc = {
            .shape = {2, 4, 6},
            .loss = GLNN_LOSS_SQUARED,
            .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 3, .kernel = {1, 1}},
                       unfit[i].layer,
                       {.kind = GLNN_LAYER_FLATTEN}}};
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), unfit[i].status,
                     unfit[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_shape_agrees_with_the_reference),
        LEARNING_TEST(sequences_of_different_lengths_agree_with_the_reference),
        LEARNING_TEST(gradients_of_sequences_with_lengths_are_slopes),
        LEARNING_TEST(a_sequence_with_a_length_is_one_that_ends_there),
        LEARNING_TEST(states_of_many_samples_are_those_of_few),
        LEARNING_TEST(a_window_of_all_times_changes_no_bit),
        LEARNING_TEST(first_weights_lie_within_the_inverse_root_of_the_units),
        LEARNING_TEST(a_step_takes_the_passes_that_the_header_states),
        LEARNING_TEST(longer_sequences_need_no_further_programs),
        LEARNING_TEST(layers_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("recurrent layers", tests, test_group_setup,
                                       test_group_teardown);
}
