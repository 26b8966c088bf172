/* A network in double precision, by the formulas of glnn/network.h, with running bounds for the
 * error of float32. Each bound is that of the operation (glnn/gemm.h, glnn/map.h) plus the bounds
 * of its operands, which its derivative carries through. With mixed precision, the operands of
 * products are rounded to 16 bits: inputs and weights to exactly the same numbers, the others
 * within one more rounding. */
#ifndef TESTS_NETWORK_REFERENCE_H
#define TESTS_NETWORK_REFERENCE_H

#include "learning.h"
#include "optimizer_reference.h"

#include "layers/layer.h"

/* Values that training changes; the bounds are for one step from values that were exact. */
typedef struct network_reference {
    glnn_network_desc desc;
    uint64_t steps;
    int states;
    bool trains; /* outputs and losses are those of training: dropout is at work, as in the next
                    step, batches are normalised by themselves, and labels are smoothed. Gradients
                    set it */
    int batch;   /* samples of a batch of a step, which the capacity cuts into parts; 0: all */
    glnn_shape outputs[GLNN_NETWORK_MAX_LAYERS];
    glnn__signal_form forms[GLNN_NETWORK_MAX_LAYERS]; /* of the outputs in the library */
    expected parameters[GLNN_NETWORK_MAX_LAYERS];
    expected state[GLNN_NETWORK_MAX_LAYERS][MOST_STATES];
    expected gradient[GLNN_NETWORK_MAX_LAYERS];
    expected statistics[GLNN_NETWORK_MAX_LAYERS]; /* running means and variances */
    expected moved[GLNN_NETWORK_MAX_LAYERS];      /* the same after the batch of the gradient */
    expected input_gradient; /* of the mean loss, with respect to the samples */
} network_reference;

/* The present state of the network. */
network_reference network_reference_of(const glnn_learner *network);

/* The shape of the output of a layer, or for layer -1 of the samples. */
glnn_shape network_reference_shape(const network_reference *net, int layer);

/* The layer whose output is an input of a layer; -1: the samples, -2: the input is missing. */
int network_reference_source(const network_reference *net, int layer, int number);

/* The shape of the first input of a layer. */
glnn_shape network_reference_input(const network_reference *net, int layer);

/* The parameters of a layer as its products read them, and the map after its sums. */
array network_reference_weights(const network_reference *net, int layer);
glnn_map network_reference_map(const network_reference *net, int layer);

/* Outputs as glnn_learner_predict gives them. */
expected network_reference_predict(const network_reference *net, array inputs);

/* The mean loss. */
bounded network_reference_loss(const network_reference *net, samples batch);

/* The delta of a layer's input, which went through a map, from that of its output. */
expected network_reference_input_delta(const network_reference *net, int layer, glnn_map map,
                                       const expected *input, const expected *delta);

/* The mean loss; the gradients of it go to net->gradient and net->input_gradient. */
bounded network_reference_gradient(network_reference *net, samples batch);

/* One step of the optimizer; returns the mean loss before it. */
bounded network_reference_step(network_reference *net, samples batch, double rate);

#endif
