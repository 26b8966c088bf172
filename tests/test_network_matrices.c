/* Networks whose inputs come from matrices, whose predictions stay in matrices, and that lend the
 * matrices of their weights and activations. */
#include "support/guest.h"
#include "support/network_checks.h"
#include "support/odd_state.h"

#include <glnn/copy.h>
#include <glnn/gemm.h>
#include <glnn/map.h>
#include <glnn/texture.h>

enum { FEATURES = 9, OUTPUTS = 5, CAPACITY = 16 };

static const glnn_network_desc softmax_net = {
    .features = FEATURES,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH}, {.units = OUTPUTS}},
    .capacity = CAPACITY,
    .seed = 5,
};

static const glnn_network_desc squared_net = {
    .features = FEATURES,
    .layers = {{.units = 6, .activation = GLNN_ACTIVATION_RELU},
               {.units = OUTPUTS, .activation = GLNN_ACTIVATION_SIGMOID}},
    .loss = GLNN_LOSS_SQUARED,
    .capacity = CAPACITY,
    .seed = 5,
};

static const glnn_network_desc sigmoid_net = {
    .features = FEATURES,
    .layers = {{.units = 6}, {.units = 1}},
    .capacity = CAPACITY,
    .seed = 5,
};

static const glnn_network_desc wide_net = {
    .features = FEATURES,
    .layers = {{.units = 6}, {.units = 67}},
    .capacity = CAPACITY,
    .seed = 5,
};

static const glnn_network_desc image_net = {
    .shape = {1, 6, 6},
    .layers = {{.kind = GLNN_LAYER_CONVOLUTION, .units = 4, .kernel = {3, 3}},
               {.kind = GLNN_LAYER_BATCH_NORM},
               {.kind = GLNN_LAYER_DROPOUT, .rate = 0.5f},
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 3}},
    .capacity = CAPACITY,
    .seed = 5,
};

static const glnn_network_desc *const nets[] = {&softmax_net, &squared_net, &sigmoid_net, &wide_net,
                                                &image_net};

static glnn_learner *network_in(const glnn_network_desc *from, glnn_layout layout, int capacity)
{
    glnn_network_desc desc = *from;
    desc.layout = layout;
    desc.capacity = capacity;
    return network_of(&desc);
}

/* The numbers that glnn_learner_predict finds. */
static array predicted(glnn_learner *network, array inputs)
{
    const int outputs = glnn_learner_get_outputs(network);
    float *floats = floats_new((size_t)inputs.rows * (size_t)outputs);
    expect_ok(glnn_learner_predict(network, inputs.rows, floats_of(inputs), floats, NULL));
    return array_of_floats(inputs.rows, outputs, floats);
}

static glnn_matrix *unlike_zero(int rows, int columns, glnn_layout layout, glnn_storage storage)
{
    return matrix_stored(array_numbered(rows, columns), layout, storage);
}

/* Layout and storage of a matrix. */
typedef struct form {
    glnn_layout layout;
    glnn_storage storage;
} form;

static void check_predictions(glnn_learner *network, int count, form of_inputs, form of_outputs,
                              const char *what)
{
    const array numbers =
        array_stored(array_random(count, glnn_network_get_desc(network)->features, -1.0, 1.0),
                     of_inputs.storage);
    glnn_matrix *inputs = matrix_stored(numbers, of_inputs.layout, of_inputs.storage);
    glnn_matrix *outputs = unlike_zero(count, glnn_learner_get_outputs(network), of_outputs.layout,
                                       of_outputs.storage);
    expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
    expect_equal(outputs, predicted(network, numbers), "%s of %d samples, %s %s to %s %s", what,
                 count, glnn_layout_name(of_inputs.layout), glnn_storage_name(of_inputs.storage),
                 glnn_layout_name(of_outputs.layout), glnn_storage_name(of_outputs.storage));
    expect_same_bits(values_of(inputs), numbers, "inputs after a prediction");
}

