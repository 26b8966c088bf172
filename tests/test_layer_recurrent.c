/* Recurrent layers: shapes, lengths, windows, first weights, and errors. */
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
                   {.kind = kind, .units = cases[c].units, .all_states = cases[c].all_states,
                    .window = cases[c].window},
                   {.kind = GLNN_LAYER_FLATTEN}}};
}

static void every_shape_agrees_with_the_reference(void **state)
{
    (void)state;
    random_seed(141);
    for (size_t k = 0; k < COUNT_OF(kinds); ++k)
        for (int c = 0; c < (int)COUNT_OF(cases); ++c) {
            char where[96];
            const glnn_network_desc desc = describe(kinds[k], c);
            snprintf(where, sizeof where, "%s of %d units, case %d",
                     glnn_layer_kind_name(kinds[k]), cases[c].units, c);
            expect_layers(&desc, 1 + c, where);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_shape_agrees_with_the_reference),
    };
    return cmocka_run_group_tests_name("recurrent layers", tests, test_group_setup,
                                       test_group_teardown);
}
