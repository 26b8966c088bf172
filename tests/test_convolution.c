/* The convolution layer: any sizes, strides, paddings and groups, its first weights, and the
 * descriptions that it refuses. */
#include "support/network_checks.h"
#include "support/reference.h"
#include "support/window_reference.h"

#include "base/integers.h"
#include "net/network_passes.h"

#include <stdio.h>

static const convolution convolutions[] = {
    {2, 3, 5, {4, 8}, {1, 1}, {1, 1}, {0, 0}, 1, {1, 1}},
    {2, 1, 6, {7, 9}, {5, 5}, {1, 1}, {2, 2}, 1, {1, 1}},
    {3, 6, 16, {7, 6}, {5, 5}, {2, 2}, {1, 1}, 2, {1, 1}},
    {1, 6, 6, {5, 12}, {3, 3}, {1, 1}, {1, 1}, 6, {1, 1}},
    {2, 5, 15, {9, 8}, {2, 3}, {2, 1}, {0, 2}, 5, {1, 1}},
    {1, 8, 12, {11, 13}, {3, 2}, {3, 2}, {3, 1}, 4, {1, 1}},
    {2, 9, 3, {4, 3}, {5, 4}, {2, 3}, {2, 3}, 3, {1, 1}},
    {5, 13, 13, {3, 3}, {2, 2}, {3, 3}, {1, 0}, 13, {1, 1}},
    {1, 12, 8, {2, 16}, {1, 5}, {1, 2}, {0, 2}, 2, {1, 1}},
    {3, 1, 6, {8, 12}, {5, 5}, {1, 1}, {2, 2}, 1, {1, 1}},
    {2, 1, 9, {6, 8}, {3, 3}, {1, 1}, {1, 1}, 1, {1, 1}},
    {7, 1, 3, {5, 4}, {2, 1}, {2, 1}, {0, 0}, 1, {1, 1}},
    {4, 1, 13, {6, 12}, {4, 6}, {1, 1}, {3, 7}, 1, {1, 1}},
    {2, 1, 5, {9, 8}, {3, 5}, {3, 2}, {1, 3}, 1, {1, 1}},
    {3, 1, 5, {4, 57}, {3, 4}, {1, 4}, {1, 1}, 1, {1, 1}},
    {2, 1, 6, {5, 57}, {3, 3}, {1, 7}, {0, 1}, 1, {1, 1}},
    {1, 1, 5, {20, 67}, {17, 23}, {1, 13}, {2, 6}, 1, {1, 1}},
    {1, 1, 1, {1, 1}, {1, 1}, {1, 1}, {0, 0}, 1, {1, 1}},
    {2, 8, 16, {6, 5}, {3, 3}, {2, 1}, {1, 1}, 2, {1, 1}},
    {1, 12, 12, {5, 5}, {3, 3}, {1, 1}, {1, 1}, 3, {1, 1}},
    {2, 64, 64, {6, 7}, {3, 3}, {2, 2}, {1, 1}, 2, {1, 1}},
    {2, 5, 15, {9, 12}, {3, 3}, {2, 4}, {1, 2}, 5, {3, 2}},
    {1, 8, 12, {11, 13}, {3, 2}, {1, 1}, {3, 1}, 1, {2, 5}},
    {2, 1, 7, {7, 9}, {3, 3}, {2, 2}, {2, 2}, 1, {2, 1}},
    {3, 9, 9, {8, 9}, {3, 3}, {2, 2}, {2, 2}, 9, {2, 2}},
    /* Sequences. */
    {3, 1, 6, {1, 19}, {1, 5}, {1, 1}, {0, 2}, 1, {1, 1}},
    {2, 1, 5, {1, 20}, {1, 3}, {1, 2}, {0, 0}, 1, {1, 1}},
    {2, 6, 6, {1, 17}, {1, 4}, {1, 3}, {0, 2}, 3, {1, 2}},
    /* More pixels than slices of a gradient, with few and with many outputs. */
    {6, 1, 6, {28, 28}, {5, 5}, {1, 1}, {2, 2}, 1, {1, 1}},
    {17, 1, 60, {16, 16}, {3, 3}, {1, 1}, {1, 1}, 1, {1, 1}},
};

