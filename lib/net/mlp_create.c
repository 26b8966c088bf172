/* Making and unmaking a network, and its initial weights. */
#include "net/mlp.h"

#include "base/status.h"

#include <glnn/copy.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define DEFAULT_CAPACITY   1024
#define DEFAULT_INIT_RANGE 0.05f

/* Outputs beyond which it pays to find the sums of a softmax in a pass of their own. */
#define MANY_OUTPUTS 64

const char *glnn_precision_name(glnn_precision precision)
{
    static const char *const names[GLNN_PRECISION_COUNT] = {"float32", "mixed"};
    return (unsigned)precision < GLNN_PRECISION_COUNT ? names[precision] : "unknown precision";
}

glnn_map glnn__activation_map(glnn_activation activation)
{
    static const glnn_map maps[GLNN_ACTIVATION_COUNT] = {
        [GLNN_ACTIVATION_SIGMOID] = GLNN_MAP_SIGMOID,
        [GLNN_ACTIVATION_TANH] = GLNN_MAP_TANH,
        [GLNN_ACTIVATION_SCALED_TANH] = GLNN_MAP_SCALED_TANH,
        [GLNN_ACTIVATION_RELU] = GLNN_MAP_RELU,
        [GLNN_ACTIVATION_LEAKY_RELU] = GLNN_MAP_LEAKY_RELU,
        [GLNN_ACTIVATION_IDENTITY] = GLNN_MAP_IDENTITY,
    };
    return maps[activation];
}

const char *glnn_activation_name(glnn_activation activation)
{
    if ((unsigned)activation >= GLNN_ACTIVATION_COUNT)
        return "unknown activation";
    return activation == GLNN_ACTIVATION_DEFAULT ? "default"
                                                 : glnn_map_name(glnn__activation_map(activation));
}

static glnn_status fail_width(const char *what, int width)
{
    return glnn__fail(GLNN_E_LIMIT, "%s: %d; with the row of biases there can be %d", what, width,
                      INT_MAX - 1);
}

static glnn_status check_layers(const glnn_mlp_desc *desc)
{
    if (desc->inputs < 1)
        return glnn__fail(GLNN_E_ARG, "a network of %d inputs; there must be at least 1",
                          desc->inputs);
    if (desc->inputs == INT_MAX)
        return fail_width("inputs of a network", desc->inputs);
    if (desc->layers < 1 || desc->layers > GLNN_MLP_MAX_LAYERS)
        return glnn__fail(GLNN_E_ARG, "a network of %d layers; it can have 1 to %d", desc->layers,
                          GLNN_MLP_MAX_LAYERS);
    for (int i = 0; i < desc->layers; ++i) {
        if (desc->units[i] < 1)
            return glnn__fail(GLNN_E_ARG, "layer %d has %d units; it must have at least 1", i,
                              desc->units[i]);
        if (desc->units[i] == INT_MAX)
            return fail_width("units of a layer", desc->units[i]);
        if ((unsigned)desc->activations[i] >= GLNN_ACTIVATION_COUNT)
            return glnn__fail(GLNN_E_ARG, "layer %d: there is no activation %d", i,
                              (int)desc->activations[i]);
    }
    return GLNN_OK;
}

static glnn_status check_desc(glnn_mlp_desc *desc)
{
    GLNN__TRY(check_layers(desc));
    const glnn_activation last = desc->activations[desc->layers - 1];
    if ((unsigned)desc->loss >= GLNN_LOSS_COUNT || (unsigned)desc->init >= GLNN_INIT_COUNT)
        return glnn__fail(GLNN_E_ARG, "loss %d or initialiser %d is unknown", (int)desc->loss,
                          (int)desc->init);
    if (desc->loss == GLNN_LOSS_CROSS_ENTROPY && last != GLNN_ACTIVATION_DEFAULT &&
        last != GLNN_ACTIVATION_IDENTITY)
        return glnn__fail(GLNN_E_ARG,
                          "the last layer's activation is %s; with cross-entropy it has to be "
                          "identity, because the softmax follows",
                          glnn_activation_name(last));
    if ((unsigned)desc->layout > GLNN_LAYOUT_UNPACKED)
        return glnn__fail(GLNN_E_ARG, "layout %s (%d) cannot be trained in",
                          glnn_layout_name(desc->layout), (int)desc->layout);
    if ((unsigned)desc->precision >= GLNN_PRECISION_COUNT)
        return glnn__fail(GLNN_E_ARG, "precision %d is unknown", (int)desc->precision);
    if (desc->capacity < 0)
        return glnn__fail(GLNN_E_ARG, "a capacity of %d; it may not be negative", desc->capacity);
    if (!(desc->init_range >= 0) || !isfinite(2 * desc->init_range))
        return glnn__fail(GLNN_E_ARG, "an initial range of %g; it has to be from 0 to %g",
                          (double)desc->init_range, (double)FLT_MAX / 2);
    if (desc->init != GLNN_INIT_UNIFORM && desc->init_range != 0 &&
        desc->init_range != DEFAULT_INIT_RANGE)
        return glnn__fail(GLNN_E_ARG, "an initial range of %g, but only GLNN_INIT_UNIFORM uses one",
                          (double)desc->init_range);
    return glnn__optimizer_check(&desc->optimizer);
}

