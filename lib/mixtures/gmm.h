/* The inside of a mixture of Gaussians. */
#ifndef GLNN__MIXTURES_GMM_H
#define GLNN__MIXTURES_GMM_H

#include "learn/train/training.h"
#include "mixtures/bank.h"
#include "mixtures/sums.h"

/* The training of a class, or of all samples if there are no classes. */
typedef struct glnn__gmm_class {
    glnn__gmm_reading reading; /* of the sums of the epoch under way                   */
    int samples;               /* of the training samples                              */
    int seen;                  /* of these, in the epoch under way by all processes    */
    double loss;               /* their mean loss in the latest epoch                  */
} glnn__gmm_class;

typedef struct glnn__gmm {
    glnn_learner learner;
    glnn_context *ctx;
    glnn_gmm_desc desc; /* defaults filled in */
    int count;          /* of all components */
    bool has_parameters;
    glnn__gmm_parameters parameters;
    glnn__gmm_bank all; /* all components: what samples are measured and classified by */

    /* Training: a class at a time, since its samples have to do with no other's components. */
    glnn__gmm_bank own; /* the components of one class */
    glnn__gmm_sums sums;
    int rows;                 /* of its parts                                              */
    glnn__gmm_class *classes; /* at least one                                              */
    glnn__totals *settled;    /* of each class, as the learner has them                    */
    double floor;             /* of variances                                              */
    int training_samples;
} glnn__gmm;

/* NULL for NULL, and for a learner of another kind. */
static inline glnn__gmm *glnn__gmm_of(const glnn_learner *learner)
{
    return glnn__learner_of_kind(learner, GLNN_LEARNER_GMM);
}

/* Components of a class, or all of them without classes. */
static inline int glnn__gmm_class_count(const glnn__gmm *gmm)
{
    return gmm->desc.classes > 0 ? gmm->desc.classes : 1;
}

/* To be called when the parameters have changed. */
static inline void glnn__gmm_parameters_changed(glnn__gmm *gmm)
{
    gmm->all.is_current = gmm->own.is_current = false;
}

extern const glnn__fields glnn__gmm_fields; /* of the description */

/* ---- As glnn__learner_type */

extern const glnn__learner_type glnn__gmm_type;
extern const struct glnn__file_form glnn__gmm_file;

glnn_status glnn__gmm_build(void *self, const void *desc);
void glnn__gmm_destroy(void *self);
glnn_status glnn__gmm_initialise(void *self, const glnn_dataset *data);
glnn_status glnn__gmm_predict(void *self, const glnn__piece *piece, float *outputs, int *classes);
glnn_status glnn__gmm_store(void *self, const glnn__piece *piece, glnn_matrix *out);
glnn_status glnn__gmm_begin(void *self, const glnn_dataset *data, glnn_train_desc *desc);

/* The parameters that fit best the sums of the classes that are not settled, over all processes, in
 * double. Errors: E_DIVERGED, E_NOMEM, E_GL, E_PROCESS. */
glnn_status glnn__gmm_maximise(glnn__gmm *gmm);

/* Further iterations of a class gain less than the tolerance, or not. */
void glnn__gmm_settle(glnn__gmm *gmm, int class, bool is_settled);

/* Changes the parameters; where `change` fails they stay as they were. */
glnn_status glnn__gmm_change(glnn__gmm *gmm,
                             glnn_status (*change)(glnn__gmm *gmm, const void *user),
                             const void *user);

/* Gives back what only training needs. */
void glnn__gmm_training_end(glnn__gmm *gmm);

#endif
