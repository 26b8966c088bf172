#include <glnn/safetensors.h>

#include "base/status.h"
#include "net/mlp_description.h"
#include "train/learner_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static size_t inputs_of(const glnn_mlp_desc *desc, int layer)
{
    return (size_t)(layer ? desc->units[layer - 1] : desc->inputs);
}

static size_t units_of(const glnn_mlp_desc *desc, int layer)
{
    return (size_t)desc->units[layer];
}

static size_t largest_weights(const glnn_mlp_desc *desc)
{
    size_t largest = 0;
    for (int l = 0; l < desc->layers; ++l) {
        size_t size = inputs_of(desc, l) * units_of(desc, l);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* The file keeps weights as units x inputs, the network as inputs x units. */
static void transpose(size_t rows, size_t columns, const float *from, float *to)
{
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j)
            to[j * rows + i] = from[i * columns + j];
    }
}

/* Where a layer's arrays stand among all; its states follow these two. */
enum { WEIGHTS, BIASES, STATES };

static int first_of(int layer, int states)
{
    return layer * (STATES + states);
}

static void add_layer(const glnn_mlp_desc *desc, int layer, int states, glnn__arrays *out)
{
    const size_t inputs = inputs_of(desc, layer), units = units_of(desc, layer);
    glnn__arrays_add(out, 2, (size_t[]){units, inputs}, "layers.%d.weight", layer);
    glnn__arrays_add(out, 1, &units, "layers.%d.bias", layer);
    for (int s = 0; s < states; ++s)
        glnn__arrays_add(out, 2, (size_t[]){inputs + 1, units}, "layers.%d.state.%d", layer, s);
}

static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn__mlp_description *of = description;
    for (int l = 0; l < of->desc.layers; ++l)
        add_layer(&of->desc, l, of->states, out);
}

static glnn_status collect_layer(const glnn_mlp *mlp, int layer, const glnn__arrays *out,
                                 float *scratch)
{
    const glnn_mlp_desc *desc = glnn_mlp_get_desc(mlp);
    const int states = glnn_mlp_state_count(mlp), first = first_of(layer, states);
    float *const *values = out->values + first;
    GLNN__TRY(glnn_mlp_get_weights(mlp, layer, scratch, values[BIASES]));
    transpose(inputs_of(desc, layer), units_of(desc, layer), scratch, values[WEIGHTS]);
    if (!glnn__arrays_finite(out, first, STATES))
        return glnn__fail(GLNN_E_DIVERGED,
                          "layer %d has weights that are no finite numbers; they are not saved",
                          layer);
    for (int s = 0; s < states; ++s)
        GLNN__TRY(glnn_mlp_get_state(mlp, layer, s, values[STATES + s]));
    return GLNN_OK;
}

/* Room for the weights of a layer before or after transposition. */
static glnn_status make_scratch(const glnn_mlp_desc *desc, float **out)
{
    const size_t size = largest_weights(desc);
    *out = malloc(size * sizeof **out);
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu weights", size);
}

static glnn_status collect(const void *learner, const glnn__arrays *out)
{
    const glnn_mlp *mlp = learner;
    const glnn_mlp_desc *desc = glnn_mlp_get_desc(mlp);
    float *scratch;
    GLNN__TRY(make_scratch(desc, &scratch));
    glnn_status status = GLNN_OK;
    for (int l = 0; !status && l < desc->layers; ++l)
        status = collect_layer(mlp, l, out, scratch);
    free(scratch);
    return status;
}

static const glnn__file_kind kind = {
    "mlp", "network", glnn__mlp_describe, glnn__mlp_undescribe, add_arrays, collect};

glnn_status glnn_mlp_save(const glnn_mlp *mlp, const char *path)
{
    GLNN__TRY(glnn__file_check(&kind, "save", mlp, path));
    const glnn__mlp_description of = {*glnn_mlp_get_desc(mlp), glnn_mlp_get_steps(mlp),
                                      glnn_mlp_state_count(mlp)};
    return glnn__file_save(&kind, path, &of, mlp, glnn_mlp_get_preparation(mlp));
}

/* A file with a network in it; states are looked for once there is a network for them. */
typedef struct model {
    glnn__file file;
    glnn__mlp_description description;
} model;

