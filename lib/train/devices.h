/* The devices of the processes of a training: which of them plan alike, and how they share
 * batches. */
#ifndef GLNN__TRAIN_DEVICES_H
#define GLNN__TRAIN_DEVICES_H

#include "train/training.h"

/* Under an exchange, before the first operation of the training: E_ARG on all processes if the
 * version of the library or the stage of one differs from rank 0, or if their shares are not
 * possible. Then sets the weights of the shares. Processes with the device of rank 0 plan as rank 0
 * does from now on. */
glnn_status glnn__devices_agree(glnn_trainer *trainer);

#endif
