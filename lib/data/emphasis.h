/* Emphasis on samples by their recent losses: the order of an epoch is drawn on the GPU, or its
 * losses get factors.
 *
 * Between two epochs the recent losses are all that is kept. The rest of the order follows from
 * them, the seed and the number of the epoch. */
#ifndef GLNN__DATA_EMPHASIS_H
#define GLNN__DATA_EMPHASIS_H

#include "data/order.h"

#include <glnn/train.h>

/* The greatest exponent. Sums of all weights then stay far below the greatest float32. */
#define GLNN__MAX_EMPHASIS 4

/* Levels of the tree of sums above the weights. */
enum { GLNN__EMPHASIS_LEVELS = 4 };

typedef struct glnn__emphasis {
    float exponent; /* 0: there is no emphasis, and nothing else is set */
    glnn_emphasis_kind kind;
    uint64_t seed;
    int count; /* samples that are trained on */

    /* Sequences (data/sequence.h). */
    glnn_matrix *recent;    /* the recent loss of each sample; -1: it is not trained on */
    glnn_matrix *presented; /* UNPACKED: the loss at each place of the order so far     */
    glnn_matrix *weights;   /* of each sample                                           */
    glnn_matrix *sums[GLNN__EMPHASIS_LEVELS]; /* the levels above */
    int levels;                               /* the last one has the sum of all */

    /* FREQUENCY */
    glnn_matrix *drawn; /* the samples of the epoch, ascending, a sequence  */
    glnn_matrix *page;  /* places of the order, as many as a page has       */

    /* WEIGHT, sequences */
    glnn_matrix *factors; /* of the loss at each place of the order; their mean is 1 */
    glnn_matrix *places;  /* of each sample in the order                             */
} glnn__emphasis;

/* For the first `count` entries of an order, whose recent losses begin with 0. To be destroyed
 * after failure too. */
glnn_status glnn__emphasis_create(glnn_context *ctx, float exponent, glnn_emphasis_kind kind,
                                  uint64_t seed, const glnn__order *order, int count,
                                  glnn__emphasis *out);
void glnn__emphasis_destroy(glnn__emphasis *emphasis);

/* FREQUENCY: draws the samples of an epoch, which is numbered from 0, and writes them to the first
 * places of the order's matrix. WEIGHT: finds the factors of the order. Nothing waits. Passes: two,
 * two for each level, and one for each page, or one for all factors. */
glnn_status glnn__emphasis_begin(glnn_context *ctx, glnn__emphasis *emphasis, int epoch,
                                 const glnn__order *order);

/* Ends the epoch that began last: its losses become the recent ones. One pass. */
glnn_status glnn__emphasis_end(glnn_context *ctx, glnn__emphasis *emphasis, int epoch);

#endif
