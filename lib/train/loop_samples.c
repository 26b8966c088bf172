/* Which samples are trained on. */
#include "train/loop.h"

#include "base/status.h"
#include "train/train_desc.h"

static glnn_status create_order(const glnn_train_desc *desc, const glnn_dataset *data,
                                bool groups_classes, glnn__order *order, glnn__groups *groups)
{
    const int samples = data->samples - glnn__train_desc_kept_apart(desc, data);
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
