/* Learners as the command line describes them: made, loaded, shown and written. Failures end the
 * program, as with CHECK. */
#ifndef TRAIN_LEARNER_H
#define TRAIN_LEARNER_H

#include <glnn/codebook.h>
#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/network.h>

#include "settings.h"

/* Creates the learner that the settings describe, for samples. The prototypes of LVQ are those of
 * the codebook unless that is NULL. */
glnn_learner *learner_create(glnn_context *ctx, const settings *with, const samples *data,
                             const glnn_codebook *codebook);

/* Loads what learner_save wrote; the file says which learner it is. */
glnn_learner *learner_load(glnn_context *ctx, const settings *with);

/* The number of its kind, as settings have it. */
int learner_get_kind(const glnn_learner *of);

void learner_save(const glnn_learner *of, const char *path);

/* The shape of the images that a network takes. Zeros: it takes features without such a shape, or
 * the learner is not a network. */
glnn_shape learner_get_image(const glnn_learner *of);

/* Prints the kind and the sizes. */
void learner_show(const glnn_learner *of);

/* Places the prototypes of LVQ if there are none yet; other learners start when they train. */
void learner_start(glnn_learner *of, const glnn_dataset *data);

/* Writes the prototypes, or the means of a mixture, as text. */
void learner_write_codebook(const glnn_learner *of, const class_names *classes, const char *path);

/* Writes the learner as C source. The functions in it are named after the file. */
void learner_export(const glnn_learner *of, const char *path);
void learner_export_glsl(const glnn_learner *of, const char *path);

/* Ends the program if a network is too large for the second one, whatever it learns. */
void learner_check_glsl(const glnn_learner *of, const char *path);

/* Draws the weights of hidden units or the prototypes as images of the samples' size. */
void learner_plot(const glnn_learner *of, const samples *data, const char *folder);

#endif
