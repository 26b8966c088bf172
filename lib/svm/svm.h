/* The inside of a linear support vector machine. */
#ifndef GLNN__SVM_SVM_H
#define GLNN__SVM_SVM_H

#include "layers/layer.h"
#include "learn/learner.h"

#include <glnn/svm.h>

typedef struct glnn__svm {
    glnn_learner learner;
    glnn_context *ctx;
    glnn_svm_desc desc; /* defaults filled in */
    glnn__layer layer;  /* a dense layer without an activation: z = x W + b */
    glnn__signal input; /* the samples of a batch      */
    int rows;           /* of the matrices of a batch; 0: none */
    glnn_optimizer optimizer;
    glnn__value kept; /* the part of the weights that stays in the step under way */
} glnn__svm;

/* NULL for NULL, and for a learner of another kind. */
static inline glnn__svm *glnn__svm_of(const glnn_learner *learner)
{
    return glnn__learner_of_kind(learner, GLNN_LEARNER_SVM);
}

extern const glnn__fields glnn__svm_fields; /* of the description */

/* ---- As glnn__learner_type */

extern const glnn__learner_type glnn__svm_type;
extern const struct glnn__file_form glnn__svm_file;
glnn_status glnn__svm_export_c(const void *self, const char *path, const char *name);

#endif
