/* The prototypes that are nearest to the samples of a batch: m minimises |x - m|^2 where it
 * minimises the score |m|^2 - 2 x m, which a search compares. */
#ifndef GLNN__OPS_NEAREST_H
#define GLNN__OPS_NEAREST_H

#include "tex/matrix.h"

#include <glnn/nearest.h>

typedef enum glnn__nearest_kind {
    GLNN__NEAREST_TWO, /* the nearest prototype and the second nearest                          */
    GLNN__NEAREST_LABELLED /* the nearest of the sample's class and the nearest of any other
                              class */
} glnn__nearest_kind;

/* A search, checked before. Samples and prototypes have any layout; matrices have no more than one
 * column of PACKED texels for each, so that there are at most as many samples as a texture is tall,
 * and four times as many prototypes as it is wide. */
typedef struct glnn__nearest {
    glnn__nearest_kind kind;
    glnn_search search;
    const glnn_matrix *samples;    /* rows x features                                             */
    const glnn_matrix *prototypes; /* prototypes x features                                       */
    const glnn_matrix *norms;      /* 1 x prototypes: |m|^2; NULL: the search finds them          */
    const glnn_matrix *classes;    /* 1 x prototypes: class numbers; NULL with NEAREST_TWO        */
    const glnn_matrix *targets;    /* labels of the data set, a column; NULL with NEAREST_TWO     */
    const glnn_matrix *order;      /* which sample of the data set a row is; NULL: in their order */
    int first, count;              /* row i < count is entry first + i of the order               */
    int dataset_samples;
    glnn_matrix *winners; /* rows x 4, PACKED: index, score, index, score of the two of `kind`.
                             Equal scores: the lowest index. None: index -1, score +infinity. Rows
                             from `count` on: index -1, score 0. A score that is NaN or +infinity
                             never wins */
} glnn__nearest;

/* Numbers  a score's |error| <= 2^-24 ((2 k + 6) sum |x| |m| + (k + 2) sum m^2), k features.
 * Passes   FUSED one (16 samples or more without norms: theirs before it), and one for each factor
 *          by which the parts of a row shrink; the others those of
 *          the product, one or two without norms, and one or the same more.
 * Errors   E_LIMIT, E_NOMEM no room for scores or parts; E_SHADER, E_GL */
glnn_status glnn__nearest_run(glnn_context *ctx, const glnn__nearest *nearest);

/* The k nearest in ascending order: out (rows x 2 k) = index, score, index, score, ... Rows and
 * prototypes that are not there are as in `winners`. The kind, classes, labels and `winners` are
 * not read, and scores are always stored. */
glnn_status glnn__nearest_list(glnn_context *ctx, const glnn__nearest *nearest, int k,
                               glnn_matrix *out);

#endif
