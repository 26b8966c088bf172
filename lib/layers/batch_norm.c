/* The batch normalisation layer: y = f(gamma n + beta), where n are the inputs of a channel with
 * mean 0 and variance 1 over all samples and pixels of a batch. */
#include "layers/batch_norm.h"
#include "layers/layer_types.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"
#include "pass/list.h"

#include <stdlib.h>

#define MOMENTUM 0.1f

/* Most parts that a step folds into one. */
#define MOST_PARTS 128

/* Options and uniforms of the kernels that fold in steps. */
enum { FIRST, LAST };
enum { PART_ROWS, ROWS, PARTS, STEP_MOMENTUM, STEP_EPSILON };

static const glnn__kernel moments_kernel = {
    .name = "layers/moments",
    .operands = {"X", "OLD"},
    .options = {[FIRST] = "FIRST", [LAST] = "LAST"},
    .uniforms = {[PART_ROWS] = "int part_rows",
                 [ROWS] = "int rows",
                 [PARTS] = "int parts",
                 [STEP_MOMENTUM] = "float momentum",
                 [STEP_EPSILON] = "float epsilon"},
    .unviewed = 2,
};

static const glnn__kernel sums_kernel = {
    .name = "layers/batch_norm_sums",
    .operands = {"D", "X", "STATISTICS"},
    .options = {[FIRST] = "FIRST", [LAST] = "LAST"},
    .uniforms = {[PART_ROWS] = "int part_rows", [ROWS] = "int rows", [PARTS] = "int parts"},
    .unviewed = 3,
    .constants = {"PIXELS"},
};

enum { ACTIVATION, RUNNING };
enum { EPSILON_ADDED };

static const glnn__kernel forward_kernel = {
    .name = "layers/batch_norm",
    .operands = {"PARAMETERS", "STATISTICS", "X"},
    .options = {[ACTIVATION] = "ACTIVATION", [RUNNING] = "RUNNING"},
    .uniforms = {[EPSILON_ADDED] = "float epsilon"},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 2,
};

enum { BATCH_ROWS };

static const glnn__kernel backward_kernel = {
    .name = "layers/batch_norm_backward",
    .operands = {"PARAMETERS", "STATISTICS", "SUMS", "X", "D"},
    .options = {[ACTIVATION] = "ACTIVATION"},
    .uniforms = {[BATCH_ROWS] = "int rows"},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 3,
};

glnn_status glnn__norm_shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    layer->out.shape = layer->input;
    layer->parameter_shape = (glnn__parameter_shape){1, layer->input.channels, true};
    return GLNN_OK;
}

glnn_status glnn__norm_set_row(glnn_context *ctx, glnn_matrix *matrix, int row, float value)
{
    float *values = malloc((size_t)matrix->columns * sizeof *values);
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d channels", matrix->columns);
    for (int j = 0; j < matrix->columns; ++j)
        values[j] = value;
    const glnn_rect rect = {row, 0, 1, matrix->columns};
    const glnn_status status = glnn_matrix_upload(ctx, matrix, &rect, values, 0);
    free(values);
    return status;
}

/* gamma is 1 and beta 0, as are the running variance and mean. */
static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    (void)desc;
    GLNN__TRY(glnn__norm_set_row(ctx, layer->parameters->values, 0, 1));
    GLNN__TRY(glnn__matrix_create_zero(ctx, GLNN_LAYOUT_TILED, 4, layer->input.channels,
                                       "statistics", &layer->statistics));
    return glnn__norm_set_row(ctx, layer->statistics, 1, 1);
}

/* The gradient of the parameters, which `backward` needs too. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    (void)samples;
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_TILED, 2, layer->input.channels, "sums",
                                       &layer->work[0]);
}

int glnn__norm_arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS])
{
    static const char *const names[] = {"weight", "bias", "running_mean", "running_var"};
    const size_t channels = (size_t)layer->input.channels;
    for (int a = 0; a < 4; ++a)
        out[a] = (glnn__layer_array){names[a],
                                     1,
                                     {channels},
                                     .stride = {1},
                                     .first = a % 2 ? channels : 0,
                                     .is_statistic = a >= 2,
                                     .is_positive = a == 3};
    return 4;
}

static int rows_of(const glnn__flow *flow, const glnn__layer *layer)
{
    return flow->samples * layer->input.height * layer->input.width;
}

/* As many in each of the fewest steps that fold all rows. */
static int choose_parts(int rows)
{
    int steps = 1, parts = 2;
    for (int64_t all = MOST_PARTS; all < rows; all *= MOST_PARTS)
        ++steps;
    for (;; ++parts) {
        int64_t all = 1;
        for (int s = 0; s < steps; ++s)
            all *= parts;
        if (all >= rows)
            return parts;
    }
}

