/* The inside of a classifier of labelled prototypes. */
#ifndef GLNN__PROTOTYPES_LVQ_H
#define GLNN__PROTOTYPES_LVQ_H

#include "data/offset.h"
#include "ops/nearest.h"
#include "ops/scatter_add.h"
#include "train/predict.h"
#include "train/training.h"

#include <glnn/lvq.h>

/* What a sample does; the first four are known to lvq_moves.glsl. */
typedef enum glnn__lvq_rule {
    GLNN__LVQ_MARGIN,   /* GLVQ, GRLVQ, GMLVQ                                              */
    GLNN__LVQ_NEAREST,  /* LVQ1; OLVQ1 with a factor of 1 or -1                            */
    GLNN__LVQ_WINDOW,   /* LVQ2.1, LVQ3                                                    */
    GLNN__LVQ_ASSIGN,   /* the nearest of the sample's class moves by x - m, as in k-means */
    GLNN__LVQ_POSTERIOR /* RSLVQ                                                           */
} glnn__lvq_rule;

/* What is learnt, and set aside with the best epoch. */
enum {
    GLNN__LVQ_PROTOTYPES, /* count x features, relative to the offset                        */
    GLNN__LVQ_ROOTS,      /* GRLVQ: 1 x features, the square roots of the relevances         */
    GLNN__LVQ_OMEGA,      /* GMLVQ: rank x features                                          */
    GLNN__LVQ_RATES,      /* OLVQ1: 1 x count; 0: has not won yet                            */
    GLNN__LVQ_LEARNT
};

/* How far prototypes of LVQ1, OLVQ1, LVQ2.1 and LVQ3 may go in a training. */
typedef struct glnn__lvq_reach {
    double *mean;   /* of the samples; NULL before the first training   */
    double samples; /* their distance from it, root mean square          */
    double limit;   /* of a prototype's distance from it                 */
    int epochs;     /* of this training so far                           */
} glnn__lvq_reach;

struct glnn_lvq {
    glnn_context *ctx;
    glnn_lvq_desc desc;            /* defaults filled in; prototypes_of is its own copy */
    int count;                     /* of prototypes */
    int *class_numbers;            /* of prototypes */
    bool is_set;                   /* the prototypes are */
    bool finds_scale, finds_sigma; /* from the data: the description left them open */
    double epochs;
    glnn__lvq_reach reach;
    glnn__offset offset; /* that prototypes and lvq->input are relative to */
    glnn_matrix *learnt[GLNN__LVQ_LEARNT];
    glnn_matrix *snapshot[GLNN__LVQ_LEARNT]; /* of them; NULL before the first one */
    glnn_matrix *classes;                    /* class_numbers, 1 x count           */

    /* GRLVQ and GMLVQ measure in the image of the metric's map: x times the roots, or Omega x. */
    glnn_matrix *images; /* of the prototypes: count x features or rank */
    bool has_images;     /* they are those of the prototypes as of now  */

    /* In use by the passes of a batch. */
    int rows;
    glnn_matrix *input;       /* rows x features                                                */
    glnn_matrix *points;      /* their images; NULL: the input is                               */
    glnn_matrix *winners;     /* rows x 4                                                       */
    glnn_matrix *distances;   /* rows x 4 a slice of features, of which two are used            */
    glnn_matrix *shares;      /* RSLVQ: rows x count, scores and then factors of moves          */
    glnn_matrix *differences; /* GMLVQ: 2 rows x features, x - m for both winners               */
    glnn_matrix *weighted;    /* GMLVQ: 2 rows x rank, their images times the moves' factors    */
    glnn__members members;

    /* What a batch adds, where its parts are summed before the prototypes move. */
    glnn_matrix *sums;        /* count x features: of factor times sample */
    glnn_matrix *pushes;      /* LVQ1 to LVQ3: the part of it whose factors are negative */
    glnn_matrix *weights;     /* count x 2: of factors, and of their absolute values */
    glnn_matrix *moved;       /* GMLVQ: count x features, how far the prototypes should go */
    glnn_matrix *moved_image; /* GMLVQ: count x rank */
    glnn_matrix *gradient;    /* of the metric: GRLVQ slices x features, GMLVQ rank x features */
    glnn_matrix *norm;        /* GMLVQ: 1 x 1, the squared norm of omega */
    glnn_matrix *norms; /* 1 x count: squared norms of prototypes or their images, for scores */

    /* The last four columns of their rows are totals; the first four are the moves of a batch's
     * samples, or with RSLVQ what their posteriors need. */
    glnn__trained trained;
    glnn_preparation preparation; /* empty: none */
};

/* A part of a batch. */
typedef struct glnn__lvq_part {
    glnn__batch batch; /* at most lvq->rows samples */
    glnn__lvq_rule rule;
    float rate;
    bool is_first; /* of the batch */
    bool moves;    /* the prototypes right away: it is the only part, and nothing is summed */
} glnn__lvq_part;

/* Samples of one slice of GRLVQ's gradient. */
#define GLNN__LVQ_SLICE_SAMPLES 32

