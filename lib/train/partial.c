/* Sums over the samples of an epoch, of which each process has a part. A checkpoint has the whole
 * sums, so that it does not depend on the number of processes. */
#include "base/status.h"
#include "train/checkpoint.h"

#include <glnn/map.h>

/* Sum `number` of the training: the metrics come first. */
static bool find(const glnn_trainer *t, int number, glnn_matrix **out)
{
    const glnn__learner_type *type = t->learner.type;
    *out = number == 0 ? t->learner.trained->metrics.rows : NULL;
    return number == 0 || (type->summed && type->summed(t->learner.self, number - 1, out));
}

static glnn_status join(const glnn_trainer *t, glnn_matrix *matrix)
{
    GLNN__TRY(glnn__exchange_begin(t->exchange, GLNN__EXCHANGE_PARTIAL, matrix));
    return glnn__exchange_end(t->exchange, GLNN__EXCHANGE_PARTIAL);
}

glnn_status glnn__partial_join(glnn_trainer *t)
{
    glnn_matrix *matrix;
    if (glnn__exchange_averages(t->exchange))
        GLNN__TRY(t->learner.type->average(t->learner.self));
    for (int i = 0; find(t, i, &matrix); ++i)
        if (matrix)
            GLNN__TRY(join(t, matrix));
    return glnn__partial_keep(t);
}

glnn_status glnn__partial_keep(const glnn_trainer *t)
{
    glnn_matrix *matrix;
    for (int i = 0; glnn__exchange_rank(t->exchange) > 0 && find(t, i, &matrix); ++i)
        if (matrix)
            GLNN__TRY(glnn_fill(t->learner.ctx, 0, matrix));
    return GLNN_OK;
}
