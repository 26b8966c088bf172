/* Networks with several outputs, each with a loss and a weight. */
#include "support/learner_files.h"
#include "support/network_checks.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 19, FEATURES = 5 };

/* The outputs have 3, 2 and 70 numbers. 70 are more than a pass compares next to a block of deltas.
 * The second one is also read by a layer. */
static const glnn_network_desc three = {
    .features = FEATURES,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
               {.units = 3, .activation = GLNN_ACTIVATION_IDENTITY},
               {.units = 2, .activation = GLNN_ACTIVATION_TANH, .inputs = {2}},
               {.kind = GLNN_LAYER_CONCATENATE, .inputs = {1, 3}},
               {.units = 70}},
    .output_count = 3,
    .outputs = {{.layer = 1, .weight = 0.5f},
                {.layer = 2, .loss = GLNN_LOSS_HUBER, .loss_parameter = 0.25f, .weight = 3},
                {.layer = 4}},
    .capacity = 32,
    .seed = 3,
};

/* Outputs for the same labels. */
static const glnn_network_desc alike = {
    .features = FEATURES,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
               {.units = 4, .activation = GLNN_ACTIVATION_IDENTITY},
               {.units = 5, .activation = GLNN_ACTIVATION_TANH, .inputs = {2}},
               {.units = 4}},
    .output_count = 2,
    .outputs = {{.layer = 3}, {.layer = 1, .loss = GLNN_LOSS_HINGE, .weight = 0.25f}},
    .label_smoothing = 0.1f,
    .capacity = 32,
    .seed = 3,
};

static glnn_learner *network_with(glnn_network_desc desc, glnn_layout layout)
{
    desc.layout = layout;
    glnn_learner *network = network_of(&desc);
    draw_parameters(network);
    return network;
}

/* Targets of three(): probabilities of 3 classes, 2 numbers, and one of 70 classes. */
static samples samples_of_three(int count)
{
    samples of = samples_random(count, FEATURES, 75, false);
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < 3; ++j)
            *at(of.targets, i, j) = (double[]){0.25, 0.25, 0.5}[(i + j) % 3];
        for (int j = 0; j < 70; ++j)
            *at(of.targets, i, 5 + j) = j == 7 * i % 70;
    }
    return of;
}

static void gradients_and_predictions_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(41);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (case_is_left_out((int)layout))
            continue;
        glnn_learner *network = network_with(three, layout);
        samples all = samples_of_three(SAMPLES);
        expect_gradients(network, all, SAMPLES, glnn_layout_name(layout));
        all.weights = array_random(SAMPLES, 1, 0.0, 3.0);
        expect_gradients(network, all, SAMPLES, "weights of samples");
        expect_predictions(network, 9, glnn_layout_name(layout));
        release_learning();
    }
}

static void labels_are_learnt_by_all_outputs(void **state)
{
    (void)state;
    random_seed(42);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (case_is_left_out((int)layout))
            continue;
        glnn_learner *network = network_with(alike, layout);
        const samples all = samples_random(SAMPLES, FEATURES, 4, true);
        expect_gradients(network, all, SAMPLES, glnn_layout_name(layout));
        release_learning();
    }
}

static void gradients_of_the_reference_are_slopes_of_its_loss(void **state)
{
    (void)state;
    random_seed(43);
    network_reference net = network_reference_of(network_with(three, GLNN_LAYOUT_PACKED));
    expect_slopes(&net, samples_of_three(5), "three outputs");
    net = network_reference_of(network_with(alike, GLNN_LAYOUT_PACKED));
    expect_slopes(&net, samples_random(5, FEATURES, 4, true), "outputs for labels");
}

static void steps_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(44);
    for (int precision = 0; precision < GLNN_PRECISION_COUNT; ++precision) {
        glnn_learner *network = network_with(three, rendered_layout((size_t)precision));
        expect_ok(glnn_network_set_precision(network, (glnn_precision)precision));
        const samples all = samples_of_three(SAMPLES);
        for (int s = 0; s < 2; ++s)
            expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.125f}, "three outputs");
        release_learning();
    }
}

