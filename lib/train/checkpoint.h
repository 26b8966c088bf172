/* Checkpoints: files from which a training goes on as if it had never stopped. */
#ifndef GLNN__TRAIN_CHECKPOINT_H
#define GLNN__TRAIN_CHECKPOINT_H

#include "train/training.h"

/* ---- trainer_state.c */

/* Numbers that follow from other members of a trainer. */
typedef struct glnn__place {
    int phase;
    int done; /* samples of the group under way; STEPS only */
} glnn__place;

glnn__place glnn__place_of(const glnn_trainer *trainer);

/* Lists all that a training changes in the trainer and its learner. */
void glnn__trainer_state(glnn_trainer *trainer, glnn__state *state, glnn__place *at);

/* ---- partial.c */

/* Each process has summed metrics, and numbers of the learner, over its own samples of the epoch so
 * far. This adds these sums up over all processes. Rank 0 keeps the results, and the sums of the
 * other processes become zero. */
glnn_status glnn__partial_join(glnn_trainer *trainer);

/* Leaves these sums as they are on rank 0, and sets those of the other processes to zero. */
glnn_status glnn__partial_keep(const glnn_trainer *trainer);

/* ---- checkpoint_apply.c */

/* Goes on from a file of this training, which is whole. After an error the training is as before,
 * unless memory or OpenGL fails again; then it is over. */
glnn_status glnn__checkpoint_apply(glnn_trainer *trainer, const char *path,
                                   const glnn_safetensors *file);

/* ---- checkpoint.c: rank 0 saves for all processes, and chooses the file that all load */

/* Between two steps: saves the training, keeping the former file, and goes on from a file. Errors
 * of loading are as those of glnn__checkpoint_apply. */
glnn_status glnn__checkpoint_save(glnn_trainer *trainer, const char *path);
glnn_status glnn__checkpoint_load(glnn_trainer *trainer, const char *path);

/* At the start of a training, also of one without checkpoints. With desc.resume it goes on from
 * desc.checkpoint or, if that is damaged or missing, from the file before it. Unless the training
 * is over then, checks that a checkpoint can be written, and with neither desc.resume nor
 * desc.overwrite that there is none yet. */
glnn_status glnn__checkpoint_begin(glnn_trainer *trainer);

/* After a step: saves a checkpoint if one is due. */
glnn_status glnn__checkpoint_follow(glnn_trainer *trainer);

#endif
