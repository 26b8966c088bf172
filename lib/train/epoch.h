/* The end of an epoch: its metrics, validation and best-epoch handling. */
#ifndef GLNN__TRAIN_EPOCH_H
#define GLNN__TRAIN_EPOCH_H

#include "train/training.h"

/* Ends an epoch whose steps are done or that the program stopped. After the last epoch it ends
 * training. */
glnn_status glnn__epoch_end(glnn_trainer *trainer);

/* Ends training with a status, which it returns. With restore_best it restores the snapshot of the best
 * epoch. */
glnn_status glnn__training_end(glnn_trainer *trainer, glnn_status status);

#endif
