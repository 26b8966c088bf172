/* A learner with the samples that it is for. Failures end the program, as with CHECK. */
#ifndef TRAIN_MODEL_H
#define TRAIN_MODEL_H

#include "settings.h"

/* Loads the samples, fits their preparation to those for training, and creates a learner that keeps
 * a record of both. */
glnn_learner *model_make(glnn_context *ctx, settings *with, samples *data);

/* Loads a learner, and samples as it expects them. */
glnn_learner *model_load(glnn_context *ctx, settings *with, samples *data);

#endif
