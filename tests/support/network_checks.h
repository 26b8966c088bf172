/* Networks of any layers against their reference: predictions, gradients and steps. */
#ifndef TESTS_NETWORK_CHECKS_H
#define TESTS_NETWORK_CHECKS_H

#include "network_reference.h"

/* A number, or each of an array, is as far from the expected one as it may be; `what` and `where`
 * say what was computed. */
void expect_bounded(double got, bounded want, const char *what, const char *where);
void expect_within(array got, expected want, const char *what, const char *where);

array predictions_of(glnn_learner *network, array inputs);

/* Of the first `count` samples. */
array gradient_of(glnn_learner *network, const glnn_dataset *data, int count, int layer,
                  double *loss);

/* Draws all parameters. A test would not notice errors in reading those that are equal at first,
 * such as biases. */
void draw_parameters(glnn_learner *network);

/* Predictions of `count` random samples. */
void expect_predictions(glnn_learner *network, int count, const char *where);

/* The loss and the gradients of all layers, for the first `count` samples. */
void expect_gradients(glnn_learner *network, samples all, int count, const char *where);

/* (loss(w + h) - loss(w - h)) / 2 h for one number that the loss depends on: a weight of the
 * reference, or an input of the batch. */
double reference_slope(const network_reference *net, samples batch, double *number, double h);

/* The reference's gradients are the slopes of its loss, for all parameters and inputs. */
void expect_slopes(network_reference *net, samples batch, const char *where);

/* The loss of one step on all samples, and weights and states after it. `how` has the rate, and the
 * batches that make the step; all of them by default. */
void expect_step(glnn_learner *network, samples all, glnn_train_desc how, const char *where);

#endif
