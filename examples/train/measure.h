/* The metrics of predictions: printed, drawn and written. Failures end the program, as with
 * CHECK. */
#ifndef TRAIN_MEASURE_H
#define TRAIN_MEASURE_H

#include "predictions.h"

/* Measures predictions of classes. Test samples of unknown classes count as wrong. `loss` is that
 * of the others, as the learner defines it. */
void measure_classes(const predictions *of, const settings *with, const samples *data, double loss);

/* Measures predictions of targets, in their own units. */
void measure_targets(const glnn_learner *learner, const predictions *of, const settings *with,
                     const samples *data);

#endif
