/* Networks whose layers do not form a chain. test_network_kinds.c compares gradients and steps of
 * each kind of layer that has several inputs with a reference. */
#include "support/learner_files.h"
#include "support/network_checks.h"

#include <glnn/trainer.h>

#define CONVOLUTION .kind = GLNN_LAYER_CONVOLUTION, .activation = GLNN_ACTIVATION_TANH

/* Unless all cases are run, a network has one layout, and the networks take them in turn. */
static bool is_met(size_t number, glnn_layout layout)
{
    return all_cases_are_run() || layout == rendered_layout(number);
}

static glnn_learner *network_with(glnn_network_desc desc, glnn_layout layout)
{
    desc.layout = layout;
    desc.capacity = 16;
    desc.seed = 7;
    return network_of(&desc);
}

static void train(glnn_learner *network, samples of)
{
    const glnn_train_desc how = {.epochs = 3, .batch = 6, .schedule.rate = 0.1f};
    expect_ok(glnn_learner_train(network, dataset_of(of), &how, NULL));
}

static int passes_of(glnn_learner *network, samples of)
{
    glnn_trainer *trainer;
    const glnn_train_desc how = {.epochs = 1, .batch = 6};
    expect_ok(glnn_trainer_create(network, dataset_of(of), &how, &trainer));
    expect_ok(glnn_trainer_step(trainer, 1, 0, NULL, NULL));
    const int passes = glnn_trainer_get_pass_count(trainer);
    glnn_trainer_destroy(trainer);
    return passes;
}

/* Both networks end with the same bits, by as many passes. */
static void expect_alike(size_t number, glnn_network_desc left, glnn_network_desc right,
                         const char *what)
{
    random_seed(3);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (!is_met(number, layout))
            continue;
        glnn_learner *a = network_with(left, layout), *b = network_with(right, layout);
        const samples of = samples_for(a, 20, true);
        train(a, of);
        train(b, of);
        expect_same_networks(a, b, what);
        assert_int_equal(passes_of(a, of), passes_of(b, of));
        release_learning();
    }
}

static void a_graph_that_is_a_chain_has_its_bits_and_passes(void **state)
{
    (void)state;
    const glnn_network_desc chain = {
        .shape = {2, 4, 4},
        .layers = {{CONVOLUTION, .units = 3, .kernel = {3, 3}},
                   {.kind = GLNN_LAYER_FLATTEN},
                   {.units = 4},
                   {.units = 3}},
    };
    glnn_network_desc graph = chain;
    for (int l = 0; l < 4; ++l)
        graph.layers[l].inputs[0] = 1;
    expect_alike(1, chain, graph, "chain");
}

static void a_sum_of_two_is_a_residual_layer(void **state)
{
    (void)state;
    glnn_network_desc residual = {
        .features = 6,
        .layers = {{.units = 5, .activation = GLNN_ACTIVATION_TANH},
                   {.units = 5, .activation = GLNN_ACTIVATION_SIGMOID},
                   {.kind = GLNN_LAYER_RESIDUAL, .skip = 1},
                   {.units = 3}},
    };
    glnn_network_desc sum = residual;
    sum.layers[2] = (glnn_layer_desc){.kind = GLNN_LAYER_ADD, .inputs = {1, 2}};
    expect_alike(2, residual, sum, "residual");
}

/* Two modules of four branches each, as GoogLeNet has them. */
#define MODULE(first)                                                                              \
    {CONVOLUTION, .units = 2, .kernel = {1, 1}},                                                   \
        {CONVOLUTION, .units = 3, .kernel = {3, 3}, .padding = {1, 1}, .inputs = {(first) + 1}},   \
        {CONVOLUTION, .units = 1, .kernel = {1, 1}, .inputs = {(first) + 2}},                      \
        {CONVOLUTION, .units = 2, .kernel = {5, 5}, .padding = {2, 2}},                            \
        {.kind = GLNN_LAYER_MAX_POOL,                                                              \
         .kernel = {3, 3},                                                                         \
         .stride = {1, 1},                                                                         \
         .padding = {1, 1},                                                                        \
         .inputs = {(first) + 4}},                                                                 \
    {                                                                                              \
        .kind = GLNN_LAYER_CONCATENATE, .inputs = { 5, 4, 2, 1 }                                   \
    }

