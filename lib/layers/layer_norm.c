/* The layer normalisation layer: y = f(gamma n + beta), where n are the numbers of a sample with
 * mean 0 and variance 1. */
#include "layers/layer_norm.h"

#include "layers/batch_norm.h"
#include "layers/layer_types.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"
#include "pass/list.h"

enum { MOMENTS, SUMS, GRADIENT }; /* in `work` */

/* Options and uniforms of the kernels that fold in steps. */
enum { FIRST, LAST };
enum { ROWS, PARTS, FOLDS, EPSILON };

#define FOLD_UNIFORMS                                                                              \
    [ROWS] = "int rows", [PARTS] = "int parts", [FOLDS] = "int folds", [EPSILON] = "float epsilon"

static const glnn__kernel moments_kernel = {
    .name = "layers/sample_moments",
    .operands = {"X"},
    .options = {[FIRST] = "FIRST", [LAST] = "LAST"},
    .uniforms = {FOLD_UNIFORMS},
    .unviewed = 1,
};

static const glnn__kernel sums_kernel = {
    .name = "layers/sample_sums",
    .operands = {"D", "X", "PARAMETERS", "MOMENTS"},
    .options = {[FIRST] = "FIRST"},
    .uniforms = {FOLD_UNIFORMS},
    .unviewed = 4,
};

enum { ACTIVATION };

static const glnn__kernel forward_kernel = {
    .name = "layers/layer_norm",
    .operands = {"PARAMETERS", "MOMENTS", "X"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 2,
    .constants = {"PIXELS"},
};

enum { BATCH_ROWS };

static const glnn__kernel backward_kernel = {
    .name = "layers/layer_norm_backward",
    .operands = {"PARAMETERS", "MOMENTS", "SUMS", "X", "D"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .uniforms = {[BATCH_ROWS] = "int rows"},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 3,
    .constants = {"PIXELS"},
};

/* ---- Samples as rows of a matrix */

/* A row of the results for each sample. */
glnn_status glnn__sample_norm_create(glnn_context *ctx, int samples, glnn_matrix **out)
{
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, samples, 4, "sums of samples", out);
}

/* Runs the steps of a fold. `pass` is the first one, without its output. A fragment reads about as
 * many column groups as there are rows in later steps. */
static glnn_status fold(glnn_context *ctx, const glnn__sample_norm *norm, glnn__pass pass,
                        glnn_matrix *out)
{
    enum { MOST = 128 };
    const int groups = glnn__ceil_div(norm->columns, 4);
    int parts = groups < MOST ? MOST / groups : 1, left;
    glnn_matrix *latest = NULL;
    glnn_status status = GLNN_OK;
    pass.options[FIRST] = true;
    for (int rows = norm->rows; !status && pass.output != out; rows = left, parts = MOST) {
        left = glnn__ceil_div(rows, parts);
        pass.output = out;
        if (left > 1)
            status = glnn__sample_norm_create(ctx, out->rows * left, &pass.output);
        pass.options[LAST] = left == 1;
        pass.uniforms[ROWS].i = rows;
        pass.uniforms[PARTS].i = parts;
        pass.uniforms[FOLDS].i = left;
        if (!status)
            status = glnn__pass_run(ctx, &pass);
        glnn__scratch_destroy(latest);
        latest = left > 1 ? pass.output : NULL;
        pass.operands[0].matrix = pass.output;
        pass.options[FIRST] = false;
    }
    glnn__scratch_destroy(latest);
    return status;
}

glnn_status glnn__sample_norm_forward(glnn_context *ctx, const glnn__sample_norm *norm,
                                      const glnn_matrix *x, glnn_map activation, glnn_matrix *out)
{
    const int constants[GLNN__MAX_CONSTANTS] = {norm->rows};
    const glnn__pass moments = {
        .kernel = &moments_kernel,
        .operands = {{.matrix = x}},
        .uniforms = {[EPSILON] = {.f = GLNN__NORM_EPSILON}},
    };
    GLNN__TRY(fold(ctx, norm, moments, norm->moments));
    return glnn__pass_run(
        ctx,
        &(glnn__pass){
            .kernel = &forward_kernel,
            .operands = {{.matrix = norm->parameters}, {.matrix = norm->moments}, {.matrix = x}},
            .output = out,
            .options = {[ACTIVATION] = activation},
            .constants = constants,
        });
}

glnn_status glnn__sample_norm_backward(glnn_context *ctx, const glnn__sample_norm *norm,
                                       int samples, const glnn_matrix *delta, const glnn_matrix *x,
                                       glnn_map activation, glnn_matrix *out)
{
    const int constants[GLNN__MAX_CONSTANTS] = {norm->rows};
    const glnn__pass sums = {
        .kernel = &sums_kernel,
        .operands = {{.matrix = delta},
                     {.matrix = x},
                     {.matrix = norm->parameters},
                     {.matrix = norm->moments}},
    };
    GLNN__TRY(fold(ctx, norm, sums, norm->sums));
    return glnn__pass_run(ctx, &(glnn__pass){
                                   .kernel = &backward_kernel,
                                   .operands = {{.matrix = norm->parameters},
                                                {.matrix = norm->moments},
                                                {.matrix = norm->sums},
                                                {.matrix = x},
                                                {.matrix = delta}},
                                   .output = out,
                                   .options = {[ACTIVATION] = activation},
                                   .uniforms = {[BATCH_ROWS] = {.i = samples * norm->rows}},
                                   .constants = constants,
                               });
}

/* ---- The layer */

static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    (void)desc;
    return glnn__norm_set_row(ctx, layer->parameters->values, 0, 1);
}

