#include "net/layer_export.h"

#include "base/status.h"
#include "net/layer_arrays.h"

#include <stdlib.h>

/* A layer while its code is added. */
typedef struct writer {
    glnn__c_file *file;
    const glnn__layer *layer;
    float *values[GLNN__LAYER_ARRAYS]; /* of its arrays */
    const char *input, *source, *output;
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

typedef struct exporter {
    void (*add)(const writer *w); /* NULL: the output is the input */
    bool in_place;
} exporter;

static const exporter exporters[GLNN_LAYER_COUNT] = {
    [GLNN_LAYER_DENSE] = {export_dense},
    [GLNN_LAYER_DROPOUT] = {NULL},
};

bool glnn__layer_is_exported(const glnn__layer *layer)
{
    return exporters[layer->desc.kind].add;
}

bool glnn__layer_exports_in_place(const glnn__layer *layer)
{
    return exporters[layer->desc.kind].in_place;
}

/* A function of templates/, and its name in C if that differs. */
typedef struct activation {
    const char *file, *function;
} activation;

static void add_activation(const writer *w)
{
    static const activation activations[GLNN_ACTIVATION_COUNT] = {
        [GLNN_ACTIVATION_SIGMOID] = {"sigmoid", "sigmoid"},
        [GLNN_ACTIVATION_TANH] = {"tanh", "apply_tanh"},
        [GLNN_ACTIVATION_SCALED_TANH] = {"scaled_tanh", "scaled_tanh"},
        [GLNN_ACTIVATION_RELU] = {"relu", "relu"},
        [GLNN_ACTIVATION_LEAKY_RELU] = {"leaky_relu", "leaky_relu"},
    };
    const activation *of = &activations[w->layer->desc.activation];
    if (!(w->layer->type->uses & GLNN__LAYER_ACTIVATION) || !of->file)
        return;
    glnn__c_use(w->file, of->file);
    glnn__text_print(&w->file->code, "    %s(%d, %s);\n", of->function,
                     glnn__shape_size(w->layer->out.shape), w->output);
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

glnn_status glnn__layer_export(glnn_context *ctx, const glnn__layer *layer, const char *input,
                               const char *source, const char *output, glnn__c_file *file)
{
    writer w = {.file = file, .layer = layer, .input = input, .source = source, .output = output};
    GLNN__TRY(make_values(layer, w.values));
    const glnn_status status = w.values[0] ? glnn__layer_download(ctx, layer, w.values) : GLNN_OK;
    if (!status) {
        exporters[layer->desc.kind].add(&w);
        add_activation(&w);
    }
    free(w.values[0]);
    return status;
}
