/* The layer normalisation layer: y = f(gamma n + beta), where n are the numbers of a sample with
 * mean 0 and variance 1. */
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

/* A row of the results for each sample. */
static glnn_status make_results(glnn_context *ctx, int samples, glnn_matrix **out)
{
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, samples, 4, "sums of samples", out);
}

/* Without a delta there is no gradient. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, glnn__ceil_div(layer->input.channels, 4)));
    GLNN__TRY(make_results(ctx, samples, &layer->work[MOMENTS]));
    if (!layer->out.delta)
        return GLNN_OK;
    GLNN__TRY(make_results(ctx, samples, &layer->work[SUMS]));
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_TILED, 2, layer->input.channels, "gradient",
                                       &layer->work[GRADIENT]);
}

/* Runs the steps of a fold. `pass` is the first one, without its output. A fragment reads about as
 * many column groups as there are rows in later steps. */
static glnn_status fold(const glnn__flow *flow, const glnn__layer *layer, glnn__pass pass,
                        glnn_matrix *out)
{
    enum { MOST = 128 };
    const int groups = glnn__ceil_div(layer->input.channels, 4);
    int parts = groups < MOST ? MOST / groups : 1, left;
    glnn_matrix *latest = NULL;
    glnn_status status = GLNN_OK;
    pass.options[FIRST] = true;
    for (int rows = pixels_of(layer); !status && pass.output != out; rows = left, parts = MOST) {
        left = glnn__ceil_div(rows, parts);
        pass.output = out;
        if (left > 1)
            status = make_results(flow->ctx, out->rows * left, &pass.output);
        pass.options[LAST] = left == 1;
        pass.uniforms[ROWS].i = rows;
        pass.uniforms[PARTS].i = parts;
        pass.uniforms[FOLDS].i = left;
        if (!status)
            status = glnn__pass_run(flow->ctx, &pass);
        glnn__scratch_destroy(latest);
        latest = left > 1 ? pass.output : NULL;
        pass.operands[0].matrix = pass.output;
        pass.options[FIRST] = false;
    }
    glnn__scratch_destroy(latest);
    return status;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const int constants[GLNN__MAX_CONSTANTS] = {pixels_of(layer)};
    const glnn__pass moments = {
        .kernel = &moments_kernel,
        .operands = {{.matrix = input->values}},
        .uniforms = {[EPSILON] = {.f = GLNN__NORM_EPSILON}},
    };
    GLNN__TRY(fold(flow, layer, moments, layer->work[MOMENTS]));
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &forward_kernel,
                                         .operands = {{.matrix = layer->parameters->values},
                                                      {.matrix = layer->work[MOMENTS]},
                                                      {.matrix = input->values}},
                                         .output = layer->out.values,
                                         .options = {[ACTIVATION] = layer->out.activation},
                                         .constants = constants,
                                     });
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const int constants[GLNN__MAX_CONSTANTS] = {pixels_of(layer)};
    const glnn__pass sums = {
        .kernel = &sums_kernel,
        .operands = {{.matrix = layer->out.delta},
                     {.matrix = input->values},
                     {.matrix = layer->parameters->values},
                     {.matrix = layer->work[MOMENTS]}},
    };
    GLNN__TRY(fold(flow, layer, sums, layer->work[SUMS]));
    return glnn__pass_run(flow->ctx,
                          &(glnn__pass){
                              .kernel = &backward_kernel,
                              .operands = {{.matrix = layer->parameters->values},
                                           {.matrix = layer->work[MOMENTS]},
                                           {.matrix = layer->work[SUMS]},
                                           {.matrix = input->values},
                                           {.matrix = layer->out.delta}},
                              .output = input->delta,
                              .options = {[ACTIVATION] = input->activation},
                              .uniforms = {[BATCH_ROWS] = {.i = flow->samples * pixels_of(layer)}},
                              .constants = constants,
                          });
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
