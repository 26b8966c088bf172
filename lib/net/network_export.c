/* Exports of a network, as C and as GLSL. */
#include "net/network.h"

#include "base/status.h"
#include "export/file.h"
#include "export/preparation.h"
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

/* The arrays of a layer in the code. */
typedef struct parameters {
    glnn__export_text text[GLNN__LAYER_ARRAYS];
} parameters;

/* A layer while its code is added. */
typedef struct writer {
    glnn__export_file *file;
    const glnn__layer *layer;
    float *values[GLNN__LAYER_ARRAYS];                          /* of its arrays */
    const char *inputs[GLNN_LAYER_MAX_INPUTS], *input, *output; /* input: the first one */
    int sizes[GLNN_LAYER_MAX_INPUTS];                           /* of the inputs */
    parameters *parameters; /* of all layers so far, by their numbers */
} writer;

/* Adds the arrays of a layer as "name_number". Those that it shares have been added. */
static const parameters *add_parameters(const writer *w)
{
    const glnn__layer_arrays of = glnn__layer_list_arrays(w->layer);
    parameters *own = &w->parameters[w->layer->number];
    for (int a = 0; a < of.count; ++a)
        own->text[a] =
            glnn__export_floats(w->file, w->values[a], glnn__layer_array_length(&of.list[a]),
                                "%s_%d", of.list[a].name, w->layer->number);
    return &w->parameters[w->layer->owner];
}

static void export_dense(const writer *w)
{
    const parameters *of = add_parameters(w);
    glnn__export_call(w->file, "dense", "%d, %d, %s, %s, %s, %s", w->layer->parameter_shape.rows,
                      w->layer->parameter_shape.columns, of->text[0].text, of->text[1].text,
                      w->input, w->output);
}

/* Adds a constant that says how the windows of the layer lie. */
static glnn__export_text add_window(const writer *w)
{
    const glnn_layer_desc *desc = &w->layer->desc;
    const glnn_shape *in = &w->layer->input, *out = &w->layer->out.shape;
    const int window[] = {in->channels,          in->height,           in->width,
                          out->channels,         out->height,          out->width,
                          desc->kernel.height,   desc->kernel.width,   desc->stride.height,
                          desc->stride.width,    desc->padding.height, desc->padding.width,
                          desc->dilation.height, desc->dilation.width};
    return glnn__export_struct(w->file, "window", w->layer->number, window,
                               sizeof window / sizeof *window);
}

static void export_convolution(const writer *w)
{
    const glnn__export_text window = add_window(w);
    const parameters *of = add_parameters(w);
    glnn__export_call(w->file, "convolution", "%s, %d, %s, %s, %s, %s", window.text,
                      w->layer->desc.groups, of->text[0].text, of->text[1].text, w->input,
                      w->output);
}

static void export_transposed_convolution(const writer *w)
{
    const glnn__export_text window = add_window(w);
    const parameters *of = add_parameters(w);
    glnn__export_call(w->file, "transposed_convolution", "%s, %s, %s, %s, %s", window.text,
                      of->text[0].text, of->text[1].text, w->input, w->output);
}

static void export_pool(const writer *w)
{
    const glnn__export_text window = add_window(w);
    glnn__export_call(w->file, "pool", "%s, %d, %s, %s", window.text,
                      w->layer->desc.kind == GLNN_LAYER_AVERAGE_POOL, w->input, w->output);
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
    const int channels = w->layer->input.channels;
    find_factors(channels, w->values);
    const int number = w->layer->number;
    const glnn__export_text factor =
        glnn__export_floats(w->file, w->values[0], (size_t)channels, "factor_%d", number);
    const glnn__export_text offset =
        glnn__export_floats(w->file, w->values[1], (size_t)channels, "offset_%d", number);
    glnn__export_call(w->file, "scale_channels", "%d, %d, %s, %s, %s, %s", channels,
                      w->layer->input.height * w->layer->input.width, factor.text, offset.text,
                      w->input, w->output);
}

