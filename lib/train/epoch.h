/* The end of an epoch: its figures, validation, and what they decide. */
#ifndef GLNN__TRAIN_EPOCH_H
#define GLNN__TRAIN_EPOCH_H

#include "train/training.h"

/* Ends the epoch, all of whose steps are done or that the program stopped, and with the last one
 * training. */
glnn_status glnn__epoch_end(glnn_trainer *trainer);

/* Ends training with a status, which is returned; with keep_best, what is learnt becomes that of the
 * best epoch. */
glnn_status glnn__training_end(glnn_trainer *trainer, glnn_status status);

#endif
