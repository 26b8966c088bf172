/* The inside of a multilayer perceptron. */
#ifndef GLNN__NET_MLP_H
#define GLNN__NET_MLP_H

#include "train/optimizer.h"
#include "train/training.h"

#include <glnn/map.h>
#include <glnn/mlp.h>

typedef struct glnn__layer {
    int inputs, units;
    glnn_map activation;
    glnn__parameters parameters; /* (inputs + 1) x units; the last row is the biases */
    bool is_stale;               /* MIXED: the parameters were set, their copy was not    */
    glnn_matrix *snapshot;       /* of the parameters; NULL before the first one          */
    glnn_matrix *output;         /* rows x units, in use by the passes of a batch */
    glnn_matrix *delta;          /* gradient of the loss with respect to what the units get */
} glnn__layer;

/* The map of an activation other than DEFAULT. */
glnn_map glnn__activation_map(glnn_activation activation);

struct glnn_mlp {
    glnn_context *ctx;
    glnn_mlp_desc desc; /* defaults filled in */
    glnn__layer layers[GLNN_MLP_MAX_LAYERS];
    int rows;           /* of the matrices of a batch; 0: none */
    glnn_matrix *input; /* rows x inputs */
    glnn_matrix *stats; /* rows x 2: what the softmax needs; NULL: not needed */
    glnn__trained trained;
    uint64_t steps;
    glnn_preparation preparation; /* empty: none */
};

/* The data set has the network's features and outputs. */
glnn_status glnn__mlp_check_data(const glnn_mlp *mlp, const glnn_dataset *data);

/* Makes the matrices of a batch for `rows` samples, or keeps them where they have that size. */
glnn_status glnn__mlp_prepare(glnn_mlp *mlp, int rows);

/* The outputs of all layers for the samples of a batch, which are at most mlp->rows. */
glnn_status glnn__mlp_forward(glnn_mlp *mlp, const glnn__batch *batch);

/* The same for samples that stand in mlp->input. */
glnn_status glnn__mlp_forward_input(glnn_mlp *mlp);

/* Adds the batch's losses and counts to metrics. */
glnn_status glnn__mlp_score(glnn_mlp *mlp, const glnn__batch *batch, const glnn__metrics *metrics);

/* The same, and the deltas of all layers. */
glnn_status glnn__mlp_backward(glnn_mlp *mlp, const glnn__batch *batch,
                               const glnn__metrics *metrics);

#endif
