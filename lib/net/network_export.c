/* The C file of a network. */
#include "net/network.h"

#include "base/status.h"
#include "export/c_file.h"
#include "export/c_preparation.h"
#include "gl/lifetime.h"
#include "layers/batch_norm.h"
#include "layers/layer.h"
#include "layers/layer_arrays.h"
#include "layers/spectrogram.h"
#include "net/network_description.h"

#include <glnn/export.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Layers */

/* A layer while its code is added. */
typedef struct writer {
    glnn__c_file *file;
    const glnn__layer *layer;
    float *values[GLNN__LAYER_ARRAYS];                          /* of its arrays */
    const char *inputs[GLNN_LAYER_MAX_INPUTS], *input, *output; /* input: the first one */
    int sizes[GLNN_LAYER_MAX_INPUTS];                           /* of the inputs */
} writer;

/* Adds the arrays of the parameters as "name_number". */
static void add_arrays(const writer *w)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(w->layer);
    for (int a = 0; a < of.count; ++a)
        glnn__c_floats(w->file, w->values[a], glnn__layer_array_length(&of.list[a]), "%s_%d",
                       of.list[a].name, w->layer->number);
}

static void export_dense(const writer *w)
{
    add_arrays(w);
    glnn__c_use(w->file, "dense");
    glnn__text_print(&w->file->code, "    dense(%d, %d, weight_%d, bias_%d, %s, %s);\n",
                     w->layer->parameter_shape.rows, w->layer->parameter_shape.columns,
                     w->layer->number, w->layer->number, w->input, w->output);
}

/* Adds the constant "window_number", which says how the windows of the layer lie. */
static void add_window(const writer *w)
{
    const glnn_layer_desc *desc = &w->layer->desc;
    const glnn_shape *in = &w->layer->input, *out = &w->layer->out.shape;
    glnn__c_use(w->file, "window");
    glnn__text_print(&w->file->code,
                     "    static const struct window window_%d = {%d, %d, %d, %d, %d, %d, "
                     "%d, %d, %d, %d, %d, %d, %d, %d};\n",
                     w->layer->number, in->channels, in->height, in->width, out->channels,
                     out->height, out->width, desc->kernel.height, desc->kernel.width,
                     desc->stride.height, desc->stride.width, desc->padding.height,
                     desc->padding.width, desc->dilation.height, desc->dilation.width);
}

static void export_convolution(const writer *w)
{
    const int number = w->layer->number;
    add_window(w);
    add_arrays(w);
    glnn__c_use(w->file, "convolution");
    glnn__text_print(&w->file->code,
                     "    convolution(&window_%d, %d, weight_%d, bias_%d, %s, %s);\n", number,
                     w->layer->desc.groups, number, number, w->input, w->output);
}

static void export_transposed_convolution(const writer *w)
{
    const int number = w->layer->number;
    add_window(w);
    add_arrays(w);
    glnn__c_use(w->file, "transposed_convolution");
    glnn__text_print(&w->file->code,
                     "    transposed_convolution(&window_%d, weight_%d, bias_%d, %s, %s);\n",
                     number, number, number, w->input, w->output);
}

static void export_pool(const writer *w)
{
    const char *name = glnn_layer_kind_name(w->layer->desc.kind);
    add_window(w);
    glnn__c_use(w->file, "pool");
    glnn__c_use(w->file, name);
    glnn__text_print(&w->file->code, "    pool(&window_%d, %s, %s, %s);\n", w->layer->number, name,
                     w->input, w->output);
}

/* Makes a factor and an offset of each channel, in place of the first two of the four arrays. */
static void find_factors(int channels, float *const *values)
{
    float *weight = values[0], *bias = values[1];
    const float *mean = values[2], *variance = values[3];
    for (int c = 0; c < channels; ++c) {
        const double factor =
            (double)weight[c] / sqrt((double)variance[c] + (double)GLNN__NORM_EPSILON);
        weight[c] = (float)factor;
        bias[c] = (float)((double)bias[c] - factor * (double)mean[c]);
    }
}

static void export_batch_norm(const writer *w)
{
    const int channels = w->layer->input.channels, number = w->layer->number;
    find_factors(channels, w->values);
    glnn__c_floats(w->file, w->values[0], (size_t)channels, "factor_%d", number);
    glnn__c_floats(w->file, w->values[1], (size_t)channels, "offset_%d", number);
    glnn__c_use(w->file, "scale_channels");
    glnn__text_print(&w->file->code, "    scale_channels(%d, %d, factor_%d, offset_%d, %s, %s);\n",
                     channels, w->layer->input.height * w->layer->input.width, number, number,
                     w->input, w->output);
}

