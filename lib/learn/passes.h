/* The passes of a learner's steps, measurements and predictions into matrices: recorded once, then
 * replayed. */
#ifndef GLNN__LEARN_PASSES_H
#define GLNN__LEARN_PASSES_H

#include "learn/learner.h"

/* Purposes of lists. */
enum {
    GLNN__LIST_GRADIENT,
    GLNN__LIST_APPLY,
    GLNN__LIST_MEASURE,
    GLNN__LIST_STORE,
    GLNN__LIST_FORWARD,
    GLNN__LIST_BACKWARD,
    GLNN__LIST_UPDATE
};

/* As the functions of glnn__learner_type. The learner is prepared for the part, and a step has
 * begun. Of both updates, one does nothing. */
glnn_status glnn__learner_gradient(glnn_learner *learner, const glnn__batch *part,
                                   const glnn__step *step);
glnn_status glnn__learner_apply(glnn_learner *learner, const glnn__step *step);
glnn_status glnn__learner_apply_epoch(glnn_learner *learner);
glnn_status glnn__learner_measure(glnn_learner *learner, const glnn__batch *part);

/* In the `gradient` of a step that is summed: sums a matrix over all processes, for the passes that
 * follow in it. Waits for them. */
glnn_status glnn__step_complete(const glnn__step *step, glnn_matrix *sum);

#endif
