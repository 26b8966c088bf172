/* What a classifier leaves behind beside its figures: the classes that it found, and its prototypes.
 * Failures end the program, as with CHECK. */
#ifndef EXAMPLES_RESULTS_H
#define EXAMPLES_RESULTS_H

#include "classifier.h"

/* Writes the class of each test sample, a line each. */
void results_predictions(classifier *model, const samples *data, const char *path);

/* Writes the prototypes as text into a file, and as images into a folder where the samples are
 * images; NULL: not. */
void results_prototypes(const classifier *model, const samples *data, const char *codebook,
                        const char *picture);

#endif
