/* The transposed convolution layer. The convolution that it transposes maps images of its output to
 * its input, so its forward pass is the backward product of that one, and the other way round. */
#include "layers/convolution.h"

#include "base/integers.h"
#include "base/status.h"
#include "layers/initial_weights.h"
#include "layers/layer_types.h"
#include "ops/reduce.h"

#include <limits.h>
#include <stdlib.h>

enum { BIASES, WEIGHTS, SUMS, GRADIENT }; /* in `work` */
enum { LINES };

static const glnn__kernel biases_kernel = {
    .name = "layers/biases",
    .operands = {"SUMS", "X"},
    .uniforms = {[LINES] = "int lines"},
    .unviewed = 2,
};

/* ---- Shapes */

static int tap_count(const glnn__layer *layer)
{
    return layer->desc.kernel.height * layer->desc.kernel.width;
}

/* The rows of the weights; those of the biases follow. */
static int count_lines(const glnn__layer *layer)
{
    return tap_count(layer) * glnn__round_up(layer->desc.units, 4);
}

static glnn_status find_output(const glnn__layer *layer, const glnn__side *s)
{
    const int64_t whole = (s->input - (int64_t)1) * *s->stride + glnn__side_reach(s);
    const int64_t output = whole - 2 * (int64_t)s->padding;
    if (output < 1)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: padding.%s is %d on each side, but the windows have a %s of "
                          "%lld together",
                          layer->number, s->name, s->padding, s->name, (long long)whole);
    *s->output = (int)(output < INT_MAX ? output : INT_MAX);
    return GLNN_OK;
}

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    const glnn_layer_desc *desc = &layer->desc;
    const int channels = layer->input.channels;
    glnn_shape *output = &layer->out.shape;
    glnn__side sides[2];
    (void)layers;
    if (desc->units < 1)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d has %d units; a transposed convolution has at least 1",
                          layer->number, desc->units);
    GLNN__TRY(glnn__convolution_find_sides(layer, sides));
    GLNN__TRY(find_output(layer, &sides[0]));
    GLNN__TRY(find_output(layer, &sides[1]));
    output->channels = desc->units;
    const double rows = (double)desc->kernel.height * desc->kernel.width * (desc->units + 3.0);
    if (glnn__shape_size(*output) == 0 || rows + desc->units >= INT_MAX)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: outputs of %d x %d x %d by kernels of %d x %d x %d; neither "
                          "may have %d numbers or more",
                          layer->number, output->channels, output->height, output->width,
                          desc->units, desc->kernel.height, desc->kernel.width, INT_MAX);
    layer->parameter_shape = (glnn__parameter_shape){
        count_lines(layer) + glnn__ceil_div(desc->units, channels), channels, false};
    return GLNN_OK;
}

/* ---- The first weights */

/* Writes zeros into the rows that pad a tap, and into those of the biases. */
static glnn_status clear_rows(glnn_context *ctx, const glnn__layer *layer, int row, int count)
{
    const glnn_rect rect = {row, 0, count, layer->parameter_shape.columns};
    if (count == 0)
        return GLNN_OK;
    float *zeros = calloc((size_t)count * (size_t)rect.columns, sizeof *zeros);
    if (!zeros)
        return glnn__fail(GLNN_E_NOMEM, "no memory for weights of %d channels", rect.columns);
    const glnn_status status = glnn_matrix_upload(ctx, layer->parameters->values, &rect, zeros, 0);
    free(zeros);
    return status;
}

/* A number of the output is a sum over the taps of one phase. */
static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    const int units = layer->desc.units, step = glnn__round_up(units, 4);
    const glnn_size kernel = layer->desc.kernel, stride = layer->desc.stride;
    const int met =
        glnn__ceil_div(kernel.height, stride.height) * glnn__ceil_div(kernel.width, stride.width);
    GLNN__TRY(glnn__draw_weights(ctx, desc, layer, met * layer->input.channels,
                                 tap_count(layer) * units));
    for (int tap = 0; tap < tap_count(layer); ++tap)
        GLNN__TRY(clear_rows(ctx, layer, tap * step + units, step - units));
    const int lines = count_lines(layer);
    return clear_rows(ctx, layer, lines, layer->parameter_shape.rows - lines);
}

static int arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS])
{
    const size_t channels = (size_t)layer->input.channels, units = (size_t)layer->desc.units;
    const size_t height = (size_t)layer->desc.kernel.height,
                 width = (size_t)layer->desc.kernel.width;
    const size_t tap = (size_t)glnn__round_up(layer->desc.units, 4) * channels;
    out[0] = (glnn__layer_array){
        "weight", 4, {channels, units, height, width}, .stride = {1, channels, width * tap, tap}};
    out[1] = (glnn__layer_array){"bias", 1, {units}, .stride = {1}, .first = height * width * tap};
    return 2;
}

