/* Which samples are trained on, and whether a description of training makes sense. */
#include "learn/loop.h"

#include "base/status.h"

#include <math.h>

glnn_status glnn__train_check(const glnn_train_desc *desc, const glnn_dataset *data)
{
    if (desc->epochs < 0 || desc->patience < 0 || desc->report_every < 0)
        return glnn__fail(GLNN_E_ARG,
                          "training: epochs %d, patience %d, report_every %d: none may "
                          "be negative",
                          desc->epochs, desc->patience, desc->report_every);
    if ((unsigned)desc->schedule.kind >= GLNN_SCHEDULE_COUNT)
        return glnn__fail(GLNN_E_ARG, "training: schedule %d is unknown", (int)desc->schedule.kind);
    if (!(desc->schedule.rate >= 0) || !isfinite(desc->schedule.rate) ||
        !(desc->schedule.final_rate >= 0) || !isfinite(desc->schedule.final_rate))
        return glnn__fail(GLNN_E_ARG, "training: rate %g, final rate %g: neither may be negative",
                          (double)desc->schedule.rate, (double)desc->schedule.final_rate);
    if (!(desc->validation_split >= 0 && desc->validation_split < 1))
        return glnn__fail(GLNN_E_ARG, "training: a validation split of %g is not in [0, 1)",
                          (double)desc->validation_split);
    if (desc->validation && desc->validation_split > 0)
        return glnn__fail(GLNN_E_ARG, "training: a validation set and a split exclude each other");
    const int kept_apart = (int)(desc->validation_split * (float)data->samples);
    if (desc->validation_split > 0 && (kept_apart < 1 || kept_apart >= data->samples))
        return glnn__fail(GLNN_E_ARG,
                          "training: a split of %g keeps %d of %d samples apart; there must be one "
                          "on either side",
                          (double)desc->validation_split, kept_apart, data->samples);
    return GLNN_OK;
}

int glnn__train_samples(const glnn_train_desc *desc, const glnn_dataset *data)
{
    return data->samples - (int)(desc->validation_split * (float)data->samples);
}

static glnn_status create_order(const glnn_train_desc *desc, const glnn_dataset *data,
                                bool groups_classes, glnn__order *order, glnn__groups *groups)
{
    const int samples = glnn__train_samples(desc, data);
    GLNN__TRY(glnn__order_create(data->samples, desc->seed, order));
    if (samples < data->samples)
        glnn__order_shuffle(order, data->samples);
    return glnn__order_group(order, 0, samples, groups_classes ? data->labels : NULL, data->outputs,
                             groups);
}

glnn_status glnn__train_order(const glnn_train_desc *desc, const glnn_dataset *data,
                              bool groups_classes, glnn__order *order, glnn__groups *groups)
{
    *order = (glnn__order){0};
    *groups = (glnn__groups){0};
    const glnn_status status = create_order(desc, data, groups_classes, order, groups);
    if (status) {
        glnn__order_destroy(order);
        glnn__groups_destroy(groups);
    }
    return status;
}