static void every_number_of_samples_has_the_bits_of_predictions_in_arrays(void **state)
{
    (void)state;
    static const int counts[] = {1, 7, CAPACITY - 1, CAPACITY, CAPACITY + 1, 41};
    const form tiled = {GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT32};
    for (size_t n = 0; n < COUNT_OF(nets); ++n) {
        glnn_learner *network = network_in(nets[n], rendered_layout(n), CAPACITY);
        for (size_t i = 0; i < COUNT_OF(counts); ++i)
            check_predictions(network, counts[i], tiled, tiled, "any number");
        release_learning();
    }
}

/* Both storages of each, in turns. */
static void inputs_and_outputs_can_have_any_layout_and_storage(void **state)
{
    (void)state;
    int turn = 0;
    for (int i = GLNN_LAYOUT_TILED; i < GLNN_LAYOUT_COUNT; ++i)
        for (int o = GLNN_LAYOUT_TILED; o < (int)RENDERED_END; ++o, ++turn) {
            glnn_learner *network = network_in(nets[turn % 2], GLNN_LAYOUT_AUTO, CAPACITY);
            const form in = {(glnn_layout)i, (glnn_storage)(turn / 2 % 2)};
            const form out = {(glnn_layout)o, (glnn_storage)(turn / 4 % 2)};
            check_predictions(network, CAPACITY, in, out, "forms");
            check_predictions(network, 2 * CAPACITY + 3, in, out, "forms");
            release_learning();
        }
}

static void a_capacity_need_not_be_a_multiple_of_a_block(void **state)
{
    (void)state;
    static const int capacities[] = {1, 3, 5, 13};
    const form tiled = {GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT32};
    for (size_t c = 0; c < COUNT_OF(capacities); ++c)
        for (int extra = -1; extra < 2; ++extra) {
            const int count = 2 * capacities[c] + extra;
            glnn_learner *network = network_in(&squared_net, GLNN_LAYOUT_TILED, capacities[c]);
            check_predictions(network, count, tiled, tiled, "odd capacity");
            release_learning();
        }
}

static void matrices_can_be_wrapped(void **state)
{
    (void)state;
    for (size_t n = 0; n < 3; ++n) {
        glnn_learner *network = network_in(nets[n], GLNN_LAYOUT_AUTO, CAPACITY);
        const glnn_layout layout = rendered_layout(n);
        const array numbers = array_random(37, FEATURES, -1.0, 1.0);
        glnn_matrix *inputs = matrix_wrapped(matrix_of(numbers, layout), 2);
        glnn_matrix *outputs =
            matrix_wrapped(matrix_zero(37, glnn_learner_get_outputs(network), layout), 1);
        expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
        expect_equal(outputs, predicted(network, numbers), "wrapped %s", glnn_layout_name(layout));
        release_learning();
    }
}

static void with_mixed_precision_the_bits_are_the_same_too(void **state)
{
    (void)state;
    for (int s = 0; s < (int)STORED_COUNT; ++s) {
        glnn_network_desc desc = softmax_net;
        desc.precision = GLNN_PRECISION_MIXED;
        const form stored = {GLNN_LAYOUT_PACKED, (glnn_storage)s};
        check_predictions(network_of(&desc), 41, stored, stored, "mixed");
        release_learning();
    }
}

static void outputs_can_be_written_over_the_inputs(void **state)
{
    (void)state;
    for (int net = 0; net < 2; ++net) {
        glnn_network_desc desc = *nets[net];
        desc.layers[1].units = FEATURES;
        glnn_learner *network = network_of(&desc);
        const array numbers = array_random(41, FEATURES, -1.0, 1.0);
        glnn_matrix *both = matrix_of(numbers, GLNN_LAYOUT_TILED);
        expect_ok(glnn_learner_predict_matrix(network, both, both));
        expect_equal(both, predicted(network, numbers), "in place");
        release_learning();
    }
}

static void a_prediction_follows_the_weights_and_the_inputs(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&squared_net, GLNN_LAYOUT_AUTO, CAPACITY);
    glnn_matrix *inputs = matrix_zero(CAPACITY, FEATURES, GLNN_LAYOUT_PACKED);
    glnn_matrix *outputs = matrix_zero(CAPACITY, OUTPUTS, GLNN_LAYOUT_TILED);
    const samples all = samples_random(30, FEATURES, OUTPUTS, false);
    for (int round = 0; round < 3; ++round) {
        const array numbers = array_random(CAPACITY, FEATURES, -1.0, 1.0);
        expect_ok(glnn_matrix_upload(glnn_test_context(), inputs, NULL, floats_of(numbers), 0));
        expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
        expect_equal(outputs, predicted(network, numbers), "round %d", round);
        expect_ok(glnn_learner_train(network, dataset_of(all),
                                     &(glnn_train_desc){.epochs = 1, .batch = 7}, NULL));
    }
}

