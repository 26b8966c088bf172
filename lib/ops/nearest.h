/* The prototypes that are nearest to the samples of a batch. The prototype m with the least score
 * |m|^2 - 2 x m is also the one with the least distance |x - m|^2, so a search compares scores. */
#ifndef GLNN__OPS_NEAREST_H
#define GLNN__OPS_NEAREST_H

#include "pass/pass.h"

#include <glnn/nearest.h>

typedef enum glnn__nearest_kind {
    GLNN__NEAREST_TWO, /* the nearest prototype and the second nearest                          */
    GLNN__NEAREST_LABELLED /* the nearest of the sample's class and the nearest of any other
                              class */
} glnn__nearest_kind;

/* A search, whose arguments are checked before. Samples and prototypes may have any layout. There
 * are at most as many samples as a texture has rows, and four times as many prototypes as it has
 * columns. */
typedef struct glnn__nearest {
    glnn__nearest_kind kind;
    glnn_search search;
    const glnn_matrix *samples; /* rows x features; with is_in_dataset, those of a data set      */
    bool is_in_dataset;         /* the search reads its samples where the order names them     */
    const glnn_matrix *prototypes; /* prototypes x features                                       */
    const glnn_matrix *norms;      /* 1 x prototypes: |m|^2; NULL: the search computes them       */
    const glnn_matrix *classes;    /* 1 x prototypes: class numbers; NULL with NEAREST_TWO        */
    const glnn_matrix *targets;    /* labels of the data set, a column; NULL with NEAREST_TWO     */
    const glnn_matrix *order;      /* numbers of samples in the data set; NULL: in its order      */
    glnn__uniform first;           /* row i < count is entry first + i of the order               */
    int count;
    int dataset_samples;
    glnn_matrix *winners; /* rows x 4, PACKED: index, score, index, score of the two that
                             `kind` names. Of equal scores the lowest index wins, and NaN and
                             infinity never win. No winner: index -1, score infinity. Rows from
                             `count` on: index -1, score 0 */
} glnn__nearest;

/* Fewer rows than these are searched by squared distances, which are computed from differences and
 * stand in place of the scores, unless the search is TILES or REDUCTION. */
#define GLNN__FEW_SAMPLES 4

/* The parts of the prototypes whose winners the last pass but one of a search for one sample
 * joins. If `winners` has 4 columns for each, the search leaves the joining to its caller. */
int glnn__nearest_candidates(int prototypes);

/* The layout of a matrix of scores, rows x prototypes: that of the prototypes, if the scores fit in
 * a texture in it. */
glnn_layout glnn__nearest_score_layout(const glnn_context *ctx, glnn_layout layout, int rows,
                                       int prototypes);

/* Finds two winners for each sample.
 *
 * Numbers  a score's |error| <= 2^-24 ((2 k + 6) sum |x| |m| + (k + 2) sum m^2), k features.
 * Passes   Norms, if they are missing: one or two; none for FUSED with fewer than 16 samples.
 *          FUSED: one, and one each time that the parts of a row are joined into fewer. With
 *          room for candidates, two, or one for few prototypes.
 *          TILES: the product, and one. REDUCTION: the product, one, and joining as in FUSED.
 * Errors   E_LIMIT, E_NOMEM: there is no room for scores or parts; E_SHADER, E_GL */
glnn_status glnn__nearest_run(glnn_context *ctx, const glnn__nearest *nearest);

/* Finds the k nearest prototypes in ascending order: out (rows x 2 k) has index, score, index,
 * score, and so on. Missing prototypes and samples are marked as in `winners`. The fields kind,
 * search, classes, targets and winners are not read, and scores are always stored. */
glnn_status glnn__nearest_list(glnn_context *ctx, const glnn__nearest *nearest, int k,
                               glnn_matrix *out);

#endif