/* The data set has labels, and the classifier's features and classes. */
glnn_status glnn__lvq_check_data(const glnn_lvq *lvq, const glnn_dataset *data);

/* The prototypes were set. */
glnn_status glnn__lvq_check_set(const glnn_lvq *lvq, const char *what);

/* Matrices of a batch of `rows` samples, kept where they have that size. */
glnn_status glnn__lvq_prepare(glnn_lvq *lvq, int rows);

/* Numbers the prototypes by class: those of class 0, those of class 1 ... */
glnn_status glnn__lvq_number_classes(glnn_lvq *lvq);

/* Puts the metric, the rates and the epochs where they start. */
glnn_status glnn__lvq_reset(glnn_lvq *lvq);

/* Scales Omega to trace(Omega' Omega) = 1. */
glnn_status glnn__lvq_scale_omega(glnn_lvq *lvq);

/* The mean of the samples (features) and their mean squared distance from it, over at most 4096 that
 * are spread evenly. */
glnn_status glnn__lvq_find_spread(glnn_lvq *lvq, const glnn_dataset *data, double *mean,
                                  double *scale);

/* Before a training: how far prototypes may go in it. After each of its epochs: E_DIVERGED where one
 * is farther away. */
glnn_status glnn__lvq_find_reach(glnn_lvq *lvq, const glnn_dataset *data);
glnn_status glnn__lvq_check_reach(glnn_lvq *lvq);

/* Finds the scale and the sigma that the description leaves to the data. */
glnn_status glnn__lvq_find_scale(glnn_lvq *lvq, const glnn_dataset *data);

/* A search among the samples of a batch: what it reads and writes, with no kind and count so far. */
glnn__nearest glnn__lvq_nearest_of(const glnn_lvq *lvq);

/* Brings the samples of a batch into lvq->input: as they are, or relative to the offset. */
glnn_status glnn__lvq_gather_raw(glnn_lvq *lvq, const glnn__batch *batch);
glnn_status glnn__lvq_gather(glnn_lvq *lvq, const glnn__batch *batch);

/* The images of prototypes, and of what stands in lvq->input. */
glnn_status glnn__lvq_find_images(glnn_lvq *lvq);

/* The two prototypes nearest to the first `count` samples in lvq->input, and their distances. */
glnn_status glnn__lvq_search_input(glnn_lvq *lvq, int count);

/* The winners of samples as the CPU sees them: -1, -1 and infinity where there is none. */
typedef struct glnn__winners {
    int *indices, *classes;
    float *distances;
} glnn__winners;

/* Those of the first `count` samples in lvq->input; the caller frees them, whatever is returned. */
glnn_status glnn__lvq_take_winners(glnn_lvq *lvq, int count, glnn__winners *out);
void glnn__winners_free(glnn__winners *winners);

/* From samples to moves or posteriors; adds losses and counts to metrics. */
glnn_status glnn__lvq_forward(glnn_lvq *lvq, const glnn__lvq_part *part,
                              const glnn__metrics *metrics);

/* The rule's repulsion grows with the distance, so that a batch has to limit it. */
bool glnn__lvq_is_limited(glnn__lvq_rule rule);

/* A classifier as trainers see it. */
glnn__learner glnn__lvq_learner(glnn_lvq *lvq);

/* An update in two calls: takes in some samples, in parts; updates by all of them, `count`, that were
 * taken in. */
glnn_status glnn__lvq_add(glnn_lvq *lvq, const glnn__batch *batch, glnn__lvq_part *part);
glnn_status glnn__lvq_finish(glnn_lvq *lvq, const glnn__lvq_part *last, int count);

/* out = prototypes by what was summed, or with `add` false how far they would move; `scales` (1 x
 * features) may be NULL. */
glnn_status glnn__lvq_apply(glnn_lvq *lvq, const glnn_matrix *scales, bool add, glnn_matrix *out);

/* out (rows x count) = |m|^2 - 2 x m of all prototypes, for lvq->input and the learnt metric. */
glnn_status glnn__lvq_find_scores(glnn_lvq *lvq, glnn_matrix *out);

/* RSLVQ: posteriors and totals; what they sum to. */
glnn_status glnn__lvq_find_posteriors(glnn_lvq *lvq, const glnn__lvq_part *part,
                                      const glnn__metrics *metrics);
glnn_status glnn__lvq_add_posteriors(glnn_lvq *lvq, const glnn__lvq_part *part);

/* GRLVQ: relevances, a row, become the square roots of their shares in the sum of all. */
glnn_status glnn__lvq_find_roots(glnn_context *ctx, glnn_matrix *relevances);

/* GRLVQ, GMLVQ: adds a part's gradient of the metric; moves prototypes and metric by all that a
 * batch of `count` samples has added. */
glnn_status glnn__lvq_add_metric(glnn_lvq *lvq, const glnn__lvq_part *part);
glnn_status glnn__lvq_step_metric(glnn_lvq *lvq, int count);

#endif
