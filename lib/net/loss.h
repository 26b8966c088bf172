/* The end of a network: comparing outputs with targets. */
#ifndef GLNN__NET_LOSS_H
#define GLNN__NET_LOSS_H

#include "net/network.h"

/* Finds the sums of the softmax where they have a matrix, once the outputs are there. */
glnn_status glnn__loss_prepare(glnn__network *network);

/* Adds the batch's losses and counts to metrics. The labels are not smoothed. */
glnn_status glnn__loss_metrics(glnn__network *network, const glnn__batch *batch,
                               const glnn__metrics *metrics);

/* Adds the batch's losses of training and counts to metrics, and finds the delta of the outputs. */
glnn_status glnn__loss_delta(glnn__network *network, const glnn__batch *batch,
                             const glnn__metrics *metrics);

/* A loss that gives probabilities: finds those that the network predicts, into a matrix of the
 * output's shape. With another loss the numbers of the output are predicted as they are. */
glnn_status glnn__loss_find_probabilities(glnn__network *network, const glnn__output *of,
                                          glnn_matrix *out);

/* The classes of the rows' samples by the first output, into a column. */
glnn_status glnn__loss_classify(glnn__network *network, glnn_matrix *classes);

#endif
