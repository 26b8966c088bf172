/* Sequences: images of height 1, whose convolutions and pooling have one dimension. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include <stdio.h>

/* clang-format off */
#define ALONG(KIND, ...)                                                                           \
    {.kind = GLNN_LAYER_##KIND, .activation = GLNN_ACTIVATION_TANH, __VA_ARGS__}
#define POOL(KIND, ...) {.kind = GLNN_LAYER_##KIND, __VA_ARGS__}
/* clang-format on */

/* tests/test_convolution.c has sequences of one channel, which a first convolution reads flat. */
static void check(const glnn_network_desc *desc, const char *what)
{
    for (int channels = 2; channels <= 5; channels += 3)
        for (int width = 19; width <= 20; ++width) {
            char where[64];
            glnn_network_desc of = *desc;
            if (case_is_left_out(channels + width))
                continue;
            of.shape = (glnn_shape){channels, 1, width};
            snprintf(where, sizeof where, "%s of %d channels of %d", what, channels, width);
            expect_layers(&of, 3 + width % 2, where);
        }
}

static void convolutions_along_sequences_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(131);
    const glnn_network_desc desc = {
        .layers = {ALONG(CONVOLUTION, .units = 6, .kernel = {1, 5}, .padding = {0, 2}),
                   ALONG(CONVOLUTION, .units = 8, .kernel = {1, 3}, .stride = {0, 2}),
                   ALONG(CONVOLUTION, .units = 4, .kernel = {1, 3}, .dilation = {0, 3}),
                   {.kind = GLNN_LAYER_FLATTEN}}};
    check(&desc, "convolutions");
}

static void pooling_along_sequences_agrees_with_the_reference(void **state)
{
    (void)state;
    random_seed(132);
    const glnn_network_desc desc = {
        .layers = {ALONG(CONVOLUTION, .units = 5, .kernel = {1, 3}, .padding = {0, 1}),
                   POOL(MAX_POOL, .kernel = {1, 2}),
                   POOL(AVERAGE_POOL, .kernel = {1, 3}, .stride = {1, 2}, .padding = {0, 1}),
                   {.kind = GLNN_LAYER_FLATTEN}}};
    check(&desc, "pooling");
}

static void longer_sequences_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(133);
    const glnn_network_desc desc = {
        .layers = {ALONG(TRANSPOSED_CONVOLUTION, .units = 6, .kernel = {1, 4}, .stride = {0, 2},
                         .padding = {0, 1}),
                   {.kind = GLNN_LAYER_UPSAMPLE, .stride = {1, 3}},
                   ALONG(CONVOLUTION, .units = 3, .kernel = {1, 5}, .stride = {0, 4}),
                   {.kind = GLNN_LAYER_FLATTEN}}};
    check(&desc, "transposed convolution");
}

static void normalised_sequences_agree_with_the_reference(void **state)
{
    (void)state;
    random_seed(134);
    const glnn_network_desc desc = {
        .layers = {ALONG(CONVOLUTION, .units = 7, .kernel = {1, 3}),
                   ALONG(LAYER_NORM, .units = 0),
                   {.kind = GLNN_LAYER_LOCAL_RESPONSE_NORM, .size = 3, .alpha = 1},
                   ALONG(BATCH_NORM, .units = 0),
                   {.kind = GLNN_LAYER_FLATTEN}}};
    check(&desc, "normalisation");
}

/* 1 x n and n x 1 are the same sequences. */
static void a_sequence_may_lie_in_either_direction(void **state)
{
    (void)state;
    random_seed(135);
    const array x = array_random(4, 3 * 17, -1.0, 1.0);
    array outputs[2];
    for (int turned = 0; turned < 2; ++turned) {
        glnn_network_desc desc = {
            .shape = {3, 1, 17},
            .loss = GLNN_LOSS_SQUARED,
            .layers = {ALONG(CONVOLUTION, .units = 5, .kernel = {1, 4}, .stride = {0, 2}),
                       POOL(MAX_POOL, .kernel = {1, 3}),
                       {.kind = GLNN_LAYER_FLATTEN}},
            .seed = 2};
        if (turned) {
            desc.shape = (glnn_shape){3, 17, 1};
            desc.layers[0].kernel = (glnn_size){4, 1};
            desc.layers[0].stride = (glnn_size){2, 0};
            desc.layers[1].kernel = (glnn_size){3, 1};
        }
        outputs[turned] = predictions_of(network_of(&desc), x);
    }
    expect_same_bits(outputs[1], outputs[0], "n x 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(convolutions_along_sequences_agree_with_the_reference),
        LEARNING_TEST(pooling_along_sequences_agrees_with_the_reference),
        LEARNING_TEST(longer_sequences_agree_with_the_reference),
        LEARNING_TEST(normalised_sequences_agree_with_the_reference),
        LEARNING_TEST(a_sequence_may_lie_in_either_direction),
    };
    return cmocka_run_group_tests_name("layers of sequences", tests, test_group_setup,
                                       test_group_teardown);
}