/* A sample is right if the greatest number of the first output is where the greatest target is. */
static void the_accuracy_is_that_of_the_first_output(void **state)
{
    (void)state;
    random_seed(45);
    glnn_learner *network = network_with(three, GLNN_LAYOUT_TILED);
    const samples all = samples_of_three(SAMPLES);
    const array predicted = predictions_of(network, all.inputs);
    int right = 0;
    for (int i = 0; i < SAMPLES; ++i) {
        int greatest = 0;
        for (int j = 1; j < 3; ++j)
            greatest = *at(predicted, i, j) > *at(predicted, i, greatest) ? j : greatest;
        right += *at(all.targets, i, greatest) == 0.5;
    }
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
    assert_true(fabs(metrics.accuracy - (double)right / SAMPLES) < 1e-6);
    assert_true(right > 0 && right < SAMPLES && isnan(metrics.squared_error));
}

/* Two outputs with the squared error, and the same numbers as one output. Emphasis needs the loss
 * of each sample. */
static void losses_of_samples_are_the_sums_of_all_outputs(void **state)
{
    (void)state;
    const glnn_network_desc one = {
        .features = FEATURES,
        .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
                   {.units = 3, .activation = GLNN_ACTIVATION_IDENTITY},
                   {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY, .inputs = {2}},
                   {.kind = GLNN_LAYER_CONCATENATE, .inputs = {2, 1}}},
        .loss = GLNN_LOSS_SQUARED,
        .capacity = 16,
        .seed = 4};
    glnn_network_desc two = one;
    two.layers[3] = (glnn_layer_desc){0};
    two.loss = 0;
    two.output_count = 2;
    two.outputs[0] = (glnn_output_desc){.layer = 1, .loss = GLNN_LOSS_SQUARED};
    two.outputs[1] = (glnn_output_desc){.layer = 2, .loss = GLNN_LOSS_SQUARED};
    for (int kind = 0; kind < GLNN_EMPHASIS_KIND_COUNT; ++kind) {
        const glnn_train_desc how = {.epochs = 4,
                                     .batch = 8,
                                     .schedule.rate = 0.05f,
                                     .emphasis = 1,
                                     .emphasis_kind = (glnn_emphasis_kind)kind,
                                     .seed = 9};
        glnn_train_result results[2] = {{.size = sizeof results[0]}, {.size = sizeof results[0]}};
        random_seed(46);
        const samples all = samples_random(48, FEATURES, 5, false);
        glnn_learner *left = network_of(&one), *right = network_of(&two);
        expect_ok(glnn_learner_train(left, dataset_of(all), &how, &results[0]));
        expect_ok(glnn_learner_train(right, dataset_of(all), &how, &results[1]));
        assert_true(fabs(results[0].training.loss - results[1].training.loss) < 1e-5);
        assert_true(fabs(results[0].training.squared_error - results[1].training.squared_error) >
                    1e-3);
        for (int l = 0; l < 3; ++l) {
            const array a = weights_of(left, l), b = weights_of(right, l);
            for (size_t i = 0; i < length_of(a); ++i)
                assert_true(fabs(a.data[i] - b.data[i]) < 1e-5);
        }
        release_learning();
    }
}

static void a_single_output_that_is_described_changes_no_bit(void **state)
{
    (void)state;
    random_seed(47);
    const glnn_network_desc plain = {
        .features = FEATURES, .layers = {{.units = 6}, {.units = 3}}, .capacity = 16, .seed = 5};
    glnn_network_desc described = plain;
    described.output_count = 1;
    described.outputs[0].layer = 1;
    glnn_learner *left = network_of(&plain), *right = network_of(&described);
    const samples all = samples_random(SAMPLES, FEATURES, 3, true);
    const glnn_train_desc how = {.epochs = 3, .batch = 5, .schedule.rate = 0.1f};
    expect_ok(glnn_learner_train(left, dataset_of(all), &how, NULL));
    expect_ok(glnn_learner_train(right, dataset_of(all), &how, NULL));
    expect_same_networks(left, right, "one output");
}