/* Runs the steps of a fold. `pass` is the first one, without its output. */
static glnn_status fold(const glnn__flow *flow, glnn__pass pass, int rows, glnn_matrix *out)
{
    const int parts = choose_parts(rows);
    glnn_matrix *latest = NULL;
    glnn_status status = GLNN_OK;
    pass.options[FIRST] = true;
    pass.uniforms[ROWS].i = rows;
    pass.uniforms[PARTS].i = parts;
    for (int length = 1; !status && !pass.options[LAST]; length *= parts) {
        const int left = glnn__ceil_div(glnn__ceil_div(rows, length), parts);
        glnn_matrix *target = left > 1 ? NULL : out;
        pass.options[LAST] = left == 1;
        if (left > 1)
            status = glnn__matrix_create_scratch(flow->ctx, GLNN_LAYOUT_TILED, 4 * left,
                                                 out->columns, "partial sums", &target);
        pass.uniforms[PART_ROWS].i = length;
        pass.output = target;
        if (!status)
            status = glnn__pass_run(flow->ctx, &pass);
        glnn__scratch_destroy(latest);
        latest = left > 1 ? target : NULL;
        pass.operands[0].matrix = target;
        pass.options[FIRST] = false;
    }
    glnn__scratch_destroy(latest);
    return status;
}

static glnn_status find_moments(const glnn__flow *flow, const glnn__layer *layer,
                                const glnn__signal *input)
{
    const glnn__pass pass = {
        .kernel = &moments_kernel,
        .operands = {{.matrix = input->values}, {.matrix = layer->statistics}},
        .uniforms = {[STEP_MOMENTUM] = {.f = flow->learns ? MOMENTUM : 0},
                     [STEP_EPSILON] = {.f = GLNN__NORM_EPSILON}},
    };
    return fold(flow, pass, rows_of(flow, layer), layer->statistics);
}

glnn_status glnn__norm_sums(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input, const glnn_matrix *moments, int pixels,
                            glnn_matrix *out)
{
    const int constants[GLNN__MAX_CONSTANTS] = {pixels};
    const glnn__pass pass = {
        .kernel = &sums_kernel,
        .operands = {{.matrix = layer->out.delta}, {.matrix = input->values}, {.matrix = moments}},
        .constants = constants,
    };
    return fold(flow, pass, rows_of(flow, layer), out);
}

/* They are the gradient, and the delta of the input needs them too. */
static glnn_status begin_backward(const glnn__flow *flow, const glnn__layer *layer,
                                  const glnn__signal *input)
{
    return glnn__norm_sums(flow, layer, input, layer->statistics, 0, layer->work[0]);
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    if (flow->trains)
        GLNN__TRY(find_moments(flow, layer, input));
    return glnn__pass_run(
        flow->ctx, &(glnn__pass){
                       .kernel = &forward_kernel,
                       .operands = {{.matrix = layer->parameters->values},
                                    {.matrix = layer->statistics},
                                    {.matrix = input->values}},
                       .output = layer->out.values,
                       .options = {[ACTIVATION] = layer->out.activation, [RUNNING] = !flow->trains},
                       .uniforms = {[EPSILON_ADDED] = {.f = GLNN__NORM_EPSILON}},
                   });
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &backward_kernel,
                                         .operands = {{.matrix = layer->parameters->values},
                                                      {.matrix = layer->statistics},
                                                      {.matrix = layer->work[0]},
                                                      {.matrix = input->values},
                                                      {.matrix = layer->out.delta}},
                                         .output = input->delta,
                                         .options = {[ACTIVATION] = input->activation},
                                         .uniforms = {[BATCH_ROWS] = {.i = rows_of(flow, layer)}},
                                     });
}

static glnn_status gradient(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink)
{
    (void)input;
    return glnn__sink_take_matrix(flow->ctx, sink, layer->work[0], layer->parameters);
}

const glnn__layer_type glnn__batch_norm_layer = {
    .uses = GLNN__LAYER_ACTIVATION,
    .takes = GLNN__PIXELS,
    .gives = GLNN__PIXELS,
    .shape = glnn__norm_shape,
    .initialise = initialise,
    .arrays = glnn__norm_arrays,
    .prepare = prepare,
    .forward = forward,
    .begin_backward = begin_backward,
    .backward = backward,
    .gradient = gradient,
};
