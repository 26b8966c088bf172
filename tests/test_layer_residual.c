/* Residual addition: sources, several readers of one output, and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

/* clang-format off */
#define NORM(FUNCTION) {.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_##FUNCTION}
#define DENSE(UNITS) {.units = UNITS, .activation = GLNN_ACTIVATION_TANH}
#define ADD(SKIP, FUNCTION)                                                                        \
    {.kind = GLNN_LAYER_RESIDUAL, .skip = SKIP, .activation = GLNN_ACTIVATION_##FUNCTION}
/* clang-format on */

/* A network of a few layers, trained by both losses' gradients in every layout and precision. */
static void check(const glnn_network_desc *desc, const char *where)
{
    expect_layers(desc, 9, where);
    random_seed(85); /* slopes are of the same numbers, whatever cases are left out */
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        if (case_is_left_out(i))
            continue;
        glnn_network_desc of = *desc;
        of.loss = GLNN_LOSS_SQUARED;
        of.layout = rendered_layout(i);
        of.optimizer.momentum = 0.5f;
        glnn_learner *network = network_of(&of);
        draw_parameters(network);
        const samples all = samples_for(network, 9, false);
        expect_step(network, all, (glnn_train_desc){.schedule.rate = 0.0625f}, where);
        network_reference net = network_reference_of(network);
        if (i == 0)
            expect_slopes(&net, all, where);
        release_learning();
    }
}

static void a_connection_from_the_input_agrees_with_the_reference(void **state)
{
    (void)state;
    random_seed(81);
    const glnn_network_desc flat = {.features = 7, .layers = {DENSE(7), ADD(1, TANH), DENSE(3)}};
    const glnn_network_desc image = {
        .shape = {3, 3, 5}, .layers = {NORM(TANH), ADD(1, SIGMOID), {.kind = GLNN_LAYER_FLATTEN}}};
    check(&flat, "numbers");
    check(&image, "images");
}

static void several_connections_from_one_layer_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(82);
    const glnn_network_desc desc = {
        .features = 5,
        .layers = {DENSE(6), DENSE(6), ADD(1, TANH), DENSE(6), ADD(3, SIGMOID), ADD(4, IDENTITY),
                   DENSE(2)},
    };
    check(&desc, "three connections");
}

static void connections_within_a_connection_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(83);
    const glnn_network_desc desc = {
        .shape = {4, 2, 3},
        .layers = {NORM(TANH),
                   NORM(SIGMOID),
                   ADD(1, TANH),
                   NORM(IDENTITY),
                   ADD(3, TANH),
                   {.kind = GLNN_LAYER_FLATTEN},
                   DENSE(3)},
    };
    check(&desc, "nested connections");
}

/* Outside of training the source is the input of the dropout layer. */
static void a_connection_from_dropout_agrees_with_the_reference(void **state)
{
    (void)state;
    random_seed(84);
    const glnn_network_desc desc = {
        .features = 5,
        .layers = {DENSE(6),
                   {.kind = GLNN_LAYER_DROPOUT, .rate = 0.25f},
                   DENSE(6),
                   ADD(1, TANH),
                   DENSE(2)},
        .seed = 4,
    };
    check(&desc, "dropout");
}

static const struct {
    glnn_layer_desc layers[4];
    glnn_status status;
    const char *part;
} unfit[] = {
    {{ADD(1, TANH)}, GLNN_E_ARG, "layer 0, which is residual, skips 1 layers; it has to skip at"},
    {{NORM(TANH), ADD(0, TANH)}, GLNN_E_ARG, "layer 1, which is residual, skips 0 layers"},
    {{NORM(TANH), ADD(2, TANH)}, GLNN_E_ARG, "skips 2 layers; it has to skip at least 1, and 1"},
    {{NORM(TANH), ADD(-1, TANH)},
     GLNN_E_ARG,
     "layer 1: skip is -1; it has to be an integer from 0 on"},
    {{NORM(TANH), {.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 1}}, ADD(1, TANH)},
     GLNN_E_SHAPE,
     "layer 2, residual, has 2 channels of 4 x 6, the output of layer 0, next to 2 channels of 2 x "
     "6, the output of layer 1"},
    {{{.kind = GLNN_LAYER_FLATTEN}, ADD(1, TANH)},
     GLNN_E_SHAPE,
     "layer 1, residual, has 2 channels of 4 x 6, the input of the network, next to 48 channels of "
     "1 x 1"},
    {{NORM(TANH), {.skip = 1, .units = 3}}, GLNN_E_ARG, "dense layers do not use it"},
};

static void connections_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(unfit); ++i) {
        glnn_learner *network;
        glnn_network_desc desc = {.shape = {2, 4, 6}, .loss = GLNN_LOSS_SQUARED};
        memcpy(desc.layers, unfit[i].layers, sizeof unfit[i].layers);
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), unfit[i].status,
                     unfit[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(a_connection_from_the_input_agrees_with_the_reference),
        LEARNING_TEST(several_connections_from_one_layer_agree_with_the_reference),
        LEARNING_TEST(connections_within_a_connection_agree_with_the_reference),
        LEARNING_TEST(a_connection_from_dropout_agrees_with_the_reference),
        LEARNING_TEST(connections_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("layer residual", tests, test_group_setup,
                                       test_group_teardown);
}