/* The first input and then the results before are combined with the next input. */
static void export_combination(const writer *w)
{
    const char *name = w->layer->desc.kind == GLNN_LAYER_MULTIPLY ? "multiply" : "add";
    glnn__c_use(w->file, name);
    for (int i = 1; i < w->layer->source_count; ++i)
        glnn__text_print(&w->file->code, "    %s(%d, %s, %s, %s);\n", name,
                         glnn__shape_size(w->layer->out.shape), i == 1 ? w->input : w->output,
                         w->inputs[i], w->output);
}

static void export_concatenation(const writer *w)
{
    int first = 0;
    glnn__c_use(w->file, "copy");
    for (int i = 0; i < w->layer->source_count; ++i) {
        glnn__text_print(&w->file->code, "    copy(%d, %s, %s + %d);\n", w->sizes[i], w->inputs[i],
                         w->output, first);
        first += w->sizes[i];
    }
}

static void export_gelu(const writer *w)
{
    glnn__c_use(w->file, "gelu");
    glnn__text_print(&w->file->code, "    gelu(%d, %s, %s);\n",
                     glnn__shape_size(w->layer->out.shape), w->input, w->output);
}

static void export_layer_norm(const writer *w)
{
    const int number = w->layer->number;
    add_arrays(w);
    glnn__c_use(w->file, "layer_norm");
    glnn__text_print(&w->file->code, "    layer_norm(%d, %d, %s, weight_%d, bias_%d, %s, %s);\n",
                     w->layer->input.channels, w->layer->input.height * w->layer->input.width,
                     glnn__c_literal_of(GLNN__NORM_EPSILON).text, number, number, w->input,
                     w->output);
}

static void export_local_response_norm(const writer *w)
{
    const glnn_layer_desc *desc = &w->layer->desc;
    glnn__c_use(w->file, "local_response_norm");
    glnn__text_print(&w->file->code, "    local_response_norm(%d, %d, %d, %s, %s, %s, %s, %s);\n",
                     w->layer->input.channels, w->layer->input.height * w->layer->input.width,
                     desc->size, glnn__c_literal_of(desc->alpha).text,
                     glnn__c_literal_of(desc->beta).text, glnn__c_literal_of(desc->k).text,
                     w->input, w->output);
}

static void export_upsample(const writer *w)
{
    const glnn_shape *in = &w->layer->input;
    const glnn_size by = w->layer->desc.stride;
    glnn__c_use(w->file, "upsample");
    glnn__text_print(&w->file->code, "    upsample(%d, %d, %d, %d, %d, %s, %s);\n", in->channels,
                     in->height, in->width, by.height, by.width, w->input, w->output);
}

/* Adds the constants of the transform: the window, and cosines and sines of a circle. */
static void add_transform(const writer *w, const glnn__spectrogram *of, float *values)
{
    static const char *const names[] = {"window_%d", "cosine_%d", "sine_%d"};
    for (int a = 0; a < 3; ++a) {
        for (int n = 0; n < of->window; ++n) {
            const double angle = 2 * 3.14159265358979323846 * n / of->window;
            values[n] = (float)(a == 0   ? glnn__spectrogram_window(of, n)
                                : a == 1 ? cos(angle)
                                         : sin(angle));
        }
        glnn__c_floats(w->file, values, (size_t)of->window, names[a], w->layer->number);
    }
}

/* Adds the triangles: of each bin, the band that rises and the heights of both sides. */
static void add_triangles(const writer *w, const glnn__spectrogram *of, float *values, int *bands)
{
    char name[32];
    snprintf(name, sizeof name, "band_%d", w->layer->number);
    for (int k = 0; k < of->bins; ++k) {
        const glnn__mel_bin bin = glnn__mel_bin_of(w->layer, k + 1);
        bands[k] = bin.band;
        values[2 * k] = bin.rising;
        values[2 * k + 1] = bin.falling;
    }
    glnn__c_ints(w->file, bands, (size_t)of->bins, name);
    glnn__c_floats(w->file, values, 2 * (size_t)of->bins, "height_%d", w->layer->number);
}

