/* Predictions of a network, for its table as a learner. */
#ifndef GLNN__NET_NETWORK_PREDICT_H
#define GLNN__NET_NETWORK_PREDICT_H

#include "learner/predict.h"
#include "net/network.h"

/* As glnn__learner_type. */
glnn_status glnn__network_place(void *self, const glnn__piece *piece);
glnn_status glnn__network_classify(void *self, const glnn__batch *part, int *classes);
glnn_status glnn__network_predict(void *self, const glnn__piece *piece, float *outputs,
                                  int *classes);
glnn_status glnn__network_store(void *self, const glnn__piece *piece, glnn_matrix *out);

#endif
