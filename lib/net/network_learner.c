/* A network as a learner: training, measuring and using it. */
#include "net/network.h"

#include "base/status.h"
#include "data/check.h"
#include "learn/learner_file.h"
#include "learn/predict.h"
#include "net/loss.h"
#include "net/network_description.h"
#include "net/network_passes.h"
#include "pass/list.h"

#include <glnn/copy.h>

#include <stdio.h>
#include <stdlib.h>

static glnn_status prepare(void *self, int rows, int group)
{
    glnn__network *network = self;
    (void)group;
    network->step.i = (int)(uint32_t)network->learner.steps;
    return glnn__network_prepare(network, rows);
}

static glnn_status find_deltas(glnn__network *network, const glnn__flow *flow,
                               const glnn__batch *part)
{
    GLNN__TRY(glnn__network_forward(network, flow, part));
    return glnn__network_loss(network, part, &network->learner.metrics);
}

/* Between processes, inputs travel from the forward pass on, deltas while the delta before them is
 * computed, and a complete gradient while those of the layers before are. So it follows its delta.
 * Other gradients come after all deltas, so that they need not wait for each other: an update
 * stores to weights that a delta reads, and each gradient between two deltas would cost a
 * barrier. */
static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    glnn__network *network = self;
    const glnn__sink sink = glnn__sink_of(&network->learner, step);
    const int count = network->desc.layer_count;
    glnn__flow flow = glnn__network_flow(network, part->count);
    flow.trains = flow.learns = true;
    flow.seed = network->desc.seed;
    flow.step.slot = &network->step;
    flow.first = glnn__batch_place(part);
    flow.sink = step->is_summed ? &sink : NULL;
    GLNN__TRY(part->count > 0 ? find_deltas(network, &flow, part)
                              : glnn__network_send_inputs(network, &flow));
    for (int i = count - 1; i >= 0; --i) {
        GLNN__TRY(glnn__network_send_deltas(network, &flow, i));
        if (part->count > 0)
            GLNN__TRY(glnn__network_layer_backward(network, &flow, i));
        if (step->is_summed)
            GLNN__TRY(glnn__network_layer_gradient(network, &flow, i, &sink));
    }
    for (int i = 0; i < count && !step->is_summed; ++i)
        GLNN__TRY(glnn__network_layer_gradient(network, &flow, i, &sink));
    return GLNN_OK;
}

static glnn_status update_layer(glnn__network *network, int layer, const glnn__sink *sink)
{
    glnn__parameters *parameters = &network->layers[layer].own;
    const glnn__label former = glnn__label_layer(network->ctx, layer, "update");
    return glnn__label_end(
        network->ctx, former,
        parameters->values ? glnn__sink_apply(network->ctx, sink, network->squares.sum, parameters)
                           : GLNN_OK);
}

static glnn_status find_norm(glnn__network *network, const glnn__sink *sink)
{
    bool is_first = true;
    for (int i = 0; i < network->desc.layer_count; ++i) {
        glnn__parameters *parameters = &network->layers[i].own;
        if (!parameters->values)
            continue;
        GLNN__TRY(
            glnn__sink_add_squares(network->ctx, sink, parameters, is_first, &network->squares));
        is_first = false;
    }
    return GLNN_OK;
}

/* Without clipping, each layer is updated as soon as its gradient is there. */
glnn_status glnn__network_apply(glnn__network *network, const glnn__sink *sink)
{
    if (network->squares.sum)
        GLNN__TRY(find_norm(network, sink));
    for (int i = network->desc.layer_count - 1; i >= 0; --i)
        GLNN__TRY(update_layer(network, i, sink));
    return GLNN_OK;
}

static glnn_status apply(void *self, const glnn__step *step)
{
    glnn__network *network = self;
    const glnn__sink sink = glnn__sink_of(&network->learner, step);
    return glnn__sink_fuses(&sink) ? GLNN_OK : glnn__network_apply(network, &sink);
}

_Static_assert(GLNN__LAYER_PRODUCTS *GLNN_NETWORK_MAX_LAYERS <= GLNN__WORK_PRODUCTS, "");