static void export_spectrogram(const writer *w)
{
    const glnn__spectrogram of = glnn__spectrogram_of(w->layer);
    const int number = w->layer->number;
    float *values = malloc((size_t)of.window * sizeof *values);
    int *bands = malloc((size_t)of.window * sizeof *bands);
    if (values && bands) {
        add_transform(w, &of, values);
        add_triangles(w, &of, values, bands);
    } else
        w->file->arrays.is_cut = true;
    free(values);
    free(bands);
    glnn__c_use(w->file, "spectrogram");
    glnn__text_print(&w->file->code,
                     "    spectrogram(%d, %d, %d, %d, %s, %s, window_%d, cosine_%d, sine_%d, "
                     "band_%d, height_%d, %s, %s);\n",
                     of.frames, of.window, of.hop, of.bands,
                     glnn__c_literal_of(w->layer->desc.floor).text,
                     glnn__c_literal_of(GLNN__NORM_EPSILON).text, number, number, number, number,
                     number, w->input, w->output);
}

typedef struct exporter {
    void (*add)(const writer *w); /* NULL: the output is the input */
    bool in_place;
} exporter;

static const exporter exporters[GLNN_LAYER_COUNT] = {
    [GLNN_LAYER_DENSE] = {.add = export_dense},
    [GLNN_LAYER_DROPOUT] = {.add = NULL},
    [GLNN_LAYER_CONVOLUTION] = {.add = export_convolution},
    [GLNN_LAYER_MAX_POOL] = {.add = export_pool},
    [GLNN_LAYER_AVERAGE_POOL] = {.add = export_pool},
    [GLNN_LAYER_FLATTEN] = {.add = NULL}, /* numbers have the order of flat samples everywhere */
    [GLNN_LAYER_BATCH_NORM] = {.add = export_batch_norm, .in_place = true},
    [GLNN_LAYER_RESIDUAL] = {.add = export_combination, .in_place = true},
    [GLNN_LAYER_ADD] = {.add = export_combination, .in_place = true},
    [GLNN_LAYER_MULTIPLY] = {.add = export_combination, .in_place = true},
    [GLNN_LAYER_CONCATENATE] = {.add = export_concatenation},
    [GLNN_LAYER_GELU] = {.add = export_gelu, .in_place = true},
    [GLNN_LAYER_LAYER_NORM] = {.add = export_layer_norm, .in_place = true},
    [GLNN_LAYER_LOCAL_RESPONSE_NORM] = {.add = export_local_response_norm},
    [GLNN_LAYER_UPSAMPLE] = {.add = export_upsample},
    [GLNN_LAYER_TRANSPOSED_CONVOLUTION] = {.add = export_transposed_convolution},
    [GLNN_LAYER_SPECTROGRAM] = {.add = export_spectrogram},
};

/* Whether the code computes the layer. If not, its output is its input. */
static bool has_code(const glnn__layer *layer)
{
    return exporters[layer->desc.kind].add;
}

/* Whether the output may replace the input. */
static bool is_in_place(const glnn__layer *layer)
{
    return exporters[layer->desc.kind].in_place;
}

/* A function of templates/, and its name in C if that differs. */
typedef struct activation {
    const char *file, *function;
} activation;

static void add_activation(const writer *w, const glnn__layer *layer)
{
    static const activation activations[GLNN_ACTIVATION_COUNT] = {
        [GLNN_ACTIVATION_SIGMOID] = {"sigmoid", "sigmoid"},
        [GLNN_ACTIVATION_TANH] = {"tanh", "apply_tanh"},
        [GLNN_ACTIVATION_SCALED_TANH] = {"scaled_tanh", "scaled_tanh"},
        [GLNN_ACTIVATION_RELU] = {"relu", "relu"},
        [GLNN_ACTIVATION_LEAKY_RELU] = {"leaky_relu", "leaky_relu"},
        [GLNN_ACTIVATION_ELU] = {"elu", "elu"},
        [GLNN_ACTIVATION_SOFTSIGN] = {"softsign", "softsign"},
    };
    const activation *of = &activations[layer->desc.activation];
    if (!(layer->type->uses & GLNN__LAYER_ACTIVATION) || !of->file)
        return;
    glnn__c_use(w->file, of->file);
    glnn__text_print(&w->file->code, "    %s(%d, %s);\n", of->function,
                     glnn__shape_size(layer->out.shape), w->output);
}

static glnn_status make_values(const glnn__layer *layer, float **values)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(layer);
    size_t length = 0;
    for (int a = 0; a < of.count; ++a)
        length += glnn__layer_array_length(&of.list[a]);
    values[0] = of.count > 0 ? malloc(length * sizeof **values) : NULL;
    if (of.count > 0 && !values[0])
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu parameters", length);
    for (int a = 1; a < of.count; ++a)
        values[a] = values[a - 1] + glnn__layer_array_length(&of.list[a - 1]);
    return GLNN_OK;
}

