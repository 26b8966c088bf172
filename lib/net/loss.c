#include "net/loss.h"

#include "base/status.h"
#include "data/sequence.h"
#include "net/loss_kind.h"
#include "ops/map.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "pass/pass.h"

#include <glnn/reduce.h>

/* Cross-entropy is that of a softmax or, with a single output, of a sigmoid. */
enum {
    SOFTMAX_LOSS,
    SIGMOID_LOSS,
    SQUARED_LOSS,
    ABSOLUTE_LOSS,
    HUBER_LOSS,
    HINGE_LOSS,
    QUANTILE_LOSS,
    EXPRESSION_LOSS
};

/* Which one of the outputs of the network an output is. */
enum { ONLY_OUTPUT, FIRST_OUTPUT, FURTHER_OUTPUT };

/* How a data set has targets; with BINARY_LABELS the label is the target of the only output. */
enum { NO_LABELS, LABELS_OF_OUTPUTS, BINARY_LABELS };

static const glnn__enumerator choices[] = {GLNN__ENUMERATOR(SOFTMAX_LOSS),
                                           GLNN__ENUMERATOR(SIGMOID_LOSS),
                                           GLNN__ENUMERATOR(SQUARED_LOSS),
                                           GLNN__ENUMERATOR(ABSOLUTE_LOSS),
                                           GLNN__ENUMERATOR(HUBER_LOSS),
                                           GLNN__ENUMERATOR(HINGE_LOSS),
                                           GLNN__ENUMERATOR(QUANTILE_LOSS),
                                           GLNN__ENUMERATOR(EXPRESSION_LOSS),
                                           GLNN__ENUMERATOR(BINARY_LABELS),
                                           GLNN__ENUMERATOR(ONLY_OUTPUT),
                                           GLNN__ENUMERATOR(FIRST_OUTPUT),
                                           GLNN__ENUMERATOR(FURTHER_OUTPUT),
                                           {0}};

#define EXPRESSION "vec2 expression(float y, float t)" /* the loss and its derivative */

enum { LOSS, LABELS, WEIGHTED, SPREAD, SMOOTHED, OUTPUT, ACTIVATION };
enum {
    ENTRY = GLNN__AFTER_SAMPLE,
    LABEL_SHARE,
    COMMON_SHARE,
    PARAMETER,
    LOSS_WEIGHT,
    TARGET_BEGIN,
    TARGET_COUNT
};
enum { FACTORS = 4 };
enum { METRICS, LOSSES };
enum { ROW_LOSSES };

#define LOSS_UNIFORMS                                                                              \
    GLNN__SAMPLE_UNIFORMS,                                                                         \
        [ENTRY] = "int entry", [LABEL_SHARE] = "float label_share",                                \
        [COMMON_SHARE] = "float common_share", [PARAMETER] = "float loss_parameter",               \
        [LOSS_WEIGHT] = "float loss_weight", [TARGET_BEGIN] = "int target_begin",                  \
        [TARGET_COUNT] = "int target_count"

static const glnn__kernel delta_kernel = {
    .name = "net/delta",
    .operands = {"Z", "TARGET", "INDEX", "STATS", [FACTORS] = "FACTORS"},
    .unviewed = 5,
    .options = {[LOSS] = "LOSS",
                [LABELS] = "LABELS",
                [WEIGHTED] = "WEIGHTED",
                [SPREAD] = "SPREAD",
                [SMOOTHED] = "SMOOTHED",
                [OUTPUT] = "OUTPUT",
                [ACTIVATION] = "ACTIVATION"},
    .uniforms = {LOSS_UNIFORMS},
    .side_outputs = {[METRICS] = "METRICS", [LOSSES] = "LOSSES"},
    .enumerations = {choices, glnn__map_enumerators, glnn__sequence_enumerators},
    .expression = EXPRESSION,
};