static void later_calls_create_nothing_and_wait_for_nothing(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT_OF(nets); ++n)
        for (int count = CAPACITY; count < 3 * CAPACITY; count += CAPACITY + 3) {
            glnn_learner *network = network_in(nets[n], GLNN_LAYOUT_AUTO, CAPACITY);
            const int features = glnn_network_get_desc(network)->features;
            glnn_matrix *inputs = matrix_zero(count, features, GLNN_LAYOUT_PAGED);
            glnn_matrix *outputs =
                matrix_zero(count, glnn_learner_get_outputs(network), GLNN_LAYOUT_PACKED);
            expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
            glnn_context_reset_counters(glnn_test_context());
            for (int i = 0; i < 3; ++i)
                expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
            const glnn_counters made = counters_of(glnn_test_context());
            assert_int_equal(made.textures_created, 0);
            assert_int_equal(made.programs_compiled + made.programs_loaded, 0);
            assert_int_equal(made.waits, 0);
            assert_int_equal(made.bytes_uploaded + made.bytes_downloaded, 0);
            release_learning();
        }
}

static void probabilities_of_a_whole_batch_are_not_copied(void **state)
{
    (void)state;
    const struct {
        const glnn_network_desc *net;
        int count;
        uint64_t passes;
    } cases[] = {
        {&softmax_net, CAPACITY, 1 + 2 + 2}, {&softmax_net, 2 * CAPACITY, 2 * (1 + 2 + 2 + 1)},
        {&sigmoid_net, CAPACITY, 1 + 2 + 1}, {&sigmoid_net, 2 * CAPACITY, 2 * (1 + 2 + 1 + 1)},
        {&squared_net, CAPACITY, 1 + 2 + 1}, {&squared_net, 2 * CAPACITY, 2 * (1 + 2 + 1)},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        glnn_learner *network = network_in(cases[i].net, GLNN_LAYOUT_PACKED, CAPACITY);
        glnn_matrix *inputs = matrix_zero(cases[i].count, FEATURES, GLNN_LAYOUT_PACKED);
        glnn_matrix *outputs =
            matrix_zero(cases[i].count, glnn_learner_get_outputs(network), GLNN_LAYOUT_TILED);
        expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
        glnn_context_reset_counters(glnn_test_context());
        expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
        assert_int_equal(counters_of(glnn_test_context()).passes, cases[i].passes);
        release_learning();
    }
}

