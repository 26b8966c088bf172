/* From samples to winners, to how these move, to prototypes that have moved. */
#ifndef GLNN__PROTOTYPES_MOVES_H
#define GLNN__PROTOTYPES_MOVES_H

#include "ops/nearest.h"
#include "prototypes/prototypes.h"

/* The effect of a sample on prototypes; moves.glsl knows the names. */
typedef enum glnn__rule {
    GLNN__RULE_MARGIN,   /* GLVQ, GRLVQ, GMLVQ                                              */
    GLNN__RULE_NEAREST,  /* LVQ1; OLVQ1 with a factor of 1 or -1                            */
    GLNN__RULE_WINDOW,   /* LVQ2.1, LVQ3                                                    */
    GLNN__RULE_ASSIGN,   /* k-means: the nearest, of the sample's class if there are classes,
                            moves by x - m; the loss is its squared distance                */
    GLNN__RULE_POSTERIOR /* RSLVQ: all prototypes move, by their shares                     */
} glnn__rule;

extern const glnn__enumerator glnn__rules[]; /* for shaders */

/* A rule with its numbers; those of other rules are not read. */
typedef struct glnn__moves {
    glnn__rule rule;
    bool uses_labels; /* of RULE_ASSIGN */
    glnn__uniform rate;
    glnn__uniform xi;     /* of RULE_MARGIN                                          */
    float least_ratio;    /* of RULE_WINDOW: of squared distances inside the window  */
    float epsilon;        /* of RULE_WINDOW                                          */
    float precision_half; /* of RULE_POSTERIOR: 1 / (2 sigma^2)                      */
} glnn__moves;

/* Whether the winners of so many rows have squared distances in place of scores (ops/nearest.h), so
 * that a search leaves p->distances alone. */
bool glnn__prototypes_know_distances(const glnn__prototypes *p, int rows);

/* A search among the samples in place and their prototypes that compares what they are, or their
 * images under a learnt metric. Kind, count and labels are left open. */
glnn__nearest glnn__prototypes_nearest(const glnn__prototypes *p);

/* The two prototypes that are nearest to the first `count` samples in place, and their
 * distances. */
glnn_status glnn__prototypes_search(glnn__prototypes *p, int count);

/* Scores |m|^2 - 2 x m (rows x count) of all prototypes, for the samples in place and their
 * images. */
glnn_status glnn__prototypes_find_scores(glnn__prototypes *p, glnn_matrix *out);

/* From samples in place to moves, or with RULE_POSTERIOR from `scores_of` all prototypes to what
 * their shares need, in the first columns of to->rows; adds losses and counts to the last ones. */
glnn_status glnn__prototypes_find_moves(glnn__prototypes *p, const glnn__batch *batch,
                                        const glnn__moves *moves, const glnn_matrix *scores_of,
                                        const glnn__metrics *to);

/* Multiplies the moves of a batch by the factors of its losses, if it has some. */
glnn_status glnn__prototypes_weigh_moves(glnn__prototypes *p, const glnn__batch *batch,
                                         const glnn__metrics *of);

/* How sums become moves: all fields may be zero. */
typedef struct glnn__sums {
    const glnn_matrix *scales; /* 1 x features: their squares multiply the moves */
    const glnn_matrix *sizes; /* count x 1: prototypes become means of so many samples, the new ones
                                  included, instead of moving */
    const glnn_matrix *pushes; /* count x features: the sums over negative factors alone */
    glnn__uniform excess;      /* with pushes: see ops/scatter_add.h */
    glnn_matrix *moves;        /* count x features: receives the moves; NULL: the prototypes do */
} glnn__sums;

/* Moves the prototypes by p->sums and p->weights. */
glnn_status glnn__prototypes_apply(glnn__prototypes *p, const glnn__sums *how);

/* Adds moves to prototypes that have low digits; `moves` then has no moves any more. */
glnn_status glnn__prototypes_add_moves(glnn__prototypes *p, glnn_matrix *moves);

/* ---- A step of k-means */

/* Finds the nearest prototypes of samples in place, of their class with `uses_labels`; adds losses
 * and counts to metrics. */
glnn_status glnn__means_assign(glnn__prototypes *p, const glnn__batch *part, bool uses_labels,
                               const glnn__metrics *metrics);

/* Adds the samples that were assigned to the sums, which are first multiplied by `factor`. */
glnn_status glnn__means_add(glnn__prototypes *p, int count, float factor);

/* Moves the prototypes to the means of the `sizes` samples that they stand for, the new ones
 * included; NULL: of the new ones. A prototype without new ones stays. */
glnn_status glnn__means_update(glnn__prototypes *p, const glnn_matrix *sizes);

#endif