/* A network of one convolution. */
static glnn_learner *network_of_one(const convolution *c, glnn_layout layout)
{
    return network_of(&(glnn_network_desc){
        .shape = {c->channels, c->image.height, c->image.width},
        .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                    .units = c->outputs,
                    .activation = GLNN_ACTIVATION_TANH,
                    .kernel = {c->kernel.height, c->kernel.width},
                    .stride = {c->stride.height, c->stride.width},
                    .padding = {c->padding.height, c->padding.width},
                    .dilation = {c->dilation.height, c->dilation.width},
                    .groups = c->groups},
                   {.kind = GLNN_LAYER_FLATTEN}},
        .loss = GLNN_LOSS_SQUARED,
        .layout = layout,
        .capacity = c->samples,
        .seed = 5,
    });
}

typedef struct run {
    glnn_learner *network;
    glnn__layer layer;
    glnn__signal input;
    array x, delta, weights;
} run;

/* Images of one channel as data sets have them. */
static array one_a_row(const convolution *c, array pixels)
{
    return (array){c->samples, c->image.height * c->image.width, pixels.data};
}

static run prepare(const convolution *c, glnn_layout layout)
{
    const glnn__sides grid = grid_of(c);
    const int outputs = c->samples * grid.height * grid.width;
    run r = {.network = network_of_one(c, layout)};
    glnn_context *ctx = glnn_test_context();
    r.x = array_random(c->samples * c->image.height * c->image.width, c->channels, 0.05, 0.95);
    r.delta = array_random(outputs, c->outputs, -1, 1);
    expect_ok(glnn__gl_enter(ctx));
    expect_ok(glnn__gl_leave(ctx, glnn__network_prepare(glnn__network_of(r.network), c->samples)));
    r.layer = glnn__network_of(r.network)->layers[0];
    r.weights = values_of(r.layer.parameters->values);
    r.layer.out.values = matrix_zero(outputs, c->outputs, layout);
    r.layer.out.delta = matrix_of(r.delta, layout);
    r.input = (glnn__signal){
        .shape = r.layer.input,
        .form = r.layer.taken,
        .values = matrix_of(r.layer.taken == GLNN__FLAT ? one_a_row(c, r.x) : r.x, layout),
        .delta = matrix_zero(r.x.rows, r.x.columns, layout),
        .activation = GLNN_MAP_SIGMOID};
    return r;
}

static void check_outputs(const convolution *c, const run *r, const char *what)
{
    const glnn_gemm_desc desc = {.augment = true, .activation = GLNN_MAP_TANH};
    expect_close(
        r->layer.out.values,
        reference_gemm(&desc, 1, 0,
                       &(gemm_operands){.a = window_rows(c, r->x), .b = ungrouped(c, r->weights)}),
        "outputs of %s", what);
}

static void check_delta(const convolution *c, const run *r, const char *what)
{
    const glnn_gemm_desc desc = {.derivative = GLNN_MAP_SIGMOID};
    expect_close(
        r->input.delta,
        reference_gemm(&desc, 1, 0,
                       &(gemm_operands){.a = backward_windows_of(c, r->delta),
                                        .b = backward_weights_of(c, ungrouped(c, r->weights)),
                                        .y = r->x}),
        "delta of %s", what);
}

static void check_gradient(const convolution *c, const run *r, const char *what)
{
    const glnn_gemm_desc desc = {.augment = true, .transpose_a = true};
    const expected all =
        reference_gemm(&desc, 0.5f, 0, &(gemm_operands){.a = window_rows(c, r->x), .b = r->delta});
    expect_close(r->layer.parameters->sum, grouped_gradient(c, all), "gradient of %s", what);
}

static void check(const convolution *c, glnn_layout layout)
{
    run r = prepare(c, layout);
    char what[256];
    glnn__flow flow = glnn__network_flow(glnn__network_of(r.network), c->samples);
    const glnn__optimizer_slots slots = {.weight.f = 0.5f};
    const glnn__sink sink = {.optimizer = &glnn__network_of(r.network)->desc.optimizer,
                             .slots = &slots,
                             .is_first = true};
    snprintf(what, sizeof what,
             "%d samples of %d x %d x %d to %d, kernel %d x %d, stride %d x %d, padding %d x %d, "
             "%d groups, %s",
             c->samples, c->channels, c->image.height, c->image.width, c->outputs, c->kernel.height,
             c->kernel.width, c->stride.height, c->stride.width, c->padding.height,
             c->padding.width, c->groups, glnn_layout_name(layout));
    expect_ok(r.layer.type->forward(&flow, &r.layer, &r.input));
    if (r.layer.taken == GLNN__PIXELS)
        expect_ok(r.layer.type->backward(&flow, &r.layer, &r.input));
    expect_ok(r.layer.type->gradient(&flow, &r.layer, &r.input, &sink));
    check_outputs(c, &r, what);
    if (r.layer.taken == GLNN__PIXELS)
        check_delta(c, &r, what);
    check_gradient(c, &r, what);
    release_learning();
}

