/* The local response normalisation layer: y = x / s^beta, where s is k + alpha times the mean
 * square of neighbouring channels. The backward pass needs d x / s^(beta + 1) of each channel
 * first. */
#include "layers/layer_types.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

enum { PART_OUTPUTS, PART_RATIOS, PART_DELTAS };

static const glnn__enumerator parts[] = {GLNN__ENUMERATOR(PART_OUTPUTS),
                                         GLNN__ENUMERATOR(PART_RATIOS),
                                         GLNN__ENUMERATOR(PART_DELTAS),
                                         {0}};

enum { PART, ACTIVATION };
enum { SIZE, SHARE, BETA, K };
enum { RATIOS }; /* in `work` */

static const glnn__kernel response_kernel = {
    .name = "layers/local_response_norm",
    .operands = {"X", "D", "RATIOS"},
    .options = {[PART] = "PART", [ACTIVATION] = "ACTIVATION"},
    .uniforms =
        {[SIZE] = "int size", [SHARE] = "float share", [BETA] = "float beta", [K] = "float k"},
    .enumerations = {parts, glnn__map_enumerators},
    .unviewed = 3,
};

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    glnn_layer_desc *desc = &layer->desc;
    desc->size = desc->size == 0 ? 5 : desc->size;
    desc->alpha = desc->alpha == 0 ? 1e-4f : desc->alpha;
    desc->beta = desc->beta == 0 ? 0.75f : desc->beta;
    desc->k = desc->k == 0 ? 2 : desc->k;
    layer->out.shape = layer->input;
    return GLNN_OK;
}

/* The turns of the loops for a block. Without a delta there is no backward pass. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    enum { NUMBERS = 32, LOOPS = 2 };
    const glnn_matrix *delta = layer->out.delta;
    const int64_t read = glnn__least(layer->desc.size, layer->input.channels);
    (void)samples;
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, NUMBERS * LOOPS * read));
    if (!delta)
        return GLNN_OK;
    return glnn__matrix_create_narrow(ctx, delta->layout, GLNN_STORAGE_FLOAT32, delta->rows,
                                      delta->columns, "ratios", &layer->work[RATIOS]);
}

static glnn_status run(const glnn__flow *flow, const glnn__layer *layer, unsigned part,
                       const glnn__signal *input, const glnn_matrix *ratios, glnn_matrix *out)
{
    const glnn_layer_desc *desc = &layer->desc;
    const bool has_delta = part != PART_OUTPUTS;
    return glnn__pass_run(
        flow->ctx,
        &(glnn__pass){
            .kernel = &response_kernel,
            .operands = {{.matrix = input->values},
                         {.matrix = has_delta ? layer->out.delta : NULL},
                         {.matrix = ratios}},
            .output = out,
            .options = {[PART] = part,
                        [ACTIVATION] = part == PART_DELTAS ? input->activation : GLNN_MAP_IDENTITY},
            .uniforms = {[SIZE] = {.i = desc->size},
                         [SHARE] = {.f = desc->alpha / (float)desc->size},
                         [BETA] = {.f = desc->beta},
                         [K] = {.f = desc->k}},
        });
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    return run(flow, layer, PART_OUTPUTS, input, NULL, layer->out.values);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    GLNN__TRY(run(flow, layer, PART_RATIOS, input, NULL, layer->work[RATIOS]));
    return run(flow, layer, PART_DELTAS, input, layer->work[RATIOS], input->delta);
}

const glnn__layer_type glnn__local_response_norm_layer = {
    .uses = GLNN__LAYER_RESPONSE,
    .takes = GLNN__PIXELS,
    .gives = GLNN__PIXELS,
    .shape = shape,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
};
