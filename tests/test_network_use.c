/* Networks outside of training: what they start with, predict and measure, what is read from them
 * and written to them, and what they refuse. */
#include "support/network_checks.h"

static const glnn_network_desc softmax_net = {
    .features = 9,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH}, {.units = 4}},
    .capacity = 16,
    .seed = 5,
};

static const glnn_network_desc squared_net = {
    .features = 9,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_RELU},
               {.units = 4, .activation = GLNN_ACTIVATION_SIGMOID}},
    .loss = GLNN_LOSS_SQUARED,
    .capacity = 16,
    .seed = 5,
};

static glnn_learner *network_in(const glnn_network_desc *from, glnn_layout layout)
{
    glnn_network_desc desc = *from;
    desc.layout = layout;
    return network_of(&desc);
}

static void predictions_agree_with_the_reference_for_any_number_of_samples(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 15, 16, 17, 40};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < 2 * COUNT_OF(counts); ++i) {
            glnn_learner *network = network_in(i % 2 ? &squared_net : &softmax_net, layout);
            expect_predictions(network, counts[i / 2], glnn_layout_name(layout));
            release_learning();
        }
}

/* The bound of each probability is (64 + n) eps, and 2 eps times the greatest |z| (below 8 here)
 * for what it is made of; the sum of four has it four times. */
static void probabilities_sum_to_one(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        const array outputs =
            predictions_of(network_in(&softmax_net, layout), array_random(33, 9, -9.0, 9.0));
        for (int i = 0; i < outputs.rows; ++i) {
            double sum = 0;
            for (int j = 0; j < outputs.columns; ++j) {
                assert_true(*at(outputs, i, j) >= 0 && *at(outputs, i, j) <= 1 + 84 * EPS);
                sum += *at(outputs, i, j);
            }
            assert_true(fabs(sum - 1) <= 4 * 84 * EPS);
        }
    }
}

static int greatest_of(array values, int row)
{
    int best = 0;
    for (int j = 1; j < values.columns; ++j)
        best = *at(values, row, j) > *at(values, row, best) ? j : best;
    return best;
}

static void check_measures(const glnn_network_desc *desc, glnn_layout layout, int count)
{
    glnn_learner *network = network_in(desc, layout);
    const samples all = samples_random(count, 9, 4, true);
    const network_reference net = network_reference_of(network);
    const bounded want = network_reference_loss(&net, all);
    const array outputs = network_reference_predict(&net, all.inputs).value;
    int right = 0;
    int64_t counted[16] = {0}, confusion[16];
    for (int i = 0; i < count; ++i) {
        const int label = (int)all.labels.data[i], guess = greatest_of(outputs, i);
        counted[label * 4 + guess]++;
        right += label == guess;
    }
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, confusion));
    if (!(fabs(metrics.loss - want.value) <= want.bound))
        fail_at(__FILE__, __LINE__, "the loss of %d samples is %.9g, expected %.9g, bound %g",
                count, metrics.loss, want.value, want.bound);
    assert_true(metrics.accuracy == (double)right / count);
    assert_memory_equal(confusion, counted, sizeof counted);
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), NULL, NULL));
    release_learning();
}

static void loss_accuracy_and_confusion_agree_with_a_count_on_the_cpu(void **state)
{
    (void)state;
    static const int counts[] = {1, 15, 16, 17, 100};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            check_measures(&softmax_net, layout, counts[i]);
            check_measures(&squared_net, layout, counts[i]);
        }
}

static void without_labels_there_is_a_loss_but_no_accuracy(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&squared_net, GLNN_LAYOUT_TILED);
    const samples all = samples_random(37, 9, 4, false);
    const network_reference net = network_reference_of(network);
    const bounded want = network_reference_loss(&net, all);
    glnn_metrics metrics;
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
    assert_true(fabs(metrics.loss - want.value) <= want.bound);
    assert_true(metrics.accuracy == 0);
}

static void copy_network(const glnn_learner *from, glnn_learner *to)
{
    for (int l = 0; l < glnn_network_get_desc(from)->layer_count; ++l) {
        const array weights = weights_of(from, l);
        const array biases = rows_of(weights, weights.rows - 1, 1);
        expect_ok(write_weights(to, l, floats_of(weights), floats_of(biases)));
        for (int s = 0; s < state_count(from); ++s)
            expect_ok(write_state(to, l, s, floats_of(state_of(from, l, s))));
    }
    expect_ok(glnn_network_set_steps(to, glnn_network_get_steps(from)));
}