/* The gradient of the sum of all outputs, by the open ends and by a training with the loss y. */
static void open_ends_have_the_numbers_of_all_outputs(void **state)
{
    (void)state;
    random_seed(48);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (case_is_left_out((int)layout))
            continue;
        glnn_network_desc desc = three;
        desc.loss_value = "y + 0.0 * t";
        desc.loss_derivative = "1.0 + 0.0 * t";
        for (int i = 0; i < 3; ++i)
            desc.outputs[i] =
                (glnn_output_desc){.layer = three.outputs[i].layer, .loss = GLNN_LOSS_EXPRESSION};
        glnn_learner *own = network_with(desc, layout), *trained;
        const file_path path = path_of("ends");
        expect_ok(glnn_learner_save(own, path.text));
        expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                    &(glnn_load_desc){.layout = layout, .capacity = 32}, &trained));
        learning_own_learner(trained);
        const samples all = samples_of_three(SAMPLES);
        const array ones = array_new(SAMPLES, 75);
        for (size_t i = 0; i < length_of(ones); ++i)
            ones.data[i] = 1.0 / SAMPLES;
        glnn_matrix *outputs = matrix_zero(SAMPLES, 75, GLNN_LAYOUT_PACKED);
        const array predicted = predictions_of(own, all.inputs);
        expect_ok(glnn_network_forward(own, matrix_of(all.inputs, layout), true, outputs));
        const array got = values_of(outputs);
        for (size_t i = 0; i < length_of(got); ++i)
            assert_true(fabs(got.data[i] - predicted.data[i]) < 1e-6);
        expect_ok(glnn_network_backward(own, matrix_of(ones, layout), NULL));
        expect_ok(glnn_network_update(own, 0.1f));
        const glnn_train_desc how = {.epochs = 1, .batch = SAMPLES, .schedule.rate = 0.1f};
        expect_ok(glnn_learner_train(trained, dataset_of(all), &how, NULL));
        for (int l = 0; l < 5; ++l) {
            if (!has_parameters(own, l))
                continue;
            const array a = weights_of(own, l), b = weights_of(trained, l);
            for (size_t i = 0; i < length_of(a); ++i)
                assert_true(fabs(a.data[i] - b.data[i]) < 1e-5);
        }
        release_learning();
        release_all();
    }
}

static void files_hold_the_outputs(void **state)
{
    (void)state;
    random_seed(49);
    const file_path path = path_of("outputs");
    glnn_learner *network = network_with(three, GLNN_LAYOUT_TILED), *loaded;
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 32},
                                &loaded));
    learning_own_learner(loaded);
    assert_memory_equal(glnn_network_get_desc(network)->outputs,
                        glnn_network_get_desc(loaded)->outputs, sizeof three.outputs);
    assert_int_equal(glnn_network_get_desc(loaded)->output_count, 3);
    const glnn_train_desc how = {.epochs = 2, .batch = 5, .schedule.rate = 0.1f};
    const samples all = samples_of_three(SAMPLES);
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, NULL));
    expect_ok(glnn_learner_train(loaded, dataset_of(all), &how, NULL));
    expect_same_networks(network, loaded, "loaded");
}

