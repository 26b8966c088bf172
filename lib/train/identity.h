/* The texts by which a checkpoint recognises the training that it belongs to: lines of a name, "="
 * and a value. */
#ifndef GLNN__TRAIN_IDENTITY_H
#define GLNN__TRAIN_IDENTITY_H

#include "train/training.h"

/* Finds the texts of a trainer, unless it has them. They look at some samples of each data set, and
 * wait for them. */
glnn_status glnn__identity_find(glnn_trainer *trainer);
void glnn__identity_free(glnn__identity *identity);

/* The keys of the texts in a file. */
extern const char *const glnn__identity_keys[GLNN__IDENTITIES];

/* Under an exchange, before the first step: E_ARG on all processes if the descriptions, the data
 * or the parameters of one differ from those of rank 0. */
glnn_status glnn__identity_agree(glnn_trainer *trainer);

/* Compares the texts of a file with those of the trainer. E_ARG names the first difference; another
 * device is a warning in the log. */
glnn_status glnn__identity_check(const glnn_trainer *trainer, const char *path,
                                 const glnn_safetensors *file);

#endif
