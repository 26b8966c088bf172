#include <glnn/safetensors.h>

#include "base/status.h"
#include "data/mlp_description.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A network's arrays in a file. */
typedef struct array_name {
    char text[48];
} array_name;

static array_name name_array(int layer, const char *part)
{
    array_name name;
    snprintf(name.text, sizeof name.text, "layers.%d.%s", layer, part);
    return name;
}

static array_name name_state(int layer, int state)
{
    array_name name;
    snprintf(name.text, sizeof name.text, "layers.%d.state.%d", layer, state);
    return name;
}

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

/* The arrays of a network on their way to a file. */
typedef struct saving {
    const glnn_mlp *mlp;
    const glnn_mlp_desc *desc;
    int states;
    array_name *names;
    glnn_tensor *tensors;
    int count;
    float *values; /* of all arrays                                    */
    size_t used;
    float *scratch; /* the largest layer's weights before transposition */
} saving;

static glnn_status make_room(saving *out)
{
    size_t values = 0;
    for (int l = 0; l < out->desc->layers; ++l)
        values +=
            (inputs_of(out->desc, l) + 1) * units_of(out->desc, l) * (1 + (size_t)out->states);
    size_t arrays = (size_t)out->desc->layers * (2 + (size_t)out->states);
    out->names = calloc(arrays, sizeof *out->names);
    out->tensors = calloc(arrays, sizeof *out->tensors);
    out->values = malloc(values * sizeof(float));
    out->scratch = malloc(largest_weights(out->desc) * sizeof(float));
    if (!out->names || !out->tensors || !out->values || !out->scratch)
        return glnn__fail(GLNN_E_NOMEM, "no memory to save %zu values", values);
    return GLNN_OK;
}

/* Adds an array and returns where its values belong. */
static float *add_array(saving *out, array_name name, int dimensions, size_t rows, size_t columns)
{
    float *values = out->values + out->used;
    out->names[out->count] = name;
    out->tensors[out->count] = (glnn_tensor){.name = out->names[out->count].text,
                                             .dimensions = dimensions,
                                             .size = {rows, columns},
                                             .data = values};
    ++out->count;
    out->used += rows * columns;
    return values;
}

static glnn_status collect_layer(saving *out, int layer)
{
    size_t inputs = inputs_of(out->desc, layer), units = units_of(out->desc, layer);
    float *weights = add_array(out, name_array(layer, "weight"), 2, units, inputs);
    float *biases = add_array(out, name_array(layer, "bias"), 1, units, 1);
    GLNN__TRY(glnn_mlp_get_weights(out->mlp, layer, out->scratch, biases));
    if (!glnn__all_finite(out->scratch, inputs * units) || !glnn__all_finite(biases, units))
        return glnn__fail(GLNN_E_DIVERGED,
                          "layer %d has weights that are no finite numbers; they are not saved",
                          layer);
    transpose(inputs, units, out->scratch, weights);
    for (int s = 0; s < out->states; ++s) {
        float *values = add_array(out, name_state(layer, s), 2, inputs + 1, units);
        GLNN__TRY(glnn_mlp_get_state(out->mlp, layer, s, values));
    }
    return GLNN_OK;
}

static glnn_status save(saving *out, const char *path)
{
    glnn__texts texts;
    glnn__mlp_description description = {*out->desc, glnn_mlp_get_steps(out->mlp)};
    GLNN__TRY(glnn__mlp_describe(&description, &texts));
    GLNN__TRY(make_room(out));
    for (int l = 0; l < out->desc->layers; ++l)
        GLNN__TRY(collect_layer(out, l));
    return glnn_safetensors_write(path, out->tensors, out->count, texts.entries, texts.count);
}

glnn_status glnn_mlp_save(const glnn_mlp *mlp, const char *path)
{
    if (!mlp || !path)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_save: %s is null", mlp ? "path" : "mlp");
    saving out = {.mlp = mlp, .desc = glnn_mlp_get_desc(mlp), .states = glnn_mlp_state_count(mlp)};
    glnn_status status = save(&out, path);
    free(out.names);
    free(out.tensors);
    free(out.values);
    free(out.scratch);
    return status;
}

/* A file with a network in it. */
typedef struct model {
    glnn_safetensors *file;
    glnn__reading reading;
    glnn__mlp_description description;
} model;

/* The arrays of one layer in a file. */
typedef struct layer_arrays {
    const float *weights; /* units x inputs */
    const float *biases;
} layer_arrays;

static glnn_status find_layer(const model *in, int layer, layer_arrays *of)
{
    size_t inputs = inputs_of(&in->description.desc, layer);
    size_t units = units_of(&in->description.desc, layer);
    GLNN__TRY(glnn__read_array(&in->reading, name_array(layer, "weight").text, 2, units, inputs,
                               &of->weights));
    GLNN__TRY(
        glnn__read_array(&in->reading, name_array(layer, "bias").text, 1, units, 1, &of->biases));
    if (!glnn__all_finite(of->weights, inputs * units) || !glnn__all_finite(of->biases, units))
        return glnn__fail(GLNN_E_FORMAT, "%s: layer %d has weights that are no finite numbers",
                          in->reading.path, layer);
    return GLNN_OK;
}

