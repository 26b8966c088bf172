/* The convolution layer: y = f(windows(x) W + b) as matrix products with windows of images. With
 * small groups it is computed directly. */
#include "layers/convolution.h"

#include "base/integers.h"
#include "base/status.h"
#include "layers/affine.h"
#include "layers/initial_weights.h"
#include "layers/layer_types.h"

#include <limits.h>
#include <stdlib.h>

/* ---- Shapes */

static glnn_status check_numbers(const glnn__layer *layer, const glnn__side *s)
{
    const int number = layer->number;
    if (s->kernel < 1)
        return glnn__fail(GLNN_E_ARG, "layer %d: kernel.%s is %d; it has to be at least 1", number,
                          s->name, s->kernel);
    if (*s->stride < 0)
        return glnn__fail(GLNN_E_ARG, "layer %d: stride.%s is %d; it must not be negative", number,
                          s->name, *s->stride);
    if (s->padding < 0 || s->padding > INT_MAX / 4)
        return glnn__fail(GLNN_E_ARG, "layer %d: padding.%s is %d; it has to be 0 to %d", number,
                          s->name, s->padding, INT_MAX / 4);
    *s->stride = *s->stride == 0 ? 1 : *s->stride;
    *s->dilation = *s->dilation == 0 ? 1 : *s->dilation;
    return GLNN_OK;
}

glnn_status glnn__convolution_find_sides(glnn__layer *layer, glnn__side out[2])
{
    glnn_layer_desc *desc = &layer->desc;
    out[0] = (glnn__side){"height",
                          layer->input.height,
                          desc->kernel.height,
                          desc->padding.height,
                          &desc->stride.height,
                          &desc->dilation.height,
                          &layer->out.shape.height};
    out[1] = (glnn__side){"width",
                          layer->input.width,
                          desc->kernel.width,
                          desc->padding.width,
                          &desc->stride.width,
                          &desc->dilation.width,
                          &layer->out.shape.width};
    GLNN__TRY(check_numbers(layer, &out[0]));
    return check_numbers(layer, &out[1]);
}

int64_t glnn__side_reach(const glnn__side *side)
{
    return *side->dilation * ((int64_t)side->kernel - 1) + 1;
}

static glnn_status find_output(const glnn__layer *layer, const glnn__side *s)
{
    const int number = layer->number;
    const int64_t padded = s->input + 2 * (int64_t)s->padding, reach = glnn__side_reach(s);
    if (s->kernel <= padded && reach > padded)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: kernel.%s is %d, which reaches over %lld with a dilation of "
                          "%d, but the image with its padding has a %s of %d + 2 * %d = %lld",
                          number, s->name, s->kernel, (long long)reach, *s->dilation, s->name,
                          s->input, s->padding, (long long)padded);
    if (reach > padded)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: kernel.%s is %d, but the image with its padding has a %s of "
                          "%d + 2 * %d = %lld",
                          number, s->name, s->kernel, s->name, s->input, s->padding,
                          (long long)padded);
    *s->output = (int)((padded - reach) / *s->stride) + 1;
    return GLNN_OK;
}

static glnn_status check_groups(glnn__layer *layer)
{
    glnn_layer_desc *desc = &layer->desc;
    desc->groups = desc->groups == 0 ? 1 : desc->groups;
    if (desc->units < 1)
        return glnn__fail(GLNN_E_ARG, "layer %d has %d units; a convolution has at least 1",
                          layer->number, desc->units);
    if (desc->groups < 1)
        return glnn__fail(GLNN_E_ARG, "layer %d has %d groups; there is at least 1", layer->number,
                          desc->groups);
    if (layer->input.channels % desc->groups != 0 || desc->units % desc->groups != 0)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: %d groups do not divide %d channels of the input and %d units",
                          layer->number, desc->groups, layer->input.channels, desc->units);
    return GLNN_OK;
}

static int tap_count(const glnn__layer *layer)
{
    return layer->desc.kernel.height * layer->desc.kernel.width;
}

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    glnn_layer_desc *desc = &layer->desc;
    glnn_shape *output = &layer->out.shape;
    glnn__side sides[2];
    GLNN__TRY(check_groups(layer));
    GLNN__TRY(glnn__convolution_find_sides(layer, sides));
    GLNN__TRY(find_output(layer, &sides[0]));
    GLNN__TRY(find_output(layer, &sides[1]));
    output->channels = desc->units;
    const double rows = (double)desc->kernel.height * desc->kernel.width *
                        (glnn__convolution_channels(layer) + 3.0);
    if (glnn__shape_size(*output) == 0 || rows >= INT_MAX)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: outputs of %d x %d x %d by kernels of %d x %d x %d; neither "
                          "may have %d numbers or more",
                          layer->number, output->channels, output->height, output->width,
                          glnn__convolution_channels(layer), desc->kernel.height,
                          desc->kernel.width, INT_MAX);
    layer->parameter_shape = (glnn__parameter_shape){
        tap_count(layer) * glnn__round_up(glnn__convolution_channels(layer), 4), desc->units, true};
    return GLNN_OK;
}

/* ---- The first weights */

/* Writes zeros into the rows of each tap that pad the channels. Their gradients are zeros, because
 * the channels that pad an input are zeros. Only gradient noise changes these rows; no output
 * depends on them, and files leave them out. */
