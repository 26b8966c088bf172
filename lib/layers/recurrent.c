/* Recurrent layers: plain cells and gated recurrent units. The states of the samples are computed
 * time after time, a pass for each, and everything else for all times at once. */
#include "layers/layer_types.h"

#include "base/integers.h"
#include "base/status.h"
#include "layers/initial_weights.h"
#include "ops/gemm/product.h"
#include "ops/map.h"
#include "pass/list.h"

#include <glnn/copy.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* In `work`. Matrices of all times have the rows of the input. A pass cannot read the matrix that
 * it writes, so the states of successive times are in two matrices in turn, and so are their
 * deltas. */
enum {
    WEIGHTS,     /* of the states, and the row of their biases */
    SUMS,        /* of the input                               */
    EVEN_STATES, /* of even numbers; state 0 is before time 0  */
    ODD_STATES,
    FORMER, /* the state before each time                 */
    SLOPES,
    EVEN_DELTAS, /* of the states after even times             */
    ODD_DELTAS,
    SUM_DELTAS,       /* of the sums of the input                   */
    STATE_SUM_DELTAS, /* of the sums of the states; NULL: the same  */
    GRADIENT
};

/* ---- Kernels */

enum { GATES };
enum { TIME, TIMES, FIRST, SHIFT, PLACES, PLACE, PASSES };

#define STEP_UNIFORMS                                                                              \
    [TIME] = "int time", [TIMES] = "int times", [FIRST] = "int first", [SHIFT] = "int shift"

static const glnn__kernel step_kernel = {
    .name = "layers/recurrent",
    .operands = {"WEIGHTS", "STATES", "X", "LENGTHS"},
    .options = {[GATES] = "GATES"},
    .uniforms = {STEP_UNIFORMS},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 4,
};

static const glnn__kernel backward_kernel = {
    .name = "layers/recurrent_backward",
    .operands = {"WEIGHTS", "LATER", "SLOPES", "D", "LENGTHS"},
    .options = {[GATES] = "GATES"},
    .uniforms =
        {STEP_UNIFORMS, [PLACES] = "int places", [PLACE] = "int place", [PASSES] = "int passes"},
    .unviewed = 5,
};

static const glnn__kernel slopes_kernel = {
    .name = "layers/recurrent_slopes",
    .operands = {"X", "SUMS", "STATES"},
    .options = {[GATES] = "GATES"},
    .enumerations = {glnn__map_enumerators},
    .unviewed = 3,
};

enum { ALL_TIMES, STATE_ROWS, AHEAD, ENDS, OF_INPUT = AHEAD };

#define ORDER_UNIFORMS [ALL_TIMES] = "int times", [STATE_ROWS] = "int state_rows"

static const glnn__kernel states_kernel = {
    .name = "layers/recurrent_states",
    .operands = {"EVEN", "ODD", "LENGTHS"},
    .uniforms = {ORDER_UNIFORMS, [AHEAD] = "int ahead", [ENDS] = "int ends"},
    .unviewed = 3,
};

static const glnn__kernel deltas_kernel = {
    .name = "layers/recurrent_deltas",
    .operands = {"EVEN", "ODD", "SLOPES", "LENGTHS"},
    .uniforms = {ORDER_UNIFORMS, [OF_INPUT] = "int of_input"},
    .unviewed = 4,
};

/* ---- Shapes */

static int gates_of(const glnn__layer *layer)
{
    return layer->desc.kind == GLNN_LAYER_GRU ? 3 : 1;
}

/* Columns of the parameters for a gate. */
static int gate_columns(const glnn__layer *layer)
{
    return glnn__round_up(layer->desc.units, 4);
}

static int times_of(const glnn__layer *layer)
{
    return layer->input.height * layer->input.width;
}

/* The row of the parameters with which those of the states begin. */
static int first_row(const glnn__layer *layer)
{
    return layer->input.channels + 1;
}

