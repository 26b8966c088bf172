#include "train/training.h"

#include "base/clock.h"
#include "base/status.h"
#include "learner/snapshot.h"

glnn_status glnn__trained_create(glnn_context *ctx, int capacity, int columns, glnn__trained *out)
{
    glnn_status status = glnn__metrics_create(ctx, capacity, columns, &out->metrics);
    if (!status)
        status = glnn__metrics_create(ctx, capacity, columns, &out->measured);
    return status == GLNN_E_LIMIT ? glnn__fail(status, "a capacity of %d samples is too large: %s",
                                               capacity, glnn_last_error())
                                  : status;
}

void glnn__trained_destroy(glnn__trained *trained)
{
    if (trained->trainer)
        trained->trainer->learner.self = NULL;
    trained->trainer = NULL;
    glnn__lists_destroy(&trained->lists);
    glnn__snapshot_destroy(&trained->snapshot);
    glnn_preparation_free(&trained->preparation);
    glnn__metrics_destroy(&trained->metrics);
    glnn__metrics_destroy(&trained->measured);
}

double glnn__steps_seconds(const glnn_trainer *t)
{
    const double under_way = t->stepping > 0 ? glnn__clock_seconds() - t->stepping : 0;
    return t->epoch_seconds + under_way;
}
