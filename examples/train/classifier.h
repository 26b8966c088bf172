/* One classifier made of prototypes, whichever of the library's learners it is: what differs
 * between them stands in classifier.c. Failures end the program, as with CHECK. */
#ifndef EXAMPLES_CLASSIFIER_H
#define EXAMPLES_CLASSIFIER_H

#include <glnn/codebook.h>
#include <glnn/gmm.h>
#include <glnn/kmeans.h>
#include <glnn/lvq.h>

#include "lvq_settings.h"

/* One of the three is there. */
typedef struct classifier {
    glnn_lvq *lvq;
    glnn_kmeans *kmeans;
    glnn_gmm *gmm;
} classifier;

/* Makes a classifier for samples, with the prototypes of a codebook where that is not NULL; else it
 * has none yet. */
classifier classifier_create(glnn_context *ctx, const lvq_settings *with, const samples *data,
                             const glnn_codebook *codebook);

/* Reads what classifier_save wrote; which learner it is the file says. */
classifier classifier_load(glnn_context *ctx, const char *path, glnn_layout layout);
void classifier_save(const classifier *of, const char *path);
void classifier_destroy(classifier *of);

/* The record of how its samples were prepared; NULL: there is none. */
void classifier_set_preparation(const classifier *of, const glnn_preparation *preparation);
const glnn_preparation *classifier_get_preparation(const classifier *of);

int classifier_features(const classifier *of);
int classifier_classes(const classifier *of);

/* Prototypes, centres or components, of all classes. */
int classifier_count(const classifier *of);

/* The learner's name and its sizes in a line. */
void classifier_show(const classifier *of);

/* Places the prototypes of LVQ where there are none yet; the others place theirs as they train. */
void classifier_start(const classifier *of, const glnn_dataset *data);

/* Trains, after classifier_start. */
void classifier_train(classifier *of, const glnn_dataset *data, const glnn_train_desc *desc,
                      glnn_train_result *result);

/* The mean loss (k-means: error, mixtures: minus the log-likelihood), and the share classified
 * right. */
void classifier_evaluate(classifier *of, const glnn_dataset *data, double *loss, double *accuracy,
                         int64_t *confusion);

/* The class of each sample. */
void classifier_predict(classifier *of, int count, const float *inputs, int *classes);

/* Writes the prototypes as text; of a mixture the means. */
void classifier_write_codebook(const classifier *of, const class_names *classes, const char *path);

/* Draws the prototypes into a folder as images of the samples' size. */
void classifier_plot(const classifier *of, const samples *data, const char *folder);

#endif