static const glnn_network_desc inception = {
    .shape = {1, 6, 5},
    .layers = {{CONVOLUTION, .units = 4, .kernel = {3, 3}, .padding = {1, 1}},
               MODULE(1),
               {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}},
               MODULE(1),
               {.kind = GLNN_LAYER_FLATTEN},
               {.units = 3}},
};

static void gradients_of_modules_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(5);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
        if (!is_met(0, layout))
            continue;
        glnn_learner *network = network_with(inception, layout);
        draw_parameters(network);
        expect_gradients(network, samples_for(network, 7, true), 5, glnn_layout_name(layout));
        release_learning();
    }
}

static void a_graph_learns_and_goes_on_from_its_file(void **state)
{
    (void)state;
    random_seed(9);
    const file_path path = path_of("graph");
    glnn_learner *network = network_with(inception, GLNN_LAYOUT_TILED), *loaded;
    const samples of = samples_for(network, 16, true);
    glnn_train_result result = {.size = sizeof result};
    const glnn_train_desc how = {.epochs = 60, .batch = 8, .schedule.rate = 0.1f};
    expect_ok(glnn_learner_train(network, dataset_of(of), &how, &result));
    assert_true(result.training.accuracy > 0.9);
    expect_ok(glnn_learner_save(network, path.text));
    expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                &(glnn_load_desc){.layout = GLNN_LAYOUT_TILED, .capacity = 16},
                                &loaded));
    learning_own_learner(loaded);
    train(network, of);
    train(loaded, of);
    expect_same_networks(network, loaded, "loaded");
}

/* ---- Shared parameters */

/* Two layers with the same parameters, for features or images: both paths end in the same sum. */
static const struct {
    const char *name;
    glnn_network_desc desc;
    int first, second; /* the layers that share */
} shared[] = {
    {"dense",
     {.features = 6,
      .layers = {{.units = 6, .activation = GLNN_ACTIVATION_TANH},
                 {.units = 6, .activation = GLNN_ACTIVATION_TANH, .shares = 1},
                 {.units = 3}}},
     0,
     1},
    {"convolution",
     {.shape = {3, 5, 4},
      .layers = {{CONVOLUTION, .units = 3, .kernel = {3, 3}, .padding = {1, 1}},
                 {.kind = GLNN_LAYER_LAYER_NORM},
                 {CONVOLUTION, .units = 3, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1},
                  .shares = 2},
                 {.kind = GLNN_LAYER_FLATTEN},
                 {.units = 3}}},
     0,
     2},
    {"layer_norm",
     {.features = 5,
      .layers = {{.units = 5, .activation = GLNN_ACTIVATION_IDENTITY},
                 {.kind = GLNN_LAYER_LAYER_NORM, .activation = GLNN_ACTIVATION_TANH},
                 {.units = 5, .activation = GLNN_ACTIVATION_IDENTITY},
                 {.kind = GLNN_LAYER_LAYER_NORM, .activation = GLNN_ACTIVATION_TANH, .shares = 2},
                 {.units = 3}}},
     1,
     3},
    {"gru",
     {.shape = {4, 1, 5},
      .layers = {{.kind = GLNN_LAYER_GRU, .units = 4, .all_states = true},
                 {.kind = GLNN_LAYER_GRU, .units = 4, .shares = 1},
                 {.units = 3}}},
     0,
     1},
    {"transposed_convolution",
     {.shape = {2, 3, 3},
      .layers = {{.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
                  .units = 2,
                  .kernel = {3, 2},
                  .activation = GLNN_ACTIVATION_TANH},
                 {.kind = GLNN_LAYER_TRANSPOSED_CONVOLUTION,
                  .units = 2,
                  .kernel = {3, 2},
                  .stride = {2, 1},
                  .activation = GLNN_ACTIVATION_TANH,
                  .shares = 1},
                 {.kind = GLNN_LAYER_FLATTEN},
                 {.units = 3}}},
     0,
     1},
};