/* Downloads the arrays of a layer; the caller frees values[0], also after a failure. */
static glnn_status get_values(glnn_context *ctx, const glnn__layer *layer, float **values)
{
    GLNN__TRY(make_values(layer, values));
    return values[0] ? glnn__layer_download(ctx, layer, values) : GLNN_OK;
}

/* Whether the weights of a layer can include the batch normalisation that follows it. */
static bool takes_norm(const glnn__layer *layer, const glnn__layer *next)
{
    const glnn_layer_kind kind = layer->desc.kind;
    return next->desc.kind == GLNN_LAYER_BATCH_NORM &&
           (kind == GLNN_LAYER_DENSE || kind == GLNN_LAYER_CONVOLUTION) &&
           layer->desc.activation == GLNN_ACTIVATION_IDENTITY;
}

/* f (W x + b) + o = (f W) x + (f b + o): the weights and biases take over factor and offset. */
static glnn_status fold_norm(glnn_context *ctx, const writer *w, const glnn__layer *norm)
{
    const int channels = norm->input.channels;
    const glnn__layer_arrays of = glnn__layer_list_arrays(w->layer);
    const size_t count = glnn__layer_array_length(&of.list[0]) / (size_t)channels;
    float *values[GLNN__LAYER_ARRAYS] = {NULL};
    const glnn_status status = get_values(ctx, norm, values);
    if (!status)
        find_factors(channels, values);
    for (int c = 0; c < channels && !status; ++c) {
        float *weights = w->values[0] + (size_t)c * count, *bias = w->values[1] + c;
        for (size_t i = 0; i < count; ++i)
            weights[i] *= values[0][c];
        *bias = (float)((double)*bias * (double)values[0][c] + (double)values[1][c]);
    }
    free(values[0]);
    return status;
}

/* Adds the numbers of a layer and the code that computes its output. `norm` is the batch
 * normalisation that the weights take over, or NULL. Errors: E_NOMEM; as glnn_matrix_download. */
static glnn_status export_layer(glnn_context *ctx, writer *w, const glnn__layer *norm)
{
    const glnn__layer *layer = w->layer;
    glnn_status status = get_values(ctx, layer, w->values);
    if (!status && norm)
        status = fold_norm(ctx, w, norm);
    if (!status) {
        exporters[layer->desc.kind].add(w);
        add_activation(w, norm ? norm : layer);
    }
    free(w->values[0]);
    return status;
}

/* ---- The network */

/* The input of the network and the outputs of its layers, which have the number of the layer and
 * one more. A layer that is not exported has the place of its input. */
enum { SIGNALS = GLNN_NETWORK_MAX_LAYERS + 1 };

typedef struct plan {
    int root[SIGNALS];                /* the signal that is computed        */
    int last_use[SIGNALS];            /* the last layer that reads a root   */
    glnn__c_numbers numbers[SIGNALS]; /* of a root, once it is computed   */
    int last;                         /* layer that is exported; -1: none   */
} plan;

/* The signal that is an input of a layer. */
static int signal_of(const glnn__layer *layer, int number)
{
    return layer->sources[number] + 1;
}

/* Whether the layer before takes a normalisation over, because nothing else reads its output. */
static bool is_folded(const glnn__network *network, int layer)
{
    const glnn__layer *layers = network->layers;
    if (layer == 0 || layer == network->desc.layer_count || signal_of(&layers[layer], 0) != layer ||
        !takes_norm(&layers[layer - 1], &layers[layer]))
        return false;
    for (int l = layer + 1; l < network->desc.layer_count; ++l)
        for (int i = 0; i < layers[l].source_count; ++i)
            if (signal_of(&layers[l], i) == layer)
                return false;
    return true;
}

