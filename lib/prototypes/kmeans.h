/* The inside of k-means. */
#ifndef GLNN__PROTOTYPES_KMEANS_H
#define GLNN__PROTOTYPES_KMEANS_H

#include "data/offset.h"
#include "ops/scatter_add.h"
#include "prototypes/kmeans_far.h"
#include "train/training.h"

#include <glnn/kmeans.h>

/* Some samples of a data set. */
typedef struct glnn__chosen {
    const int *samples; /* their numbers */
    int count;
    int class; /* of all of them; -1: they are of any */
} glnn__chosen;

struct glnn_kmeans {
    glnn_context *ctx;
    glnn_kmeans_desc desc;      /* defaults filled in */
    int count;                  /* of all centres */
    const glnn__chosen *chosen; /* the samples that are seen; NULL: all */
    bool has_centres;
    glnn__offset offset;  /* that centres and samples are relative to                      */
    glnn_matrix *centres; /* count x features                                              */
    glnn_matrix *norms;   /* 1 x count                                                     */
    glnn_matrix *classes; /* 1 x count; NULL without classes                               */
    glnn_matrix *sizes;   /* count x 1: samples that each centre stands for                */
    glnn_matrix *sums;    /* count x features: the samples since the latest update, and    */
    glnn_matrix *weights; /* count x 1: how many they are                                  */
    glnn_matrix *centres_snapshot, *sizes_snapshot; /* NULL before the first one */

    bool is_lloyd;       /* of the training under way: centres move once an epoch */
    double last_loss;    /* of the epoch before */
    float *sizes_before; /* count: at the start of the epoch                     */
    float *sizes_now;    /* count: at its end                                    */
    glnn__far far;       /* far samples, for the centres that have had none      */

    int rows;             /* of the matrices of a batch; 0: none                  */
    glnn_matrix *samples; /* rows x features                                      */
    glnn_matrix *winners; /* rows x 4, see ops/nearest.h                          */
    glnn_matrix *moves;   /* rows x 4, see kmeans_assign.glsl                     */
    glnn__members members;
    glnn__trained trained;
    glnn_preparation preparation; /* empty: none */
};

/* ---- kmeans_create.c */

/* The matrices of a batch for `rows` samples; kept where they have that size. */
glnn_status glnn__kmeans_prepare(glnn_kmeans *kmeans, int rows);

/* To be called when the centres have changed. */
glnn_status glnn__kmeans_refresh(glnn_kmeans *kmeans);

/* ---- kmeans_use.c */

/* The centres (count x features) as they are before any step, and the offset that they have. */
glnn_status glnn__kmeans_start_from(glnn_kmeans *kmeans, const float *centres);

/* ---- kmeans_seed.c */

/* The data set belongs to the context of k-means and has its features, and its classes where both
 * have any. */
glnn_status glnn__kmeans_check_data(const glnn_kmeans *kmeans, const glnn_dataset *data);

/* The same, and it has labels where there are classes. */
glnn_status glnn__kmeans_check_training(const glnn_kmeans *kmeans, const glnn_dataset *data);

/* ---- kmeans_train.c */

/* As glnn_kmeans_train, after seeding anew, for centres without classes, on some samples of a data set alone. None are
 * kept apart. */
glnn_status glnn__kmeans_train_chosen(glnn_kmeans *kmeans, const glnn_dataset *data,
                                      const glnn__chosen *chosen, const glnn_train_desc *desc,
                                      glnn_train_result *result);

/* k-means as trainers see it. */
glnn__learner glnn__kmeans_learner(glnn_kmeans *kmeans);

/* Measures k-means on a data set, as glnn__evaluate does. */
glnn_status glnn__kmeans_evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                                  int *confusion);

/* The centres and squared distances of `count` samples in place, which were assigned: four numbers
 * each, first the centre, last the distance. */
glnn_status glnn__kmeans_read_moves(glnn_kmeans *kmeans, int count, float *moves);

/* The class of a centre; -1 for none. */
int glnn__kmeans_class_of(const glnn_kmeans *kmeans, int centre);

/* Samples are matched with the centres of their class alone. */
bool glnn__kmeans_uses_labels(const glnn_kmeans *kmeans, const glnn_dataset *data);

/* Puts the samples of a batch in place. */
glnn_status glnn__kmeans_gather(glnn_kmeans *kmeans, const glnn__batch *batch);

/* Finds the nearest centres of the samples in place, and their distances. Without labels
 * (`uses_labels`), only the batch's count is looked at. */
glnn_status glnn__kmeans_assign(glnn_kmeans *kmeans, const glnn__batch *batch, bool uses_labels);

#endif