static void fill_defaults(glnn_mlp_desc *desc)
{
    if (desc->capacity == 0)
        desc->capacity = DEFAULT_CAPACITY;
    if (desc->init_range == 0)
        desc->init_range = DEFAULT_INIT_RANGE;
    for (int i = 0; i < desc->layers; ++i)
        if (desc->activations[i] == GLNN_ACTIVATION_DEFAULT)
            desc->activations[i] =
                i < desc->layers - 1 ? GLNN_ACTIVATION_RELU : GLNN_ACTIVATION_IDENTITY;
}

/* The half-width of the interval that a layer's weights are drawn from. */
static float init_range(const glnn_mlp_desc *desc, const glnn__layer *layer)
{
    glnn_init init = desc->init;
    if (init == GLNN_INIT_AUTO)
        init = layer->activation == GLNN_MAP_RELU || layer->activation == GLNN_MAP_LEAKY_RELU
                   ? GLNN_INIT_HE
                   : GLNN_INIT_GLOROT;
    if (init == GLNN_INIT_HE)
        return sqrtf(6 / (float)layer->inputs);
    if (init == GLNN_INIT_GLOROT)
        return sqrtf(6 / (float)(layer->inputs + layer->units));
    return desc->init_range;
}

static glnn_status create_parameters(glnn_mlp *mlp, glnn__layer *layer, const char *name,
                                     glnn_matrix **out)
{
    return glnn__matrix_create_zero(mlp->ctx, mlp->desc.layout, layer->inputs + 1, layer->units,
                                    name, out);
}

/* Random weights are drawn for the whole matrix; then its last row, the biases, becomes zero. */
static glnn_status draw_weights(glnn_mlp *mlp, int index)
{
    glnn__layer *layer = &mlp->layers[index];
    const float range = init_range(&mlp->desc, layer);
    const uint64_t seed = mlp->desc.seed + (uint64_t)index * UINT64_C(0x9E3779B97F4A7C15);
    float *zeros = calloc((size_t)layer->units, sizeof *zeros);
    if (!zeros)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d biases", layer->units);
    glnn_status status = glnn_fill_uniform(mlp->ctx, seed, -range, range, layer->parameters.values);
    if (!status)
        status = glnn_mlp_set_weights(mlp, index, NULL, zeros);
    free(zeros);
    return status;
}

static glnn_status create_copy(glnn_mlp *mlp, glnn__layer *layer)
{
    layer->is_stale = true;
    return glnn__matrix_create_undefined(mlp->ctx, mlp->desc.layout, GLNN_STORAGE_FLOAT16,
                                         layer->inputs + 1, layer->units, "copied weights",
                                         &layer->parameters.copy);
}

static glnn_status create_layer(glnn_mlp *mlp, int index)
{
    glnn__layer *layer = &mlp->layers[index];
    layer->inputs = index > 0 ? mlp->desc.units[index - 1] : mlp->desc.inputs;
    layer->units = mlp->desc.units[index];
    layer->activation = glnn__activation_map(mlp->desc.activations[index]);
    GLNN__TRY(create_parameters(mlp, layer, "weights", &layer->parameters.values));
    for (int i = 0; i < glnn__optimizer_states(&mlp->desc.optimizer); ++i)
        GLNN__TRY(create_parameters(mlp, layer, "state", &layer->parameters.states[i]));
    if (mlp->desc.precision == GLNN_PRECISION_MIXED)
        GLNN__TRY(create_copy(mlp, layer));
    return draw_weights(mlp, index);
}

static glnn_status create_all(glnn_mlp *mlp)
{
    for (int i = 0; i < mlp->desc.layers; ++i)
        GLNN__TRY(create_layer(mlp, i));
    return glnn__trained_create(mlp->ctx, mlp->desc.capacity, 4, &mlp->trained);
}