static void find_uses(const glnn__network *network, plan *out)
{
    out->last = -1;
    out->root[0] = 0;
    for (int l = 0; l < network->desc.layer_count; ++l) {
        const glnn__layer *layer = &network->layers[l];
        const bool is_exported = has_code(layer) && !is_folded(network, l);
        out->root[l + 1] = is_exported ? l + 1 : out->root[signal_of(layer, 0)];
        if (!is_exported)
            continue;
        out->last = l;
        for (int i = 0; i < layer->source_count; ++i)
            out->last_use[out->root[signal_of(layer, i)]] = l;
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

/* Whether the code of a layer reads its first input again after it has begun to write. */
static bool is_read_twice(const glnn__layer *layer, const int *root)
{
    for (int i = 2; i < layer->source_count; ++i)
        if (root[signal_of(layer, i)] == root[signal_of(layer, 0)])
            return true;
    return false;
}

/* The lowest place where nothing is in use. */
static glnn__c_numbers place_output(const glnn__network *network, const plan *of, int layer,
                                    glnn__c_file *file)
{
    const glnn__layer *from = &network->layers[layer];
    const size_t size = (size_t)glnn__shape_size(from->out.shape);
    const int input = of->root[signal_of(from, 0)];
    const bool replaces_input =
        is_in_place(from) && of->last_use[input] == layer && !is_read_twice(from, of->root);
    size_t first = 0;
    for (;;) {
        const int in_the_way =
            find_overlap(of, layer, replaces_input ? input : -1, first, first + size);
        if (in_the_way < 0)
            return glnn__c_scratch(file, first, size);
        first = of->numbers[in_the_way].end;
    }
}

static glnn_status add_layer(const glnn__network *network, int layer, plan *of, glnn__c_file *file)
{
    const glnn__layer *from = &network->layers[layer];
    glnn__c_numbers *output = &of->numbers[layer + 1];
    *output = (glnn__c_numbers){.text = "output"};
    if (layer < of->last)
        *output = place_output(network, of, layer, file);
    writer w = {.file = file, .layer = from, .output = output->text};
    for (int i = 0; i < from->source_count; ++i) {
        const int source = from->sources[i];
        w.inputs[i] = of->numbers[of->root[source + 1]].text;
        w.sizes[i] = source < 0 ? network->desc.features
                                : glnn__shape_size(network->layers[source].out.shape);
    }
    w.input = w.inputs[0];
    return export_layer(network->ctx, &w, is_folded(network, layer + 1) ? from + 1 : NULL);
}

static void add_outputs(const glnn__network *network, const plan *of, glnn__c_file *file)
{
    const int outputs = glnn__network_outputs(network);
    const glnn__loss_kind *loss = glnn__loss_kind_of(&network->desc);
    const char *function = loss->needs_labels && outputs > 1 ? "softmax" : "sigmoid";
    if (of->last < 0) {
        glnn__c_use(file, "copy");
        glnn__text_print(&file->code, "    copy(%d, %s, output);\n", outputs, of->numbers[0].text);
    }
    if (loss->gives_probabilities) {
        glnn__c_use(file, function);
        glnn__text_print(&file->code, "    %s(%d, output);\n", function, outputs);
    }
    glnn__c_unscale_targets(file, glnn_learner_get_preparation(&network->learner), "output");
}

/* The class is found from outputs in the scratch memory, in which nothing else is needed then. */
static void add_classify(const glnn__network *network, glnn__c_file *file)
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
        glnn__text_print(&file->code, "    return output[0] > %s;\n}\n",
                         glnn__loss_kind_of(&network->desc)->gives_probabilities ? "0.5f" : "0");
        return;
    }
    glnn__c_use(file, "greatest");
    glnn__text_print(&file->code, "    return greatest(%d, output);\n}\n", outputs);
}

static glnn_status add_code(const glnn__network *network, glnn__c_file *file)
{
    plan of = {.last = -1};
    find_uses(network, &of);
    glnn__text_print(&file->code, "\nvoid %s_predict(const float *input, float *output)\n{\n",
                     file->name);
    of.numbers[0] = glnn__c_prepare(file, glnn_learner_get_preparation(&network->learner));
    for (int l = 0; l < network->desc.layer_count; ++l)
        if (of.root[l + 1] == l + 1)
            GLNN__TRY(add_layer(network, l, &of, file));
    add_outputs(network, &of, file);
    add_classify(network, file);
    return GLNN_OK;
}

glnn_status glnn__network_export_c(const void *self, const char *path, const char *name)
{
    const glnn__network *network = self;
    glnn__c_file file;
    char what[sizeof(glnn__network_summary) + 16];
    GLNN__TRY(glnn__c_file_begin(name, &file));
    snprintf(what, sizeof what, "a network (%s)", glnn__network_summarise(&network->desc).text);
    const int features =
        glnn__c_features(glnn_learner_get_preparation(&network->learner), network->desc.features);
    return glnn__c_file_end(&file, path, what, features, glnn__network_outputs(network),
                            add_code(network, &file));
}