/* The first input and then the results before are combined with the next input. */
static void export_combination(const writer *w)
{
    const char *name = w->layer->desc.kind == GLNN_LAYER_MULTIPLY ? "multiply" : "add";
    for (int i = 1; i < w->layer->source_count; ++i)
        glnn__export_call(w->file, name, "%d, %s, %s, %s", glnn__shape_size(w->layer->out.shape),
                          i == 1 ? w->input : w->output, w->inputs[i], w->output);
}

static void export_concatenation(const writer *w)
{
    int first = 0;
    for (int i = 0; i < w->layer->source_count; ++i) {
        glnn__export_call(w->file, "copy", "%d, %s, %s + %d", w->sizes[i], w->inputs[i], w->output,
                          first);
        first += w->sizes[i];
    }
}

static void export_slice(const writer *w)
{
    const glnn_shape *shape = &w->layer->out.shape;
    glnn__export_call(w->file, "copy", "%d, %s + %d, %s", glnn__shape_size(*shape), w->input,
                      w->layer->desc.first * shape->height * shape->width, w->output);
}

static void export_gelu(const writer *w)
{
    glnn__export_call(w->file, "gelu", "%d, %s, %s", glnn__shape_size(w->layer->out.shape),
                      w->input, w->output);
}

static void export_layer_norm(const writer *w)
{
    const parameters *of = add_parameters(w);
    glnn__export_call(w->file, "layer_norm", "%d, %d, %s, %s, %s, %s, %s", w->layer->input.channels,
                      w->layer->input.height * w->layer->input.width,
                      glnn__export_literal(GLNN__NORM_EPSILON).text, of->text[0].text,
                      of->text[1].text, w->input, w->output);
}

static void export_local_response_norm(const writer *w)
{
    const glnn_layer_desc *desc = &w->layer->desc;
    glnn__export_call(w->file, "local_response_norm", "%d, %d, %d, %s, %s, %s, %s, %s",
                      w->layer->input.channels, w->layer->input.height * w->layer->input.width,
                      desc->size, glnn__export_literal(desc->alpha).text,
                      glnn__export_literal(desc->beta).text, glnn__export_literal(desc->k).text,
                      w->input, w->output);
}

static void export_upsample(const writer *w)
{
    const glnn_shape *in = &w->layer->input;
    const glnn_size by = w->layer->desc.stride;
    glnn__export_call(w->file, "upsample", "%d, %d, %d, %d, %d, %s, %s", in->channels, in->height,
                      in->width, by.height, by.width, w->input, w->output);
}

/* Two states in turn have a place of their own. */
static void export_recurrent(const writer *w)
{
    const glnn_layer_desc *desc = &w->layer->desc;
    const int sequence[] = {w->layer->input.channels,
                            desc->units,
                            w->layer->input.height * w->layer->input.width,
                            desc->kind == GLNN_LAYER_GRU ? 3 : 1,
                            desc->all_states,
                            w->layer->source_count > 1};
    const parameters *of = add_parameters(w);
    const glnn__export_text description = glnn__export_struct(
        w->file, "sequence", w->layer->number, sequence, sizeof sequence / sizeof *sequence);
    const glnn__export_numbers states =
        glnn__export_scratch(w->file, w->file->scratch, 2 * (size_t)desc->units);
    glnn__export_call(w->file, "recurrent", "%s, %s, %s, %s, %s, %s, %s, %s, %s", description.text,
                      of->text[0].text, of->text[1].text, of->text[2].text, of->text[3].text,
                      w->layer->source_count > 1 ? w->inputs[1] : w->input, w->input, states.text,
                      w->output);
}

/* The constants of the layer: the window, cosines and sines of a circle, and the triangles: of each
 * bin the band that rises and the heights of both sides. */
