/* Trainings of one description that are compared: a round for each seed and each fold. Failures end
 * the program, as with CHECK. */
#ifndef TRAIN_ROUNDS_H
#define TRAIN_ROUNDS_H

#include "figures.h"

/* The result of a round. */
typedef struct round_result {
    uint64_t seed;
    int fold;               /* from 1; 0: there are no folds */
    int training, measured; /* samples                       */
    figures of;
} round_result;

/* The results of all rounds. */
typedef struct rounds {
    int count;              /* 0: the first one was interrupted */
    int training, measured; /* samples of the first round       */
    figures means, deviations;
} rounds;

/* The number of rounds. */
int rounds_count(const settings *with);

/* Trains a learner in each round and measures it on samples that it has not seen: a fold, or those
 * that with->data.from moves to the test. The scale of features, their projection and the means of
 * columns are those of the training samples of the round. Prints a line for each round if `shows`
 * is set. Ctrl-C ends the rounds, and the one that it interrupted does not count. `each` has room
 * for the results of rounds_count() rounds. */
rounds rounds_run(glnn_context *ctx, const settings *with, bool shows, round_result *each);

/* Cross-validation, or trainings by several seeds: runs all rounds, prints them and their means,
 * and writes them to the file of --metrics. The folds have all samples unless --holdout was
 * given. */
void rounds_compare(glnn_context *ctx, const settings *with);

#endif