/* The same network with parameters of its own in each layer, with equal numbers. */
static glnn_learner *written_out(glnn_network_desc desc, int first, int second, glnn_layout layout,
                                 const glnn_learner *like)
{
    desc.layers[second].shares = 0;
    glnn_learner *network = network_with(desc, layout);
    for (int l = 0; l < glnn_network_get_desc(network)->layer_count; ++l) {
        const weights_shape of = weights_shape_of(network, l);
        if (!has_parameters(network, l))
            continue;
        const float *from = floats_of(weights_of(like, l == second ? first : l));
        expect_ok(
            write_weights(network, l, from, of.has_biases ? from + of.rows * of.columns : NULL));
    }
    return network;
}

static void expect_near(array got, array want, const char *what)
{
    double greatest = 0;
    for (size_t i = 0; i < length_of(want); ++i)
        greatest = fmax(greatest, fabs(want.data[i]));
    for (size_t i = 0; i < length_of(want); ++i)
        if (!(fabs(got.data[i] - want.data[i]) <= 1e-5 * greatest))
            fail_at(__FILE__, __LINE__, "%s: %zu is %.9g, expected %.9g", what, i, got.data[i],
                    want.data[i]);
}

/* The gradient for a layer that has its parameters from the layer `owner`. */
static array gradient_by(glnn_learner *network, const glnn_dataset *data, int owner, int layer,
                         double *loss)
{
    const array shape = weights_of(network, owner);
    float *floats = floats_new(length_of(shape));
    expect_ok(glnn_network_compute_gradient(network, data, 9, layer, loss, floats));
    return array_of_floats(shape.rows, shape.columns, floats);
}

/* Outputs are equal, and the gradient of shared parameters is the sum of those written out. */
static void shared_parameters_have_the_sum_of_the_gradients(void **state)
{
    (void)state;
    random_seed(15);
    for (size_t c = 0; c < COUNT_OF(shared); ++c)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout) {
            double loss[3];
            const int first = shared[c].first, second = shared[c].second;
            if (!is_met(c, layout))
                continue;
            glnn_learner *network = network_with(shared[c].desc, layout);
            draw_parameters(network);
            glnn_learner *plain = written_out(shared[c].desc, first, second, layout, network);
            const samples of = samples_for(network, 9, true);
            const glnn_dataset *data = dataset_of(of);
            array sum = gradient_of(plain, data, 9, first, &loss[0]);
            const array other = gradient_of(plain, data, 9, second, &loss[1]);
            for (size_t i = 0; i < length_of(sum); ++i)
                sum.data[i] += other.data[i];
            expect_near(gradient_of(network, data, 9, first, &loss[2]), sum, shared[c].name);
            assert_true(loss[2] == loss[0] && loss[2] == loss[1]);
            expect_near(gradient_by(network, data, first, second, &loss[2]), sum, shared[c].name);
            release_learning();
        }
}

/* With momentum, the change of shared parameters is the sum of the changes written out: of a batch
 * in two parts, and without the update in the pass of the gradient, which clipping excludes. */
