/* A network in files, with the names and shapes of PyTorch. */
#include "net/network.h"

#include "base/status.h"
#include "layers/layer_arrays.h"
#include "learn/learner_file.h"
#include "net/network_description.h"

#include <glnn/map.h>

#include <stddef.h>
#include <stdio.h>
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
static glnn_status collect_layer(const glnn__network *network, const glnn__layer *layer, int first,
                                 const glnn__arrays *out)
{
    const int own = count_arrays(layer, 0);
    GLNN__TRY(glnn__layer_download(network->ctx, layer, out->values + first));
    for (int s = 0; s < glnn__network_states(network); ++s)
        GLNN__TRY(glnn_matrix_download(network->ctx, layer->parameters.states[s], NULL,
                                       out->values[first + own + s], 0));
    return GLNN_OK;
}

static glnn_status collect(const void *self, const glnn__arrays *out)
{
    const glnn__network *network = self;
    for (int l = 0, first = 0; l < network->desc.layer_count; ++l) {
        const glnn__layer *layer = &network->layers[l];
        if (glnn__layer_has_parameters(layer))
            GLNN__TRY(collect_layer(network, layer, first, out));
        first += count_arrays(layer, glnn__network_states(network));
    }
    return GLNN_OK;
}

/* A running variance may not be negative. */
static glnn_status check(const glnn__file *in)
{
    for (int a = 0; a < in->arrays.count; ++a) {
        const glnn_tensor *array = &in->arrays.tensors[a];
        const char *dot = strrchr(array->name, '.');
        const bool is_checked = dot && strcmp(dot, ".running_var") == 0;
        for (size_t i = 0; is_checked && i < array->shape[0]; ++i)
            if (array->data[i] < 0)
                return glnn__fail(GLNN_E_FORMAT,
                                  "%s: `%s` has a running variance of %g; it must not be negative",
                                  in->reading.path, array->name, (double)array->data[i]);
    }
    return GLNN_OK;
}

/* States that the file does not have become zeros. */
static glnn_status apply_states(glnn__network *network, const glnn__layer *layer, int states,
                                const glnn_tensor *from)
{
    for (int s = 0; s < glnn__network_states(network); ++s) {
        glnn_matrix *state = layer->parameters.states[s];
        GLNN__TRY(states > 0 ? glnn_matrix_upload(network->ctx, state, NULL, from[s].data, 0)
                             : glnn_fill(network->ctx, 0, state));
    }
    return GLNN_OK;
}

/* A file without states fits every optimizer, because states can start again. */
static glnn_status apply(const glnn__file *in, void *self)
{
    const glnn__network_description *of = in->description;
    glnn__network *network = self;
    const glnn_tensor *from = in->arrays.tensors;
    const int states = of->states, own = glnn__network_states(network);
    if (states != own && states != 0)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: holds %d matrices of optimizer state a layer, but the network's "
                          "optimizer has %d",
                          in->reading.path, states, own);
    for (int l = 0; l < of->desc.layer_count; ++l) {
        glnn__layer *layer = &network->layers[l];
        if (glnn__layer_has_parameters(layer)) {
            GLNN__TRY(glnn__layer_upload(network->ctx, from, layer));
            GLNN__TRY(apply_states(network, layer, states, from + count_arrays(layer, 0)));
        }
        from += count_arrays(layer, states);
    }
    network->learner.steps = states < own ? 0 : of->steps;
    return GLNN_OK;
}

static void describe(const void *self, void *description)
{
    const glnn__network *network = self;
    glnn__network_description *of = description;
    of->desc = network->desc;
    of->steps = network->learner.steps;
    of->states = glnn__network_states(network);
    memcpy(of->layers, network->layers, sizeof of->layers);
}

/* The first layer with parameters tells how many states each of them has. */
static int count_states(const glnn__described_file *in, const glnn__network_description *of)
{
    char name[GLNN__ARRAY_NAME];
    int first = 0, module = 0, states = -1;
    while (first < of->desc.layer_count && !glnn__layer_has_parameters(&of->layers[first]))
        module += glnn__layer_module_count(&of->layers[first++]);
    if (first == of->desc.layer_count)
        return glnn__optimizer_states(&of->desc.optimizer);
    do
        snprintf(name, sizeof name, "glnn.%d.state.%d", module, ++states);
    while (glnn_safetensors_find_tensor(in->file, name));
    return states;
}

static glnn_status read_texts(const glnn__described_file *in, void *description)
{
    glnn__network_description *of = description;
    GLNN__TRY(glnn__network_undescribe(in, of));
    of->states = count_states(in, of);
    return GLNN_OK;
}

static glnn_status describe_foreign(const glnn__described_file *in, const void *self,
                                    void *description)
{
    glnn__network_description *of = description;
    describe(self, of);
    of->states = count_states(in, of);
    return GLNN_OK;
}

static void print_shape(const void *description, char *text, size_t size)
{
    const glnn__network_description *of = description;
    snprintf(text, size, "%s", glnn__network_summarise(&of->desc).text);
}

const glnn__file_form glnn__network_file = {
    .size = sizeof(glnn__network_description),
    .layout = offsetof(glnn__network_description, desc.layout),
    .capacity = offsetof(glnn__network_description, desc.capacity),
    .fields = glnn__network_shape_fields,
    .field_count = GLNN__NETWORK_SHAPE_FIELDS,
    .add_texts = glnn__network_describe,
    .read_texts = read_texts,
    .describe = describe,
    .describe_foreign = describe_foreign,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .collect = collect,
    .check = check,
    .apply = apply,
};