static const struct {
    glnn_output_desc outputs[2];
    glnn_loss loss;
    glnn_status status;
    const char *part;
} unfit[] = {
    {{{.layer = 1}, {.layer = 3}}, 0, GLNN_E_ARG, "output 1: layer 3 of a network that has 3"},
    {{{.layer = 1}, {.layer = 1}}, 0, GLNN_E_ARG, "output 1: layer 1 is output 0 already"},
    {{{.layer = -1}, {.layer = 1}}, 0, GLNN_E_ARG, "output 0: layer is -1"},
    {{{.layer = 1}, {.layer = 2, .weight = -1}}, 0, GLNN_E_ARG, "output 1: weight is -1"},
    {{{.layer = 1}, {.layer = 2, .loss = GLNN_LOSS_QUANTILE, .loss_parameter = 2}},
     0,
     GLNN_E_ARG,
     "output 1: loss_parameter is 2; with the loss quantile it has to be a number in (0, 1)"},
    {{{.layer = 0, .loss = GLNN_LOSS_SQUARED}, {.layer = 2}},
     0,
     GLNN_E_ARG,
     "layer 1, dense: its output is not an input of any layer after it, and not an output of the"},
    {{{.layer = 1}, {.layer = 2, .loss = GLNN_LOSS_EXPRESSION}},
     0,
     GLNN_E_ARG,
     "loss_value is null, but the loss expression needs it"},
    {{{.layer = 1}, {.layer = 2}},
     GLNN_LOSS_SQUARED,
     GLNN_E_ARG,
     "the loss is squared with the parameter 0, but each of the 2 outputs has a loss of its own"},
    {{{.layer = 1}, {.layer = 0}},
     0,
     GLNN_E_ARG,
     "the activation of layer 0, output 1, is tanh; with cross-entropy it has to be identity"},
};

static void outputs_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(unfit); ++i) {
        glnn_learner *network;
        glnn_network_desc desc = {
            .features = FEATURES,
            .layers = {{.units = 4, .activation = GLNN_ACTIVATION_TANH},
                       {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY, .inputs = {1}},
                       {.units = 2, .activation = GLNN_ACTIVATION_IDENTITY, .inputs = {2}}},
            .loss = unfit[i].loss,
            .output_count = 2};
        memcpy(desc.outputs, unfit[i].outputs, sizeof unfit[i].outputs);
        if (unfit[i].outputs[1].layer == 0)
            desc.layers[2].inputs[0] = 1;
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), unfit[i].status,
                     unfit[i].part);
    }
}

static void outputs_past_their_number_are_refused(void **state)
{
    (void)state;
    glnn_learner *network;
    glnn_network_desc desc = three;
    desc.output_count = 0;
    desc.loss = GLNN_LOSS_SQUARED;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                 "output 0 is described, but output_count is 0");
    desc.loss = 0;
    desc.output_count = 2;
    expect_error(glnn_network_create(glnn_test_context(), &desc, &network), GLNN_E_ARG,
                 "output 2 is described, but output_count is 2");
}

static void data_that_does_not_fit_the_outputs_is_refused(void **state)
{
    (void)state;
    glnn_learner *network = network_with(three, GLNN_LAYOUT_TILED);
    glnn_metrics metrics;
    expect_error(glnn_learner_evaluate(network, dataset_of(samples_random(9, FEATURES, 3, true)),
                                       &metrics, NULL),
                 GLNN_E_SHAPE, "labels, but the outputs of the network have different numbers of");
    expect_error(glnn_learner_evaluate(network, dataset_of(samples_random(9, FEATURES, 3, false)),
                                       &metrics, NULL),
                 GLNN_E_SHAPE, "3 outputs; the network has 75");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(gradients_and_predictions_agree_with_the_reference),
        LEARNING_TEST(labels_are_learnt_by_all_outputs),
        LEARNING_TEST(gradients_of_the_reference_are_slopes_of_its_loss),
        LEARNING_TEST(steps_agree_with_the_reference),
        LEARNING_TEST(the_accuracy_is_that_of_the_first_output),
        LEARNING_TEST(losses_of_samples_are_the_sums_of_all_outputs),
        LEARNING_TEST(a_single_output_that_is_described_changes_no_bit),
        LEARNING_TEST(open_ends_have_the_numbers_of_all_outputs),
        LEARNING_TEST(files_hold_the_outputs),
        LEARNING_TEST(outputs_that_do_not_fit_are_refused),
        LEARNING_TEST(outputs_past_their_number_are_refused),
        LEARNING_TEST(data_that_does_not_fit_the_outputs_is_refused),
    };
    return cmocka_run_group_tests_name("network outputs", tests, learner_files_setup,
                                       learner_files_teardown);
}