glnn_status glnn_mlp_create(glnn_context *ctx, const glnn_mlp_desc *desc, glnn_mlp **out)
{
    if (!ctx || !desc || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_create: an argument is null");
    *out = NULL;
    glnn_mlp_desc checked = *desc;
    GLNN__TRY(check_desc(&checked));
    fill_defaults(&checked);
    glnn_mlp *mlp = calloc(1, sizeof *mlp);
    if (!mlp)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a network");
    mlp->ctx = ctx;
    mlp->desc = checked;
    glnn_status status = glnn__gl_enter(ctx);
    if (!status)
        status = glnn__gl_leave(ctx, create_all(mlp));
    if (status)
        glnn_mlp_destroy(mlp);
    else
        *out = mlp;
    return status;
}

static void destroy_batch(glnn_mlp *mlp)
{
    for (int i = 0; i < mlp->desc.layers; ++i) {
        glnn_matrix_destroy(mlp->layers[i].output);
        glnn_matrix_destroy(mlp->layers[i].delta);
        mlp->layers[i].output = mlp->layers[i].delta = NULL;
    }
    glnn_matrix_destroy(mlp->input);
    glnn_matrix_destroy(mlp->stats);
    mlp->input = mlp->stats = NULL;
    mlp->rows = 0;
}

void glnn_mlp_destroy(glnn_mlp *mlp)
{
    if (!mlp)
        return;
    destroy_batch(mlp);
    for (int i = 0; i < mlp->desc.layers; ++i) {
        glnn__layer *layer = &mlp->layers[i];
        glnn_matrix_destroy(layer->parameters.values);
        glnn_matrix_destroy(layer->parameters.sum);
        for (int s = 0; s < GLNN__MAX_STATES; ++s)
            glnn_matrix_destroy(layer->parameters.states[s]);
        glnn_matrix_destroy(layer->parameters.copy);
        glnn_matrix_destroy(layer->snapshot);
    }
    glnn__trained_destroy(&mlp->trained);
    glnn_preparation_free(&mlp->preparation);
    free(mlp);
}

/* The last layer's outputs are what the loss is computed from, so they are never rounded. */
static glnn_status create_batch(glnn_mlp *mlp, int rows)
{
    const glnn_layout layout = mlp->desc.layout;
    const glnn_storage storage =
        mlp->desc.precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
    GLNN__TRY(glnn__matrix_create_undefined(mlp->ctx, layout, storage, rows, mlp->desc.inputs,
                                            "input", &mlp->input));
    for (int i = 0; i < mlp->desc.layers; ++i) {
        glnn__layer *layer = &mlp->layers[i];
        const bool is_last = i == mlp->desc.layers - 1;
        GLNN__TRY(glnn__matrix_create_undefined(mlp->ctx, layout,
                                                is_last ? GLNN_STORAGE_FLOAT32 : storage, rows,
                                                layer->units, "output", &layer->output));
        GLNN__TRY(glnn__matrix_create_undefined(mlp->ctx, layout, storage, rows, layer->units,
                                                "delta", &layer->delta));
    }
    if (mlp->desc.loss == GLNN_LOSS_CROSS_ENTROPY &&
        mlp->desc.units[mlp->desc.layers - 1] > MANY_OUTPUTS)
        GLNN__TRY(
            glnn__matrix_create_scratch(mlp->ctx, layout, rows, 2, "row statistics", &mlp->stats));
    return GLNN_OK;
}

glnn_status glnn__mlp_prepare(glnn_mlp *mlp, int rows)
{
    if (rows == mlp->rows)
        return GLNN_OK;
    destroy_batch(mlp);
    glnn_status status = create_batch(mlp, rows);
    if (status)
        destroy_batch(mlp);
    else
        mlp->rows = rows;
    return status;
}

static void destroy_copies(glnn_mlp *mlp)
{
    for (int i = 0; i < mlp->desc.layers; ++i) {
        glnn_matrix_destroy(mlp->layers[i].parameters.copy);
        mlp->layers[i].parameters.copy = NULL;
    }
}

glnn_status glnn_mlp_set_precision(glnn_mlp *mlp, glnn_precision precision)
{
    if (!mlp || (unsigned)precision >= GLNN_PRECISION_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: the network is null, or precision %d is unknown",
                          __func__, (int)precision);
    if (precision == mlp->desc.precision)
        return GLNN_OK;
    glnn_status status = GLNN_OK;
    for (int i = 0; i < mlp->desc.layers && precision == GLNN_PRECISION_MIXED && !status; ++i)
        status = create_copy(mlp, &mlp->layers[i]);
    if (status || precision == GLNN_PRECISION_FLOAT32)
        destroy_copies(mlp);
    if (status)
        return status;
    destroy_batch(mlp); /* made anew by the next step, in the storage that it then has */
    mlp->desc.precision = precision;
    return GLNN_OK;
}