static void convolutions_with_and_without_groups_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(convolutions); ++i)
        for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
            if (!case_is_left_out((int)i + (int)layout) && !shape_is_left_out((int)i))
                check(&convolutions[i], layout);
}

/* Lines that begin and end anywhere in a column group. Kernels and paddings go through all numbers
 * from 1 to 9 and from 0 to half of the kernel. */
static void check_line(int width, int stride, int number, glnn_layout layout)
{
    enum { KERNELS = 9 };
    const int kernel = 1 + number % KERNELS, padding = number / KERNELS % (kernel / 2 + 1);
    const convolution c = {.samples = 1 + number % 3,
                           .channels = 1,
                           .outputs = 1 + number % 13,
                           .image = {2 + number % 4, width},
                           .kernel = {1 + number % 3, kernel},
                           .stride = {1 + number % 2, stride},
                           .padding = {number % 3, padding},
                           .dilation = {1, 1}};
    if (kernel <= width + 2 * padding)
        check(&c, layout);
}

static void images_of_one_channel_agree_with_the_reference_at_every_width(void **state)
{
    (void)state;
    static const int widths[] = {1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 27, 28, 29, 30, 102, 105};
    enum { STRIDES = 3 };
    random_seed(57);
    for (int i = 0, number = 0; i < (int)COUNT_OF(widths); ++i)
        for (int stride = 1; stride <= STRIDES; ++stride, number += 10)
            for (int layout = 0; layout < RENDERED_COUNT; ++layout)
                if (!case_is_left_out(i + stride) && !case_is_left_out(i / STRIDES + layout))
                    check_line(widths[i], stride, number, rendered_layout(layout));
}

/* Products would compute three zeros with each pixel. */
static void images_of_one_channel_are_read_as_data_sets_have_them(void **state)
{
    (void)state;
    for (int width = 5; width < 13; ++width)
        for (int stride = 1; stride <= 3; ++stride) {
            const convolution c = {1,      1, 4,     {6, width}, {3, 3}, {stride, stride},
                                   {0, 0}, 1, {1, 1}};
            assert_int_equal(
                glnn__network_of(network_of_one(&c, GLNN_LAYOUT_TILED))->layers[0].taken,
                GLNN__FLAT);
            release_learning();
        }
}

/* Work groups that sum, and more fetches at a time. The last convolution has wrapped inputs. */
static void convolutions_that_are_cut_for_a_gpu_agree_with_the_reference(void **state)
{
    (void)state;
    enum { SMALL_WIDTH = 2048 };
    static const convolution convolutions_of_gpus[] = {
        {6, 1, 6, {28, 28}, {5, 5}, {1, 1}, {2, 2}, 1, {1, 1}},
        {2, 1, 5, {12, 16}, {3, 3}, {1, 1}, {1, 1}, 1, {1, 1}},
        {1, 1, 1, {4, 4}, {1, 1}, {1, 1}, {0, 0}, 1, {1, 1}},
        {7, 1, 6, {27, 29}, {5, 5}, {2, 2}, {1, 2}, 1, {1, 1}},
        {5, 1, 3, {9, 30}, {3, 3}, {1, 1}, {0, 0}, 1, {1, 1}},
        {8, 6, 16, {14, 14}, {5, 5}, {1, 1}, {0, 0}, 1, {1, 1}},
    };
    glnn_context *ctx = glnn_test_context();
    const glnn_context_info former = ctx->info;
    ctx->info.software = false;
    for (size_t c = 0; c + 1 < COUNT_OF(convolutions_of_gpus); ++c)
        for (int i = 0; i < RENDERED_COUNT; ++i)
            if (!case_is_left_out((int)c + i))
                check(&convolutions_of_gpus[c], rendered_layout(i));
    ctx->info.max_texture_size = SMALL_WIDTH / ctx->info.render_targets;
    check(&convolutions_of_gpus[COUNT_OF(convolutions_of_gpus) - 1], GLNN_LAYOUT_TILED);
    ctx->info = former;
}

