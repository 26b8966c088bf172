#include "train/samples.h"

#include "base/status.h"
#include "train/train_desc.h"

#include <string.h>

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

int glnn__samples_count(const glnn__learner *learner, const glnn_dataset *data,
                        const glnn_train_desc *desc)
{
    return learner->chosen ? learner->chosen_count
                           : data->samples - glnn__train_desc_kept_apart(desc, data);
}

bool glnn__samples_have_validation(const glnn__learner *learner, const glnn_dataset *data,
                                   const glnn_train_desc *desc)
{
    return !learner->chosen && (desc->validation || glnn__train_desc_kept_apart(desc, data) > 0);
}

static glnn_status choose_training(const glnn__learner *learner, const glnn_dataset *data,
                                   const glnn_train_desc *desc, glnn__samples *out)
{
    if (!learner->chosen)
        return glnn__train_order(desc, data, learner->groups_classes, &out->order, &out->groups);
    GLNN__TRY(glnn__order_create(out->count, desc->seed, &out->order));
    memcpy(out->order.entries, learner->chosen, (size_t)out->count * sizeof(int));
    return glnn__order_group(&out->order, 0, out->count, NULL, 0, &out->groups);
}

/* A validation set is measured in its own order, but class by class if training is. */
static glnn_status choose_validation(const glnn__learner *learner, const glnn_dataset *data,
                                     const glnn_dataset *own, glnn__samples *out)
{
    const glnn_dataset *from = own ? own : data;
    const int *labels = learner->groups_classes ? from->labels : NULL;
    if (!own)
        return glnn__order_group(&out->order, out->count, data->samples - out->count, labels,
                                 data->outputs, &out->validation_groups);
    if (labels)
        GLNN__TRY(glnn__order_create(own->samples, 0, &out->validation_order));
    GLNN__TRY(glnn__order_group(&out->validation_order, 0, own->samples, labels, data->outputs,
                                &out->validation_groups));
    return labels && !own->stream ? glnn__order_upload(learner->ctx, &out->validation_order)
                                  : GLNN_OK;
}

glnn_status glnn__samples_choose(const glnn__learner *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc, glnn__samples *out)
{
    out->count = glnn__samples_count(learner, data, desc);
    GLNN__TRY(choose_training(learner, data, desc, out));
    return glnn__samples_have_validation(learner, data, desc)
               ? choose_validation(learner, data, desc->validation, out)
               : GLNN_OK;
}

void glnn__samples_destroy(glnn__samples *samples)
{
    glnn__order_destroy(&samples->order);
    glnn__order_destroy(&samples->validation_order);
    glnn__groups_destroy(&samples->groups);
    glnn__groups_destroy(&samples->validation_groups);
}
