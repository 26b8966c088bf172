/* A multilayer perceptron in double precision, by the formulas of glnn/mlp.h, with running bounds on
 * what float32 may differ by: each bound is that of the operation (glnn/gemm.h, glnn/map.h) plus
 * the bounds of what it reads, carried through by its derivative. */
#ifndef TESTS_MLP_REFERENCE_H
#define TESTS_MLP_REFERENCE_H

#include "learning.h"

enum { MOST_STATES = 2 };

/* Values that training changes; the bounds are for one step from values that were exact. */
typedef struct mlp_reference {
    glnn_mlp_desc desc;
    uint64_t steps;
    int states;
    expected parameters[GLNN_MLP_MAX_LAYERS];
    expected state[GLNN_MLP_MAX_LAYERS][MOST_STATES];
    expected gradient[GLNN_MLP_MAX_LAYERS];
} mlp_reference;

/* What the network has learnt as of now. */
mlp_reference mlp_reference_of(const glnn_mlp *mlp);

/* Outputs as glnn_mlp_predict gives them. */
expected mlp_reference_predict(const mlp_reference *net, array inputs);

/* The mean loss. */
bounded mlp_reference_loss(const mlp_reference *net, samples batch);

/* The mean loss; the gradient of it goes to net->gradient. */
bounded mlp_reference_gradient(mlp_reference *net, samples batch);

/* One step of the optimizer; returns the mean loss before it. */
bounded mlp_reference_step(mlp_reference *net, samples batch, double rate);

#endif