static glnn_status clear_padding(glnn_context *ctx, const glnn__layer *layer)
{
    const int channels = glnn__convolution_channels(layer), step = glnn__round_up(channels, 4);
    const int columns = layer->parameter_shape.columns;
    glnn_status status = GLNN_OK;
    if (step == channels)
        return GLNN_OK;
    float *zeros = calloc(3 * (size_t)columns, sizeof *zeros);
    if (!zeros)
        return glnn__fail(GLNN_E_NOMEM, "no memory for weights of %d units", columns);
    for (int tap = 0; tap < tap_count(layer) && !status; ++tap)
        status = glnn_matrix_upload(
            ctx, layer->parameters->values,
            &(glnn_rect){tap * step + channels, 0, step - channels, columns}, zeros, 0);
    free(zeros);
    return status;
}

/* Pixels of one channel would be three quarters padding. The taps of a run are adjacent. */
static bool takes_flat(const glnn__layer *layer)
{
    return layer->input.channels == 1 && layer->desc.dilation.height == 1 &&
           layer->desc.dilation.width == 1;
}

static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    GLNN__TRY(glnn__draw_weights(ctx, desc, layer,
                                 tap_count(layer) * glnn__convolution_channels(layer),
                                 tap_count(layer) * (layer->desc.units / layer->desc.groups)));
    return clear_padding(ctx, layer);
}

static int arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS])
{
    const size_t units = (size_t)layer->parameter_shape.columns;
    const size_t channels = (size_t)glnn__convolution_channels(layer);
    const size_t tap = (size_t)glnn__round_up(glnn__convolution_channels(layer), 4) * units;
    const size_t height = (size_t)layer->desc.kernel.height,
                 width = (size_t)layer->desc.kernel.width;
    out[0] = (glnn__layer_array){
        "weight", 4, {units, channels, height, width}, .stride = {1, units, width * tap, tap}};
    out[1] = (glnn__layer_array){"bias", 1, {units}, .stride = {1}, .first = height * width * tap};
    return 2;
}

/* The turns of the loops for a block of a convolution with groups, forward or backward. */
static int64_t direct_turns(const glnn__layer *layer)
{
    enum { TEXELS = 8, COLUMNS = 4 };
    const glnn_layer_desc *desc = &layer->desc;
    const int channels = glnn__convolution_channels(layer), units = desc->units / desc->groups;
    const int64_t most = channels > units ? channels : units;
    const int64_t tap = most == 1 ? 1 : 1 + COLUMNS * most;
    return TEXELS * desc->kernel.height * (1 + desc->kernel.width * tap);
}

static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    if (layer->taken == GLNN__FLAT)
        return glnn__convolution_flat_prepare(ctx, layer, samples);
    if (!glnn__convolution_is_direct(layer))
        return GLNN_OK;
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, direct_turns(layer)));
    return glnn__convolution_direct_prepare(ctx, layer, samples);
}

/* ---- Products */

/* As for a dense layer whose samples are pixels. */
static int products(const glnn__layer *layer, int samples,
                    glnn__layout_use uses[GLNN__LAYER_PRODUCTS])
{
    const int lines = layer->parameter_shape.rows, units = layer->parameter_shape.columns;
    const int pixels = samples * layer->out.shape.height * layer->out.shape.width;
    if (glnn__convolution_is_direct(layer) || layer->taken == GLNN__FLAT)
        return 0;
    uses[0] = (glnn__layout_use){.rows = pixels, .columns = units, .inner = lines};
    uses[1] =
        (glnn__layout_use){.rows = lines, .columns = units, .inner = pixels, .transpose_a = true};
    uses[2] = (glnn__layout_use){.rows = samples * layer->input.height * layer->input.width,
                                 .columns = layer->input.channels,
                                 .inner = tap_count(layer) * (units / layer->desc.groups),
                                 .transpose_b = true};
    return layer->number > 0 ? 3 : 2;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    if (layer->taken == GLNN__FLAT)
        return glnn__convolution_flat_forward(flow, layer, input);
    if (glnn__convolution_is_direct(layer))
        return glnn__convolution_direct_forward(flow, layer, input);
    return glnn__affine_forward(flow, layer, input,
                                glnn__convolution_window(layer, GLNN__WINDOW_FORWARD));
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    if (glnn__convolution_is_direct(layer))
        return glnn__convolution_direct_backward(flow, layer, input);
    return glnn__affine_backward(flow, layer, input,
                                 glnn__convolution_window(layer, GLNN__WINDOW_BACKWARD));
}

static glnn_status gradient(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink)
{
    if (layer->taken == GLNN__FLAT)
        return glnn__convolution_flat_gradient(flow, layer, input, sink);
    if (glnn__convolution_is_direct(layer))
        return glnn__convolution_direct_gradient(flow, layer, input, sink);
    return glnn__affine_gradient(flow, layer, input,
                                 glnn__convolution_window(layer, GLNN__WINDOW_FORWARD), sink);
}

const glnn__layer_type glnn__convolution_layer = {
    .uses = GLNN__LAYER_UNITS | GLNN__LAYER_ACTIVATION | GLNN__LAYER_KERNEL | GLNN__LAYER_STRIDE |
            GLNN__LAYER_PADDING | GLNN__LAYER_GROUPS | GLNN__LAYER_DILATION | GLNN__LAYER_SHARES,
    .takes = GLNN__PIXELS,
    .gives = GLNN__PIXELS,
    .takes_flat = takes_flat,
    .shape = shape,
    .initialise = initialise,
    .arrays = arrays,
    .products = products,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
