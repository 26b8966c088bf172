/* The devices of the processes of a training: which of them use the same device profile, and how
 * they share batches. */
#ifndef GLNN__TRAIN_DEVICES_H
#define GLNN__TRAIN_DEVICES_H

#include "train/training.h"

#include <stdint.h>

/* The weights of processes whose devices need `seconds` for the same step. Processes with the same
 * device have the same weight, by the fastest of them. All weights are equal unless a device takes
 * more than a quarter longer than the fastest one; otherwise they are multiples of an eighth of the
 * greatest, so that small differences between two measurements seldom change them. */
void glnn__devices_weigh(int ranks, const uint64_t *devices, const double *seconds,
                         double *weights);

/* Under an exchange, before the first operation of the training: E_ARG on all processes if the
 * version of the library or the stage of one differs from rank 0, or if their shares are not
 * possible. Sets the weights of shares that the descriptions give. From now on, processes with the
 * device of rank 0 use its device profile and its plans of products. */
glnn_status glnn__devices_agree(glnn_trainer *trainer);

/* After the samples are chosen: gives processes with different devices shares by their measured
 * speed, unless the descriptions give shares, or a process cannot measure. */
glnn_status glnn__devices_measure(glnn_trainer *trainer);

#endif
