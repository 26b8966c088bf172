/* The C file of a network. */
#include "net/network.h"

#include "base/status.h"
#include "export/c_preparation.h"
#include "gl/lifetime.h"
#include "net/layer_export.h"
#include "net/network_description.h"

#include <glnn/export.h>

#include <stdio.h>

/* The input of the network and the outputs of its layers, which have the number of the layer and
 * one more. A layer that is not exported has the place of its input. */
enum { SIGNALS = GLNN_NETWORK_MAX_LAYERS + 1 };

typedef struct plan {
    int root[SIGNALS];                /* the signal that is computed        */
    int last_use[SIGNALS];            /* the last layer that reads a root   */
    glnn__c_numbers numbers[SIGNALS]; /* of a root, once it is computed   */
    int last;                         /* layer that is exported; -1: none   */
} plan;

/* The signal that a layer reads in addition to its input; -1: none. */
static int source_of(const glnn__layer *layer)
{
    return layer->type->source ? layer->type->source(layer) + 1 : -1;
}

/* Whether the layer before takes a normalisation over, because nothing else reads its output. */
static bool is_folded(const glnn_network *network, int layer)
{
    if (layer == 0 || layer == network->desc.layer_count ||
        !glnn__layer_takes_norm(&network->layers[layer - 1], &network->layers[layer]))
        return false;
    for (int l = layer; l < network->desc.layer_count; ++l)
        if (source_of(&network->layers[l]) == layer)
            return false;
    return true;
}

static void find_uses(const glnn_network *network, plan *out)
{
    out->last = -1;
    out->root[0] = 0;
    for (int l = 0; l < network->desc.layer_count; ++l) {
        const glnn__layer *layer = &network->layers[l];
        const int source = source_of(layer);
        const bool is_exported = glnn__layer_is_exported(layer) && !is_folded(network, l);
        out->root[l + 1] = is_exported ? l + 1 : out->root[l];
        if (!is_exported)
            continue;
        out->last = l;
        out->last_use[out->root[l]] = l;
        if (source >= 0)
            out->last_use[out->root[source]] = l;
    }
}

/* A root other than `except` that is in use while the layer is computed and lies at these places;
 * -1: there is none. */
static int find_overlap(const plan *of, int layer, int except, size_t first, size_t end)
{
    for (int s = 0; s <= layer; ++s) {
        const glnn__c_numbers *numbers = &of->numbers[s];
        if (of->root[s] == s && s != except && of->last_use[s] >= layer && numbers->first < end &&
            first < numbers->end)
            return s;
    }
    return -1;
}

/* The lowest place where nothing is in use. */
static glnn__c_numbers place_output(const glnn_network *network, const plan *of, int layer,
                                    glnn__c_file *file)
{
    const glnn__layer *from = &network->layers[layer];
    const size_t size = (size_t)glnn__shape_size(from->out.shape);
    const int input = of->root[layer];
    const bool replaces_input = glnn__layer_exports_in_place(from) && of->last_use[input] == layer;
    size_t first = 0;
    for (;;) {
        const int in_the_way =
            find_overlap(of, layer, replaces_input ? input : -1, first, first + size);
        if (in_the_way < 0)
            return glnn__c_scratch(file, first, size);
        first = of->numbers[in_the_way].end;
    }
}

static glnn_status add_layer(const glnn_network *network, int layer, plan *of, glnn__c_file *file)
{
    const glnn__layer *from = &network->layers[layer];
    const int source = source_of(from);
    glnn__c_numbers *output = &of->numbers[layer + 1];
    *output = (glnn__c_numbers){.text = "output"};
    if (layer < of->last)
        *output = place_output(network, of, layer, file);
    const glnn__layer *norm = is_folded(network, layer + 1) ? from + 1 : NULL;
    return glnn__layer_export(network->ctx, from, norm, of->numbers[of->root[layer]].text,
                              source < 0 ? "" : of->numbers[of->root[source]].text, output->text,
                              file);
}

static void add_outputs(const glnn_network *network, const plan *of, glnn__c_file *file)
{
    const int outputs = glnn__network_outputs(network);
    const char *function = outputs > 1 ? "softmax" : "sigmoid";
    if (of->last < 0) {
        glnn__c_use(file, "copy");
        glnn__text_print(&file->code, "    copy(%d, %s, output);\n", outputs, of->numbers[0].text);
    }
    if (network->desc.loss == GLNN_LOSS_CROSS_ENTROPY) {
        glnn__c_use(file, function);
        glnn__text_print(&file->code, "    %s(%d, output);\n", function, outputs);
    }
    glnn__c_unscale_targets(file, glnn_network_get_preparation(network), "output");
}

/* The class is found from outputs in the scratch memory, in which nothing else is needed then. */
static void add_classify(const glnn_network *network, glnn__c_file *file)
{
    const int outputs = glnn__network_outputs(network);
    const glnn__c_numbers output = glnn__c_scratch(file, file->scratch, (size_t)outputs);
    glnn__text_print(&file->code,
                     "}\n\n"
                     "int %s_classify(const float *input)\n"
                     "{\n"
                     "    float *output = %s;\n"
                     "    %s_predict(input, output);\n",
                     file->name, output.text, file->name);
    if (glnn__network_classes(network) > outputs) {
        glnn__text_print(&file->code, "    return output[0] > 0.5f;\n}\n");
        return;
    }
    glnn__c_use(file, "greatest");
    glnn__text_print(&file->code, "    return greatest(%d, output);\n}\n", outputs);
}

static glnn_status add_code(const glnn_network *network, glnn__c_file *file)
{
    plan of = {.last = -1};
    find_uses(network, &of);
    glnn__text_print(&file->code, "\nvoid %s_predict(const float *input, float *output)\n{\n",
                     file->name);
    of.numbers[0] = glnn__c_prepare(file, glnn_network_get_preparation(network));
    for (int l = 0; l < network->desc.layer_count; ++l)
        if (of.root[l + 1] == l + 1)
            GLNN__TRY(add_layer(network, l, &of, file));
    add_outputs(network, &of, file);
    add_classify(network, file);
    return GLNN_OK;
}

glnn_status glnn_network_export_c(const glnn_network *network, const char *path, const char *name)
{
    glnn__c_file file;
    char what[sizeof(glnn__network_summary) + 16];
    GLNN__HELD(network);
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(name);
    GLNN__TRY(glnn__fail_in(__func__, glnn__c_file_begin(name, &file)));
    snprintf(what, sizeof what, "a network (%s)", glnn__network_summarise(&network->desc).text);
    const int features =
        glnn__c_features(glnn_network_get_preparation(network), network->desc.features);
    return glnn__fail_in(__func__, glnn__c_file_end(&file, path, what, features,
                                                    glnn__network_outputs(network),
                                                    add_code(network, &file)));
}
