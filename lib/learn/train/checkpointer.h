/* Checkpoints: files from which a training goes on as if it had never stopped. Under an exchange,
 * rank 0 saves for all processes, and chooses the file that all load. */
#ifndef GLNN__LEARN_TRAIN_CHECKPOINTER_H
#define GLNN__LEARN_TRAIN_CHECKPOINTER_H

#include "base/file.h"
#include "learn/train/identity.h"
#include "learn/train/stopper.h"

/* The checksum of the content of a checkpoint, as its metadata has it. */
typedef struct glnn__checkpoint_sum {
    char text[20];
} glnn__checkpoint_sum;

typedef struct glnn__checkpointer {
    glnn__training *of; /* these have all that a checkpoint saves */
    glnn__cursor *at;
    glnn__reporter *reporter;
    glnn__stopper *stopper;
    glnn__identity identity;
    bool is_damaged; /* the file at desc.checkpoint; the one before it was loaded */
    bool has_saved;  /* the file at desc.checkpoint is of this training           */

    /* With desc.checkpoint. */
    char *former;             /* the path of the file before the last                     */
    glnn__file_mark expected; /* the file that this training may replace; zeros: none     */
    glnn__checkpoint_sum sum; /* its checksum; empty: it has none, or was not read        */
} glnn__checkpointer;

/* Under an exchange, before the first step: E_ARG unless all processes make the same training. */
glnn_status glnn__checkpointer_agree(glnn__checkpointer *checkpointer);

/* At the start of a training, also of one without checkpoints, before the learner changes. Unless
 * desc.resume is set, checks that a checkpoint can be written and, without desc.overwrite, that
 * there is none yet. */
glnn_status glnn__checkpointer_find_place(glnn__checkpointer *checkpointer);

/* Once the learner has begun: with desc.resume it goes on from desc.checkpoint or, if that is
 * damaged or missing, from the file before it. Unless the training is over then, checks that a
 * checkpoint can be written. */
glnn_status glnn__checkpointer_begin(glnn__checkpointer *checkpointer);
void glnn__checkpointer_destroy(glnn__checkpointer *checkpointer);

/* After a step: saves a checkpoint if one is due. E_ARG if another training has put a file there in
 * the meantime; nothing is replaced then. */
glnn_status glnn__checkpointer_follow(glnn__checkpointer *checkpointer);

/* Between two steps: saves the training, keeping the former file. */
glnn_status glnn__checkpointer_save(glnn__checkpointer *checkpointer, const char *path);

/* Goes on from a file. After an error the training is as before, unless memory or OpenGL fails
 * again; then it is over. After success the caller drops the end of an epoch that is under way. */
glnn_status glnn__checkpointer_load(glnn__checkpointer *checkpointer, const char *path);

/* The checksum that the content of a checkpoint should have. */
glnn__checkpoint_sum glnn__checkpoint_checksum(const glnn_safetensors *file);

#endif
