#include "net/network.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "net/network_description.h"
#include "train/learner_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arrays of a layer: its weights, its biases where it has some, and the states. */
static int arrays_of(const glnn__layer *layer, int states)
{
    return glnn__layer_has_parameters(layer) ? 1 + layer->parameter_shape.has_biases + states : 0;
}

static size_t rows_of(const glnn__layer *layer)
{
    return (size_t)layer->parameter_shape.rows;
}

static size_t columns_of(const glnn__layer *layer)
{
    return (size_t)layer->parameter_shape.columns;
}

/* Room for the weights of any layer before or after transposition. */
static glnn_status make_scratch(const glnn__layer *layers, int count, float **out)
{
    size_t largest = 1;
    for (int l = 0; l < count; ++l) {
        const size_t size = rows_of(&layers[l]) * columns_of(&layers[l]);
        largest = size > largest ? size : largest;
    }
    *out = malloc(largest * sizeof **out);
    return *out ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu weights", largest);
}

/* The file keeps weights as columns x rows, the network as rows x columns. */
static void transpose(size_t rows, size_t columns, const float *from, float *to)
{
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j)
            to[j * rows + i] = from[i * columns + j];
    }
}

static void add_layer(const glnn__layer *layer, int states, glnn__arrays *out)
{
    const size_t size[] = {columns_of(layer), rows_of(layer)};
    const size_t state[] = {(size_t)glnn__layer_parameter_rows(layer), columns_of(layer)};
    glnn__arrays_add(out, 2, size, "layers.%d.weight", layer->number);
    if (layer->parameter_shape.has_biases)
        glnn__arrays_add(out, 1, size, "layers.%d.bias", layer->number);
    for (int s = 0; s < states; ++s)
        glnn__arrays_add(out, 2, state, "layers.%d.state.%d", layer->number, s);
}

static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn__network_description *of = description;
    for (int l = 0; l < of->desc.layer_count; ++l)
        if (glnn__layer_has_parameters(&of->layers[l]))
            add_layer(&of->layers[l], of->states, out);
}

/* A layer's arrays begin with number `first`. */
static glnn_status collect_layer(const glnn_network *network, int layer, int first,
                                 const glnn__arrays *out, float *scratch)
{
    const glnn__layer *of = &network->layers[layer];
    const int own = arrays_of(of, 0);
    float *const *values = out->values + first;
    GLNN__TRY(glnn_network_get_weights(network, layer, scratch, own > 1 ? values[1] : NULL));
    transpose(rows_of(of), columns_of(of), scratch, values[0]);
    if (!glnn__arrays_finite(out, first, own))
        return glnn__fail(GLNN_E_DIVERGED,
                          "layer %d has a weight that is not finite; the network is not saved",
                          layer);
    for (int s = 0; s < glnn_network_get_state_count(network); ++s)
        GLNN__TRY(glnn_network_get_state(network, layer, s, values[own + s]));
    return GLNN_OK;
}

static glnn_status collect(const void *learner, const glnn__arrays *out)
{
    const glnn_network *network = learner;
    const int count = network->desc.layer_count;
    float *scratch;
    GLNN__TRY(make_scratch(network->layers, count, &scratch));
    glnn_status status = GLNN_OK;
    for (int l = 0, first = 0; !status && l < count; ++l) {
        if (glnn__layer_has_parameters(&network->layers[l]))
            status = collect_layer(network, l, first, out, scratch);
        first += arrays_of(&network->layers[l], glnn_network_get_state_count(network));
    }
    free(scratch);
    return status;
}

static const glnn__file_kind kind = {
    .name = "network",
    .what = "network",
    .fields = glnn__network_shape_fields,
    .field_count = GLNN__NETWORK_SHAPE_FIELDS,
    .describe = glnn__network_describe,
    .undescribe = glnn__network_undescribe,
    .add_arrays = add_arrays,
    .collect = collect,
};

glnn_status glnn_network_save(const glnn_network *network, const char *path)
{
    GLNN__HELD(network);
    GLNN__NOT_NULL(path);
    glnn__network_description of = {.desc = network->desc,
                                    .steps = network->steps,
                                    .states = glnn_network_get_state_count(network)};
    GLNN__TRY(glnn__network_check(&of.desc, of.layers));
    return glnn__file_save(&kind, path, &of, network, glnn_network_get_preparation(network));
}

/* A file with a network in it; states are looked for once there is a network for them. */
typedef struct model {
    glnn__file file;
    glnn__network_description description;
} model;

