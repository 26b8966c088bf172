/* Some of a mixture's components on the GPU, and the samples that meet them. Samples and means are
 * shifted by `offset`, the mean of these components, before anything is multiplied: what all
 * samples have in common would only cost digits. */
#ifndef GLNN__MIXTURES_BANK_H
#define GLNN__MIXTURES_BANK_H

#include "mixtures/parameters.h"
#include "tex/matrices.h"

/* Matrices that are made from the parameters. v is a variance, m a mean less the offset, S = L
 * L'. */
enum {
    GLNN__GMM_OFFSET,    /* 1 x features */
    GLNN__GMM_FACTORS,   /* FULL: (features + 1) x count wide, of each component L^-1' and, as the
                            last row, -m L^-1'; else (features + 1) x count: m / v, and as the last
                            row what does not depend on the sample */
    GLNN__GMM_QUADRATIC, /* else: features x count, -1 / (2 v)                     */
    GLNN__GMM_CONSTANTS, /* FULL: 1 x count, what does not depend on the sample    */
    GLNN__GMM_MEANS,     /* FULL: count x wide                                     */
    GLNN__GMM_DERIVED
};

typedef struct glnn__gmm_bank {
    glnn_context *ctx;
    glnn_layout layout;
    const glnn__gmm_parameters *parameters; /* of the mixture */
    int first, count;                       /* the components */
    bool is_current; /* the matrices have been made from the present parameters */
    int wide; /* FULL: columns of one component where several stand side by side: features, rounded
                 up to column groups of four; else 1 */

    glnn_matrix *derived[GLNN__GMM_DERIVED]; /* from the parameters */

    int rows;               /* of the matrices of a part; 0: none                       */
    glnn_matrix *samples;   /* rows x features                                          */
    glnn_matrix *squares;   /* DIAGONAL, SPHERICAL: rows x features                     */
    glnn_matrix *projected; /* FULL: rows x count wide: deviations from means times L^-1' */
    glnn_matrix *densities; /* rows x count: log w_j N(x; m_j, S_j)                     */
    glnn_matrix *stats;     /* rows x 4, see stats.glsl                                 */
} glnn__gmm_bank;

static inline bool glnn__gmm_is_full(const glnn__gmm_bank *bank)
{
    return bank->parameters->covariance == GLNN_COVARIANCE_FULL;
}

/* A bank for `count` components, none of which it has yet. To be destroyed after failure too. */
glnn_status glnn__gmm_bank_create(glnn_context *ctx, glnn_layout layout,
                                  const glnn__gmm_parameters *parameters, int count,
                                  glnn__gmm_bank *out);
void glnn__gmm_bank_destroy(glnn__gmm_bank *bank);

/* The matrices of a part for `rows` samples; kept where they have that size. */
glnn_status glnn__gmm_bank_prepare(glnn__gmm_bank *bank, int rows);

/* Makes from the parameters of the components from `first` on what passes need, unless it is
 * current. E_DIVERGED: a covariance is not positive definite. */
glnn_status glnn__gmm_bank_load(glnn__gmm_bank *bank, int first);

#endif