static void matrices_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&softmax_net, GLNN_LAYOUT_AUTO, CAPACITY);
    glnn_matrix *inputs = matrix_zero(20, FEATURES, GLNN_LAYOUT_TILED);
    glnn_matrix *outputs = matrix_zero(20, OUTPUTS, GLNN_LAYOUT_TILED);
    glnn_matrix *paged = matrix_zero(20, OUTPUTS, GLNN_LAYOUT_PAGED);
    glnn_matrix *narrow = matrix_zero(20, FEATURES - 1, GLNN_LAYOUT_TILED);
    glnn_matrix *fewer = matrix_zero(19, OUTPUTS, GLNN_LAYOUT_TILED);
    glnn_matrix *more = matrix_zero(20, OUTPUTS + 1, GLNN_LAYOUT_TILED);
    context_use(context_new(0, 0));
    glnn_matrix *foreign_inputs = matrix_zero(20, FEATURES, GLNN_LAYOUT_TILED);
    glnn_matrix *foreign_outputs = matrix_zero(20, OUTPUTS, GLNN_LAYOUT_TILED);
    const struct {
        glnn_learner *network;
        glnn_matrix *inputs, *outputs;
        glnn_status status;
        const char *part;
    } cases[] = {
        {NULL, inputs, outputs, GLNN_E_ARG, "`learner` is null"},
        {network, NULL, outputs, GLNN_E_ARG, "`inputs` is null"},
        {network, inputs, NULL, GLNN_E_ARG, "`predictions` is null"},
        {network, foreign_inputs, outputs, GLNN_E_ARG, "`inputs` (matrix) belongs to another"},
        {network, inputs, foreign_outputs, GLNN_E_ARG, "`predictions` (matrix) belongs to another"},
        {network, inputs, paged, GLNN_E_ARG, "`predictions` (matrix) is paged"},
        {network, narrow, outputs, GLNN_E_SHAPE, "`inputs` (matrix) is 20 x 8; it must be 20 x 9"},
        {network, inputs, fewer, GLNN_E_SHAPE,
         "`predictions` (matrix) is 19 x 5; it must be 20 x 5"},
        {network, inputs, more, GLNN_E_SHAPE,
         "`predictions` (matrix) is 20 x 6; it must be 20 x 5"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        expect_error(
            glnn_learner_predict_matrix(cases[i].network, cases[i].inputs, cases[i].outputs),
            cases[i].status, cases[i].part);
    expect_error(glnn_learner_predict_matrix(network, narrow, outputs), GLNN_E_SHAPE,
                 "glnn_learner_predict_matrix: ");
}

/* Weights and activations */

static void expect_lent_weights(const glnn_learner *network)
{
    for (int l = 0; l < glnn_network_get_desc(network)->layer_count; ++l) {
        const glnn_matrix *lent = NULL;
        if (!has_parameters(network, l))
            continue;
        expect_ok(
            glnn_learner_get_tensor_matrix(network, tensor_of_layer(network, l, "weight"), &lent));
        expect_equal(lent, weights_of(network, l), "weights of layer %d", l);
        assert_int_equal(glnn_matrix_get_layout(lent), glnn_network_get_desc(network)->layout);
    }
}

static void the_matrix_of_weights_has_their_bits_before_and_after_training(void **state)
{
    (void)state;
    const glnn_train_desc how = {.epochs = 2, .batch = 5};
    for (size_t n = 0; n < COUNT_OF(nets); ++n) {
        glnn_learner *network = network_in(nets[n], rendered_layout(n), CAPACITY);
        const glnn_matrix *before = NULL, *after = NULL;
        draw_parameters(network);
        expect_lent_weights(network);
        expect_ok(glnn_learner_get_tensor_matrix(network, "0.weight", &before));
        const glnn_dataset *data =
            dataset_of(samples_for(network, 23, nets[n]->loss == GLNN_LOSS_CROSS_ENTROPY));
        expect_ok(glnn_learner_train(network, data, &how, NULL));
        expect_lent_weights(network);
        expect_ok(glnn_learner_get_tensor_matrix(network, "0.bias", &after));
        assert_ptr_equal(before, after);
        release_learning();
    }
}

static void weights_that_a_layer_does_not_have_are_refused(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&image_net, GLNN_LAYOUT_AUTO, CAPACITY);
    const glnn_matrix *lent = NULL;
    expect_error(glnn_learner_get_tensor_matrix(network, "5.weight", &lent), GLNN_E_ARG,
                 "glnn_learner_get_tensor_matrix: the network has no tensor '5.weight'; did you "
                 "mean '");
    assert_null(lent);
    expect_error(glnn_network_get_activation_matrix(network, 5, &lent), GLNN_E_ARG,
                 "glnn_network_get_activation_matrix: layer 5 of a network that has 5");
    expect_error(glnn_network_get_activation_matrix(network, -2, &lent), GLNN_E_ARG, "layer -2");
    expect_error(glnn_network_get_activation_matrix(network, 0, &lent), GLNN_E_STATE,
                 "has computed no samples");
    assert_null(lent);
}

static array activations_of(const glnn_learner *network, int layer)
{
    const glnn_matrix *lent = NULL;
    expect_ok(glnn_network_get_activation_matrix(network, layer, &lent));
    return values_of(lent);
}

