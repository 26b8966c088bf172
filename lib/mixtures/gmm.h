/* The inside of a mixture of Gaussians. */
#ifndef GLNN__MIXTURES_GMM_H
#define GLNN__MIXTURES_GMM_H

#include "train/training.h"

#include <glnn/gmm.h>

/* What a mixture has learnt, in main memory: what passes need of it is made from these floats, so
 * that a mixture read from a file computes the same bits. */
typedef struct glnn__gmm_parameters {
    float *weights;     /* count                    */
    float *means;       /* count x features         */
    float *covariances; /* count x covariance size  */
} glnn__gmm_parameters;

/* Some of the components on the GPU, and the samples that meet them. Samples and means are shifted by
 * `offset`, the mean of these components, before anything is multiplied: what all samples have in
 * common would only cost digits. */
typedef struct glnn__gmm_bank {
    int first, count; /* the components */

    /* Made from the parameters. v is a variance, m a mean less the offset, S = L L'. */
    glnn_matrix *offset;    /* 1 x features */
    glnn_matrix *factors;   /* FULL: (features + 1) x count wide, of each component L^-1' and, as
                               the last row, -m L^-1'; else (features + 1) x count: m / v, and as
                               the last row what does not depend on the sample */
    glnn_matrix *quadratic; /* else: features x count, -1 / (2 v)           */
    glnn_matrix *constants; /* FULL: 1 x count, what does not depend on the sample */
    glnn_matrix *means;     /* FULL: count x wide                                  */

    int rows;               /* of the matrices of a batch; 0: none                      */
    glnn_matrix *samples;   /* rows x features                                          */
    glnn_matrix *squares;   /* DIAGONAL, SPHERICAL: rows x features                     */
    glnn_matrix *projected; /* FULL: rows x count wide: deviations from means times L^-1' */
    glnn_matrix *densities; /* rows x count: log w_j N(x; m_j, S_j)                     */
    glnn_matrix *stats;     /* rows x 4, see gmm_stats.glsl                             */
} glnn__gmm_bank;

/* What training knows of a class, or of all samples where there are no classes. */
typedef struct glnn__gmm_class {
    glnn_download *first, *second; /* the sums of the epoch under way, on their way; or NULL */
    int samples;                   /* of the training samples                                */
    int seen;                      /* of these, in the epoch under way                       */
    double loss;                   /* their mean loss in the latest epoch                    */
    bool is_settled;               /* further iterations gain less than the tolerance        */
} glnn__gmm_class;

struct glnn_gmm {
    glnn_context *ctx;
    glnn_gmm_desc desc; /* defaults filled in */
    int count;          /* of all components */
    int wide; /* FULL: columns of one component where several stand side by side: features,
                           rounded up to column groups of four; else 1 */
    bool has_parameters;
    glnn__gmm_parameters parameters, snapshot;

    glnn__gmm_bank all;  /* all components: what samples are measured and classified by   */
    bool all_is_current; /* it has been made from the present parameters                  */

    /* Training: a class at a time, since its samples have to do with no other's components. */
    glnn__gmm_bank own;
    int own_class;                 /* whose components `own` has; -1: none current            */
    int rows;                      /* of its batches                                          */
    int validation_rows;           /* of those of samples that are kept apart for validation  */
    glnn_matrix *responsibilities; /* rows x (components + 1): the last column has log p(x)   */
    glnn_matrix *weighted;         /* FULL: rows x columns of `second`, see weighted.glsl     */

    /* Sums over the samples x of a class, with the responsibilities r of each component; the last
     * column has the sums of log p(x) with the last row, which stands for ones. */
    glnn_matrix *first;  /* DIAGONAL, SPHERICAL: (features + 1) x (components + 1): r x; the last
                                 row r alone */
    glnn_matrix *second; /* FULL: (features + 1) x (components wide + components + 1): r x (x - m)'
                                 with as the last row r (x - m)', then r x with as the last row r;
                                 else features x (components + 1): r x^2 */
    glnn__gmm_class *classes; /* of training, at least one */
    double floor;             /* of variances              */
    int training_samples;
    glnn__trained trained;
    glnn_preparation preparation; /* empty: none */
};

