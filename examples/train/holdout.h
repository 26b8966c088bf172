/* Parts of samples: made, freed, and split in two. */
#ifndef TRAIN_HOLDOUT_H
#define TRAIN_HOLDOUT_H

#include "samples.h"

/* Moves the share from->holdout of the training samples, in a seeded choice, to the test part: of
 * each class alike and rounded down, so that a class of one sample is trained on. */
bool hold_out(const samples_source *from, samples *out);

/* Copies the samples of a part whose flag is `wanted`, in their order, into a new one; `count` says
 * how many they are. */
bool part_copy(const samples_part *from, const samples *of, const bool *flags, bool wanted,
               int count, samples_part *out);
void part_free(samples_part *part);

#endif