static glnn_status check_lengths(const glnn__layer *layer, const glnn__layer *layers)
{
    if (layer->source_count < 2)
        return GLNN_OK;
    const int source = layer->sources[1];
    const glnn_shape shape = source < 0 ? layers[0].input : layers[source].out.shape;
    if (glnn__shape_size(shape) != 1)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d, %s: the second input is %d channels of %d x %d; it has to be "
                          "one number, the length of the sequence",
                          layer->number, glnn_layer_kind_name(layer->desc.kind), shape.channels,
                          shape.height, shape.width);
    return GLNN_OK;
}

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    const glnn_layer_desc *desc = &layer->desc;
    const int64_t columns = (int64_t)gates_of(layer) * (desc->units + (int64_t)3);
    if (desc->units < 1)
        return glnn__fail(GLNN_E_ARG, "layer %d has %d units; %s has at least 1", layer->number,
                          desc->units, glnn_layer_kind_name(desc->kind));
    layer->out.shape = (glnn_shape){desc->units, 1, 1};
    if (desc->all_states)
        layer->out.shape = (glnn_shape){desc->units, layer->input.height, layer->input.width};
    if (glnn__shape_size(layer->out.shape) == 0 || columns >= INT_MAX ||
        desc->units >= INT_MAX - first_row(layer) - 1)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: %s of %d units for %d channels at %d times has too many "
                          "numbers",
                          layer->number, glnn_layer_kind_name(desc->kind), desc->units,
                          layer->input.channels, times_of(layer));
    layer->parameter_shape = (glnn__parameter_shape){first_row(layer) + desc->units + 1,
                                                     gates_of(layer) * gate_columns(layer), false};
    return check_lengths(layer, layers);
}

static int arrays(const glnn__layer *layer, glnn__layer_array out[GLNN__LAYER_ARRAYS])
{
    static const char *const names[] = {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"};
    const size_t units = (size_t)layer->desc.units,
                 columns = (size_t)layer->parameter_shape.columns;
    const size_t inputs[] = {(size_t)layer->input.channels, units};
    for (int a = 0; a < 4; ++a) {
        const size_t row = (size_t)(a % 2 ? first_row(layer) : 0);
        out[a] = (glnn__layer_array){.name = names[a],
                                     .dimensions = a < 2 ? 2 : 1,
                                     .shape = {(size_t)gates_of(layer) * units, inputs[a % 2]},
                                     .stride = {1, columns},
                                     .first = (row + (a < 2 ? 0 : inputs[a % 2])) * columns,
                                     .block = units,
                                     .pitch = (size_t)gate_columns(layer)};
    }
    return 4;
}

/* The sums of the input, and the gradients of their weights and of those of the states. */
static int products(const glnn__layer *layer, int samples,
                    glnn__layout_use uses[GLNN__LAYER_PRODUCTS])
{
    const int rows = samples * times_of(layer), columns = layer->parameter_shape.columns;
    const int channels = layer->input.channels, units = layer->desc.units;
    uses[0] = (glnn__layout_use){.rows = rows, .columns = columns, .inner = channels};
    uses[1] = (glnn__layout_use){
        .rows = channels, .columns = columns, .inner = rows, .transpose_a = true};
    uses[2] =
        (glnn__layout_use){.rows = units, .columns = columns, .inner = rows, .transpose_a = true};
    return 3;
}

/* ---- The first weights */

/* Draws `count` rows of weights from `row` on, which end with the columns that pad each gate. */
static glnn_status draw_rows(glnn_context *ctx, const glnn_network_desc *desc,
                             const glnn__layer *layer, int row, int count)
{
    const int units = layer->desc.units, columns = layer->parameter_shape.columns;
    const float range = desc->init == GLNN_INIT_AUTO
                            ? 1 / sqrtf((float)units)
                            : glnn__initial_range(desc, GLNN_MAP_TANH, count, units);
    const uint64_t seed = desc->seed + (uint64_t)layer->number * UINT64_C(0x9E3779B97F4A7C15) +
                          (row > 0 ? UINT64_C(0xD1B54A32D192ED03) : 0);
    glnn_matrix *drawn;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_TILED, count, columns, "first weights",
                                          &drawn));
    glnn_status status = glnn_fill_uniform(ctx, seed, -range, range, drawn);
    for (int gate = 0; gate < gates_of(layer) && !status; ++gate) {
        const int column = gate * gate_columns(layer);
        status = glnn_copy_rect(ctx, drawn, &(glnn_rect){0, column, count, units},
                                layer->parameters->values, row, column);
    }
    glnn__scratch_destroy(drawn);
    return status;
}