static void a_copied_network_trains_on_as_the_original_does_bit_for_bit(void **state)
{
    (void)state;
    static const glnn_optimizer optimizers[] = {
        {0},
        {.momentum = 0.9f},
        {.kind = GLNN_OPTIMIZER_NESTEROV, .momentum = 0.9f},
        {.kind = GLNN_OPTIMIZER_ADAM},
    };
    static const int states[] = {0, 1, 1, 2};
    const glnn_train_desc train = {.epochs = 3, .batch = 8, .schedule.rate = 0.01f};
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        for (size_t i = 0; i < COUNT_OF(optimizers); ++i) {
            glnn_network_desc desc = softmax_net;
            desc.optimizer = optimizers[i];
            glnn_learner *original = network_in(&desc, layout);
            desc.seed = 77;
            glnn_learner *copy = network_in(&desc, layout);
            glnn_dataset *data = dataset_of(samples_random(30, 9, 4, true));
            expect_ok(glnn_learner_train(original, data, &train, NULL));
            assert_int_equal(glnn_network_get_steps(original), 12);
            assert_int_equal(state_count(original), states[i]);
            copy_network(original, copy);
            expect_same_networks(original, copy, "a copy");
            expect_ok(glnn_learner_train(original, data, &train, NULL));
            expect_ok(glnn_learner_train(copy, data, &train, NULL));
            expect_same_networks(original, copy, "a copy that was trained on");
            release_learning();
        }
}

static void weights_and_biases_are_written_apart(void **state)
{
    (void)state;
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        glnn_learner *network = network_in(&softmax_net, layout);
        const array old = weights_of(network, 0), fresh = array_random(10, 6, -1.0, 1.0);
        expect_ok(write_weights(network, 0, floats_of(fresh), NULL));
        expect_same_bits(rows_of(weights_of(network, 0), 0, 9), rows_of(fresh, 0, 9), "weights");
        expect_same_bits(rows_of(weights_of(network, 0), 9, 1), rows_of(old, 9, 1), "old biases");
        expect_ok(write_weights(network, 0, NULL, floats_of(rows_of(fresh, 9, 1))));
        expect_same_bits(weights_of(network, 0), fresh, "weights and biases");
        float biases[6];
        expect_ok(read_weights(network, 0, NULL, biases));
        assert_true((double)biases[5] == *at(fresh, 9, 5));
        expect_ok(read_weights(network, 0, NULL, NULL));
        expect_ok(write_weights(network, 0, NULL, NULL));
    }
}

/* Of 5000 uniform numbers in +-range some are beyond 0.95 range but for one network in 10^111, and
 * their mean and mean square stay within six deviations but for one in 10^8. */
static void check_initial(glnn_init init, glnn_activation activation, float init_range,
                          double range)
{
    glnn_network_desc desc = {.features = 100,
                              .layers = {{.units = 50, .activation = activation}},
                              .loss = GLNN_LOSS_SQUARED,
                              .init = init,
                              .init_range = init_range};
    const array weights = weights_of(network_of(&desc), 0);
    double greatest = 0, sum = 0, squares = 0;
    for (size_t i = 0; i < 5000; ++i) {
        greatest = fmax(greatest, fabs(weights.data[i]));
        sum += weights.data[i];
        squares += weights.data[i] * weights.data[i];
    }
    if (!(greatest <= range * (1 + 2 * EPS) && greatest > 0.95 * range))
        fail_at(__FILE__, __LINE__, "init %d before %s reaches %g, expected %g", (int)init,
                glnn_activation_name(activation), greatest, range);
    assert_true(fabs(sum / 5000) < 6 * range / sqrt(3.0 * 5000));
    assert_true(fabs(squares / 5000 / (range * range / 3) - 1) < 6 * sqrt(0.8 / 5000));
    for (int j = 0; j < 50; ++j)
        assert_true(*at(weights, 100, j) == 0);
    release_learning();
}