static glnn_status find_state(const model *in, int layer, int state, const float **values)
{
    return glnn__read_array(&in->reading, name_state(layer, state).text, 2,
                            inputs_of(&in->description.desc, layer) + 1,
                            units_of(&in->description.desc, layer), values);
}

static glnn_status open_model(const char *path, model *out)
{
    *out = (model){0};
    GLNN__TRY(glnn_safetensors_open(path, &out->file));
    out->reading = (glnn__reading){path, "network", out->file};
    glnn_status status = glnn__mlp_undescribe(&out->reading, &out->description);
    for (int l = 0; !status && l < out->description.desc.layers; ++l)
        status = find_layer(out, l, &(layer_arrays){0});
    if (status)
        glnn_safetensors_close(out->file);
    return status;
}

static int count_states(const model *in)
{
    int states = 0;
    while (glnn_safetensors_find(in->file, name_state(0, states).text))
        ++states;
    return states;
}

static glnn_status check_states(const model *in, const glnn_mlp *mlp)
{
    int states = glnn_mlp_state_count(mlp);
    if (count_states(in) != states)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: holds %d matrices of optimizer state a layer, but the network's "
                          "optimizer has %d",
                          in->reading.path, count_states(in), states);
    for (int l = 0; l < in->description.desc.layers; ++l) {
        const float *values;
        for (int s = 0; s < states; ++s)
            GLNN__TRY(find_state(in, l, s, &values));
    }
    return GLNN_OK;
}

static glnn_status apply_layer(const model *in, int layer, glnn_mlp *mlp, float *scratch)
{
    layer_arrays of;
    GLNN__TRY(find_layer(in, layer, &of));
    transpose(units_of(&in->description.desc, layer), inputs_of(&in->description.desc, layer),
              of.weights, scratch);
    GLNN__TRY(glnn_mlp_set_weights(mlp, layer, scratch, of.biases));
    for (int s = 0; s < glnn_mlp_state_count(mlp); ++s) {
        const float *values;
        GLNN__TRY(find_state(in, layer, s, &values));
        GLNN__TRY(glnn_mlp_set_state(mlp, layer, s, values));
    }
    return GLNN_OK;
}

/* Brings all of a file into a network of the same layers, once it is known to fit. */
static glnn_status apply(const model *in, glnn_mlp *mlp)
{
    GLNN__TRY(check_states(in, mlp));
    size_t size = largest_weights(&in->description.desc);
    float *scratch = malloc(size * sizeof *scratch);
    if (!scratch)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %zu weights", in->reading.path, size);
    glnn_status status = GLNN_OK;
    for (int l = 0; !status && l < in->description.desc.layers; ++l)
        status = apply_layer(in, l, mlp, scratch);
    free(scratch);
    return status ? status : glnn_mlp_set_steps(mlp, in->description.steps);
}

static glnn_status make_network(const model *in, glnn_context *ctx, glnn_mlp **out)
{
    glnn_mlp *mlp;
    glnn_status status = glnn_mlp_create(ctx, &in->description.desc, &mlp);
    /* The caller's own arguments were checked before, so it is the file that asks for nonsense. */
    if (status == GLNN_E_ARG)
        status = glnn__fail(GLNN_E_FORMAT, "%s: describes no network that can be: %s",
                            in->reading.path, glnn_last_error());
    GLNN__TRY(status);
    status = apply(in, mlp);
    if (status)
        glnn_mlp_destroy(mlp);
    else
        *out = mlp;
    return status;
}

glnn_status glnn_mlp_load(glnn_context *ctx, const char *path, glnn_layout layout, int capacity,
                          glnn_mlp **out)
{
    if (out)
        *out = NULL;
    if (!ctx || !path || !out)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_load: %s is null",
                          !ctx    ? "ctx"
                          : !path ? "path"
                                  : "out");
    if ((unsigned)layout >= GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_load: a network cannot have the layout %d",
                          (int)layout);
    if (capacity < 0)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_load: a capacity of %d samples", capacity);
    model in;
    GLNN__TRY(open_model(path, &in));
    in.description.desc.layout = layout;
    in.description.desc.capacity = capacity;
    glnn_status status = make_network(&in, ctx, out);
    glnn_safetensors_close(in.file);
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
    if (!mlp || !path)
        return glnn__fail(GLNN_E_ARG, "glnn_mlp_restore: %s is null", mlp ? "path" : "mlp");
    model in;
    GLNN__TRY(open_model(path, &in));
    const glnn_mlp_desc *file = &in.description.desc, *network = glnn_mlp_get_desc(mlp);
    glnn_status status =
        same_layers(file, network)
            ? apply(&in, mlp)
            : glnn__fail(GLNN_E_SHAPE, "%s: the file's network is %s, the one to restore %s", path,
                         glnn__mlp_shape_of(file).text, glnn__mlp_shape_of(network).text);
    glnn_safetensors_close(in.file);
    return status;
}
