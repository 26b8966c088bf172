/* Weights of classes, as the command line gives them. */
#ifndef TRAIN_CLASS_WEIGHTS_H
#define TRAIN_CLASS_WEIGHTS_H

#include "samples.h"

/* Gives the training samples weights by their classes: "balanced", or NAME=WEIGHT with commas. A
 * balanced class counts as much as any other. Its weight is all samples / (classes that have
 * samples * its own samples), as in scikit-learn. Classes that are not named have weight 1. Prints
 * the weights. False with a failure. */
bool class_weights_set(const char *text, samples *data);

#endif
