/* The inside of a mixture of Gaussians. */
#ifndef GLNN__LEARN_GMM_H
#define GLNN__LEARN_GMM_H

#include "learn/loop.h"

#include <glnn/gmm.h>

/* What a mixture has learnt, in main memory: what passes need of it is made from these floats, so
 * that a mixture read from a file computes the same bits. */
typedef struct glnn__gmm_parameters {
    float *weights;     /* count                    */
    float *means;       /* count x features         */
    float *covariances; /* count x covariance size  */
} glnn__gmm_parameters;

/* Samples and means are shifted by `offset`, the mean of the mixture, before anything is multiplied:
 * what all samples have in common would only cost digits. */
struct glnn_gmm {
    glnn_context *ctx;
    glnn_gmm_desc desc; /* defaults filled in */
    int count;          /* of all components */
    int wide;           /* FULL: columns of one component where those of all stand side by side:
                           features, rounded up to quads; else 1 */
    bool has_parameters;
    glnn__gmm_parameters parameters, kept;

    /* Made from the parameters. v is a variance, m a mean less the offset, S = L L'. */
    glnn_matrix *offset;  /* 1 x features */
    glnn_matrix *factors; /* FULL: (features + 1) x count wide, of each component L^-1' and, as the
                               last row, -m L^-1'; else (features + 1) x count: m / v, and as the
                               last row what does not depend on the sample */
    glnn_matrix *quadratic; /* else: features x count, -1 / (2 v)           */
    glnn_matrix *constants; /* FULL: 1 x count, what does not depend on the sample */
    glnn_matrix *means;     /* FULL: count x wide                                  */

    /* Sums over the samples x of an epoch, with the responsibilities r of each component. */
    glnn_matrix *first;  /* (features + 1) x count: r x; the last row r alone */
    glnn_matrix *second; /* FULL: (features + 1) x count wide: r x (x - m)', and as the last row
                            r (x - m)'; else features x count: r x^2 */
    double last_loss;    /* of the epoch before */
    double floor;        /* of variances, in the training under way */

    int rows;                      /* of the matrices of a batch; 0: none                        */
    glnn_matrix *samples;          /* rows x features                                            */
    glnn_matrix *squares;          /* DIAGONAL, SPHERICAL: rows x features                       */
    glnn_matrix *deviations;       /* FULL: rows x count wide: from the means, first times L^-1',
                                      then times the responsibility                              */
    glnn_matrix *densities;        /* rows x count: log w_j N(x; m_j, S_j)                       */
    glnn_matrix *stats;            /* rows x 4, see gmm_stats.glsl                               */
    glnn_matrix *responsibilities; /* rows x count                                               */
    glnn__scores scores, measured;
    glnn_preparation preparation; /* empty: none */
};

/* ---- gmm_create.c */

/* The matrices of a batch for `rows` samples; kept where they have that size. */
glnn_status glnn__gmm_prepare(glnn_gmm *gmm, int rows);

/* ---- gmm_parameters.c */

glnn_status glnn__gmm_parameters_create(const glnn_gmm *gmm, glnn__gmm_parameters *out);
void glnn__gmm_parameters_destroy(glnn__gmm_parameters *parameters);
void glnn__gmm_parameters_copy(const glnn_gmm *gmm, const glnn__gmm_parameters *from,
                               glnn__gmm_parameters *to);

/* Makes from the parameters what passes need. E_DIVERGED: a covariance is not positive definite. */
glnn_status glnn__gmm_refresh(glnn_gmm *gmm);

/* The least variance that a component may have: the share of the mean variance of the features that
 * the description asks for. */
double glnn__gmm_floor(const glnn_gmm *gmm);

/* ---- gmm_maximise.c: the parameters that fit the sums best. */
glnn_status glnn__gmm_maximise(glnn_gmm *gmm);

/* ---- gmm_passes.c: of a batch of at most gmm->rows samples. */

/* Puts the samples of a batch in place, less the offset; or makes those of gmm->samples so. */
glnn_status glnn__gmm_gather(glnn_gmm *gmm, const glnn__batch *batch);
glnn_status glnn__gmm_shift(glnn_gmm *gmm);

/* The densities of gmm->samples, and what they come to. `batch` gives the samples' classes; without
 * labels (`uses_labels`), only its count is looked at. */
glnn_status glnn__gmm_expect(glnn_gmm *gmm, const glnn__batch *batch, bool uses_labels);

/* Adds the losses and counts of what was expected to scores. */
glnn_status glnn__gmm_score(glnn_gmm *gmm, int count, const glnn__scores *scores);

/* The responsibilities of what was expected. */
glnn_status glnn__gmm_share(glnn_gmm *gmm, int count);

/* Adds the samples with their responsibilities to the sums. */
glnn_status glnn__gmm_accumulate(glnn_gmm *gmm);

#endif
