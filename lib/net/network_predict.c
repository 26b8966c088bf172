#include "net/network_predict.h"

#include "base/status.h"
#include "data/check.h"
#include "net/loss.h"
#include "net/network_passes.h"
#include "pass/list.h"

#include <stdlib.h>

glnn_status glnn__network_place(void *self, const glnn__piece *piece)
{
    return glnn__piece_copy(piece, glnn__network_samples(self));
}

/* The classes of the first `count` samples in place, by the outputs before their softmax or
 * sigmoid. */
static glnn_status take_classes(glnn_network *network, int count, int *classes)
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

glnn_status glnn__network_classify(void *self, const glnn__batch *part, int *classes)
{
    glnn_network *network = self;
    const glnn__flow flow = glnn__network_flow(network, part->count);
    GLNN__TRY(glnn__network_forward(network, &flow, part));
    return take_classes(network, part->count, classes);
}

static bool predicts_probabilities(const glnn_network *network)
{
    return network->desc.loss == GLNN_LOSS_CROSS_ENTROPY;
}

/* Finds the predictions for the samples in place. *own, which the caller destroys, is NULL if these
 * are the outputs. */
static glnn_status find_predictions(glnn_network *network, glnn_matrix **own,
                                    const glnn_matrix **out)
{
    const glnn_matrix *values = glnn__network_last(network)->out.values;
    *own = NULL;
    *out = values;
    if (!predicts_probabilities(network))
        return GLNN_OK;
    GLNN__TRY(glnn__matrix_create_like(values, "probabilities", own));
    *out = *own;
    return glnn__loss_find_probabilities(network, *own);
}

static glnn_status take_outputs(glnn_network *network, const glnn__piece *piece, float *outputs)
{
    const glnn_matrix *predictions;
    glnn_matrix *own;
    glnn_status status = find_predictions(network, &own, &predictions);
    if (!status)
        status = glnn_matrix_download(network->ctx, predictions, NULL, outputs, 0);
    glnn__scratch_destroy(own);
    return status ? status
                  : glnn__check_outputs("outputs", piece->first, piece->count,
                                        glnn__network_outputs(network), outputs);
}

/* Outputs are always read, because their numbers have to be finite for classes too. */
glnn_status glnn__network_predict(void *self, const glnn__piece *piece, float *outputs,
                                  int *classes)
{
    glnn_network *network = self;
    const glnn__flow flow = glnn__network_flow(network, piece->count);
    const size_t size = (size_t)piece->count * (size_t)glnn__network_outputs(network);
    float *own = outputs ? NULL : malloc(size * sizeof *own);
    glnn_status status =
        outputs || own ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu outputs", size);
    if (!status)
        status = glnn__network_forward_input(network, &flow);
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
glnn_status glnn__network_store(void *self, const glnn__piece *piece, glnn_matrix *out)
{
    glnn_network *network = self;
    const glnn__flow flow = glnn__network_flow(network, piece->count);
    const glnn_matrix *predictions;
    glnn_matrix *own;
    GLNN__TRY(glnn__network_forward_input(network, &flow));
    if (piece->count == out->rows && predicts_probabilities(network))
        return glnn__loss_find_probabilities(network, out);
    glnn_status status = find_predictions(network, &own, &predictions);
    if (!status)
        status = glnn__piece_store(piece, predictions, 0, predictions->columns, out);
    glnn__scratch_destroy(own);
    return status;
}