/* Components of a class, or all of them without classes. */
static inline int glnn__gmm_class_count(const glnn_gmm *gmm)
{
    return gmm->desc.classes > 0 ? gmm->desc.classes : 1;
}

/* ---- gmm_parameters.c */

glnn_status glnn__gmm_parameters_create(const glnn_gmm *gmm, glnn__gmm_parameters *out);
void glnn__gmm_parameters_destroy(glnn__gmm_parameters *parameters);
void glnn__gmm_parameters_copy(const glnn_gmm *gmm, const glnn__gmm_parameters *from,
                               glnn__gmm_parameters *to);

/* The mean of some components along feature f, each by its weight. */
double glnn__gmm_centre(const glnn_gmm *gmm, int first, int count, int f);

/* The variance of component j along feature f. */
double glnn__gmm_variance(const glnn_gmm *gmm, int j, int f);

/* The least variance that a component may have: the share of the mean variance of the features that
 * the description asks for. */
double glnn__gmm_floor(const glnn_gmm *gmm);

/* ---- gmm_bank.c */

/* A bank for `count` components, without their parameters. To be destroyed after failure too. */
glnn_status glnn__gmm_bank_create(glnn_gmm *gmm, int count, glnn__gmm_bank *out);
void glnn__gmm_bank_destroy(glnn__gmm_bank *bank);

/* The matrices of a batch for `rows` samples; kept where they have that size. */
glnn_status glnn__gmm_bank_prepare(glnn_gmm *gmm, glnn__gmm_bank *bank, int rows);

/* Makes from the parameters of the components from `first` on what passes need.
 * E_DIVERGED: a covariance is not positive definite. */
glnn_status glnn__gmm_bank_load(glnn_gmm *gmm, int first, glnn__gmm_bank *bank);

/* The bank of all components, with the present parameters and room for `rows` samples. */
glnn_status glnn__gmm_use_all(glnn_gmm *gmm, int rows);

/* To be called when the parameters have changed. */
void glnn__gmm_parameters_changed(glnn_gmm *gmm);

/* Mean f of component j less the bank's offset, as passes see it. */
float glnn__gmm_shifted_mean(const glnn_gmm *gmm, int j, int f, float offset);

/* ---- gmm_maximise.c: the parameters that fit best the sums of the classes that are not settled. */
glnn_status glnn__gmm_maximise(glnn_gmm *gmm);

/* ---- gmm_start.c: the parameters that training begins with. `chosen` are the numbers of the samples
 * that are trained on, class by class, as many as gmm->classes say. */
glnn_status glnn__gmm_start(glnn_gmm *gmm, const glnn_dataset *data, const int *chosen);

/* ---- gmm_train.c: gives back what only training needs. */
void glnn__gmm_training_end(glnn_gmm *gmm);

/* ---- gmm_passes.c: of a batch of at most bank->rows samples. */

/* Puts the samples of a batch in place, less the offset; or makes those of bank->samples so. */
glnn_status glnn__gmm_gather(glnn_gmm *gmm, glnn__gmm_bank *bank, const glnn__batch *batch);
glnn_status glnn__gmm_shift(glnn_gmm *gmm, glnn__gmm_bank *bank);

/* The densities of bank->samples, and what they come to over the `classes` that the bank has
 * components of. `batch` gives the samples' classes; without labels (`uses_labels`), only its count
 * is looked at. Losses and counts are added to metrics, unless NULL. */
glnn_status glnn__gmm_expect(glnn_gmm *gmm, glnn__gmm_bank *bank, const glnn__batch *batch,
                             int classes, bool uses_labels, const glnn__metrics *metrics);

/* Adds the first `count` samples of `own` with their responsibilities to the sums, which begin with
 * them where `is_first`. */
glnn_status glnn__gmm_accumulate(glnn_gmm *gmm, int count, bool is_first);

#endif
