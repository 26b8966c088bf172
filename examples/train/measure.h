/* The metrics of predictions: printed, drawn and written. Failures end the program, as with
 * CHECK. */
#ifndef TRAIN_MEASURE_H
#define TRAIN_MEASURE_H

#include <glnn/metrics.h>

#include "predictions.h"

/* Computes the metrics of predictions of classes. The caller frees *out. */
void measure_class_metrics(const predictions *of, const settings *with, const samples *data,
                           glnn_class_metrics *out);

/* Computes the metrics of predictions of targets, in their own units. The caller frees *out. */
void measure_target_metrics(const glnn_learner *learner, const predictions *of, const samples *data,
                            glnn_target_metrics *out);

/* The area under the ROC curve: of two classes that of the second one, of more the mean. */
double measure_roc_auc(const glnn_class_metrics *of);

/* Measures predictions of classes. Test samples of unknown classes count as wrong. `loss` is that
 * of the others, as the learner defines it. */
void measure_classes(const predictions *of, const settings *with, const samples *data, double loss);

/* Measures predictions of targets, in their own units. */
void measure_targets(const glnn_learner *learner, const predictions *of, const settings *with,
                     const samples *data);

#endif
