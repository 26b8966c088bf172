/* Copies, splits and frees parts of samples. */
#ifndef TRAIN_HOLDOUT_H
#define TRAIN_HOLDOUT_H

#include "samples.h"

/* Moves the share from->holdout of each class, chosen at random by the seed, from the training part
 * to the test part. Counts are rounded down, so the only sample of a class stays. */
bool hold_out(const samples_source *from, samples *out);

/* Moves training samples to the test part as from->split says, chosen at random by the seed. The
 * folds of a seed are disjoint and have together all samples; their sizes differ by at most 1, and
 * so do those of each class in them. False with a failure: there are more folds than samples of the
 * smallest class, or than samples with targets, or a share is less than a sample of each class. */
bool split_training(const samples_source *from, samples *out);

/* Keeps from->most samples of the training part, chosen at random by the seed, or all if there are
 * not more. */
bool draw_samples(const samples_source *from, samples *out);

/* Copies the samples of a part whose flag is `wanted`, in their order, into a new part. `count` is
 * their number. */
bool part_copy(const samples_part *from, const samples *of, const bool *flags, bool wanted,
               int count, samples_part *out);
void part_free(samples_part *part);

#endif