/* The first layer as a network of its own, whose outputs are those of the layer. */
static array outputs_of_first_layer(const glnn_learner *network, array inputs)
{
    glnn_network_desc desc = *glnn_network_get_desc(network);
    const array weights = weights_of(network, 0);
    desc.layer_count = 1;
    desc.layers[1] = (glnn_layer_desc){0};
    desc.loss = GLNN_LOSS_SQUARED;
    glnn_learner *first = network_of(&desc);
    expect_ok(write_weights(first, 0, floats_of(weights),
                            floats_of(rows_of(weights, weights.rows - 1, 1))));
    return predicted(first, inputs);
}

static void activations_are_those_of_the_last_piece_of_a_prediction(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
        glnn_learner *network = network_in(nets[i % 2], rendered_layout(i), CAPACITY);
        const array inputs = array_random(CAPACITY + 5, FEATURES, -1.0, 1.0);
        const array last = rows_of(inputs, CAPACITY, 5);
        const array outputs = predicted(network, inputs);
        expect_same_bits(activations_of(network, -1), last, "inputs");
        expect_same_bits(activations_of(network, 0), outputs_of_first_layer(network, last),
                         "hidden activations");
        if (nets[i % 2] == &squared_net)
            expect_same_bits(activations_of(network, 1), rows_of(outputs, CAPACITY, 5), "outputs");
        release_learning();
    }
}

static void the_last_activations_are_those_before_the_softmax(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_learner *network = network_in(&softmax_net, GLNN_LAYOUT_TILED, CAPACITY);
    const array inputs = array_random(CAPACITY, FEATURES, -1.0, 1.0);
    glnn_matrix *outputs = matrix_zero(CAPACITY, OUTPUTS, GLNN_LAYOUT_TILED);
    for (int times = 0; times < 2; ++times) {
        const glnn_matrix *lent = NULL;
        expect_ok(times == 0 ? glnn_learner_predict_matrix(
                                   network, matrix_of(inputs, GLNN_LAYOUT_PACKED), outputs)
                             : GLNN_OK);
        const array found = predicted(network, inputs);
        expect_ok(glnn_network_get_activation_matrix(network, 1, &lent));
        expect_ok(glnn_softmax(ctx, lent, outputs));
        expect_equal(outputs, found, "softmax of activations");
    }
}

static void images_are_activations_with_a_row_for_each_pixel(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&image_net, GLNN_LAYOUT_AUTO, CAPACITY);
    const array inputs = array_random(3, 36, -1.0, 1.0);
    predicted(network, inputs);
    const array normal = activations_of(network, 1), left_out = activations_of(network, 2),
                flat = activations_of(network, 3);
    assert_int_equal(normal.rows, 3 * 4 * 4);
    assert_int_equal(normal.columns, 4);
    expect_same_bits(normal, left_out, "a dropout layer in a prediction");
    assert_int_equal(flat.rows, 3);
    for (int n = 0; n < 3; ++n)
        for (int c = 0; c < 4; ++c)
            for (int p = 0; p < 16; ++p)
                assert_true(*at(flat, n, 16 * c + p) == *at(normal, 16 * n + p, c));
}

static void after_a_step_activations_are_those_of_the_step(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&image_net, GLNN_LAYOUT_AUTO, CAPACITY);
    const samples all = samples_for(network, 8, true);
    predicted(network, array_random(3, 36, -1.0, 1.0));
    expect_ok(glnn_learner_train(network, dataset_of(all),
                                 &(glnn_train_desc){.epochs = 1, .batch = 8, .keep_order = true},
                                 NULL));
    const array dropped = activations_of(network, 2), kept = activations_of(network, 1);
    int passed = 0, positive = 0;
    for (size_t i = 0; i < length_of(dropped); ++i) {
        assert_true(dropped.data[i] == 0 || dropped.data[i] == 2 * kept.data[i]);
        passed += dropped.data[i] > 0;
        positive += kept.data[i] > 0;
    }
    assert_in_range(passed, positive / 4, positive * 3 / 4);
    const glnn_matrix *lent = NULL;
    expect_ok(glnn_network_set_precision(network, GLNN_PRECISION_MIXED));
    expect_error(glnn_network_get_activation_matrix(network, 0, &lent), GLNN_E_STATE,
                 "precision was set");
}

static void expect_rows(const glnn_matrix *lent, int rows)
{
    assert_int_equal(glnn_matrix_get_rows(lent), rows);
    assert_int_equal(values_of(lent).rows, rows);
}

