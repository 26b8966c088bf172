/* Spectrograms: windows, bands, defaults, C files and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include <stdio.h>

#define SPECTROGRAM(window, hop, bands, rate)                                                      \
    {                                                                                              \
        .kind = GLNN_LAYER_SPECTROGRAM, .units = (bands), .kernel.width = (window),                \
        .stride.width = (hop), .sample_rate = (rate), .floor = 0.03125f                            \
    }

static void every_window_agrees_with_the_reference(void **state)
{
    (void)state;
    /* Windows that overlap, touch and leave gaps; hops with and without whole column groups. */
    static const struct {
        int length, window, hop, bands;
    } cases[] = {{3, 3, 1, 1},   {37, 12, 5, 3},  {40, 16, 8, 5}, {41, 16, 4, 4},
                 {29, 9, 13, 2}, {52, 12, 12, 3}, {64, 24, 7, 9}, {33, 7, 1, 2}};
    random_seed(121);
    for (size_t c = 0; c < COUNT_OF(cases); ++c) {
        char where[64];
        const glnn_network_desc desc = {
            .features = 5,
            .layers = {{.units = cases[c].length, .activation = GLNN_ACTIVATION_TANH},
                       SPECTROGRAM(cases[c].window, cases[c].hop, cases[c].bands, 800),
                       {.kind = GLNN_LAYER_FLATTEN}}};
        snprintf(where, sizeof where, "%d samples, windows of %d, %d apart, %d bands",
                 cases[c].length, cases[c].window, cases[c].hop, cases[c].bands);
        expect_layers(&desc, (int)(1 + c % 4), where);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_window_agrees_with_the_reference),
    };
    return cmocka_run_group_tests_name("layer spectrogram", tests, test_group_setup,
                                       test_group_teardown);
}