static glnn_status check_weights(const model *in)
{
    const glnn__network_description *of = &in->description;
    for (int l = 0, first = 0; l < of->desc.layer_count; ++l) {
        const int own = arrays_of(&of->layers[l], 0);
        if (!glnn__arrays_finite(&in->file.arrays, first, own))
            return glnn__fail(GLNN_E_FORMAT, "%s: layer %d has a weight that is not finite",
                              in->file.reading.path, l);
        first += own;
    }
    return GLNN_OK;
}

static glnn_status open_model(const char *path, model *out)
{
    out->description = (glnn__network_description){.states = 0};
    GLNN__TRY(glnn__file_open(&kind, path, &out->description, &out->file));
    glnn_status status = check_weights(out);
    return status ? glnn__file_close(&out->file, status) : GLNN_OK;
}

/* States of a layer. */
static int count_states(const model *in, int layer)
{
    char name[GLNN__ARRAY_NAME];
    int states = -1;
    do
        snprintf(name, sizeof name, "layers.%d.state.%d", layer, ++states);
    while (glnn_safetensors_find_tensor(in->file.reading.file, name));
    return states;
}

/* The first layer with parameters tells how many states each of them has. */
static glnn_status read_states(model *in, const glnn_network *network)
{
    const glnn__network_description *of = &in->description;
    const int own = glnn_network_get_state_count(network);
    int first = 0, found = own;
    while (first < of->desc.layer_count && !glnn__layer_has_parameters(&of->layers[first]))
        ++first;
    if (first < of->desc.layer_count)
        found = count_states(in, first);
    if (found != own)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: holds %d matrices of optimizer state a layer, but the network's "
                          "optimizer has %d",
                          in->file.reading.path, found, own);
    in->description.states = own;
    return glnn__file_read_arrays(&kind, &in->description, &in->file);
}

static glnn_status apply_layer(const model *in, int layer, const glnn_tensor *from,
                               glnn_network *network, float *scratch)
{
    const glnn__layer *of = &in->description.layers[layer];
    const int own = arrays_of(of, 0);
    transpose(columns_of(of), rows_of(of), from[0].data, scratch);
    GLNN__TRY(glnn_network_set_weights(network, layer, scratch, own > 1 ? from[1].data : NULL));
    for (int s = 0; s < in->description.states; ++s)
        GLNN__TRY(glnn_network_set_state(network, layer, s, from[own + s].data));
    return GLNN_OK;
}

/* Brings all of a file into a network of the same layers, once it is known to fit. */
static glnn_status apply(model *in, glnn_network *network)
{
    const glnn__layer *layers = in->description.layers;
    const int count = in->description.desc.layer_count;
    const glnn_tensor *from = in->file.arrays.tensors;
    float *scratch;
    GLNN__TRY(read_states(in, network));
    GLNN__TRY(make_scratch(layers, count, &scratch));
    glnn_status status = GLNN_OK;
    for (int l = 0; !status && l < count; ++l) {
        if (glnn__layer_has_parameters(&layers[l]))
            status = apply_layer(in, l, from, network, scratch);
        from += arrays_of(&layers[l], in->description.states);
    }
    free(scratch);
    return status ? status : glnn_network_set_steps(network, in->description.steps);
}

glnn_status glnn_network_load(glnn_context *ctx, const char *path, const glnn_load_desc *desc,
                              glnn_network **out)
{
    glnn_network *network = NULL;
    glnn_load_desc how;
    model in;
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__load_desc_check(__func__, desc, &how));
    GLNN__TRY(open_model(path, &in));
    in.description.desc.layout = how.layout;
    in.description.desc.capacity = how.capacity;
    glnn_status status = glnn_network_create(ctx, &in.description.desc, &network);
    if (!status)
        status = apply(&in, network);
    if (!status)
        status = glnn_network_set_preparation(network, &in.file.preparation);
    status = glnn__file_close(&in.file, status);
    if (status)
        glnn_network_destroy(network);
    else
        *out = network;
    return status;
}

glnn_status glnn_network_load_parameters(glnn_network *network, const char *path)
{
    model in;
    GLNN__HELD(network);
    GLNN__NOT_NULL(path);
    GLNN__TRY(open_model(path, &in));
    const glnn__network_summary file = glnn__network_summarise(&in.description.desc);
    const glnn__network_summary own = glnn__network_summarise(&network->desc);
    glnn_status status =
        strcmp(file.text, own.text) == 0
            ? apply(&in, network)
            : glnn__fail(GLNN_E_SHAPE, "%s: the file's network is %s, the one to load into %s",
                         path, file.text, own.text);
    return glnn__file_close(&in.file, status);
}
