/* The sums of a step over the samples of several processes. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"

#include <glnn/copy.h>
#include <glnn/map.h>
#include <glnn/reduce.h>

/* The number of the message of the wins, above those of the sums of a step. */
enum { WINS = 4 };

glnn_status glnn__lvq_check_step(const glnn__lvq *lvq, const glnn__step *step)
{
    if (step->is_first && step->is_last && step->samples <= lvq->desc.capacity)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "a step of %d samples; olvq1 with several processes takes one batch in a "
                      "step, of no more samples than the capacity, which is %d",
                      step->samples, lvq->desc.capacity);
}

/* Each process fills in the rows of its own samples, so that the sum has all rows. */
glnn_status glnn__lvq_gather_wins(glnn__lvq *lvq, const glnn__batch *part, const glnn__step *step)
{
    const glnn_rect own = {0, 0, part->count, 4};
    GLNN__TRY(glnn_fill(lvq->ctx, 0, lvq->wins));
    if (part->count > 0)
        GLNN__TRY(glnn_copy_rect(lvq->ctx, lvq->prototypes.learner.metrics.rows, &own, lvq->wins,
                                 part->place, 0));
    GLNN__TRY(glnn__exchange_begin(step->exchange, WINS, lvq->wins));
    return glnn__exchange_end(step->exchange, WINS);
}

glnn_status glnn__lvq_take_moves(glnn__lvq *lvq, const glnn__batch *part)
{
    const glnn_rect own = {part->place, 0, part->count, 4};
    return part->count > 0 ? glnn_copy_rect(lvq->ctx, lvq->wins, &own,
                                            lvq->prototypes.learner.metrics.rows, 0, 0)
                           : GLNN_OK;
}

glnn_status glnn__lvq_reduce_slices(glnn__lvq *lvq)
{
    return glnn_reduce(lvq->ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, lvq->slices, lvq->gradient);
}
