/* The use of a trained model: predictions, their errors, and pictures to classify. Failures end the
 * program, as with CHECK. */
#ifndef TRAIN_RESULTS_H
#define TRAIN_RESULTS_H

#include "learner.h"

/* Writes the classes or targets of the test samples, a line each. */
void results_predict(glnn_learner *of, const samples *data, const char *path);

/* Prints the mean squared error and R^2 of each target over the test samples, in its own units.
 * R^2 is 1 - (squared error) / (squared deviation from the mean). */
void results_show_errors(glnn_learner *of, const samples *data);

/* Prints the class and all outputs of each picture in a PNG or IDX file. Pictures are scaled to the
 * images that the model was trained on. If the model does not know their shape, it is `image`, or
 * with zeros that of square images in gray. */
void results_classify(glnn_context *ctx, glnn_learner *of, const char *path, bool invert,
                      glnn_shape image);

#endif
