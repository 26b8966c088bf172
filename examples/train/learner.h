/* One learner, whichever of the library's four it is. All have the same verbs, so that most of the
 * program need not ask which one it has. Failures end the program, as with CHECK. */
#ifndef TRAIN_LEARNER_H
#define TRAIN_LEARNER_H

#include <glnn/codebook.h>
#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>
#include <glnn/network.h>

#include "settings.h"

/* One of the four is there. */
typedef struct learner {
    glnn_network *network;
    glnn_lvq *lvq;
    glnn_kmeans *kmeans;
    glnn_gmm *gmm;
} learner;

/* Creates the learner that the settings describe, for samples. The prototypes of LVQ are those of
 * the codebook unless that is NULL. */
learner learner_create(glnn_context *ctx, const settings *with, const samples *data,
                       const glnn_codebook *codebook);

/* Loads what learner_save wrote; the file says which learner it is. */
learner learner_load(glnn_context *ctx, const settings *with);

/* The number of its kind, as settings have it. */
int learner_get_kind(const learner *of);

void learner_save(const learner *of, const char *path);
void learner_destroy(learner *of);

void learner_set_preparation(const learner *of, const glnn_preparation *preparation);
/* NULL: the learner has none. */
const glnn_preparation *learner_get_preparation(const learner *of);

int learner_get_features(const learner *of);

/* The shape of the images that a network takes. Zeros: it takes features without such a shape, or
 * the learner is not a network. */
glnn_shape learner_get_image(const learner *of);

/* Outputs of a sample: the classes, or the targets of a network. */
int learner_get_outputs(const learner *of);

/* Prints the kind and the sizes. */
void learner_show(const learner *of);

/* Places the prototypes of LVQ if there are none yet; other learners start when they train. */
void learner_start(const learner *of, const glnn_dataset *data);

glnn_status learner_train(const learner *of, const glnn_dataset *data, const glnn_train_desc *desc,
                          glnn_train_result *result);
void learner_evaluate(const learner *of, const glnn_dataset *data, glnn_metrics *metrics,
                      int64_t *confusion);

/* Outputs (samples x learner_get_outputs) and classes; either may be NULL. */
void learner_predict(const learner *of, int count, const float *inputs, float *outputs,
                     int *classes);

/* Writes the prototypes, or the means of a mixture, as text. */
void learner_write_codebook(const learner *of, const class_names *classes, const char *path);

/* Writes the learner as C source. The functions in it are named after the file. */
void learner_export(const learner *of, const char *path);

/* Draws the weights of hidden units or the prototypes as images of the samples' size. */
void learner_plot(const learner *of, const samples *data, const char *folder);

#endif
