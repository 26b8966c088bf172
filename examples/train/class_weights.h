/* Weights of classes, as the command line gives them. */
#ifndef TRAIN_CLASS_WEIGHTS_H
#define TRAIN_CLASS_WEIGHTS_H

#include "settings.h"

/* Gives the training samples the weights of --class-weights by their classes: "balanced", or
 * NAME=WEIGHT with commas. A balanced class counts as much as any other. Its weight is all samples
 * / (classes that have samples * its own samples), as in scikit-learn. Classes that are not named
 * have weight 1. Prints the weights, and a note if a large one makes the steps of the optimizer
 * larger. False with a failure. */
bool class_weights_set(const settings *with, samples *data);

#endif