static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    GLNN__TRY(draw_rows(ctx, desc, layer, 0, layer->input.channels));
    return draw_rows(ctx, desc, layer, first_row(layer), layer->desc.units);
}

/* ---- Matrices of a batch */

/* Rows of a matrix of states from one time to the next of the same matrix: whole blocks. */
static int state_rows(const glnn__layer *layer)
{
    const int samples = layer->out.values->rows / glnn__signal_rows(&layer->out);
    return glnn__round_up(samples,
                          glnn__layout_in(layer->out.values->ctx, GLNN_LAYOUT_TILED)->block_rows);
}

/* The layout of the states and of their weights. Blocks of 4 x 8 fetch least. But the states of a
 * time have few of them, so that most of a GPU would be idle. With 64 gated units and 32 samples,
 * blocks of 1 x 4 halve the time of a step on an H100, in both stages. In the fragment stage this
 * holds for few states alone. */
static glnn_layout states_layout(const glnn_context *ctx, const glnn__layer *layer)
{
    enum { ENOUGH_BLOCKS = 512 };
    const glnn_rect states = {0, 0, state_rows(layer), layer->desc.units};
    const glnn__blocks blocks =
        glnn__layout_cover(glnn__layout_in(ctx, GLNN_LAYOUT_TILED), &states);
    const int64_t rows = (times_of(layer) / 2 + (int64_t)1) * state_rows(layer);
    if (ctx->info.software || rows > ctx->info.max_texture_size)
        return GLNN_LAYOUT_TILED;
    return ctx->info.stage == GLNN_STAGE_COMPUTE ||
                   (int64_t)blocks.width * blocks.height < ENOUGH_BLOCKS
               ? GLNN_LAYOUT_PACKED
               : GLNN_LAYOUT_TILED;
}

static glnn_status make_states(glnn_context *ctx, glnn__layer *layer, int times, const char *name,
                               glnn_matrix **out)
{
    return glnn__matrix_create_scratch(ctx, states_layout(ctx, layer), times * state_rows(layer),
                                       layer->desc.units, name, out);
}

/* A matrix with a row for each time of each sample. */
static glnn_status make_rows(glnn_context *ctx, const glnn__layer *layer, int rows, int columns,
                             const char *name, glnn_matrix **out)
{
    return glnn__matrix_create_narrow(ctx, GLNN_LAYOUT_TILED, GLNN_STORAGE_FLOAT32,
                                      rows * times_of(layer), columns, name, out);
}