/* The weights are drawn from numbers up to the square root of 6 / inputs. The greatest of many is
 * near to that. */
static void first_weights_count_the_inputs_of_a_group(void **state)
{
    (void)state;
    glnn_learner *network =
        network_of(&(glnn_network_desc){.shape = {6, 8, 8},
                                        .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                                                    .units = 64,
                                                    .activation = GLNN_ACTIVATION_RELU,
                                                    .kernel = {3, 5},
                                                    .groups = 2},
                                                   {.kind = GLNN_LAYER_FLATTEN}},
                                        .loss = GLNN_LOSS_SQUARED,
                                        .seed = 3});
    const array weights = values_of(glnn__network_of(network)->layers[0].parameters->values);
    const double limit = sqrt(6.0 / (3 * 5 * 3));
    double greatest = 0;
    assert_int_equal(weights.rows, 3 * 5 * 4 + 1);
    for (int line = 0; line < weights.rows; ++line)
        for (int u = 0; u < weights.columns; ++u) {
            const double weight = fabs(*at(weights, line, u));
            if (line % 4 == 3 || line == weights.rows - 1)
                assert_true(weight == 0);
            greatest = fmax(greatest, weight);
        }
    assert_true(greatest <= limit * (1 + 1e-6) && greatest > 0.99 * limit);
}

#define OF_3_X_9_X_7 .shape = {3, 9, 7}, .loss = GLNN_LOSS_SQUARED
#define CONVOLUTION  .kind = GLNN_LAYER_CONVOLUTION

/* Gradient noise can write any numbers into the rows that pad the channels of a group. */
static void fill_padding(glnn_learner *network, int layer)
{
    const glnn__layer *of = &glnn__network_of(network)->layers[layer];
    const int channels = of->input.channels / of->desc.groups;
    const array weights = array_copy(weights_of(network, layer));
    for (int line = 0; line < of->parameter_shape.rows; ++line)
        for (int u = 0; u < weights.columns; ++u)
            if (line % glnn__round_up(channels, 4) >= channels)
                *at(weights, line, u) = 1 + u;
    expect_ok(glnn_matrix_upload(glnn_test_context(), of->parameters->values, NULL,
                                 floats_of(weights), 0));
}

static void check_padding(glnn_layout layout)
{
    enum { LAYERS = 3, SAMPLES = 5 };
    glnn_learner *network = network_of(
        &(glnn_network_desc){.shape = {3, 7, 6},
                             .layers = {{CONVOLUTION, .units = 5, .kernel = {3, 3},
                                         .activation = GLNN_ACTIVATION_SIGMOID},
                                        {CONVOLUTION, .units = 6, .kernel = {2, 3},
                                         .activation = GLNN_ACTIVATION_SIGMOID},
                                        {CONVOLUTION, .units = 4, .kernel = {1, 2}, .groups = 2},
                                        {.kind = GLNN_LAYER_FLATTEN}},
                             .loss = GLNN_LOSS_SQUARED,
                             .layout = layout,
                             .seed = 3});
    const samples all = samples_for(network, SAMPLES, false);
    const glnn_dataset *data = dataset_of(all);
    array outputs[2], gradients[2][LAYERS];
    double losses[2];
    for (int i = 0; i < 2; ++i) {
        outputs[i] = predictions_of(network, all.inputs);
        for (int layer = 0; layer < LAYERS; ++layer)
            gradients[i][layer] = gradient_of(network, data, SAMPLES, layer, &losses[i]);
        for (int layer = 0; layer < LAYERS; ++layer)
            fill_padding(network, layer);
    }
    assert_true(losses[0] == losses[1]);
    expect_same_bits(outputs[1], outputs[0], "outputs");
    for (int layer = 0; layer < LAYERS; ++layer)
        expect_same_bits(gradients[1][layer], gradients[0][layer], "gradient");
    release_learning();
}

static void no_output_or_gradient_depends_on_rows_that_pad_channels(void **state)
{
    (void)state;
    random_seed(52);
    for (glnn_layout layout = GLNN_LAYOUT_TILED; layout < RENDERED_END; ++layout)
        if (!case_is_left_out((int)layout))
            check_padding(layout);
}

