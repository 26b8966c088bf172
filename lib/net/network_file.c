#include "net/network.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "layers/layer_arrays.h"
#include "learner/learner_file.h"
#include "net/network_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arrays of a layer with its states. */
static int count_arrays(const glnn__layer *layer, int states)
{
    const int own = glnn__layer_list_arrays(layer).count;
    return own > 0 ? own + states : 0;
}

static void add_layer(const glnn__layer *layer, int module, int states, glnn__arrays *out)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    const size_t state[] = {(size_t)glnn__layer_parameter_rows(layer),
                            (size_t)layer->parameter_shape.columns};
    for (int i = 0; i < of.count; ++i)
        glnn__arrays_add(out, of.list[i].dimensions, of.list[i].shape, "%d.%s", module,
                         of.list[i].name);
    for (int s = 0; of.count > 0 && s < states; ++s)
        glnn__arrays_add(out, 2, state, "glnn.%d.state.%d", module, s);
}

static void add_arrays(const void *description, glnn__arrays *out)
{
    const glnn__network_description *of = description;
    for (int l = 0, module = 0; l < of->desc.layer_count; ++l) {
        add_layer(&of->layers[l], module, of->states, out);
        module += glnn__layer_module_count(&of->layers[l]);
    }
}

/* A layer's arrays begin with number `first`. */
static glnn_status collect_layer(const glnn_network *network, int layer, int first,
                                 const glnn__arrays *out)
{
    const glnn__layer *of = &network->layers[layer];
    const int own = count_arrays(of, 0);
    GLNN__TRY(glnn__layer_download(network->ctx, of, out->values + first));
    if (!glnn__arrays_finite(out, first, own))
        return glnn__fail(GLNN_E_DIVERGED,
                          "layer %d has weights that are not finite; they are not saved", layer);
    for (int s = 0; s < glnn_network_get_state_count(network); ++s)
        GLNN__TRY(glnn_network_get_state(network, layer, s, out->values[first + own + s]));
    return GLNN_OK;
}

static glnn_status collect(const void *learner, const glnn__arrays *out)
{
    const glnn_network *network = learner;
    for (int l = 0, first = 0; l < network->desc.layer_count; ++l) {
        const glnn__layer *layer = &network->layers[l];
        if (glnn__layer_has_parameters(layer))
            GLNN__TRY(collect_layer(network, l, first, out));
        first += count_arrays(layer, glnn_network_get_state_count(network));
    }
    return GLNN_OK;
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
    return glnn__fail_in(__func__, glnn__file_save(&kind, path, &of, network,
                                                   glnn_network_get_preparation(network)));
}

/* A file with the parameters of a network; states are looked for once there is a network. */
typedef struct model {
    glnn__file file;
    glnn__network_description description;
} model;

static glnn_status check_weights(const model *in)
{
    const glnn__network_description *of = &in->description;
    for (int l = 0, first = 0; l < of->desc.layer_count; ++l) {
        const int own = count_arrays(&of->layers[l], 0);
        if (!glnn__arrays_finite(&in->file.arrays, first, own))
            return glnn__fail(GLNN_E_FORMAT, "%s: layer %d has weights that are not finite",
                              in->file.reading.path, l);
        first += own;
    }
    return GLNN_OK;
}

static glnn_status open_model(const char *path, model *out)
{
    out->description = (glnn__network_description){.states = 0};
    GLNN__TRY(glnn__file_open(&kind, path, &out->description, &out->file));
    const glnn_status status = check_weights(out);
    return status ? glnn__file_close(&out->file, status) : GLNN_OK;
}

/* States of the layer whose arrays are those of this module. */
static int count_states(const model *in, int module)
{
    char name[GLNN__ARRAY_NAME];
    int states = -1;
    do
        snprintf(name, sizeof name, "glnn.%d.state.%d", module, ++states);
    while (glnn_safetensors_find_tensor(in->file.reading.file, name));
    return states;
}

/* The first layer with parameters tells how many states each of them has. A file without states
 * fits every optimizer, because states can start again. */