/* Without a delta there is no gradient. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const int units = layer->desc.units, times = times_of(layer);
    const int columns = layer->parameter_shape.columns, width = gate_columns(layer);
    const bool is_gated = gates_of(layer) > 1;
    glnn_matrix **work = layer->work;
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, glnn__ceil_div(units, 4)));
    GLNN__TRY(glnn__matrix_create_scratch(ctx, states_layout(ctx, layer), units + 1, columns,
                                          "weights of states", &work[WEIGHTS]));
    GLNN__TRY(make_rows(ctx, layer, samples, columns, "sums of inputs", &work[SUMS]));
    GLNN__TRY(make_states(ctx, layer, times / 2 + 1, "states", &work[EVEN_STATES]));
    GLNN__TRY(make_states(ctx, layer, (times + 1) / 2, "states", &work[ODD_STATES]));
    if (!layer->out.delta)
        return GLNN_OK;
    GLNN__TRY(make_rows(ctx, layer, samples, units, "former states", &work[FORMER]));
    GLNN__TRY(
        make_rows(ctx, layer, samples, is_gated ? 5 * width : width, "slopes", &work[SLOPES]));
    GLNN__TRY(make_states(ctx, layer, (times + 1) / 2, "deltas of states", &work[EVEN_DELTAS]));
    GLNN__TRY(make_states(ctx, layer, times / 2 + 1, "deltas of states", &work[ODD_DELTAS]));
    GLNN__TRY(make_rows(ctx, layer, samples, columns, "deltas of sums", &work[SUM_DELTAS]));
    if (is_gated)
        GLNN__TRY(make_rows(ctx, layer, samples, columns, "deltas of sums of states",
                            &work[STATE_SUM_DELTAS]));
    return glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_TILED, layer->parameter_shape.rows, columns,
                                       "gradient", &work[GRADIENT]);
}

/* All of them, and one of a step. */
static int64_t work_numbers(const glnn__layer *layer)
{
    const int columns = layer->parameter_shape.columns, width = gate_columns(layer);
    const int64_t of_time =
        gates_of(layer) > 1 ? 4 * (int64_t)columns + 8 * width : 3 * (int64_t)columns + 4 * width;
    return times_of(layer) * of_time;
}

/* ---- Forward */

static const glnn_matrix *lengths_of(const glnn__flow *flow, const glnn__layer *layer)
{
    return layer->source_count > 1 ? glnn__flow_output(flow, layer->sources[1])->values : NULL;
}

/* The blocks of the states of a number. */
static glnn__blocks blocks_of(const glnn__layer *layer, int number)
{
    const int rows = state_rows(layer);
    const glnn_rect rect = {number / 2 * rows, 0, rows, layer->desc.units};
    return glnn__layout_cover(glnn__layout_of(layer->work[EVEN_STATES]), &rect);
}

/* A pass that writes the states of a number into one of two matrices, and reads those of another
 * number in the other one. */
static glnn__pass step_pass(const glnn__layer *layer, const glnn__kernel *kernel, int time,
                            int number, int other, glnn_matrix *const *matrices)
{
    const int rows = state_rows(layer);
    return (glnn__pass){
        .kernel = kernel,
        .operands = {{.matrix = layer->work[WEIGHTS]}, {.matrix = matrices[other % 2]}},
        .output = matrices[number % 2],
        .options = {[GATES] = (unsigned)gates_of(layer)},
        .uniforms = {[TIME] = {.i = time},
                     [TIMES] = {.i = times_of(layer)},
                     [FIRST] = {.i = number / 2 * rows},
                     [SHIFT] = {.i = (other / 2 - number / 2) * rows}},
        .region = blocks_of(layer, number),
    };
}

static glnn_status run_times(const glnn__flow *flow, const glnn__layer *layer)
{
    for (int time = 0; time < times_of(layer); ++time) {
        glnn__pass pass =
            step_pass(layer, &step_kernel, time, time + 1, time, &layer->work[EVEN_STATES]);
        pass.operands[2].matrix = layer->work[SUMS];
        pass.operands[3].matrix = lengths_of(flow, layer);
        GLNN__TRY(glnn__pass_run(flow->ctx, &pass));
    }
    return GLNN_OK;
}

