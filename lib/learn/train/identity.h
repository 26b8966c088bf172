/* The texts by which a checkpoint recognises the training that it belongs to: lines of a name, "="
 * and a value. */
#ifndef GLNN__LEARN_TRAIN_IDENTITY_H
#define GLNN__LEARN_TRAIN_IDENTITY_H

#include "learn/train/training.h"

typedef enum glnn__identity_part {
    GLNN__IDENTITY_LEARNER,
    GLNN__IDENTITY_TRAINING,
    GLNN__IDENTITY_DATA,
    GLNN__IDENTITY_VALIDATION,
    GLNN__IDENTITY_DEVICE,
    GLNN__IDENTITIES
} glnn__identity_part;

typedef struct glnn__identity {
    char *texts[GLNN__IDENTITIES]; /* NULL: not yet found */
} glnn__identity;

/* Finds the texts of a training, unless they are known. They look at some samples of each data set,
 * and wait for them. */
glnn_status glnn__identity_find(glnn__identity *identity, const glnn__training *training);
void glnn__identity_free(glnn__identity *identity);

/* The keys of the texts in a file. */
extern const char *const glnn__identity_keys[GLNN__IDENTITIES];

/* Under an exchange, before the first step: E_ARG on all processes if the descriptions, the data
 * or the parameters of one differ from those of rank 0. */
glnn_status glnn__identity_agree(glnn__identity *identity, const glnn__training *training);

/* Compares the texts of a file with these. E_ARG names the first difference; another device is a
 * warning in the log. */
glnn_status glnn__identity_check(const glnn__identity *identity, const char *path,
                                 const glnn_safetensors *file);

#endif
