/* Parts of a learner that k-means and the LVQ family share: winners and predictions.
 * `self` is a learner whose first member is its prototypes, as for glnn__learner_type. */
#ifndef GLNN__PROTOTYPES_USE_H
#define GLNN__PROTOTYPES_USE_H

#include "learn/predict.h"
#include "prototypes/prototypes.h"

/* ---- predict.c */

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

/* E_DIVERGED if a number that was learnt is not finite: this explains results that the samples
 * alone do not. */
glnn_status glnn__prototypes_check_finite(const glnn__prototypes *p);

#endif
