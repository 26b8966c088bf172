/* Trainings of one description that are compared: a round for each seed and each fold. Failures end
 * the program, as with CHECK. */
#ifndef TRAIN_ROUNDS_H
#define TRAIN_ROUNDS_H

#include "figures.h"

/* The results of all rounds. */
typedef struct rounds {
    int count;              /* 0: the first one was interrupted */
    int training, measured; /* samples of the first round       */
    figures means, deviations;
} rounds;

/* Trains a learner in each round and measures it on samples that it has not seen: a fold, or those
 * that with->data.from moves to the test. The scale of features, their projection and the means of
 * columns are those of the training samples of the round. Prints a line for each round if `shows`
 * is set. Ctrl-C ends the rounds, and the one that it interrupted does not count. */
rounds rounds_run(glnn_context *ctx, const settings *with, bool shows);

/* Cross-validation, or trainings by several seeds: runs all rounds, and prints them and their
 * means. The folds have all samples unless --holdout was given. */
void rounds_compare(glnn_context *ctx, const settings *with);

#endif
