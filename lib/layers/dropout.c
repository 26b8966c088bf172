/* The dropout layer: inverted dropout. The mask is drawn anew from its counter in the backward
 * pass, which costs less than reading it would. */
#include "layers/layer_types.h"

#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

enum { ACTIVATION };
enum { RATE, SCALE, KEY_LOW, KEY_HIGH, LAYER, TRAINING_STEP, FIRST, ROWS };

static const glnn__kernel dropout_kernel = {
    .name = "layers/dropout",
    .operands = {"X", "Y"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .uniforms = {[RATE] = "float rate",
                 [SCALE] = "float scale",
                 [KEY_LOW] = "int key_low",
                 [KEY_HIGH] = "int key_high",
                 [LAYER] = "int layer",
                 [TRAINING_STEP] = "int training_step",
                 [FIRST] = "int first",
                 [ROWS] = "int rows"},
    .enumerations = {glnn__map_enumerators},
};

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    if (!(layer->desc.rate > 0 && layer->desc.rate < 1))
        return glnn__fail(GLNN_E_ARG, "layer %d drops at a rate of %g; it has to be in (0, 1)",
                          layer->number, (double)layer->desc.rate);
    layer->out.shape = layer->input;
    return GLNN_OK;
}

/* out = what the mask leaves of x, times f'(y) where y is given */
static glnn_status run(const glnn__flow *flow, const glnn__layer *layer, const glnn_matrix *x,
                       const glnn_matrix *y, glnn_map activation, glnn_matrix *out)
{
    const float rate = layer->desc.rate;
    return glnn__pass_run(flow->ctx,
                          &(glnn__pass){
                              .kernel = &dropout_kernel,
                              .operands = {{.matrix = x}, {.matrix = y}},
                              .output = out,
                              .options = {[ACTIVATION] = activation},
                              .uniforms = {[RATE] = {.f = rate},
                                           [SCALE] = {.f = 1 / (1 - rate)},
                                           [KEY_LOW] = {.i = (int)(uint32_t)flow->seed},
                                           [KEY_HIGH] = {.i = (int)(uint32_t)(flow->seed >> 32)},
                                           [LAYER] = {.i = layer->number},
                                           [TRAINING_STEP] = flow->step,
                                           [FIRST] = flow->first,
                                           [ROWS] = {.i = glnn__signal_rows(&layer->out)}},
                          });
}

const glnn__layer_type glnn__dropout_layer = {
    .uses = GLNN__LAYER_RATE,
    .trains_only = true,
    .shape = shape,
    .both_ways = run,
};
