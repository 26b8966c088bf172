/* Sums over the samples of an epoch. Each process sums over its own samples. A checkpoint has the
 * sums over all processes, so that it does not depend on their number. */
#include "base/status.h"
#include "learner/visits.h"
#include "train/checkpoint.h"

#include <glnn/map.h>

glnn_status glnn__partial_join(glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    GLNN__TRY(glnn__learner_average(learner));
    GLNN__TRY(glnn__exchange_begin(t->exchange, GLNN__EXCHANGE_PARTIAL, learner->metrics.rows));
    GLNN__TRY(glnn__exchange_end(t->exchange, GLNN__EXCHANGE_PARTIAL));
    GLNN__TRY(glnn__learner_join_sums(learner));
    return glnn__partial_keep(t);
}

glnn_status glnn__partial_keep(const glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    if (glnn__exchange_rank(t->exchange) == 0)
        return GLNN_OK;
    GLNN__TRY(glnn_fill(learner->ctx, 0, learner->metrics.rows));
    return glnn__learner_leave_sums(learner);
}
