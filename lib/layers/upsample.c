/* The upsampling layer: each pixel becomes several equal ones. */
#include "layers/layer_types.h"

#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

#include <limits.h>

enum { HEIGHT, WIDTH, FACTOR_HEIGHT, FACTOR_WIDTH };
enum { BACKWARD, ACTIVATION };

static const glnn__kernel upsample_kernel = {
    .name = "layers/upsample",
    .operands = {"A", "Y"},
    .options = {[BACKWARD] = "BACKWARD", [ACTIVATION] = "ACTIVATION"},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 1,
    .constants = {[HEIGHT] = "HEIGHT",
                  [WIDTH] = "WIDTH",
                  [FACTOR_HEIGHT] = "FACTOR_HEIGHT",
                  [FACTOR_WIDTH] = "FACTOR_WIDTH"},
};

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    const glnn_size given = layer->desc.stride;
    const glnn_size by = {given.height ? given.height : 1, given.width ? given.width : 1};
    const glnn_shape in = layer->input;
    (void)layers;
    if (given.height == 0 && given.width == 0)
        return glnn__fail(
            GLNN_E_ARG,
            "layer %d: upsample has a stride of 0 x 0; at least one of both has to be "
            "given",
            layer->number);
    layer->desc.stride = by;
    const double height = (double)in.height * by.height, width = (double)in.width * by.width;
    if (height * width * in.channels >= INT_MAX)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: upsample makes %d channels of %.0f x %.0f; there can be %d "
                          "numbers",
                          layer->number, in.channels, height, width, INT_MAX - 1);
    layer->out.shape = (glnn_shape){in.channels, in.height * by.height, in.width * by.width};
    return GLNN_OK;
}

/* The turns of the loops for a block backward. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    enum { TEXELS = 8 };
    const glnn_size by = layer->desc.stride;
    (void)samples;
    return layer->out.delta
               ? glnn__layer_check_turns(ctx, layer, TEXELS * by.height * (by.width + (int64_t)1))
               : GLNN_OK;
}

static glnn_status run(const glnn__flow *flow, const glnn__layer *layer, const glnn_matrix *a,
                       const glnn_matrix *y, glnn_map activation, glnn_matrix *out)
{
    const glnn_size by = layer->desc.stride;
    const int constants[GLNN__MAX_CONSTANTS] = {[HEIGHT] = layer->input.height,
                                                [WIDTH] = layer->input.width,
                                                [FACTOR_HEIGHT] = by.height,
                                                [FACTOR_WIDTH] = by.width};
    return glnn__pass_run(
        flow->ctx, &(glnn__pass){
                       .kernel = &upsample_kernel,
                       .operands = {{.matrix = a}, {.matrix = y}},
                       .output = out,
                       .options = {[BACKWARD] = a == layer->out.delta, [ACTIVATION] = activation},
                       .constants = constants,
                   });
}

const glnn__layer_type glnn__upsample_layer = {
    .uses = GLNN__LAYER_STRIDE,
    .takes = GLNN__PIXELS,
    .gives = GLNN__PIXELS,
    .shape = shape,
    .prepare = prepare,
    .both_ways = run,
};