static void steps_of_shared_parameters_add_up(void **state)
{
    (void)state;
    random_seed(16);
    for (size_t c = 0; c < COUNT_OF(shared); ++c) {
        const int first = shared[c].first, second = shared[c].second;
        glnn_network_desc desc = shared[c].desc;
        desc.optimizer.momentum = 0.5f;
        desc.optimizer.clip_norm = c % 2 ? 1000 : 0;
        glnn_learner *network = network_with(desc, rendered_layout(c));
        draw_parameters(network);
        glnn_learner *plain = written_out(desc, first, second, rendered_layout(c), network);
        const samples of = samples_for(network, 24, true);
        const glnn_train_desc how = {.epochs = 1, .batch = 24, .schedule.rate = 0.1f};
        array want = weights_of(network, first);
        const array before = weights_of(network, first);
        expect_ok(glnn_learner_train(network, dataset_of(of), &how, NULL));
        expect_ok(glnn_learner_train(plain, dataset_of(of), &how, NULL));
        const array a = weights_of(plain, first), b = weights_of(plain, second);
        for (size_t i = 0; i < length_of(want); ++i)
            want.data[i] = a.data[i] + b.data[i] - before.data[i];
        expect_near(weights_of(network, first), want, shared[c].name);
        release_learning();
    }
}

static void shared_parameters_go_on_from_a_file(void **state)
{
    (void)state;
    random_seed(17);
    for (size_t c = 0; c < COUNT_OF(shared); ++c) {
        const file_path path = path_of("shared");
        glnn_network_desc desc = shared[c].desc;
        desc.optimizer.kind = GLNN_OPTIMIZER_ADAM;
        desc.precision = c % 2 ? GLNN_PRECISION_MIXED : GLNN_PRECISION_FLOAT32;
        glnn_learner *network = network_with(desc, rendered_layout(c)), *loaded;
        const samples of = samples_for(network, 16, true);
        train(network, of);
        expect_ok(glnn_learner_save(network, path.text));
        expect_ok(glnn_learner_load(glnn_test_context(), path.text,
                                    &(glnn_load_desc){.layout = rendered_layout(c), .capacity = 16},
                                    &loaded));
        learning_own_learner(loaded);
        expect_ok(glnn_network_set_precision(loaded, desc.precision));
        train(network, of);
        train(loaded, of);
        expect_same_networks(network, loaded, shared[c].name);
        release_learning();
    }
}

/* Layers after a normalisation of 2 channels of 4 x 6, and what the refusal says. */
static const struct {
    glnn_layer_desc layers[3];
    glnn_status status;
    const char *part;
} unfit[] = {
    {{{.kind = GLNN_LAYER_BATCH_NORM, .inputs = {2}}, {.kind = GLNN_LAYER_FLATTEN, .inputs = {4}}},
     GLNN_E_ARG,
     "layer 2: input 0 comes from 4 layers back; it has to be 1 to 3, where 3 is the input of the"},
    {{{.units = 3, .inputs = {-1}}}, GLNN_E_ARG, "inputs[0] is -1"},
    {{{.kind = GLNN_LAYER_SLICE, .units = 2, .first = 1}},
     GLNN_E_ARG,
     "layer 1: slice takes 2 channels from channel 1 on; it has to take at least 1, and its "
     "input has the channels 0 to 1"},
    {{{.kind = GLNN_LAYER_SLICE, .first = 1}}, GLNN_E_ARG, "layer 1: slice takes 0 channels"},
    {{{.kind = GLNN_LAYER_SLICE, .units = 1, .first = -1}}, GLNN_E_ARG, "first is -1"},
    {{{.kind = GLNN_LAYER_FLATTEN}, {.kind = GLNN_LAYER_UNFLATTEN, .shape = {2, 5, 5}}},
     GLNN_E_SHAPE,
     "layer 2: unflatten makes an image of 2 x 5 x 5, but its input has 48 numbers"},
    {{{CONVOLUTION, .units = 2, .kernel = {3, 3}, .shares = 1}},
     GLNN_E_SHAPE,
     "layer 1, convolution, with 36 x 2 weights, cannot share those of layer 0, batch_norm, with"},
    {{{.kind = GLNN_LAYER_BATCH_NORM, .shares = 1}},
     GLNN_E_ARG,
     "layer 1: shares is 1, but batch_norm layers do not use it"},
    {{{.kind = GLNN_LAYER_FLATTEN}, {.units = 3, .shares = 3}},
     GLNN_E_ARG,
     "layer 2: it shares the parameters of the layer 3 before it, of which there are 2"},
    {{{.units = 3, .inputs = {1, 2}}}, GLNN_E_ARG, "inputs[1] is 2, but dense layers do"},
    {{{.kind = GLNN_LAYER_ADD}}, GLNN_E_ARG, "layer 1: add has 0 inputs; it needs at least 2"},
    {{{.kind = GLNN_LAYER_CONCATENATE, .inputs = {1}}}, GLNN_E_ARG, "has 1 inputs; it needs at"},
    {{{.kind = GLNN_LAYER_ADD, .inputs = {1, 0, 2}}},
     GLNN_E_ARG,
     "layer 1: input 1 is left out, but input 2 is given"},
    {{{.kind = GLNN_LAYER_FLATTEN, .inputs = {2}}},
     GLNN_E_ARG,
     "layer 0, batch_norm: its output is not an input of any layer after it"},
    {{{.kind = GLNN_LAYER_FLATTEN}, {.kind = GLNN_LAYER_ADD, .inputs = {1, 2}}},
     GLNN_E_SHAPE,
     "layer 2, add, has 2 channels of 4 x 6, the output of layer 0, next to 48 channels of 1 x 1"},
    {{{.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 1}},
      {.kind = GLNN_LAYER_CONCATENATE, .inputs = {1, 3}}},
     GLNN_E_SHAPE,
     "layer 2, concatenate, has 2 channels of 4 x 6, the input of the network, next to 2 channels "
     "of 2 x 6"},
};