static int arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS])
{
    glnn__norm_arrays(layer, out);
    return 2;
}

static int pixels_of(const glnn__layer *layer)
{
    return layer->input.height * layer->input.width;
}

/* Without a delta there is no gradient. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, glnn__ceil_div(layer->input.channels, 4)));
    GLNN__TRY(glnn__sample_norm_create(ctx, samples, &layer->work[MOMENTS]));
    if (!layer->out.delta)
        return GLNN_OK;
    GLNN__TRY(glnn__sample_norm_create(ctx, samples, &layer->work[SUMS]));
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_TILED, 2, layer->input.channels, "gradient",
                                       &layer->work[GRADIENT]);
}

static glnn__sample_norm norm_of(const glnn__layer *layer)
{
    return (glnn__sample_norm){.rows = pixels_of(layer),
                               .columns = layer->input.channels,
                               .parameters = layer->parameters->values,
                               .moments = layer->work[MOMENTS],
                               .sums = layer->work[SUMS]};
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const glnn__sample_norm norm = norm_of(layer);
    return glnn__sample_norm_forward(flow->ctx, &norm, input->values, layer->out.activation,
                                     layer->out.values);
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const glnn__sample_norm norm = norm_of(layer);
    return glnn__sample_norm_backward(flow->ctx, &norm, flow->samples, layer->out.delta,
                                      input->values, input->activation, input->delta);
}

static glnn_status gradient(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink)
{
    GLNN__TRY(glnn__norm_sums(flow, layer, input, layer->work[MOMENTS], pixels_of(layer),
                              layer->work[GRADIENT]));
    return glnn__sink_take_matrix(flow->ctx, sink, layer->work[GRADIENT], layer->parameters);
}

const glnn__layer_type glnn__layer_norm_layer = {
    .uses = GLNN__LAYER_ACTIVATION | GLNN__LAYER_SHARES,
    .takes = GLNN__PIXELS,
    .gives = GLNN__PIXELS,
    .shape = glnn__norm_shape,
    .initialise = initialise,
    .arrays = arrays,
    .prepare = prepare,
    .forward = forward,
    .backward = backward,
    .gradient = gradient,
};
