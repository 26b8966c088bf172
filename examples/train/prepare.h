/* Makes features of samples, scales and projects them for a model, and keeps a record of all this
 * for its file. Failures end the program, as with CHECK. */
#ifndef TRAIN_PREPARE_H
#define TRAIN_PREPARE_H

#include <glnn/preparation.h>

#include "data_options.h"

/* Called before samples are loaded for a saved model: lets them have the classes and columns of the
 * model's record, or without one `classes` numbered classes. */
void prepare_expect(const glnn_preparation *of, int classes, samples *data);

/* Prints a note if the features of a table or array are not scaled and have scales that hinder a
 * network. */
void prepare_advise(const data_options *with, const samples *data);

/* The features of a table or array are not scaled. */
bool prepare_is_unscaled(const data_options *with, const samples *data);

/* Finds the features that the options ask for, fits scale, projection and the scale of targets to
 * those of the training samples, and applies them to all samples. The caller frees *out. */
void prepare_fit(glnn_context *ctx, const data_options *with, samples *data, glnn_preparation *out);

/* Applies a record to all samples. */
void prepare_apply(glnn_context *ctx, const glnn_preparation *of, samples *data);

#endif