/* ---- Passes */

/* The windows of the convolution that is transposed. */
static glnn__window window_of(const glnn__layer *layer, glnn__window_mode mode)
{
    glnn__layer of = {.desc = layer->desc, .input = layer->out.shape, .out.shape = layer->input};
    of.desc.units = layer->input.channels;
    of.desc.groups = 1;
    return glnn__convolution_window(&of, mode);
}

/* Those of the convolution, in the same order. */
static int products(const glnn__layer *layer, int samples,
                    glnn__layout_use uses[GLNN__LAYER_PRODUCTS])
{
    const int lines = count_lines(layer), channels = layer->input.channels;
    const int pixels = samples * layer->input.height * layer->input.width;
    uses[0] = (glnn__layout_use){.rows = samples * layer->out.shape.height * layer->out.shape.width,
                                 .columns = layer->desc.units,
                                 .inner = tap_count(layer) * channels,
                                 .transpose_b = true};
    uses[1] = (glnn__layout_use){
        .rows = lines, .columns = channels, .inner = pixels, .transpose_a = true};
    uses[2] = (glnn__layout_use){.rows = pixels, .columns = channels, .inner = lines};
    return layer->number > 0 ? 3 : 2;
}

/* Without a delta there is no gradient. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const glnn_matrix *values = layer->parameters->values;
    const int units = layer->desc.units;
    (void)samples;
    GLNN__TRY(
        glnn__matrix_create_scratch(ctx, values->layout, 1, units, "biases", &layer->work[BIASES]));
    if (!layer->out.delta)
        return GLNN_OK;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, values->layout, count_lines(layer), values->columns,
                                          "gradient of weights", &layer->work[WEIGHTS]));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, values->layout, 1, units, "gradient of biases",
                                          &layer->work[SUMS]));
    return glnn__matrix_create_scratch(ctx, values->layout, values->rows, values->columns,
                                       "gradient", &layer->work[GRADIENT]);
}

static glnn_status run_biases(const glnn__flow *flow, const glnn__layer *layer,
                              const glnn_matrix *sums, const glnn_matrix *x, glnn_matrix *out)
{
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &biases_kernel,
                                         .operands = {{.matrix = sums}, {.matrix = x}},
                                         .output = out,
                                         .uniforms = {[LINES] = {.i = count_lines(layer)}},
                                     });
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const glnn__product product = {
        .a = input->values,
        .b = glnn__layer_weights(layer),
        .bias = layer->work[BIASES],
        .c = layer->out.values,
        .alpha = {.f = 1},
        .transpose_b = true,
        .activation = layer->out.activation,
        .window = window_of(layer, GLNN__WINDOW_BACKWARD),
    };
    GLNN__TRY(run_biases(flow, layer, NULL, product.b, layer->work[BIASES]));
    return glnn__product_run(flow->ctx, &product);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const glnn__product product = {
        .a = layer->out.delta,
        .b = glnn__layer_weights(layer),
        .derivative_of = input->activation == GLNN_MAP_IDENTITY ? NULL : input->values,
        .c = input->delta,
        .alpha = {.f = 1},
        .derivative = input->activation,
        .window = window_of(layer, GLNN__WINDOW_FORWARD),
    };
    return glnn__product_run(flow->ctx, &product);
}

static glnn_status gradient(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink)
{
    const glnn__product product = {
        .a = layer->out.delta,
        .b = input->values,
        .c = layer->work[WEIGHTS],
        .alpha = {.f = 1},
        .transpose_a = true,
        .window = window_of(layer, GLNN__WINDOW_FORWARD),
    };
    GLNN__TRY(glnn__product_run(flow->ctx, &product));
    GLNN__TRY(glnn__reduce(flow->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, true, layer->out.delta,
                           layer->work[SUMS]));
    GLNN__TRY(
        run_biases(flow, layer, layer->work[SUMS], layer->work[WEIGHTS], layer->work[GRADIENT]));
    return glnn__sink_take_matrix(flow->ctx, sink, layer->work[GRADIENT], layer->parameters);
}

const glnn__layer_type glnn__transposed_convolution_layer = {
    .uses = GLNN__LAYER_UNITS | GLNN__LAYER_ACTIVATION | GLNN__LAYER_KERNEL | GLNN__LAYER_STRIDE |
            GLNN__LAYER_PADDING | GLNN__LAYER_DILATION | GLNN__LAYER_SHARES,
    .takes = GLNN__PIXELS,
    .gives = GLNN__PIXELS,
    .shape = shape,
    .initialise = initialise,
    .arrays = arrays,
    .products = products,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
