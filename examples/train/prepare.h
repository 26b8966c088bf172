/* What happens to samples between their file and a model, and the record of it that the model
 * keeps. Failures end the program, as with CHECK. */
#ifndef TRAIN_PREPARE_H
#define TRAIN_PREPARE_H

#include <glnn/preparation.h>

#include "data_options.h"

/* Before samples are loaded for a model: its classes and columns, if it has any on record, are
 * those to expect; else `classes` numbered ones are, of which a model of targets has 0. */
void prepare_expect(const glnn_preparation *of, int classes, samples *data);

/* Says so where the features of a table are far from the scale that suits a network, and nothing
 * scales them. */
void prepare_advise(const data_options *with, const samples *data);

/* The features of a table go to the network as they are. */
bool prepare_is_unscaled(const data_options *with, const samples *data);

/* Fits what the options ask for to the training samples, scale and projection of features and the
 * scale of targets, and does it to all samples. The caller frees *out. */
void prepare_fit(glnn_context *ctx, const data_options *with, samples *data, glnn_preparation *out);

/* Does to all samples what a model was trained with. */
void prepare_apply(glnn_context *ctx, const glnn_preparation *of, samples *data);

#endif
