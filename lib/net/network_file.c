/* A network in files, with the names and shapes of PyTorch. */
#include "net/network.h"

#include "base/status.h"
#include "layers/layer_arrays.h"
#include "learn/learner_file.h"
#include "net/network_description.h"

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

/* The layer of a tensor, whose number becomes that within the layer. */
static const glnn__layer *find_layer(const glnn__network *network, int *number)
{
    const glnn__layer *layer = network->layers;
    for (int count; *number >= (count = count_arrays(layer, glnn__network_states(network)));
         ++layer)
        *number -= count;
    return layer;
}

static glnn__tensor_place place(const void *self, int number)
{
    const glnn__layer *layer = find_layer(self, &number);
    return glnn__layer_place(layer, number);
}

static glnn_status read(const void *self, int number, float *values)
{
    const glnn__network *network = self;
    const glnn__layer *layer = find_layer(network, &number);
    return glnn__layer_read(network->ctx, layer, number, values);
}

static glnn_status check(const void *self, int number, const float *values)
{
    const glnn__network *network = self;
    const glnn__layer *layer = find_layer(network, &number);
    const int own = glnn__layer_list_arrays(layer).count;
    const size_t count =
        (size_t)glnn__layer_parameter_rows(layer) * (size_t)layer->parameter_shape.columns;
    return number < own
               ? glnn__layer_check(layer, number, values)
               : glnn__optimizer_check_state(&network->desc.optimizer, number - own, count, values);
}

static glnn_status write(void *self, int number, const float *values)
{
    const glnn__network *network = self;
    const glnn__layer *layer = find_layer(network, &number);
    return glnn__layer_write(network->ctx, layer, number, values);
}

/* A file without states fits every optimizer, because states can start again. */
static glnn_status accept(const glnn__described_file *in, const void *description, void *self)
{
    const glnn__network_description *of = description;
    glnn__network *network = self;
    const int own = glnn__network_states(network);
    if (of->states != own && of->states != 0)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: holds %d matrices of optimizer state a layer, but the network's "
                          "optimizer has %d",
                          in->path, of->states, own);
    network->learner.steps = of->states < own ? 0 : of->steps;
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

static void forget(const void *self, void *description)
{
    (void)self;
    ((glnn__network_description *)description)->steps = 0;
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
    GLNN__TRY(glnn__network_read_layers(in, of));
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
    .fields = &glnn__network_file_fields,
    .add_texts = glnn__network_add_layers,
    .read_texts = read_texts,
    .describe = describe,
    .forget = forget,
    .describe_foreign = describe_foreign,
    .print_shape = print_shape,
    .add_arrays = add_arrays,
    .place = place,
    .read = read,
    .check = check,
    .write = write,
    .accept = accept,
};