static void find_spectrum(const writer *w, const glnn__spectrogram *of, float *values)
{
    float *cosines = values + of->window, *sines = cosines + of->window;
    float *bands = sines + of->window, *heights = bands + of->bins;
    for (int n = 0; n < of->window; ++n) {
        const double angle = 2 * 3.14159265358979323846 * n / of->window;
        values[n] = (float)glnn__spectrogram_window(of, n);
        cosines[n] = (float)cos(angle);
        sines[n] = (float)sin(angle);
    }
    for (int k = 0; k < of->bins; ++k) {
        const glnn__mel_bin bin = glnn__mel_bin_of(w->layer, k + 1);
        bands[k] = (float)bin.band;
        heights[2 * k] = bin.rising;
        heights[2 * k + 1] = bin.falling;
    }
}

static void export_spectrogram(const writer *w)
{
    static const char *const names[] = {"window", "cosine", "sine", "band", "height"};
    const glnn__spectrogram of = glnn__spectrogram_of(w->layer);
    const size_t window = (size_t)of.window, bins = (size_t)of.bins;
    const size_t counts[] = {window, window, window, bins, 2 * bins};
    glnn__export_text arrays[sizeof names / sizeof *names];
    float *values = malloc((3 * window + 3 * bins) * sizeof *values), *next = values;
    if (!values) {
        w->file->arrays.is_cut = true;
        return;
    }
    find_spectrum(w, &of, values);
    for (size_t a = 0; a < sizeof names / sizeof *names; next += counts[a++])
        arrays[a] =
            glnn__export_floats(w->file, next, counts[a], "%s_%d", names[a], w->layer->number);
    free(values);
    glnn__export_call(w->file, "spectrogram", "%d, %d, %d, %d, %s, %s, %s, %s, %s, %s, %s, %s, %s",
                      of.frames, of.window, of.hop, of.bands,
                      glnn__export_literal(w->layer->desc.floor).text,
                      glnn__export_literal(GLNN__NORM_EPSILON).text, arrays[0].text, arrays[1].text,
                      arrays[2].text, arrays[3].text, arrays[4].text, w->input, w->output);
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
    [GLNN_LAYER_SLICE] = {.add = export_slice},
    [GLNN_LAYER_UNFLATTEN] = {.add = NULL},
    [GLNN_LAYER_RECURRENT] = {.add = export_recurrent},
    [GLNN_LAYER_GRU] = {.add = export_recurrent},
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

static void add_activation(const writer *w, const glnn__layer *layer)
{
    static const char *const functions[GLNN_ACTIVATION_COUNT] = {
        [GLNN_ACTIVATION_SIGMOID] = "sigmoid",         [GLNN_ACTIVATION_TANH] = "apply_tanh",
        [GLNN_ACTIVATION_SCALED_TANH] = "scaled_tanh", [GLNN_ACTIVATION_RELU] = "relu",
        [GLNN_ACTIVATION_LEAKY_RELU] = "leaky_relu",   [GLNN_ACTIVATION_ELU] = "elu",
        [GLNN_ACTIVATION_SOFTSIGN] = "softsign",
    };
    const char *function = functions[layer->desc.activation];
    if ((layer->type->uses & GLNN__LAYER_ACTIVATION) && function)
        glnn__export_call(w->file, function, "%d, %s", glnn__shape_size(layer->out.shape),
                          w->output);
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
    int root[SIGNALS];                     /* the signal that is computed        */
    int last_use[SIGNALS];                 /* the last layer that reads a root   */
    glnn__export_numbers numbers[SIGNALS]; /* of a root, once it is computed */
    int last; /* layer, which computes the output; -1: none; past all layers: the outputs are copied
                 to their place */
    parameters parameters[GLNN_NETWORK_MAX_LAYERS];
} plan;

/* The signal that is an input of a layer. */
static int signal_of(const glnn__layer *layer, int number)
{
    return layer->sources[number] + 1;
}

/* Whether the layer before takes a normalisation over, because nothing else reads its output or
 * has its weights. */
static bool is_folded(const glnn__network *network, int layer)
{
    const glnn__layer *layers = network->layers;
    if (layer == 0 || layer == network->desc.layer_count || signal_of(&layers[layer], 0) != layer ||
        !takes_norm(&layers[layer - 1], &layers[layer]) || glnn__layer_shares(&layers[layer - 1]) ||
        glnn__network_is_output(network, layer - 1))
        return false;
    for (int l = layer + 1; l < network->desc.layer_count; ++l) {
        if (layers[l].owner == layer - 1)
            return false;
        for (int i = 0; i < layers[l].source_count; ++i)
            if (signal_of(&layers[l], i) == layer)
                return false;
    }
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
    if (network->output_count == 1)
        return;
    out->last = network->desc.layer_count;
    for (int i = 0; i < network->output_count; ++i)
        out->last_use[out->root[network->outputs[i].layer + 1]] = out->last;
}

/* A root other than `except` that is in use while the layer is computed and lies at these places;
 * -1: there is none. */
static int find_overlap(const plan *of, int layer, int except, size_t first, size_t end)
{
    for (int s = 0; s <= layer; ++s) {
        const glnn__export_numbers *numbers = &of->numbers[s];
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
static glnn__export_numbers place_output(const glnn__network *network, const plan *of, int layer,
                                         glnn__export_file *file)
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
            return glnn__export_scratch(file, first, size);
        first = of->numbers[in_the_way].end;
    }
}

static glnn_status add_layer(const glnn__network *network, int layer, plan *of,
                             glnn__export_file *file)
{
    const glnn__layer *from = &network->layers[layer];
    glnn__export_numbers *output = &of->numbers[layer + 1];
    *output = glnn__export_output(file);
    if (layer < of->last || !output->text[0])
        *output = place_output(network, of, layer, file);
    writer w = {.file = file, .layer = from, .output = output->text, .parameters = of->parameters};
    for (int i = 0; i < from->source_count; ++i) {
        const int source = from->sources[i];
        w.inputs[i] = of->numbers[of->root[source + 1]].text;
        w.sizes[i] = source < 0 ? network->desc.features
                                : glnn__shape_size(network->layers[source].out.shape);
    }
    w.input = w.inputs[0];
    return export_layer(network->ctx, &w, is_folded(network, layer + 1) ? from + 1 : NULL);
}

/* The place of an output of the network. */
static glnn__export_text place_of(const glnn__output *of, const glnn__export_numbers *outputs)
{
    glnn__export_text text;
    if (of->first == 0)
        snprintf(text.text, sizeof text.text, "%s", outputs->text);
    else
        snprintf(text.text, sizeof text.text, "%.20s + %d", outputs->text, of->first);
    return text;
}

static glnn__export_numbers copy_outputs(const glnn__network *network, const plan *of,
                                         glnn__export_file *file)
{
    const int count = glnn__network_outputs(network);
    glnn__export_numbers to = glnn__export_output(file);
    if (!to.text[0])
        to = glnn__export_scratch(file, file->scratch, (size_t)count);
    for (int i = 0; i < network->output_count; ++i) {
        const glnn__output *output = &network->outputs[i];
        glnn__export_call(file, "copy", "%d, %s, %s", output->columns,
                          of->numbers[of->root[output->layer + 1]].text,
                          place_of(output, &to).text);
    }
    return to;
}

static glnn__export_numbers find_outputs(const glnn__network *network, const plan *of,
                                         glnn__export_file *file)
{
    const glnn__export_numbers output = glnn__export_output(file);
    const bool is_computed = of->last >= 0 && of->last < network->desc.layer_count;
    if (is_computed)
        return output.text[0] ? output : of->numbers[of->last + 1];
    return of->last < 0 && !output.text[0] ? of->numbers[0] : copy_outputs(network, of, file);
}

/* Adds what follows the last layer, and gives the outputs. */
static glnn__export_numbers add_outputs(const glnn__network *network, const plan *of,
                                        glnn__export_file *file)
{
    glnn__export_numbers outputs = find_outputs(network, of, file);
    for (int i = 0; i < network->output_count; ++i) {
        const glnn__output *output = &network->outputs[i];
        const glnn__loss_kind *loss = glnn__loss_kind_of(output->loss);
        if (loss->gives_probabilities)
            glnn__export_call(file,
                              loss->needs_labels && output->columns > 1 ? "softmax" : "sigmoid",
                              "%d, %s", output->columns, place_of(output, &outputs).text);
    }
    glnn__export_unscale_targets(file, glnn_learner_get_preparation(&network->learner), &outputs);
    return outputs;
}

/* The class is that of the first output. */
static void add_classify(const glnn__network *network, const glnn__export_numbers *outputs,
                         glnn__export_file *file)
{
    const glnn__output *first = network->outputs;
    const glnn__export_numbers output =
        file->language->begin_classify(file, outputs, glnn__network_outputs(network));
    if (glnn__network_classes(network) > first->columns)
        glnn__export_return(file, "is_above", "%s, %s",
                            glnn__loss_kind_of(first->loss)->gives_probabilities ? "0.5f" : "0.0f",
                            output.text);
    else
        glnn__export_return(file, "greatest", "%d, %s", first->columns, output.text);
    glnn__text_print(&file->code, "}\n");
}

static glnn_status add_code(const glnn__network *network, int features, glnn__export_file *file)
{
    plan of = {.last = -1};
    find_uses(network, &of);
    const glnn__export_numbers sample = file->language->begin_predict(file, features);
    of.numbers[0] =
        glnn__export_prepare(file, glnn_learner_get_preparation(&network->learner), &sample);
    for (int l = 0; l < network->desc.layer_count; ++l)
        if (of.root[l + 1] == l + 1)
            GLNN__TRY(add_layer(network, l, &of, file));
    const glnn__export_numbers outputs = add_outputs(network, &of, file);
    file->language->end_predict(file, &outputs);
    add_classify(network, &outputs, file);
    glnn__export_texts(file, glnn_learner_get_preparation(&network->learner),
                       glnn__network_classes(network));
    return GLNN_OK;
}

static glnn_status check_kinds(const glnn__network *network)
{
    for (int l = 0; l < network->desc.layer_count; ++l)
        if (network->desc.layers[l].kind == GLNN_LAYER_FUNCTION)
            return glnn__fail(GLNN_E_UNSUPPORTED,
                              "layer %d is %s: its kernel reads matrices of the library and cannot "
                              "be exported",
                              l, glnn_layer_kind_name(GLNN_LAYER_FUNCTION));
    return GLNN_OK;
}

static glnn_status export(const glnn__network *network, const glnn__language *language,
                          const char *path, const char *name)
{
    glnn__export_file file;
    char what[sizeof(glnn__network_summary) + 16];
    GLNN__TRY(check_kinds(network));
    GLNN__TRY(glnn__export_begin(language, name, &file));
    snprintf(what, sizeof what, "a network (%s)", glnn__network_summarise(&network->desc).text);
    const int features = glnn__export_features(glnn_learner_get_preparation(&network->learner),
                                               network->desc.features);
    return glnn__export_end(&file, path, what, features, glnn__network_outputs(network),
                            add_code(network, features, &file));
}

glnn_status glnn__network_export_c(const void *self, const char *path, const char *name)
{
    return export(self, &glnn__c_language, path, name);
}

glnn_status glnn_network_export_glsl(const glnn_learner *learner, const char *path,
                                     const char *name)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    GLNN__NOT_NULL(path);
    GLNN__NOT_NULL(name);
    return glnn__fail_in(__func__,
                         export(glnn__network_of(learner), &glnn__glsl_language, path, name));
}