/* Of a step: the samples and their losses; of a layer without products: forward and backward. */
enum { STEP_PASSES = 2, LAYER_PASSES = 2 };

/* Convolutions that are computed in another way than by products have as many multiplications. */
static int list_convolution(const glnn__layer *layer, int samples, glnn__layout_use *uses)
{
    const int pixels = samples * layer->out.shape.height * layer->out.shape.width;
    const int lines = layer->parameter_shape.rows, units = layer->parameter_shape.columns;
    uses[0] = (glnn__layout_use){.rows = pixels, .columns = units, .inner = lines};
    uses[1] = (glnn__layout_use){.rows = lines, .columns = units, .inner = pixels};
    return 2;
}

static void describe_step(const void *self, int samples, glnn__task_work *out)
{
    const glnn__network *network = self;
    out->passes = STEP_PASSES;
    for (int i = 0; i < network->desc.layer_count; ++i) {
        const glnn__layer *layer = &network->layers[i];
        glnn__layout_use *uses = out->products + out->product_count;
        const int count = layer->type->products ? layer->type->products(layer, samples, uses) : 0;
        if (!layer->type->products)
            out->passes += LAYER_PASSES;
        out->product_count +=
            count == 0 && layer->type->products ? list_convolution(layer, samples, uses) : count;
    }
}

static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn__network *network = self;
    const glnn__flow flow = glnn__network_flow(network, part->count);
    GLNN__TRY(glnn__network_forward(network, &flow, part));
    return glnn__loss_metrics(network, part, &network->learner.measured);
}

static glnn_status find_outputs(glnn__network *network, const glnn__piece *piece)
{
    const glnn__flow flow = glnn__network_flow(network, piece->count);
    GLNN__TRY(glnn__piece_copy(piece, glnn__network_samples(network)));
    return glnn__network_forward_input(network, &flow);
}

/* The classes of the first `count` samples in place, by the outputs before their softmax or
 * sigmoid. */
static glnn_status take_classes(glnn__network *network, int count, int *classes)
{
    glnn_matrix *column;
    GLNN__TRY(glnn__matrix_create_scratch(network->ctx, GLNN_LAYOUT_PACKED, network->rows, 1,
                                          "predicted classes", &column));
    glnn_status status = glnn__loss_classify(network, column);
    if (!status)
        status = glnn__take_classes(column, 0, count, classes);
    glnn__scratch_destroy(column);
    return status;
}

static bool predicts_probabilities(const glnn__output *of)
{
    return glnn__loss_kind_of(of->loss)->gives_probabilities;
}

/* Finds the predictions of an output for the samples in place. *own, which the caller destroys, is
 * NULL if these are the values of a layer. */
static glnn_status predict_output(glnn__network *network, const glnn__output *of, glnn_matrix **own,
                                  const glnn_matrix **out)
{
    const glnn_matrix *values = network->layers[of->layer].out.values;
    *own = NULL;
    *out = values;
    if (!predicts_probabilities(of))
        return GLNN_OK;
    GLNN__TRY(glnn__matrix_create_like(values, "probabilities", own));
    *out = *own;
    return glnn__loss_find_probabilities(network, of, *own);
}

/* Copies the predictions of an output next to those of the others. */
static glnn_status add_output(glnn__network *network, const glnn__output *of, glnn_matrix *out)
{
    const glnn_matrix *predictions;
    glnn_matrix *own;
    glnn_status status = predict_output(network, of, &own, &predictions);
    if (!status)
        status = glnn_copy_rect(network->ctx, predictions, NULL, out, 0, of->first);
    glnn__scratch_destroy(own);
    return status;
}

/* The same for all outputs. */
static glnn_status find_predictions(glnn__network *network, glnn_matrix **own,
                                    const glnn_matrix **out)
{
    if (network->output_count == 1)
        return predict_output(network, network->outputs, own, out);
    GLNN__TRY(glnn__matrix_create_scratch(network->ctx, network->desc.layout, network->rows,
                                          glnn__network_outputs(network), "predictions", own));
    *out = *own;
    for (int i = 0; i < network->output_count; ++i)
        GLNN__TRY(add_output(network, &network->outputs[i], *own));
    return GLNN_OK;
}