static const glnn__kernel metrics_kernel = {
    .name = "net/metrics",
    .operands = {"Z", "TARGET", "INDEX", "STATS"},
    .unviewed = 4,
    .options = {[LOSS] = "LOSS",
                [LABELS] = "LABELS",
                [WEIGHTED] = "WEIGHTED",
                [SPREAD] = "SPREAD",
                [SMOOTHED] = "SMOOTHED",
                [OUTPUT] = "OUTPUT"},
    .uniforms = {LOSS_UNIFORMS},
    .side_outputs = {[ROW_LOSSES] = "LOSSES"},
    .enumerations = {choices, glnn__sequence_enumerators},
    .expression = EXPRESSION,
};

static unsigned loss_of(const glnn__output *output)
{
    static const unsigned of[GLNN_LOSS_COUNT] = {
        [GLNN_LOSS_CROSS_ENTROPY] = SOFTMAX_LOSS, [GLNN_LOSS_SQUARED] = SQUARED_LOSS,
        [GLNN_LOSS_ABSOLUTE] = ABSOLUTE_LOSS,     [GLNN_LOSS_HUBER] = HUBER_LOSS,
        [GLNN_LOSS_HINGE] = HINGE_LOSS,           [GLNN_LOSS_BINARY_CROSS_ENTROPY] = SIGMOID_LOSS,
        [GLNN_LOSS_QUANTILE] = QUANTILE_LOSS,     [GLNN_LOSS_EXPRESSION] = EXPRESSION_LOSS,
    };
    const unsigned loss = of[output->loss];
    return loss == SOFTMAX_LOSS && output->columns == 1 ? SIGMOID_LOSS : loss;
}

/* A single number tells two classes apart by its sign. */
static bool is_binary(const glnn__output *output)
{
    return glnn__loss_kind_of(output->loss)->needs_labels && output->columns == 1;
}

static unsigned labels_of(const glnn__output *output, const glnn_dataset *data)
{
    if (!data->labels)
        return NO_LABELS;
    return is_binary(output) ? BINARY_LABELS : LABELS_OF_OUTPUTS;
}

/* The classes over which smoothing spreads a target. */
static int spread_over(const glnn__output *output)
{
    return loss_of(output) == SIGMOID_LOSS ? 2 : output->columns;
}

/* Only some losses have smoothed targets. */
static float smoothing_of(const glnn__network *network, const glnn__output *output, bool trains)
{
    return trains && glnn__loss_kind_of(output->loss)->gives_probabilities
               ? network->desc.label_smoothing
               : 0;
}

static unsigned place_of(const glnn__network *network, const glnn__output *output)
{
    if (network->desc.output_count == 0)
        return ONLY_OUTPUT;
    return output == network->outputs ? FIRST_OUTPUT : FURTHER_OUTPUT;
}

static glnn_matrix *values_of(const glnn__network *network, const glnn__output *output)
{
    return network->layers[output->layer].out.values;
}

glnn_status glnn__loss_prepare(glnn__network *network)
{
    for (int i = 0; i < network->output_count; ++i) {
        const glnn__output *of = &network->outputs[i];
        if (of->stats)
            GLNN__TRY(glnn__row_stats(network->ctx, values_of(network, of), of->stats));
    }
    return GLNN_OK;
}

/* Whether targets have their distances from the mean target next to them, and the metrics need
 * them. Those in a matrix of the program have none. */
static bool has_spread(const glnn__network *network, const glnn_dataset *data)
{
    const glnn__output *only = network->outputs;
    return network->desc.output_count == 0 && loss_of(only) == SQUARED_LOSS && !data->labels &&
           data->targets->columns > only->columns;
}

/* A pass of the kernels that compare an output with targets. The targets of training are
 * smoothed. */
