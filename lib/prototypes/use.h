/* What k-means and the LVQ family do alike as learners: finding winners, and setting prototypes
 * aside. `self` is a learner whose first member is its prototypes, as for glnn__learner_type. */
#ifndef GLNN__PROTOTYPES_USE_H
#define GLNN__PROTOTYPES_USE_H

#include "prototypes/prototypes.h"
#include "train/predict.h"

/* The nearest prototypes of samples in main memory: -1, -1 and infinity if a sample has none. Each
 * array may be NULL. */
typedef struct glnn__winners {
    int *indices, *classes;
    float *distances; /* squared */
    int missing;      /* counts samples that have none */
} glnn__winners;

/* Those of the first `count` samples in place, as the latest search found them. */
glnn_status glnn__prototypes_take_winners(const glnn__prototypes *p, int count, glnn__winners *out);

/* Searches, and takes the winners of a piece to their places in the arrays of the winners that are
 * piece->user. */
glnn_status glnn__prototypes_predict(void *self, const glnn__piece *piece);

/* Gathers, searches, and finds the classes of the winners. */
glnn_status glnn__prototypes_classify(void *self, const glnn__batch *part, int *classes);

/* A learner of this type, with what its prototypes know; NULL: there is no learner. */
glnn__learner glnn__prototypes_learner(const glnn__learner_type *type, glnn__prototypes *p);

/* The values, and what is learnt with them. */
bool glnn__prototypes_learnt(const void *self, int number, const glnn_matrix **out);

#endif