static glnn_status take_outputs(glnn__network *network, const glnn__piece *piece, float *outputs)
{
    const glnn_matrix *predictions;
    glnn_matrix *own;
    glnn_status status = find_predictions(network, &own, &predictions);
    if (!status)
        status = glnn__take_outputs(predictions, piece->count, outputs);
    glnn__scratch_destroy(own);
    return status ? status
                  : glnn__check_outputs("outputs", piece->first, piece->count,
                                        glnn__network_outputs(network), outputs);
}

/* Outputs are always read, because their numbers have to be finite for classes too. */
static glnn_status predict(void *self, const glnn__piece *piece, float *outputs, int *classes)
{
    glnn__network *network = self;
    const size_t size = (size_t)piece->count * (size_t)glnn__network_outputs(network);
    float *own = outputs ? NULL : malloc(size * sizeof *own);
    glnn_status status =
        outputs || own ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu outputs", size);
    if (!status)
        status = find_outputs(network, piece);
    if (!status && classes)
        status = take_classes(network, piece->count, classes);
    if (!status)
        status = take_outputs(network, piece, outputs ? outputs : own);
    free(own);
    return status;
}

/* Probabilities of all rows are written straight to `out`. Other predictions are copied: a matrix
 * product writes fastest in the layout of its factors, and slices of it may not be added up in the
 * storage of `out`. */
static glnn_status store(void *self, const glnn__piece *piece, glnn_matrix *out)
{
    glnn__network *network = self;
    const glnn_matrix *predictions;
    glnn_matrix *own;
    GLNN__TRY(find_outputs(network, piece));
    if (piece->count == out->rows && network->output_count == 1 &&
        predicts_probabilities(network->outputs))
        return glnn__loss_find_probabilities(network, network->outputs, out);
    glnn_status status = find_predictions(network, &own, &predictions);
    if (!status)
        status = glnn__piece_store(piece, predictions, 0, predictions->columns, out);
    glnn__scratch_destroy(own);
    return status;
}

static void visit(void *self, glnn__visitor *visitor)
{
    glnn__network *network = self;
    for (int i = 0; i < network->desc.layer_count; ++i)
        glnn__layer_visit(&network->layers[i], visitor);
}

static void changed(void *self)
{
    glnn__network *network = self;
    for (int i = 0; i < network->desc.layer_count; ++i)
        network->layers[i].is_stale = true;
}

/* Training adds up its gradients where glnn_network_backward() does. */
static glnn_status begin(void *self, const glnn_dataset *data, glnn_train_desc *desc)
{
    glnn__network *network = self;
    (void)data, (void)desc;
    network->ends.has_gradient = false;
    return GLNN_OK;
}

static void state(void *self, glnn__state *state)
{
    glnn__network *network = self;
    glnn__state_count(state, &network->learner.steps, "steps");
}

const glnn_network_desc *glnn_network_get_desc(const glnn_learner *learner)
{
    const glnn__network *network = glnn__network_of(learner);
    return network ? &network->desc : NULL;
}

static void print(const void *self, char *text, size_t size)
{
    const glnn__network *network = self;
    snprintf(text, size, "%d layers for %d features", network->desc.layer_count,
             network->desc.features);
}

const glnn__learner_type glnn__network_type = {
    .name = "network",
    .kind = GLNN_LEARNER_NETWORK,
    .size = sizeof(glnn__network),
    .build = glnn__network_build,
    .destroy = glnn__network_destroy,
    .print = print,
    .file = &glnn__network_file,
    .prepare = prepare,
    .gradient = gradient,
    .apply = apply,
    .describe_step = describe_step,
    .measure = measure,
    .predict = predict,
    .store = store,
    .visit = visit,
    .changed = changed,
    .state = state,
    .export_c = glnn__network_export_c,
    .begin = begin,
};

glnn_status glnn_network_create(glnn_context *ctx, const glnn_network_desc *desc,
                                glnn_learner **out)
{
    return glnn__learner_create(__func__, ctx, &glnn__network_type, desc, out);
}
