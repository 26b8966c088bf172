/* The passes of a convolution with small groups. Their channels are too few for matrix products, so
 * each number is computed by itself. */
#include "layers/convolution.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"

enum { PART_OUTPUTS, PART_INPUTS, PART_WEIGHTS };

static const glnn__enumerator parts[] = {GLNN__ENUMERATOR(PART_OUTPUTS),
                                         GLNN__ENUMERATOR(PART_INPUTS),
                                         GLNN__ENUMERATOR(PART_WEIGHTS),
                                         {0}};

enum { PART, MAP };
enum { SLICE_LENGTH, SLICE_BLOCKS };

static const glnn__kernel direct_kernel = {
    .name = "layers/convolution",
    .operands = {"A", "B", "Y"},
    .unviewed = 2,
    .options = {[PART] = "PART", [MAP] = "MAP"},
    .uniforms = {[SLICE_LENGTH] = "int slice_length", [SLICE_BLOCKS] = "int slice_blocks"},
    .enumerations = {parts, glnn__window_modes, glnn__map_enumerators},
    .constants = {GLNN__WINDOW_CONSTANTS, "GROUP_CHANNELS", "GROUP_UNITS"},
};

/* The place of the constants that windows do not have. */
enum { GROUP_CHANNELS = GLNN__WINDOW_CONSTANT_COUNT, GROUP_UNITS };

static glnn__window constants_of(const glnn__layer *layer, glnn__window_mode mode)
{
    glnn__window window = glnn__convolution_window(layer, mode);
    window.constants[GROUP_CHANNELS] = layer->input.channels / layer->desc.groups;
    window.constants[GROUP_UNITS] = layer->desc.units / layer->desc.groups;
    return window;
}

glnn_status glnn__convolution_direct_forward(const glnn__flow *flow, const glnn__layer *layer,
                                             const glnn__signal *input)
{
    const glnn__window window = constants_of(layer, GLNN__WINDOW_FORWARD);
    return glnn__pass_run(
        flow->ctx,
        &(glnn__pass){
            .kernel = &direct_kernel,
            .operands = {{.matrix = input->values}, {.matrix = glnn__layer_weights(layer)}},
            .output = layer->out.values,
            .options = {[PART] = PART_OUTPUTS, [MAP] = layer->out.activation},
            .constants = window.constants,
        });
}

glnn_status glnn__convolution_direct_backward(const glnn__flow *flow, const glnn__layer *layer,
                                              const glnn__signal *input)
{
    const glnn__window window = constants_of(layer, GLNN__WINDOW_BACKWARD);
    const bool maps = input->activation != GLNN_MAP_IDENTITY;
    return glnn__pass_run(flow->ctx,
                          &(glnn__pass){
                              .kernel = &direct_kernel,
                              .operands = {{.matrix = layer->out.delta},
                                           {.matrix = glnn__layer_weights(layer)},
                                           {.matrix = maps ? input->values : NULL}},
                              .output = input->delta,
                              .options = {[PART] = PART_INPUTS, [MAP] = input->activation},
                              .constants = window.constants,
                          });
}

/* The gradient has few elements, each of which is a sum over all pixels of a batch. The pixels are
 * cut into slices of at least SHORT_SLICE, so that there are MANY_FRAGMENTS. */
#define SHORT_SLICE    32
#define MANY_FRAGMENTS 8192

enum { SLICES, GRADIENT }; /* places in `work` */

static int block_rows_of(const glnn__layer *layer)
{
    const glnn_matrix *values = layer->parameters->values;
    return glnn__ceil_div(values->rows, glnn__layout_of(values)->block_rows);
}

static int count_slices(const glnn_context *ctx, const glnn__layer *layer, int pixels)
{
    const glnn__extent *extent = &layer->parameters->values->texture->extent;
    const int most = ctx->info.max_texture_size / block_rows_of(layer);
    const int wanted = glnn__ceil_div(MANY_FRAGMENTS, extent->width * extent->height);
    const int possible = glnn__least(glnn__ceil_div(pixels, SHORT_SLICE), most);
    return glnn__least(wanted, possible > 1 ? possible : 1);
}

static int count_pixels(const glnn__layer *layer, int samples)
{
    return samples * layer->out.shape.height * layer->out.shape.width;
}

glnn_status glnn__convolution_direct_prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const glnn_matrix *values = layer->parameters->values;
    const int slices = count_slices(ctx, layer, count_pixels(layer, samples));
    const int rows = slices * block_rows_of(layer) * glnn__layout_of(values)->block_rows;
    GLNN__TRY(glnn__matrix_create_narrow(ctx, values->layout, GLNN_STORAGE_FLOAT32, rows,
                                         values->columns, "slices of a gradient",
                                         &layer->work[SLICES]));
    return glnn__matrix_create_scratch(ctx, values->layout, values->rows, values->columns,
                                       "gradient", &layer->work[GRADIENT]);
}

glnn_status glnn__convolution_direct_gradient(const glnn__flow *flow, glnn__layer *layer,
                                              const glnn__signal *input, const glnn__sink *sink)
{
    const glnn__window window = constants_of(layer, GLNN__WINDOW_FORWARD);
    const int block_rows = block_rows_of(layer), pixels = layer->out.delta->rows;
    const int slices = count_slices(flow->ctx, layer, pixels);
    const glnn__pass pass = {
        .kernel = &direct_kernel,
        .operands = {{.matrix = input->values}, {.matrix = layer->out.delta}},
        .output = layer->work[SLICES],
        .options = {[PART] = PART_WEIGHTS},
        .uniforms = {[SLICE_LENGTH] = {.i = glnn__ceil_div(pixels, slices)},
                     [SLICE_BLOCKS] = {.i = block_rows}},
        .constants = window.constants,
    };
    GLNN__TRY(glnn__pass_run(flow->ctx, &pass));
    GLNN__TRY(glnn__slices_add(flow->ctx, layer->work[SLICES], slices, block_rows,
                               layer->work[GRADIENT]));
    return glnn__sink_take_matrix(flow->ctx, sink, layer->work[GRADIENT], layer->parameters);
}