/* Row t of the `times` rows of a sample becomes state t + ahead. */
static glnn_status order_states(const glnn__flow *flow, const glnn__layer *layer, int times,
                                int ahead, bool ends, glnn_matrix *out)
{
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &states_kernel,
                                         .operands = {{.matrix = layer->work[EVEN_STATES]},
                                                      {.matrix = layer->work[ODD_STATES]},
                                                      {.matrix = lengths_of(flow, layer)}},
                                         .output = out,
                                         .uniforms = {[ALL_TIMES] = {.i = times},
                                                      [STATE_ROWS] = {.i = state_rows(layer)},
                                                      [AHEAD] = {.i = ahead},
                                                      [ENDS] = {.i = ends}},
                                     });
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const glnn_rect of_states = {first_row(layer), 0, layer->desc.units + 1,
                                 layer->parameter_shape.columns};
    const glnn__product sums = {
        .a = input->values,
        .b = glnn__layer_weights(layer),
        .c = layer->work[SUMS],
        .alpha = {.f = 1},
        .augment = true,
    };
    GLNN__TRY(glnn_copy_rect(flow->ctx, glnn__layer_weights(layer), &of_states,
                             layer->work[WEIGHTS], 0, 0));
    GLNN__TRY(glnn__product_run(flow->ctx, &sums));
    GLNN__TRY(run_times(flow, layer));
    return layer->desc.all_states
               ? order_states(flow, layer, times_of(layer), 1, true, layer->out.values)
               : order_states(flow, layer, 1, times_of(layer), false, layer->out.values);
}

/* ---- Backward */

static glnn_status find_slopes(const glnn__flow *flow, const glnn__layer *layer)
{
    glnn_matrix *state_sums;
    GLNN__TRY(glnn__matrix_create_like(layer->work[SUMS], "sums of states", &state_sums));
    const glnn__product sums = {
        .a = layer->work[FORMER],
        .b = layer->work[WEIGHTS],
        .c = state_sums,
        .alpha = {.f = 1},
        .augment = true,
    };
    glnn_status status = glnn__product_run(flow->ctx, &sums);
    if (!status)
        status = glnn__pass_run(flow->ctx, &(glnn__pass){
                                               .kernel = &slopes_kernel,
                                               .operands = {{.matrix = layer->work[SUMS]},
                                                            {.matrix = state_sums},
                                                            {.matrix = layer->work[FORMER]}},
                                               .output = layer->work[SLOPES],
                                               .options = {[GATES] = (unsigned)gates_of(layer)},
                                           });
    glnn__scratch_destroy(state_sums);
    return status;
}

/* Whether the gradient of the state after a time goes to the state before that time. */
static bool passes_back(const glnn__layer *layer, int time)
{
    return layer->desc.window == 0 || time % layer->desc.window != 0;
}

static glnn_status run_times_back(const glnn__flow *flow, const glnn__layer *layer)
{
    const int times = times_of(layer), places = glnn__signal_rows(&layer->out);
    for (int time = times - 1; time >= 0; --time) {
        glnn__pass pass =
            step_pass(layer, &backward_kernel, time, time, time + 1, &layer->work[EVEN_DELTAS]);
        pass.operands[2].matrix = layer->work[SLOPES];
        pass.operands[3].matrix = layer->out.delta;
        pass.operands[4].matrix = lengths_of(flow, layer);
        pass.uniforms[PLACES].i = places;
        pass.uniforms[PLACE].i = time - (times - places);
        pass.uniforms[PASSES].i = passes_back(layer, time + 1);
        GLNN__TRY(glnn__pass_run(flow->ctx, &pass));
    }
    return GLNN_OK;
}

static glnn_status order_deltas(const glnn__flow *flow, const glnn__layer *layer, bool of_input,
                                glnn_matrix *out)
{
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &deltas_kernel,
                                         .operands = {{.matrix = layer->work[EVEN_DELTAS]},
                                                      {.matrix = layer->work[ODD_DELTAS]},
                                                      {.matrix = layer->work[SLOPES]},
                                                      {.matrix = lengths_of(flow, layer)}},
                                         .output = out,
                                         .uniforms = {[ALL_TIMES] = {.i = times_of(layer)},
                                                      [STATE_ROWS] = {.i = state_rows(layer)},
                                                      [OF_INPUT] = {.i = of_input}},
                                     });
}

