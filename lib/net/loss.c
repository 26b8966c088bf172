#include "net/loss.h"

#include "base/status.h"
#include "data/sequence.h"
#include "ops/map.h"
#include "ops/sample.h"
#include "ops/softmax.h"
#include "pass/pass.h"

#include <glnn/reduce.h>

/* Cross-entropy is that of a softmax or, with a single output, of a sigmoid. */
enum { SOFTMAX_LOSS, SIGMOID_LOSS, SQUARED_LOSS };

static const glnn__enumerator losses[] = {GLNN__ENUMERATOR(SOFTMAX_LOSS),
                                          GLNN__ENUMERATOR(SIGMOID_LOSS),
                                          GLNN__ENUMERATOR(SQUARED_LOSS),
                                          {0}};

enum { LOSS, LABELS, WEIGHTED, SPREAD, SMOOTHED, ACTIVATION };
enum { ENTRY = GLNN__AFTER_SAMPLE, LABEL_SHARE, COMMON_SHARE };
enum { FACTORS = 4 };
enum { METRICS, LOSSES };
enum { ROW_LOSSES };

#define LOSS_UNIFORMS                                                                              \
    GLNN__SAMPLE_UNIFORMS, [ENTRY] = "int entry", [LABEL_SHARE] = "float label_share",             \
                           [COMMON_SHARE] = "float common_share"

static const glnn__kernel delta_kernel = {
    .name = "net/delta",
    .operands = {"Z", "TARGET", "INDEX", "STATS", [FACTORS] = "FACTORS"},
    .unviewed = 5,
    .options = {[LOSS] = "LOSS",
                [LABELS] = "LABELS",
                [WEIGHTED] = "WEIGHTED",
                [SPREAD] = "SPREAD",
                [SMOOTHED] = "SMOOTHED",
                [ACTIVATION] = "ACTIVATION"},
    .uniforms = {LOSS_UNIFORMS},
    .side_outputs = {[METRICS] = "METRICS", [LOSSES] = "LOSSES"},
    .enumerations = {losses, glnn__map_enumerators, glnn__sequence_enumerators},
};

static const glnn__kernel metrics_kernel = {
    .name = "net/metrics",
    .operands = {"Z", "TARGET", "INDEX", "STATS"},
    .unviewed = 4,
    .options = {[LOSS] = "LOSS",
                [LABELS] = "LABELS",
                [WEIGHTED] = "WEIGHTED",
                [SPREAD] = "SPREAD",
                [SMOOTHED] = "SMOOTHED"},
    .uniforms = {LOSS_UNIFORMS},
    .side_outputs = {[ROW_LOSSES] = "LOSSES"},
    .enumerations = {losses, glnn__sequence_enumerators},
};

static unsigned loss_of(glnn__network *network)
{
    if (network->desc.loss == GLNN_LOSS_SQUARED)
        return SQUARED_LOSS;
    return glnn__network_outputs(network) == 1 ? SIGMOID_LOSS : SOFTMAX_LOSS;
}

glnn_status glnn__loss_prepare(glnn__network *network)
{
    if (!network->stats)
        return GLNN_OK;
    return glnn__row_stats(network->ctx, glnn__network_last(network)->out.values, network->stats);
}

/* Whether targets have their distances from the mean target next to them. Those in a matrix of the
 * program have none. */
static bool has_spread(const glnn__network *network, const glnn_dataset *data)
{
    return !data->labels && data->targets->columns > glnn__network_outputs(network);
}

/* A pass of the kernels that compare outputs with targets. The targets of training are smoothed. */
static glnn__pass target_pass(glnn__network *network, const glnn__batch *batch, bool trains,
                              const glnn__kernel *kernel, glnn_matrix *output)
{
    const float smoothing = trains ? network->desc.label_smoothing : 0;
    return (glnn__pass){
        .kernel = kernel,
        .operands = {{.matrix = glnn__network_last(network)->out.values},
                     {.matrix = batch->data->targets},
                     {.matrix = batch->order},
                     {.matrix = network->stats}},
        .output = output,
        .options = {[LOSS] = loss_of(network),
                    [LABELS] = batch->data->labels != NULL,
                    [WEIGHTED] = batch->data->weights != NULL,
                    [SPREAD] = has_spread(network, batch->data),
                    [SMOOTHED] = smoothing > 0},
        .uniforms = {GLNN__SAMPLE_VALUES(glnn__batch_first(batch), batch->count,
                                         batch->data->samples),
                     [ENTRY] = glnn__batch_entry(batch), [LABEL_SHARE] = {.f = 1 - smoothing},
                     [COMMON_SHARE] = {.f = smoothing / (float)glnn__network_classes(network)}},
    };
}

static glnn_status add_metrics(glnn__network *network, const glnn__batch *batch, bool trains,
                               const glnn__metrics *metrics)
{
    glnn__pass pass = target_pass(network, batch, trains, &metrics_kernel, metrics->rows);
    pass.region = (glnn__blocks){0, 0, 1, batch->count};
    pass.side_outputs[ROW_LOSSES] = metrics->losses;
    pass.blend = true;
    pass.blend_factor.f = 1;
    return glnn__pass_run(network->ctx, &pass);
}

glnn_status glnn__loss_metrics(glnn__network *network, const glnn__batch *batch,
                               const glnn__metrics *metrics)
{
    return add_metrics(network, batch, false, metrics);
}

glnn_status glnn__loss_delta(glnn__network *network, const glnn__batch *batch,
                             const glnn__metrics *metrics)
{
    const glnn__signal *out = &glnn__network_last(network)->out;
    glnn__pass pass = target_pass(network, batch, true, &delta_kernel, out->delta);
    pass.operands[FACTORS].matrix = metrics->factors;
    pass.options[ACTIVATION] = out->activation;
    /* A fragment can measure a row of few outputs next to its block, but not one of many. */
    if (network->stats) {
        GLNN__TRY(add_metrics(network, batch, true, metrics));
    } else {
        pass.side_outputs[METRICS] = metrics->rows;
        pass.side_outputs[LOSSES] = metrics->losses;
    }
    return glnn__pass_run(network->ctx, &pass);
}

glnn_status glnn__loss_find_probabilities(glnn__network *network, glnn_matrix *out)
{
    const glnn_matrix *values = glnn__network_last(network)->out.values;
    if (loss_of(network) == SIGMOID_LOSS)
        return glnn_map_apply(network->ctx, GLNN_MAP_SIGMOID, values, out);
    return glnn_softmax(network->ctx, values, out);
}

glnn_status glnn__loss_classify(glnn__network *network, glnn_matrix *classes)
{
    const glnn_matrix *values = glnn__network_last(network)->out.values;
    if (loss_of(network) == SIGMOID_LOSS)
        return glnn_map_apply(network->ctx, GLNN_MAP_THRESHOLD, values, classes);
    return glnn_reduce(network->ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ROWS, values, classes);
}
