/* Principal components or discriminants instead of features. Failures end the program, as with
 * CHECK. */
#ifndef EXAMPLES_COMPONENTS_H
#define EXAMPLES_COMPONENTS_H

#include <glnn/projection.h>

#include "lvq_settings.h"

/* Fits what the settings ask for to the training samples; NULL: nothing. */
glnn_projection *components_fit(glnn_context *ctx, const lvq_settings *with, const samples *data);

/* Replaces the features of all samples by their components; images are none any longer. */
void components_apply(const glnn_projection *projection, samples *data);

#endif