static glnn_status check_weights(const model *in)
{
    for (int l = 0; l < in->description.desc.layers; ++l) {
        if (!glnn__arrays_finite(&in->file.arrays, first_of(l, 0), STATES))
            return glnn__fail(GLNN_E_FORMAT, "%s: layer %d has weights that are no finite numbers",
                              in->file.reading.path, l);
    }
    return GLNN_OK;
}

static glnn_status open_model(const char *path, model *out)
{
    out->description = (glnn__mlp_description){.states = 0};
    GLNN__TRY(glnn__file_open(&kind, path, &out->description, &out->file));
    glnn_status status = check_weights(out);
    return status ? glnn__file_close(&out->file, status) : GLNN_OK;
}

static int count_states(const glnn_safetensors *file)
{
    char name[GLNN__ARRAY_NAME];
    int states = -1;
    do
        snprintf(name, sizeof name, "layers.0.state.%d", ++states);
    while (glnn_safetensors_find(file, name));
    return states;
}

static glnn_status read_states(model *in, const glnn_mlp *mlp)
{
    const int own = glnn_mlp_state_count(mlp), found = count_states(in->file.reading.file);
    if (found != own)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: holds %d matrices of optimizer state a layer, but the network's "
                          "optimizer has %d",
                          in->file.reading.path, found, own);
    in->description.states = own;
    return glnn__file_read_arrays(&kind, &in->description, &in->file);
}

static glnn_status apply_layer(const model *in, int layer, glnn_mlp *mlp, float *scratch)
{
    const glnn_mlp_desc *desc = &in->description.desc;
    const int states = in->description.states;
    const glnn_tensor *from = in->file.arrays.tensors + first_of(layer, states);
    transpose(units_of(desc, layer), inputs_of(desc, layer), from[WEIGHTS].data, scratch);
    GLNN__TRY(glnn_mlp_set_weights(mlp, layer, scratch, from[BIASES].data));
    for (int s = 0; s < states; ++s)
        GLNN__TRY(glnn_mlp_set_state(mlp, layer, s, from[STATES + s].data));
    return GLNN_OK;
}

/* Brings all of a file into a network of the same layers, once it is known to fit. */
static glnn_status apply(model *in, glnn_mlp *mlp)
{
    float *scratch;
    GLNN__TRY(read_states(in, mlp));
    GLNN__TRY(make_scratch(&in->description.desc, &scratch));
    glnn_status status = GLNN_OK;
    for (int l = 0; !status && l < in->description.desc.layers; ++l)
        status = apply_layer(in, l, mlp, scratch);
    free(scratch);
    return status ? status : glnn_mlp_set_steps(mlp, in->description.steps);
}

glnn_status glnn_mlp_load(glnn_context *ctx, const char *path, glnn_layout layout, int capacity,
                          glnn_mlp **out)
{
    glnn_mlp *mlp = NULL;
    model in;
    if (out)
        *out = NULL;
    GLNN__TRY(glnn__file_check_load(&kind, ctx, path, layout, capacity, out));
    GLNN__TRY(open_model(path, &in));
    in.description.desc.layout = layout;
    in.description.desc.capacity = capacity;
    glnn_status status = glnn_mlp_create(ctx, &in.description.desc, &mlp);
    if (!status)
        status = apply(&in, mlp);
    if (!status)
        status = glnn_mlp_set_preparation(mlp, &in.file.preparation);
    status = glnn__file_close(&in.file, status);
    if (status)
        glnn_mlp_destroy(mlp);
    else
        *out = mlp;
    return status;
}

static bool same_layers(const glnn_mlp_desc *a, const glnn_mlp_desc *b)
{
    bool same = a->inputs == b->inputs && a->layers == b->layers;
    for (int l = 0; same && l < a->layers; ++l)
        same = a->units[l] == b->units[l] && a->activations[l] == b->activations[l];
    return same;
}

glnn_status glnn_mlp_restore(glnn_mlp *mlp, const char *path)
{
    model in;
    GLNN__TRY(glnn__file_check(&kind, "restore", mlp, path));
    GLNN__TRY(open_model(path, &in));
    const glnn_mlp_desc *file = &in.description.desc, *network = glnn_mlp_get_desc(mlp);
    glnn_status status =
        same_layers(file, network)
            ? apply(&in, mlp)
            : glnn__fail(GLNN_E_SHAPE, "%s: the file's network is %s, the one to restore %s", path,
                         glnn__mlp_shape_of(file).text, glnn__mlp_shape_of(network).text);
    return glnn__file_close(&in.file, status);
}