/* A sample through a network of ones: relu cuts what is negative off, identity does not. */
static void activations_left_out_are_relu_and_at_last_identity(void **state)
{
    (void)state;
    const float one = 1, bias = 0, inputs[2] = {-3, 2};
    const struct {
        glnn_network_desc desc;
        float outputs[2];
    } cases[] = {
        {{.features = 1, .layers = {{.units = 1}, {.units = 1}}, .loss = GLNN_LOSS_SQUARED},
         {0, 2}},
        {{.features = 1,
          .layers = {{.units = 1, .activation = GLNN_ACTIVATION_IDENTITY}, {.units = 1}},
          .loss = GLNN_LOSS_SQUARED},
         {-3, 2}},
        {{.features = 1, .layers = {{.units = 1}}, .loss = GLNN_LOSS_SQUARED}, {-3, 2}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn_learner *network = network_of(&cases[i].desc);
        const glnn_network_desc *made = glnn_network_get_desc(network);
        float outputs[2];
        for (int l = 0; l < made->layer_count; ++l)
            expect_ok(write_weights(network, l, &one, &bias));
        expect_ok(glnn_learner_predict(network, 2, inputs, outputs, NULL));
        assert_memory_equal(outputs, cases[i].outputs, sizeof outputs);
        assert_int_equal(made->layers[made->layer_count - 1].activation, GLNN_ACTIVATION_IDENTITY);
        release_learning();
    }
    assert_string_equal(glnn_activation_name(GLNN_ACTIVATION_SCALED_TANH), "scaled_tanh");
    assert_string_equal(glnn_activation_name(GLNN_ACTIVATION_DEFAULT), "default");
    assert_string_equal(glnn_activation_name(GLNN_ACTIVATION_COUNT), "unknown");
}

static void initial_weights_fill_their_range_and_biases_are_zero(void **state)
{
    (void)state;
    const double glorot = sqrt(6.0 / 150), he = sqrt(6.0 / 100);
    check_initial(GLNN_INIT_AUTO, GLNN_ACTIVATION_TANH, 0, glorot);
    check_initial(GLNN_INIT_AUTO, GLNN_ACTIVATION_IDENTITY, 0, glorot);
    check_initial(GLNN_INIT_AUTO, GLNN_ACTIVATION_RELU, 0, he);
    check_initial(GLNN_INIT_AUTO, GLNN_ACTIVATION_LEAKY_RELU, 0, he);
    check_initial(GLNN_INIT_GLOROT, GLNN_ACTIVATION_RELU, 0, glorot);
    check_initial(GLNN_INIT_HE, GLNN_ACTIVATION_SIGMOID, 0, he);
    check_initial(GLNN_INIT_UNIFORM, GLNN_ACTIVATION_TANH, 0, (double)0.05f);
    check_initial(GLNN_INIT_UNIFORM, GLNN_ACTIVATION_TANH, 0.25f, 0.25);
}

static void layers_start_with_numbers_of_their_own(void **state)
{
    (void)state;
    glnn_network_desc desc = {.features = 8, .layers = {{.units = 8}, {.units = 8}, {.units = 8}}};
    glnn_learner *network = network_of(&desc);
    for (int l = 0; l < 3; ++l) {
        const array one = weights_of(network, l), other = weights_of(network, (l + 1) % 3);
        for (int i = 0; i < 64; ++i)
            assert_true(one.data[i] != other.data[i]);
    }
}

static void descriptions_have_their_defaults_filled_in(void **state)
{
    (void)state;
    glnn_network_desc desc = {.features = 2, .layers = {{.units = 2}}};
    const glnn_network_desc *filled = glnn_network_get_desc(network_of(&desc));
    assert_int_equal(filled->capacity, 1024);
    assert_true(filled->init_range == 0.05f);
    assert_true(filled->optimizer.beta1 == 0.9f && filled->optimizer.beta2 == 0.999f);
    assert_true(filled->optimizer.epsilon == 1e-8f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(predictions_agree_with_the_reference_for_any_number_of_samples),
        LEARNING_TEST(probabilities_sum_to_one),
        LEARNING_TEST(loss_accuracy_and_confusion_agree_with_a_count_on_the_cpu),
        LEARNING_TEST(without_labels_there_is_a_loss_but_no_accuracy),
        LEARNING_TEST(a_copied_network_trains_on_as_the_original_does_bit_for_bit),
        LEARNING_TEST(weights_and_biases_are_written_apart),
        LEARNING_TEST(activations_left_out_are_relu_and_at_last_identity),
        LEARNING_TEST(initial_weights_fill_their_range_and_biases_are_zero),
        LEARNING_TEST(layers_start_with_numbers_of_their_own),
        LEARNING_TEST(descriptions_have_their_defaults_filled_in),
    };
    return cmocka_run_group_tests_name("network use", tests, test_group_setup, test_group_teardown);
}