static glnn_status begin_backward(const glnn__flow *flow, const glnn__layer *layer,
                                  const glnn__signal *input)
{
    (void)input;
    GLNN__TRY(order_states(flow, layer, times_of(layer), 0, false, layer->work[FORMER]));
    GLNN__TRY(find_slopes(flow, layer));
    GLNN__TRY(run_times_back(flow, layer));
    GLNN__TRY(order_deltas(flow, layer, true, layer->work[SUM_DELTAS]));
    return layer->work[STATE_SUM_DELTAS]
               ? order_deltas(flow, layer, false, layer->work[STATE_SUM_DELTAS])
               : GLNN_OK;
}

/* Nothing flows into the lengths. */
static glnn_status backward_to(const glnn__flow *flow, const glnn__layer *layer, int number,
                               const glnn__signal *input, bool adds)
{
    const glnn__product product = {
        .a = layer->work[SUM_DELTAS],
        .b = glnn__layer_weights(layer),
        .derivative_of = input->activation == GLNN_MAP_IDENTITY ? NULL : input->values,
        .c = input->delta,
        .alpha = {.f = 1},
        .output_factor = {.f = adds},
        .transpose_b = true,
        .derivative = input->activation,
    };
    if (number == 0)
        return glnn__product_run(flow->ctx, &product);
    return adds ? GLNN_OK : glnn_fill(flow->ctx, 0, input->delta);
}

/* ---- Gradient */

/* [x 1]' delta, as rows of the gradient from `row` on. */
static glnn_status find_rows(const glnn__flow *flow, const glnn__layer *layer, const glnn_matrix *x,
                             const glnn_matrix *delta, int row)
{
    glnn_matrix *rows;
    GLNN__TRY(glnn__matrix_create_scratch(flow->ctx, GLNN_LAYOUT_TILED, x->columns + 1,
                                          delta->columns, "rows of the gradient", &rows));
    const glnn__product product = {
        .a = x,
        .b = delta,
        .c = rows,
        .alpha = {.f = 1},
        .transpose_a = true,
        .augment = true,
    };
    glnn_status status = glnn__product_run(flow->ctx, &product);
    if (!status)
        status = glnn_copy_rect(flow->ctx, rows, NULL, layer->work[GRADIENT], row, 0);
    glnn__scratch_destroy(rows);
    return status;
}

static glnn_status gradient(const glnn__flow *flow, glnn__layer *layer, const glnn__signal *input,
                            const glnn__sink *sink)
{
    glnn_matrix *const *work = layer->work;
    const glnn_matrix *of_states = work[STATE_SUM_DELTAS];
    GLNN__TRY(find_rows(flow, layer, input->values, work[SUM_DELTAS], 0));
    GLNN__TRY(find_rows(flow, layer, work[FORMER], of_states ? of_states : work[SUM_DELTAS],
                        first_row(layer)));
    return glnn__sink_take_matrix(flow->ctx, sink, work[GRADIENT], layer->parameters);
}

/* clang-format off */
#define TYPE                                                                                       \
    {                                                                                              \
        .uses = GLNN__LAYER_UNITS | GLNN__LAYER_STATES | GLNN__LAYER_INPUTS |                      \
                GLNN__LAYER_SHARES,                                                                \
        .most_inputs = 2,                                                                          \
        .takes = GLNN__PIXELS,                                                                     \
        .gives = GLNN__PIXELS,                                                                     \
        .shape = shape,                                                                            \
        .initialise = initialise,                                                                  \
        .arrays = arrays,                                                                          \
        .products = products,                                                                      \
        .prepare = prepare,                                                                        \
        .work_numbers = work_numbers,                                                              \
        .forward = forward,                                                                        \
        .begin_backward = begin_backward,                                                          \
        .backward_to = backward_to,                                                                \
        .gradient = gradient,                                                                      \
    }
/* clang-format on */

const glnn__layer_type glnn__recurrent_layer = TYPE;
const glnn__layer_type glnn__gru_layer = TYPE;
