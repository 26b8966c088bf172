/* Spectrograms: windows, bands, defaults, gradients and errors. */
#include "support/layer_checks.h"
#include "support/network_checks.h"

#include <math.h>
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

/* ---- Images of sound */

/* The images of recordings: bands x frames of each. */
static array images_of(const glnn_network_desc *desc, array sounds)
{
    return predictions_of(network_of(desc), sounds);
}

static glnn_network_desc describe(int length, glnn_layer_desc layer, int layout)
{
    return (glnn_network_desc){.features = length,
                               .layers = {layer, {.kind = GLNN_LAYER_FLATTEN}},
                               .loss = GLNN_LOSS_SQUARED,
                               .layout = rendered_layout(layout)};
}

enum { LENGTH = 200, BANDS = 6, FRAMES = 8 };
static const glnn_layer_desc small = {.kind = GLNN_LAYER_SPECTROGRAM,
                                      .units = BANDS,
                                      .kernel.width = 60,
                                      .stride.width = 20,
                                      .sample_rate = 1000};

/* The corners of six triangles up to 500 Hz are 0, 57, 120, 187, 259, 336, 419 and 500 Hz. */
static void a_tone_is_brightest_in_its_band(void **state)
{
    (void)state;
    static const double tones[BANDS] = {57, 120, 187, 260, 338, 420};
    for (int layout = 0; layout < RENDERED_COUNT; ++layout) {
        const glnn_network_desc desc = describe(LENGTH, small, layout);
        array x = array_new(BANDS, LENGTH);
        for (int i = 0; i < BANDS; ++i)
            for (int n = 0; n < LENGTH; ++n)
                *at(x, i, n) = (float)(0.5 * sin(2 * 3.14159265358979 * tones[i] * n / 1000));
        const array y = images_of(&desc, x);
        assert_int_equal(y.columns, BANDS * FRAMES);
        for (int i = 0; i < BANDS; ++i)
            for (int j = 0; j < BANDS * FRAMES; ++j)
                if (j / FRAMES != i)
                    assert_true(*at(y, i, j) < *at(y, i, i * FRAMES + j % FRAMES));
        release_learning();
    }
}

/* Recordings that differ in loudness alone look alike, and silence is gray. */
static void loudness_is_taken_out(void **state)
{
    (void)state;
    random_seed(122);
    const glnn_network_desc desc = describe(LENGTH, small, 0);
    array x = array_random(3, LENGTH, -0.125, 0.125);
    for (int n = 0; n < LENGTH; ++n) {
        *at(x, 1, n) = 8 * *at(x, 0, n);
        *at(x, 2, n) = 0;
    }
    const array y = images_of(&desc, x);
    for (int j = 0; j < y.columns; ++j) {
        assert_true(fabs(*at(y, 0, j) - *at(y, 1, j)) < 0.01);
        assert_true(*at(y, 2, j) == 0);
    }
}

static void a_sequence_has_its_numbers_in_a_row_or_in_channels(void **state)
{
    (void)state;
    random_seed(123);
    const array x = array_random(2, LENGTH, -1.0, 1.0);
    glnn_network_desc desc = describe(LENGTH, small, 0);
    const array channels = images_of(&desc, x);
    desc.shape = (glnn_shape){1, 1, LENGTH};
    expect_same_bits(images_of(&desc, x), channels, "a sequence");
}

static void zeros_mean_the_usual_windows_of_the_rate(void **state)
{
    (void)state;
    static const struct {
        int rate, window, hop, frames;
    } cases[] = {{0, 400, 160, 98}, {8000, 200, 80, 198}, {22050, 551, 221, 70}};
    for (size_t c = 0; c < COUNT_OF(cases); ++c) {
        const glnn_network_desc desc = {
            .shape = {1, 1, 16000},
            .layers = {{.kind = GLNN_LAYER_SPECTROGRAM, .sample_rate = cases[c].rate},
                       {.kind = GLNN_LAYER_FLATTEN},
                       {.units = 2}}};
        const glnn_learner *network = network_of(&desc);
        const glnn_layer_desc *layer = &glnn_network_get_desc(network)->layers[0];
        const glnn_shape out = glnn_network_get_shape(network, 0);
        assert_int_equal(layer->sample_rate, cases[c].rate ? cases[c].rate : 16000);
        assert_true(layer->floor == 1e-8f);
        assert_int_equal(layer->kernel.width, cases[c].window);
        assert_int_equal(layer->stride.width, cases[c].hop);
        assert_true(out.channels == 1 && out.height == 40 && out.width == cases[c].frames);
        release_learning();
    }
}

/* ---- Gradients */