static const struct {
    glnn_network_desc desc;
    glnn_status status;
    const char *part;
} senseless[] = {
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .kernel = {2, 2}}}},
     GLNN_E_ARG,
     "layer 0 has 0 units; a convolution has at least 1"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4}}}, GLNN_E_ARG, "kernel.height is 0"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 1}, .dilation = {-1, 0}}}},
     GLNN_E_ARG,
     "layer 0: dilation.height is -1"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 4}, .dilation = {1, 3}}}},
     GLNN_E_SHAPE,
     "layer 0: kernel.width is 4, which reaches over 10 with a dilation of 3, but the image with "
     "its padding has a width of 7 + 2 * 0 = 7"},
    {{OF_3_X_9_X_7,
      .layers = {{.kind = GLNN_LAYER_MAX_POOL, .kernel = {2, 2}, .dilation = {2, 2}}}},
     GLNN_E_ARG,
     "dilation.height is 2, but max_pool layers do not use it"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {2, -1}}}},
     GLNN_E_ARG,
     "kernel.width is -1"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 1}, .stride = {0, -2}}}},
     GLNN_E_ARG,
     "stride.width is -2"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 1}, .padding = {-1, 0}}}},
     GLNN_E_ARG,
     "padding.height is -1"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {3, 10}, .padding = {0, 1}}}},
     GLNN_E_SHAPE,
     "kernel.width is 10, but the image with its padding has a width of 7 + 2 * 1 = 9"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 1}, .groups = 2}}},
     GLNN_E_SHAPE,
     "2 groups do not divide 3 channels of the input and 4 units"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 1}, .groups = -3}}},
     GLNN_E_ARG,
     "layer 0: groups is -3; it has to be an integer from 0 on, or 0 for 1"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 1 << 26, .kernel = {1, 1}}}},
     GLNN_E_LIMIT,
     "outputs of 67108864 x 9 x 7"},
    {{OF_3_X_9_X_7, .layers = {{CONVOLUTION, .units = 4, .kernel = {1, 1}, .skip = 1}}},
     GLNN_E_ARG,
     "skip is 1, but convolution layers do"},
};

static void descriptions_that_make_no_sense_are_refused_with_their_numbers(void **state)
{
    (void)state;
    glnn_learner *network;
    for (size_t i = 0; i < COUNT_OF(senseless); ++i)
        expect_error(glnn_network_create(glnn_test_context(), &senseless[i].desc, &network),
                     senseless[i].status, senseless[i].part);
}

/* Software rasterisers end long loops, so that numbers would be wrong without an error. */
static void groups_too_large_for_a_software_rasteriser_are_refused(void **state)
{
    (void)state;
    static const glnn_layer_desc large[] = {
        {CONVOLUTION, .units = 4, .groups = 4, .kernel = {100, 100}},
        {CONVOLUTION, .units = 4, .groups = 2, .kernel = {40, 40}},
    };
    if (!glnn_test_context()->info.software)
        skip();
    for (size_t i = 0; i < COUNT_OF(large); ++i) {
        const glnn_network_desc desc = {.shape = {4, 100, 100},
                                        .loss = GLNN_LOSS_SQUARED,
                                        .layers = {large[i], {.kind = GLNN_LAYER_FLATTEN}}};
        const array image = array_random(1, 40000, -1.0, 1.0);
        int class;
        expect_error(glnn_learner_predict(network_of(&desc), 1, floats_of(image), NULL, &class),
                     GLNN_E_LIMIT, "layer 0: convolution takes ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LEARNING_TEST(convolutions_with_and_without_groups_agree_with_the_reference),
        LEARNING_TEST(images_of_one_channel_agree_with_the_reference_at_every_width),
        LEARNING_TEST(images_of_one_channel_are_read_as_data_sets_have_them),
        LEARNING_TEST(convolutions_that_are_cut_for_a_gpu_agree_with_the_reference),
        LEARNING_TEST(first_weights_count_the_inputs_of_a_group),
        LEARNING_TEST(no_output_or_gradient_depends_on_rows_that_pad_channels),
        LEARNING_TEST(groups_too_large_for_a_software_rasteriser_are_refused),
        LEARNING_TEST(descriptions_that_make_no_sense_are_refused_with_their_numbers),
    };
    return cmocka_run_group_tests_name("convolution", tests, test_group_setup, test_group_teardown);
}