static glnn_status read_states(model *in, const glnn_network *network)
{
    const glnn__network_description *of = &in->description;
    const int own = glnn_network_get_state_count(network);
    int first = 0, module = 0, found = own;
    while (first < of->desc.layer_count && !glnn__layer_has_parameters(&of->layers[first]))
        module += glnn__layer_module_count(&of->layers[first++]);
    if (first < of->desc.layer_count)
        found = count_states(in, module);
    if (found != own && found != 0)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: holds %d matrices of optimizer state a layer, but the network's "
                          "optimizer has %d",
                          in->file.reading.path, found, own);
    in->description.states = found;
    return glnn__file_read_arrays(&kind, &in->description, &in->file);
}

/* States that the file does not have become zeros. */
static glnn_status apply_states(const model *in, int layer, const glnn_tensor *states,
                                glnn_network *network)
{
    const glnn__layer *of = &network->layers[layer];
    const size_t count = glnn__layer_parameter_count(of);
    float *zeros = calloc(count, sizeof *zeros);
    glnn_status status =
        zeros ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu numbers of state", count);
    for (int s = 0; s < glnn_network_get_state_count(network) && !status; ++s)
        status = glnn_network_set_state(network, layer, s,
                                        in->description.states > 0 ? states[s].data : zeros);
    free(zeros);
    return status;
}

static glnn_status apply_layer(const model *in, int layer, const glnn_tensor *from,
                               glnn_network *network)
{
    glnn__layer *of = &network->layers[layer];
    GLNN__TRY(glnn__layer_upload(network->ctx, from, of));
    return apply_states(in, layer, from + count_arrays(of, 0), network);
}

/* Brings all of a file into a network of the same layers, once it is known to fit. */
static glnn_status apply(model *in, glnn_network *network)
{
    const int count = in->description.desc.layer_count;
    const glnn_tensor *from = in->file.arrays.tensors;
    GLNN__TRY(read_states(in, network));
    for (int l = 0; l < count; ++l) {
        const glnn__layer *layer = &in->description.layers[l];
        if (glnn__layer_has_parameters(layer))
            GLNN__TRY(apply_layer(in, l, from, network));
        from += count_arrays(layer, in->description.states);
    }
    const bool starts_again = in->description.states < glnn_network_get_state_count(network);
    return glnn_network_set_steps(network, starts_again ? 0 : in->description.steps);
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
    GLNN__TRY(glnn__fail_in(__func__, open_model(path, &in)));
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
    return glnn__fail_in(__func__, status);
}

static glnn_status check_fits(const model *in, const glnn_network *network)
{
    const glnn__network_summary file = glnn__network_summarise(&in->description.desc);
    const glnn__network_summary own = glnn__network_summarise(&network->desc);
    return strcmp(file.text, own.text) == 0
               ? GLNN_OK
               : glnn__fail(GLNN_E_SHAPE,
                            "%s: the network of the file is (%s), but the one to load into is (%s)",
                            in->file.reading.path, file.text, own.text);
}

/* A file of another program describes no network, so its arrays must be those of this one. */
static glnn_status read_parameters(model *in, const glnn_network *network)
{
    in->description = (glnn__network_description){.states = 0};
    if (glnn__file_is_described(&in->file)) {
        GLNN__TRY(glnn__file_read_all(&kind, &in->description, &in->file));
        GLNN__TRY(check_fits(in, network));
    } else {
        in->description.desc = network->desc;
        GLNN__TRY(glnn__network_check(&in->description.desc, in->description.layers));
        GLNN__TRY(glnn__file_read_arrays(&kind, &in->description, &in->file));
    }
    return check_weights(in);
}

glnn_status glnn_network_load_parameters(glnn_network *network, const char *path)
{
    model in;
    GLNN__HELD(network);
    GLNN__NOT_NULL(path);
    GLNN__TRY(glnn__fail_in(__func__, glnn__file_open_any(&kind, path, &in.file)));
    glnn_status status = read_parameters(&in, network);
    if (!status)
        status = apply(&in, network);
    return glnn__fail_in(__func__, glnn__file_close(&in.file, status));
}