static void a_lent_matrix_follows_the_number_of_samples(void **state)
{
    (void)state;
    glnn_learner *network = network_in(&squared_net, GLNN_LAYOUT_AUTO, CAPACITY);
    const glnn_matrix *held = NULL, *again = NULL;
    predicted(network, array_random(CAPACITY, FEATURES, -1.0, 1.0));
    expect_ok(glnn_network_get_activation_matrix(network, 0, &held));
    static const int counts[] = {CAPACITY, 3, CAPACITY + 5, 1, CAPACITY};
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        const array inputs = array_random(counts[i], FEATURES, -1.0, 1.0);
        const int first = counts[i] > CAPACITY ? CAPACITY : 0;
        const array last = rows_of(inputs, first, counts[i] - first);
        predicted(network, inputs);
        expect_ok(glnn_network_get_activation_matrix(network, 0, &again));
        assert_ptr_equal(held, again);
        expect_rows(held, last.rows);
        expect_same_bits(values_of(held), outputs_of_first_layer(network, last), "a lent matrix");
    }
    glnn_metrics metrics;
    const samples all = samples_for(network, 2 * CAPACITY + 3, false);
    expect_ok(glnn_learner_train(network, dataset_of(all),
                                 &(glnn_train_desc){.epochs = 1, .batch = CAPACITY}, NULL));
    assert_in_range(values_of(held).rows, 3, CAPACITY);
    expect_ok(glnn_learner_evaluate(network, dataset_of(all), &metrics, NULL));
    assert_in_range(values_of(held).rows, 3, CAPACITY);
}

static void calls_on_a_lent_matrix_without_samples_are_refused(void **state)
{
    (void)state;
    glnn_context *ctx = glnn_test_context();
    glnn_learner *network = network_in(&squared_net, GLNN_LAYOUT_AUTO, CAPACITY);
    glnn_matrix *out = matrix_zero(3, 6, GLNN_LAYOUT_TILED);
    const array inputs = array_random(3, FEATURES, -1.0, 1.0);
    const glnn_matrix *held = NULL;
    glnn_dataset *data = NULL;
    float numbers[1];
    glnn_texture_info info = {.size = sizeof info};
    predicted(network, inputs);
    expect_ok(glnn_network_get_activation_matrix(network, 0, &held));
    expect_ok(glnn_network_set_precision(network, GLNN_PRECISION_MIXED));
    assert_int_equal(glnn_matrix_get_rows(held), 0);
    static const char part[] = "`output` of a network is empty, because";
    expect_error(glnn_copy(ctx, held, out), GLNN_E_STATE, part);
    expect_error(glnn_gemm(ctx, NULL, 1, held, out, 0, out), GLNN_E_STATE, part);
    expect_error(glnn_matrix_download(ctx, held, NULL, numbers, 0), GLNN_E_STATE, part);
    expect_error(glnn_download_begin(ctx, held, NULL, &(glnn_download *){NULL}), GLNN_E_STATE,
                 part);
    expect_error(glnn_matrix_get_texture(held, &info), GLNN_E_STATE, part);
    expect_error(glnn_learner_predict_matrix(network, held, out), GLNN_E_STATE, part);
    expect_error(glnn_dataset_create_from_matrices(
                     ctx, &(glnn_dataset_matrices_desc){.inputs = held}, &data),
                 GLNN_E_STATE, part);
    predicted(network, inputs);
    expect_rows(held, 3);
    assert_int_equal(glnn_matrix_get_storage(held), GLNN_STORAGE_FLOAT16);
}

