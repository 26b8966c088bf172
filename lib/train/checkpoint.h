/* Checkpoints: files from which a training goes on as if it had never stopped. */
#ifndef GLNN__TRAIN_CHECKPOINT_H
#define GLNN__TRAIN_CHECKPOINT_H

#include "train/training.h"

/* Between two steps: saves the training, keeping the former file, and goes on from a file. After an
 * error of loading, the training is as before, unless OpenGL or memory failed. */
glnn_status glnn__checkpoint_save(glnn_trainer *trainer, const char *path);
glnn_status glnn__checkpoint_load(glnn_trainer *trainer, const char *path);

/* Goes on from desc.checkpoint or, if it is damaged or missing, from the file before it. If there
 * are none, the training begins. */
glnn_status glnn__checkpoint_resume(glnn_trainer *trainer);

/* After a step: saves a checkpoint if one is due. */
glnn_status glnn__checkpoint_follow(glnn_trainer *trainer);

#endif
