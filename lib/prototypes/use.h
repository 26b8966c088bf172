/* Parts of a learner that k-means and the LVQ family share: winners and predictions.
 * `self` is a learner whose first member is its prototypes, as for glnn__learner_type. */
#ifndef GLNN__PROTOTYPES_USE_H
#define GLNN__PROTOTYPES_USE_H

#include "learner/predict.h"
#include "prototypes/prototypes.h"

/* Gathers, searches, and finds the classes of the winners. */
glnn_status glnn__prototypes_classify(void *self, const glnn__batch *part, int *classes);

/* A learner of this type, with what its prototypes know. */
glnn__learner glnn__prototypes_learner(const glnn__learner_type *type, glnn__prototypes *p);

/* ---- predict.c */

/* Outputs of a sample: a score of each class, or without classes of each prototype. */
int glnn__prototypes_outputs(const glnn__prototypes *p);

/* As glnn__learner_type. An output is minus the least squared distance of the class' prototypes;
 * or, where precision_half is above 0, the class' posterior probability, if each prototype is the
 * mean of a Gaussian with 1 / (2 sigma^2) = precision_half. Without classes, the class is the
 * number of the nearest prototype. */
glnn_status glnn__prototypes_predict(void *self, const glnn__piece *piece, double precision_half,
                                     float *outputs, int *classes);

glnn_status glnn__prototypes_store(void *self, const glnn__piece *piece, glnn_matrix *out);

/* ---- nearest.c */

/* The nearest prototypes of samples in main memory: -1, -1 and infinity if a sample has none. Each
 * array may be NULL. */
typedef struct glnn__winners {
    int *indices, *classes;
    float *distances; /* squared */
    int missing;      /* counts samples that have none */
} glnn__winners;

/* Those of the first `count` samples in place, as the latest search found them. */
glnn_status glnn__prototypes_take_winners(const glnn__prototypes *p, int count, glnn__winners *out);

/* Finds the k nearest prototypes of each sample; one of `prototypes` and `distances` may be NULL.
 * Error sentences begin with `function`. */
glnn_status glnn__prototypes_find_nearest(const glnn__learner *learner, const char *function,
                                          int64_t samples, const float *inputs, int k,
                                          int *prototypes, float *distances);

/* E_DIVERGED if a number that was learnt is not finite: this explains results that the samples
 * alone do not. */
glnn_status glnn__prototypes_check_finite(const glnn__prototypes *p);

#endif