static void graphs_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(unfit); ++i) {
        glnn_learner *network;
        glnn_network_desc desc = {.shape = {2, 4, 6},
                                  .loss = GLNN_LOSS_SQUARED,
                                  .layers = {{.kind = GLNN_LAYER_BATCH_NORM}}};
        memcpy(desc.layers + 1, unfit[i].layers, sizeof unfit[i].layers);
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), unfit[i].status,
                     unfit[i].part);
    }
}

/* Two steps: the first one leaves sums of a former batch. */
static void a_normalisation_of_an_earlier_output_has_its_own_gradient(void **state)
{
    (void)state;
    random_seed(9);
    const glnn_network_desc desc = {
        .shape = {5, 1, 1},
        .layers = {{.units = 5, .activation = GLNN_ACTIVATION_TANH},
                   {.kind = GLNN_LAYER_BATCH_NORM, .inputs = {2}},
                   {.kind = GLNN_LAYER_ADD, .inputs = {1, 2}},
                   {.units = 3}},
    };
    glnn_learner *network = network_with(desc, GLNN_LAYOUT_TILED);
    draw_parameters(network);
    expect_gradients(network, samples_for(network, 14, true), 14, "normalised input");
    expect_step(network, samples_for(network, 14, true),
                (glnn_train_desc){.schedule.rate = 0.0625f}, "normalised input");
    expect_gradients(network, samples_for(network, 14, true), 14, "normalised input");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_graph_that_is_a_chain_has_its_bits_and_passes),
        LEARNING_TEST(a_sum_of_two_is_a_residual_layer),
        LEARNING_TEST(gradients_of_modules_agree_with_the_reference),
        LEARNING_TEST(a_graph_learns_and_goes_on_from_its_file),
        LEARNING_TEST(shared_parameters_have_the_sum_of_the_gradients),
        LEARNING_TEST(steps_of_shared_parameters_add_up),
        LEARNING_TEST(shared_parameters_go_on_from_a_file),
        LEARNING_TEST(graphs_that_do_not_fit_are_refused),
        LEARNING_TEST(a_normalisation_of_an_earlier_output_has_its_own_gradient),
    };
    return cmocka_run_group_tests_name("network graph", tests, learner_files_setup,
                                       learner_files_teardown);
}