/* A program asks for the gradient of sound, below which nothing has parameters. */
static void the_gradient_of_sound_is_given(void **state)
{
    (void)state;
    random_seed(124);
    for (int layout = 0; layout < RENDERED_COUNT; ++layout) {
        glnn_layer_desc layer = small;
        layer.floor = 0.0078125f;
        const glnn_network_desc desc = describe(LENGTH, layer, layout);
        glnn_learner *network = network_of(&desc);
        const network_reference net = network_reference_of(network);
        const array x = array_random(3, LENGTH, -1.0, 1.0);
        const array d = array_random(3, BANDS * FRAMES, -1.0, 1.0);
        glnn_matrix *got = matrix_zero(3, LENGTH, GLNN_LAYOUT_PACKED);
        expect_ok(glnn_network_forward(network, matrix_of(x, GLNN_LAYOUT_TILED), true, NULL));
        expect_ok(glnn_network_backward(network, matrix_of(d, GLNN_LAYOUT_TILED), got));
        const expected from = {.value = x}, delta = {.value = d};
        expect_within(values_of(got),
                      network_reference_input_delta(&net, 0, GLNN_MAP_IDENTITY, &from, &delta),
                      "gradient", "sound");
        release_learning();
    }
}

/* ---- Errors */

static const struct {
    glnn_shape shape;
    glnn_layer_desc layer;
    glnn_status status;
    const char *part;
} unfit[] = {
    {{1, 1, 100},
     SPECTROGRAM(2, 1, 1, 0),
     GLNN_E_ARG,
     "layer 0: kernel.width is 2; a spectrogram has windows of at least 3 samples"},
    {{1, 1, 100}, SPECTROGRAM(16, -1, 1, 0), GLNN_E_ARG, "layer 0: stride.width is -1"},
    {{1, 1, 100}, SPECTROGRAM(16, 8, -1, 0), GLNN_E_ARG, "layer 0: units is -1"},
    {{1, 1, 15},
     SPECTROGRAM(16, 8, 1, 0),
     GLNN_E_SHAPE,
     "layer 0: windows of 16 samples do not fit in a sequence of 15"},
    {{1, 1, 100},
     SPECTROGRAM(16, 8, 9, 0),
     GLNN_E_ARG,
     "layer 0: band 0 of 9 has none of the 7 frequencies that windows of 16 samples tell apart"},
    {{2, 1, 100},
     SPECTROGRAM(16, 8, 1, 0),
     GLNN_E_SHAPE,
     "a spectrogram takes one sequence, but its input has 2 channels of 1 x 100"},
    {{1, 2, 100}, SPECTROGRAM(16, 8, 1, 0), GLNN_E_SHAPE, "has 1 channels of 2 x 100"},
    {{1, 1, 100},
     {.kind = GLNN_LAYER_SPECTROGRAM, .units = 1, .kernel = {2, 16}},
     GLNN_E_ARG,
     "layer 0: kernel.height is 2 and stride.height is 1; those of a spectrogram are 1"},
    {{1, 1, 100}, SPECTROGRAM(16, 8, 1, -4), GLNN_E_ARG, "layer 0: sample_rate is -4"},
    {{1, 1, 100},
     {.kind = GLNN_LAYER_SPECTROGRAM, .floor = -1},
     GLNN_E_ARG,
     "layer 0: floor is -1"},
    {{1, 1, 100},
     {.kind = GLNN_LAYER_SPECTROGRAM, .units = 1, .kernel.width = 16, .padding = {0, 2}},
     GLNN_E_ARG,
     "padding.width is 2, but spectrogram layers do not use it"},
    {{1, 1, 100},
     {.kind = GLNN_LAYER_FLATTEN, .sample_rate = 8000},
     GLNN_E_ARG,
     "sample_rate is 8000, but flatten layers do not use it"},
    {{1, 1, 1 << 30},
     SPECTROGRAM(1 << 30, 8, 1, 0),
     GLNN_E_LIMIT,
     "layer 0: windows of 1073741824 samples with a hop of 8 take a transform of"},
    {{1, 1, 70000},
     SPECTROGRAM(40000, 15000, 3, 0),
     GLNN_E_LIMIT,
     "layer 0: windows of 40000 samples with a hop of 15000 take a transform of 2200490024 "
     "numbers; "
     "there can be 67108864"},
};

static void numbers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(unfit); ++i) {
        glnn_learner *network;
        const glnn_network_desc desc = {.shape = unfit[i].shape,
                                        .loss = GLNN_LOSS_SQUARED,
                                        .layers = {unfit[i].layer, {.kind = GLNN_LAYER_FLATTEN}}};
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), unfit[i].status,
                     unfit[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(every_window_agrees_with_the_reference),
        LEARNING_TEST(a_tone_is_brightest_in_its_band),
        LEARNING_TEST(loudness_is_taken_out),
        LEARNING_TEST(a_sequence_has_its_numbers_in_a_row_or_in_channels),
        LEARNING_TEST(zeros_mean_the_usual_windows_of_the_rate),
        LEARNING_TEST(the_gradient_of_sound_is_given),
        LEARNING_TEST(numbers_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("layer spectrogram", tests, test_group_setup,
                                       test_group_teardown);
}