/* A network that learns the inputs of another one, or its own. */
static void a_data_set_of_a_lent_matrix_notices_another_size(void **state)
{
    (void)state;
    for (int own = 0; own < 2; ++own) {
        glnn_learner *network = network_in(&squared_net, GLNN_LAYOUT_AUTO, CAPACITY);
        glnn_learner *learner = own ? network : network_of(&squared_net);
        const glnn_matrix *held = NULL;
        glnn_dataset *data = NULL;
        glnn_metrics metrics;
        glnn_matrix *targets = matrix_zero(CAPACITY, OUTPUTS, GLNN_LAYOUT_TILED);
        predicted(network, array_random(CAPACITY, FEATURES, -1.0, 1.0));
        expect_ok(glnn_network_get_activation_matrix(network, -1, &held));
        expect_ok(glnn_dataset_create_from_matrices(
            glnn_test_context(),
            &(glnn_dataset_matrices_desc){.inputs = held, .targets = targets, .name = "lent"},
            &data));
        if (!own)
            expect_ok(glnn_learner_train(learner, data, NULL, NULL));
        predicted(network, array_random(3, FEATURES, -1.0, 1.0));
        expect_error(glnn_learner_train(learner, data, NULL, NULL), GLNN_E_STATE,
                     "lent: `inputs` (input) is 3 x");
        if (!own)
            expect_error(glnn_learner_evaluate(learner, data, &metrics, NULL), GLNN_E_STATE,
                         "lent: `inputs` (input) is 3 x");
        predicted(network, array_random(CAPACITY, FEATURES, -1.0, 1.0));
        if (own)
            expect_error(glnn_learner_train(learner, data, &(glnn_train_desc){.batch = 2}, NULL),
                         GLNN_E_STATE, "(input) is 2 x");
        else
            expect_ok(glnn_learner_train(learner, data, NULL, NULL));
        glnn_dataset_destroy(data);
    }
}

/* Guests */

static glnn_matrix *guest_matrix(int rows, int columns)
{
    glnn_matrix *matrix = NULL;
    expect_ok(
        glnn_matrix_create(guest, &(glnn_matrix_desc){.rows = rows, .columns = columns}, &matrix));
    return matrix;
}

static void a_guest_leaves_the_state_of_its_host(void **state)
{
    (void)state;
    adopt();
    set_odd_state();
    for (size_t n = 0; n < COUNT_OF(nets); ++n) {
        glnn_learner *network = NULL;
        expect_ok(glnn_network_create(guest, nets[n], &network));
        glnn_matrix *inputs = guest_matrix(41, glnn_network_get_desc(network)->features);
        glnn_matrix *outputs = guest_matrix(41, glnn_learner_get_outputs(network));
        snapshot *before = snapshot_take();
        for (int i = 0; i < 2; ++i) {
            expect_ok(glnn_learner_predict_matrix(network, inputs, outputs));
            snapshot_check(before);
        }
        snapshot_free(before);
        glnn_matrix_destroy(inputs);
        glnn_matrix_destroy(outputs);
        glnn_learner_destroy(network);
    }
    leave_odd_state();
    leave_host();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_number_of_samples_has_the_bits_of_predictions_in_arrays),
        LEARNING_TEST(inputs_and_outputs_can_have_any_layout_and_storage),
        LEARNING_TEST(a_capacity_need_not_be_a_multiple_of_a_block),
        LEARNING_TEST(matrices_can_be_wrapped),
        LEARNING_TEST(with_mixed_precision_the_bits_are_the_same_too),
        LEARNING_TEST(outputs_can_be_written_over_the_inputs),
        LEARNING_TEST(a_prediction_follows_the_weights_and_the_inputs),
        LEARNING_TEST(later_calls_create_nothing_and_wait_for_nothing),
        LEARNING_TEST(probabilities_of_a_whole_batch_are_not_copied),
        LEARNING_TEST(matrices_that_do_not_fit_are_refused),
        LEARNING_TEST(the_matrix_of_weights_has_their_bits_before_and_after_training),
        LEARNING_TEST(weights_that_a_layer_does_not_have_are_refused),
        LEARNING_TEST(activations_are_those_of_the_last_piece_of_a_prediction),
        LEARNING_TEST(the_last_activations_are_those_before_the_softmax),
        LEARNING_TEST(images_are_activations_with_a_row_for_each_pixel),
        LEARNING_TEST(after_a_step_activations_are_those_of_the_step),
        LEARNING_TEST(a_lent_matrix_follows_the_number_of_samples),
        LEARNING_TEST(calls_on_a_lent_matrix_without_samples_are_refused),
        LEARNING_TEST(a_data_set_of_a_lent_matrix_notices_another_size),
        LEARNING_TEST(a_guest_leaves_the_state_of_its_host),
    };
    return cmocka_run_group_tests_name("network_matrices", tests, test_group_setup,
                                       test_group_teardown);
}
