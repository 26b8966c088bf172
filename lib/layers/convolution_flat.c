/* The passes of a convolution that is the first layer and whose images have one channel. It reads
 * the samples as data sets have them. A matrix of pixels would be three quarters padding. */
#include "layers/convolution.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"

enum { MAP };
enum { AHEAD };
enum { SLICE_LENGTH, SLICE_BLOCKS };

static const glnn__kernel outputs_kernel = {
    .name = "layers/convolution_flat",
    .operands = {"A", "B"},
    .unviewed = 2,
    .options = {[MAP] = "MAP"},
    .enumerations = {glnn__window_modes, glnn__map_enumerators},
    .constants = {GLNN__WINDOW_CONSTANTS},
};

static const glnn__kernel sums_kernel = {
    .name = "layers/convolution_flat_sums",
    .operands = {"A", "B"},
    .unviewed = 2,
    .options = {[AHEAD] = "AHEAD"},
    .uniforms = {[SLICE_LENGTH] = "int slice_length", [SLICE_BLOCKS] = "int slice_blocks"},
    .enumerations = {glnn__window_modes},
    .constants = {GLNN__WINDOW_CONSTANTS},
};

glnn_status glnn__convolution_flat_forward(const glnn__flow *flow, const glnn__layer *layer,
                                           const glnn__signal *input)
{
    const glnn__window window = glnn__convolution_window(layer, GLNN__WINDOW_FLAT);
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &outputs_kernel,
                                         .operands = {{.matrix = input->values},
                                                      {.matrix = glnn__layer_weights(layer)}},
                                         .output = layer->out.values,
                                         .options = {[MAP] = layer->out.activation},
                                         .constants = window.constants,
                                     });
}

/* The slices of the pixels have at least SHORT_SLICE. More slices fill a device better, but their
 * sums have to be added one after the other. */
#define SHORT_SLICE 16
#define MOST_SLICES 256

static int count_slices(int pixels)
{
    return glnn__least(glnn__ceil_div(pixels, SHORT_SLICE), MOST_SLICES);
}

/* A row for each tap, with the width padded to a multiple of four, and four for the biases. */
static int rows_of_slice(const glnn__layer *layer)
{
    return layer->desc.kernel.height * glnn__round_up(layer->desc.kernel.width, 4) + 4;
}

glnn_status glnn__convolution_flat_prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const glnn_matrix *values = layer->parameters.values;
    const int pixels = samples * layer->out.shape.height * layer->out.shape.width;
    return glnn__matrix_create_narrow(ctx, values->layout, GLNN_STORAGE_FLOAT32,
                                      count_slices(pixels) * rows_of_slice(layer), values->columns,
                                      "partial gradients", &layer->work[0]);
}

glnn_status glnn__convolution_flat_gradient(const glnn__flow *flow, glnn__layer *layer,
                                            const glnn__signal *input, const glnn__sink *sink)
{
    const int block_rows = glnn__layout_get(layer->work[0]->layout)->block_rows;
    const int pixels = layer->out.delta->rows, slices = count_slices(pixels);
    const glnn__window window = glnn__convolution_window(layer, GLNN__WINDOW_FLAT);
    const glnn__pass pass = {
        .kernel = &sums_kernel,
        .operands = {{.matrix = input->values}, {.matrix = layer->out.delta}},
        .output = layer->work[0],
        /* A CPU does not wait for fetches, and its registers are few. */
        .options = {[AHEAD] = !flow->ctx->info.software},
        .uniforms = {[SLICE_LENGTH] = {.i = glnn__round_up(glnn__ceil_div(pixels, slices), 4)},
                     [SLICE_BLOCKS] = {.i = rows_of_slice(layer) / block_rows}},
        .constants = window.constants,
    };
    const glnn__product product = {.a = layer->work[0],
                                   .b = layer->out.delta,
                                   .partials = slices,
                                   .transpose_a = true,
                                   .window = window};
    GLNN__TRY(glnn__pass_run(flow->ctx, &pass));
    return glnn__sink_take(flow->ctx, sink, &product, &layer->parameters);
}