static glnn__pass target_pass(const glnn__network *network, const glnn__output *of,
                              const glnn__batch *batch, bool trains, const glnn__kernel *kernel,
                              glnn_matrix *output)
{
    const float smoothing = smoothing_of(network, of, trains);
    return (glnn__pass){
        .kernel = kernel,
        .operands = {{.matrix = values_of(network, of)},
                     {.matrix = batch->data->targets},
                     {.matrix = batch->order},
                     {.matrix = of->stats}},
        .output = output,
        .options = {[LOSS] = loss_of(of),
                    [LABELS] = labels_of(of, batch->data),
                    [WEIGHTED] = batch->data->weights != NULL,
                    [SPREAD] = has_spread(network, batch->data),
                    [SMOOTHED] = smoothing > 0,
                    [OUTPUT] = place_of(network, of)},
        .uniforms = {GLNN__SAMPLE_VALUES(glnn__batch_first(batch), batch->count,
                                         batch->data->samples),
                     [ENTRY] = glnn__batch_entry(batch), [LABEL_SHARE] = {.f = 1 - smoothing},
                     [COMMON_SHARE] = {.f = smoothing / (float)spread_over(of)},
                     [PARAMETER] = {.f = of->parameter}, [LOSS_WEIGHT] = {.f = of->weight},
                     [TARGET_BEGIN] = {.i = of->first},
                     [TARGET_COUNT] = {.i = glnn__network_outputs(network)}},
        .expression = of->loss == GLNN_LOSS_EXPRESSION ? network->expressions.both : NULL,
    };
}

static glnn_status add_metrics(const glnn__network *network, const glnn__output *of,
                               const glnn__batch *batch, bool trains, const glnn__metrics *metrics)
{
    glnn__pass pass = target_pass(network, of, batch, trains, &metrics_kernel, metrics->rows);
    pass.region = (glnn__blocks){0, 0, 1, batch->count};
    pass.side_outputs[ROW_LOSSES] = metrics->losses;
    pass.side_adds[ROW_LOSSES] = place_of(network, of) == FURTHER_OUTPUT;
    pass.blend = true;
    pass.blend_factor.f = 1;
    return glnn__pass_run(network->ctx, &pass);
}

glnn_status glnn__loss_metrics(glnn__network *network, const glnn__batch *batch,
                               const glnn__metrics *metrics)
{
    for (int i = 0; i < network->output_count; ++i)
        GLNN__TRY(add_metrics(network, &network->outputs[i], batch, false, metrics));
    return GLNN_OK;
}

static glnn_status find_delta(const glnn__network *network, const glnn__output *of,
                              const glnn__batch *batch, const glnn__metrics *metrics)
{
    const glnn__signal *out = &network->layers[of->layer].out;
    glnn__pass pass = target_pass(network, of, batch, true, &delta_kernel, out->delta);
    pass.operands[FACTORS].matrix = metrics->factors;
    pass.options[ACTIVATION] = out->activation;
    /* A fragment can measure a row of few outputs next to its block, but not one of many. */
    if (of->stats) {
        GLNN__TRY(add_metrics(network, of, batch, true, metrics));
    } else {
        pass.side_outputs[METRICS] = metrics->rows;
        pass.side_outputs[LOSSES] = metrics->losses;
        pass.side_adds[METRICS] = true;
        pass.side_adds[LOSSES] = place_of(network, of) == FURTHER_OUTPUT;
    }
    return glnn__pass_run(network->ctx, &pass);
}

glnn_status glnn__loss_delta(glnn__network *network, const glnn__batch *batch,
                             const glnn__metrics *metrics)
{
    for (int i = 0; i < network->output_count; ++i)
        GLNN__TRY(find_delta(network, &network->outputs[i], batch, metrics));
    return GLNN_OK;
}

glnn_status glnn__loss_find_probabilities(glnn__network *network, const glnn__output *of,
                                          glnn_matrix *out)
{
    const glnn_matrix *values = values_of(network, of);
    if (loss_of(of) == SIGMOID_LOSS)
        return glnn_map_apply(network->ctx, GLNN_MAP_SIGMOID, values, out);
    return glnn_softmax(network->ctx, values, out);
}

glnn_status glnn__loss_classify(glnn__network *network, glnn_matrix *classes)
{
    const glnn_matrix *values = values_of(network, network->outputs);
    if (is_binary(network->outputs))
        return glnn_map_apply(network->ctx, GLNN_MAP_THRESHOLD, values, classes);
    return glnn_reduce(network->ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ROWS, values, classes);
}
