/* Gradients: against the reference in double precision, and against differences of the loss. */
#include "support/network_checks.h"

#include <stdio.h>

/* Everything up to three layers that a network may be made of. */
typedef struct net_case {
    int inputs, layers, units[3], samples;
} net_case;

static const net_case cases[] = {
    {1, 1, {1}, 1},        {1, 1, {3}, 5},          {6, 1, {1}, 4},          {5, 1, {70}, 9},
    {1, 2, {1, 2}, 7},     {20, 2, {13, 5}, 16},    {9, 2, {33, 1}, 3},      {7, 2, {4, 70}, 6},
    {3, 3, {1, 1, 2}, 11}, {20, 3, {13, 7, 5}, 16}, {17, 3, {31, 9, 67}, 5},
};

static const glnn_activation activations[] = {GLNN_ACTIVATION_IDENTITY, GLNN_ACTIVATION_SIGMOID,
                                              GLNN_ACTIVATION_TANH,     GLNN_ACTIVATION_SCALED_TANH,
                                              GLNN_ACTIVATION_RELU,     GLNN_ACTIVATION_LEAKY_RELU,
                                              GLNN_ACTIVATION_ELU,      GLNN_ACTIVATION_SOFTSIGN};

typedef struct goal {
    glnn_loss loss;
    bool labels;
} goal;

static const goal goals[] = {
    {GLNN_LOSS_CROSS_ENTROPY, true}, {GLNN_LOSS_SQUARED, true}, {GLNN_LOSS_SQUARED, false}};

static glnn_network_desc describe(const net_case *size, glnn_activation activation, const goal *to,
                                  glnn_layout layout)
{
    glnn_network_desc desc = {.features = size->inputs,
                              .layer_count = size->layers,
                              .loss = to->loss,
                              .init = GLNN_INIT_UNIFORM,
                              .init_range = 0.7f,
                              .layout = layout,
                              .seed = 3};
    for (int l = 0; l < size->layers; ++l) {
        desc.layers[l].units = size->units[l];
        desc.layers[l].activation = activation;
    }
    if (to->loss == GLNN_LOSS_CROSS_ENTROPY)
        desc.layers[size->layers - 1].activation = GLNN_ACTIVATION_IDENTITY;
    return desc;
}

static const char *name_of(const glnn_network_desc *desc)
{
    static char name[128];
    snprintf(name, sizeof name, "%s, %s, %d layers, %d inputs, %d outputs",
             glnn_layout_name(desc->layout), glnn_activation_name(desc->layers[0].activation),
             desc->layer_count, desc->features, desc->layers[desc->layer_count - 1].units);
    return name;
}

static void check_gradients(const glnn_network_desc *desc, int count, bool labels)
{
    glnn_learner *network = network_of(desc);
    draw_parameters(network);
    expect_gradients(network, samples_for(network, count + 2, labels), count, name_of(desc));
    release_learning();
}

/* Activations and goals take turns, so that every pair of them meets some sizes; all meet the net
 * of number `complete`. */
static void check_all_gradients(glnn_layout layout, size_t complete)
{
    random_seed(5);
    for (size_t c = 0; c < COUNT_OF(cases); ++c)
        for (size_t a = 0; a < COUNT_OF(activations); ++a)
            for (size_t g = 0; g < COUNT_OF(goals); ++g) {
                if (c != complete && a != (c + 2 * g + layout) % COUNT_OF(activations))
                    continue;
                const glnn_network_desc desc =
                    describe(&cases[c], activations[a], &goals[g], layout);
                check_gradients(&desc, cases[c].samples, goals[g].labels);
            }
}

static void tiled_gradients_agree_with_the_reference(void **state)
{
    (void)state;
    check_all_gradients(GLNN_LAYOUT_TILED, 9);
}

static void packed_gradients_agree_with_the_reference(void **state)
{
    (void)state;
    check_all_gradients(GLNN_LAYOUT_PACKED, 5);
}

static void unpacked_gradients_agree_with_the_reference(void **state)
{
    (void)state;
    check_all_gradients(GLNN_LAYOUT_UNPACKED, 8);
}

static void gradients_are_the_slopes_of_the_reference_loss(void **state)
{
    (void)state;
    const net_case *size = &cases[9];
    random_seed(23);
    for (size_t a = 0; a < COUNT_OF(activations); ++a)
        for (size_t g = 0; g < COUNT_OF(goals); ++g) {
            const glnn_network_desc desc =
                describe(size, activations[a], &goals[g], GLNN_LAYOUT_TILED);
            glnn_learner *network = network_of(&desc);
            draw_parameters(network);
            const samples batch = samples_random(8, 20, 5, goals[g].labels);
            network_reference net = network_reference_of(network);
            expect_slopes(&net, batch, name_of(&desc));
            expect_gradients(network, batch, 8, name_of(&desc));
            release_learning();
        }
}

static double library_loss(glnn_learner *network, const glnn_dataset *data, int layer,
                           array weights)
{
    double loss = 0;
    expect_ok(write_weights(network, layer, floats_of(weights), NULL));
    gradient_of(network, data, 16, layer, &loss);
    return loss;
}

/* With h = 1/64 the library's own losses, each off by at most the reference's bound e, give a
 * difference that is off by 2 e / 2 h, and by what the same h does to the reference's. */
static void gradients_are_the_slopes_of_the_library_loss(void **state)
{
    (void)state;
    static const int places[][2] = {{0, 0}, {0, 100}, {1, 17}, {1, 90}, {2, 3}, {2, 34}};
    const double h = 0x1p-6;
    random_seed(29);
    for (size_t g = 0; g < COUNT_OF(goals); ++g) {
        const glnn_network_desc desc =
            describe(&cases[9], GLNN_ACTIVATION_TANH, &goals[g], rendered_layout(g));
        glnn_learner *network = network_of(&desc);
        const samples batch = samples_random(16, 20, 5, goals[g].labels);
        const glnn_dataset *data = dataset_of(batch);
        network_reference net = network_reference_of(network);
        const double error = network_reference_gradient(&net, batch).bound;
        for (size_t p = 0; p < COUNT_OF(places); ++p) {
            const int l = places[p][0];
            const size_t i = (size_t)places[p][1];
            array weights = weights_of(network, l);
            const double kept = weights.data[i];
            weights.data[i] = (double)(float)(kept + h);
            double difference = library_loss(network, data, l, weights), width = weights.data[i];
            weights.data[i] = (double)(float)(kept - h);
            difference -= library_loss(network, data, l, weights);
            width -= weights.data[i];
            weights.data[i] = kept;
            double loss = library_loss(network, data, l, weights);
            const double slope = gradient_of(network, data, 16, l, &loss).data[i];
            const double bend =
                fabs(reference_slope(&net, batch, &net.parameters[l].value.data[i], h) -
                     net.gradient[l].value.data[i]);
            const double bound = 2.1 * error / width + 1.01 * bend + net.gradient[l].bound.data[i];
            expect_bounded(slope, (bounded){difference / width, bound},
                           "the gradient against a difference of the library's loss",
                           name_of(&desc));
        }
        release_learning();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(tiled_gradients_agree_with_the_reference),
        LEARNING_TEST(packed_gradients_agree_with_the_reference),
        LEARNING_TEST(unpacked_gradients_agree_with_the_reference),
        LEARNING_TEST(gradients_are_the_slopes_of_the_reference_loss),
        LEARNING_TEST(gradients_are_the_slopes_of_the_library_loss),
    };
    return cmocka_run_group_tests_name("network gradient", tests, test_group_setup,
                                       test_group_teardown);
}
