#include "learn/evaluate.h"

#include "base/integers.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learn/passes.h"
#include "learn/predict.h"

#include <stdlib.h>
#include <string.h>

int glnn__part_rows(const glnn_learner *learner, int count)
{
    return glnn__least(count, learner->capacity);
}

int glnn__batch_rows(const glnn_learner *learner, int batch)
{
    return glnn__ceil_div(batch, glnn__ceil_div(batch, learner->capacity));
}

static glnn_status begin_range(glnn__parts *parts)
{
    const glnn__range *of = parts->ranges;
    parts->has_begun = true;
    return of->count == 0 ? GLNN_OK
                          : glnn__batch_iterator_begin(of->data, of->order, of->first, of->count,
                                                       of->rows, &parts->iterator);
}

static void end_range(glnn__parts *parts)
{
    glnn__batch_iterator_end(&parts->iterator);
    parts->has_begun = false;
    parts->ranges++;
    parts->count--;
}

static glnn_status next_of_range(glnn_learner *learner, glnn__parts *parts, glnn__batch *out)
{
    const glnn__range *of = parts->ranges;
    GLNN__TRY(learner->type->prepare(learner, of->rows, of->group));
    GLNN__TRY(glnn__batch_iterator_next(&parts->iterator, of->rows, out));
    out->group = of->group;
    return GLNN_OK;
}

glnn_status glnn__parts_next(glnn_learner *learner, glnn__parts *parts, glnn__batch *out,
                             bool *has_part)
{
    *has_part = false;
    for (; parts->count > 0; end_range(parts)) {
        if (!parts->has_begun)
            GLNN__TRY(begin_range(parts));
        *has_part = glnn__batch_iterator_left(&parts->iterator) > 0;
        if (*has_part)
            return next_of_range(learner, parts, out);
    }
    return GLNN_OK;
}

void glnn__parts_end(glnn__parts *parts)
{
    glnn__batch_iterator_end(&parts->iterator);
    *parts = (glnn__parts){0};
}

glnn_status glnn__take_range(glnn_learner *learner, const glnn__range *of, glnn__take_fn take,
                             void *user)
{
    glnn__parts parts = {.ranges = of, .count = 1};
    glnn_status status;
    bool has_part;
    do {
        glnn__batch part;
        status = glnn__parts_next(learner, &parts, &part, &has_part);
        if (!status && has_part)
            status = take(learner, &part, user);
    } while (!status && has_part);
    glnn__parts_end(&parts);
    return status;
}

static glnn_status measure_part(glnn_learner *learner, const glnn__batch *part, void *user)
{
    (void)user;
    return glnn__learner_measure(learner, part);
}

glnn_status glnn__measure(glnn_learner *learner, const glnn__range *ranges, int count,
                          glnn__totals *out)
{
    glnn__metrics *measured = &learner->measured;
    GLNN__TRY(glnn__metrics_clear(learner->ctx, measured));
    for (int i = 0; i < count; ++i)
        GLNN__TRY(glnn__take_range(learner, &ranges[i], measure_part, NULL));
    return glnn__metrics_take(learner->ctx, measured, out);
}

static glnn_status count_part(glnn_learner *learner, const glnn__batch *part, void *user)
{
    const int *labels = part->data->labels + part->first;
    int64_t *confusion = user;
    int *classes = malloc((size_t)part->count * sizeof *classes);
    if (!classes)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %d samples", part->count);
    glnn_status status = learner->type->predict(
        learner, &(glnn__piece){.count = part->count, .part = part}, NULL, classes);
    for (int i = 0; i < part->count && !status; ++i) {
        if (classes[i] >= 0)
            confusion[(size_t)labels[i] * (size_t)part->data->outputs + (size_t)classes[i]]++;
        else
            status =
                glnn__fail(GLNN_E_DIVERGED, "%s: a squared distance overflows", part->data->name);
    }
    free(classes);
    return status;
}

int glnn__learnt_targets(glnn_learner *learner, const glnn_dataset *data)
{
    return learner->targets > 0 && !data->labels ? learner->fitted : 0;
}

static glnn_status check_targets(glnn_learner *learner, const glnn_dataset *data, bool trains)
{
    const char *name = learner->type->name;
    const int outputs = data->labels ? learner->outputs : learner->targets;
    const bool uses_outputs = learner->outputs > 0 && outputs > 0;
    const bool needs_labels = learner->labelled && (trains || !learner->trains_labelled);
    if (needs_labels && !data->labels)
        return glnn__fail(GLNN_E_STATE, "%s: %s needs labels, but the data set has none",
                          data->name, learner->labelled);
    if (uses_outputs && data->outputs == 0)
        return glnn__fail(GLNN_E_STATE,
                          "%s: the %s learns targets or labels, but the data set has neither",
                          data->name, name);
    if (uses_outputs && data->labels && data->outputs == 1 && learner->outputs > 1)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the data set has samples of one class only; the %s needs a data set "
                          "of %d classes",
                          data->name, name, learner->outputs);
    if (data->labels && learner->refuses_labels)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the data set has labels, but the outputs of the %s have different "
                          "numbers of classes; it learns target vectors of %d numbers",
                          data->name, name, learner->targets);
    if (uses_outputs && data->outputs != outputs)
        return glnn__fail(GLNN_E_SHAPE, "%s: %d %s; the %s %s %d", data->name, data->outputs,
                          data->labels ? "classes" : "outputs", name,
                          data->labels ? "is made for" : "has", outputs);
    if (glnn__learnt_targets(learner, data) > 0 && learner->learns_shares && data->odd_target != 0)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: a target is %g; the %s learns probabilities, so that targets have to "
            "be in [0, 1]",
            data->name, (double)data->odd_target, name);
    return GLNN_OK;
}

glnn_status glnn__check_data(glnn_learner *learner, const glnn_dataset *data, bool trains)
{
    const char *name = learner->type->name;
    if (data->ctx != learner->ctx)
        return glnn__fail(GLNN_E_ARG, "%s: belongs to another context than the %s", data->name,
                          name);
    if (data->features != learner->features)
        return glnn__fail(GLNN_E_SHAPE, "%s: %d features; the %s has %d", data->name,
                          data->features, name, learner->features);
    GLNN__TRY(check_targets(learner, data, trains));
    if (data->weights && !learner->uses_weights)
        return glnn__fail(GLNN_E_ARG, "%s: its samples have weights, which only networks use",
                          data->name);
    return learner->reads_half ? glnn__dataset_check_half(data) : GLNN_OK;
}

static glnn_status check_finite(const glnn_dataset *data, const glnn__totals *totals)
{
    if (glnn__totals_are_finite(totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED,
                      "%s: the mean loss is not finite; %.0f of %.0f samples have a finite one",
                      data->name, (double)totals->finite, (double)totals->samples);
}

static glnn_status check_use(glnn_learner *learner, const glnn_dataset *data,
                             const int64_t *confusion)
{
    GLNN__TRY(glnn__check_data(learner, data, false));
    GLNN__TRY(glnn__learner_check_set(learner));
    if (confusion && !(data->labels && learner->outputs > 0))
        return glnn__fail(GLNN_E_STATE,
                          "%s: a confusion matrix needs labels, and a learner that has classes",
                          data->name);
    return GLNN_OK;
}

static glnn_status evaluate(glnn_learner *learner, const glnn_dataset *data, glnn_metrics *out,
                            int64_t *confusion)
{
    const size_t classes = (size_t)data->outputs;
    const glnn__range all = {
        .data = data, .count = data->samples, .rows = glnn__part_rows(learner, data->samples)};
    glnn__totals totals;
    GLNN__TRY(check_use(learner, data, confusion));
    if (learner->type->meet)
        GLNN__TRY(learner->type->meet(learner, data));
    GLNN__TRY(glnn__measure(learner, &all, 1, &totals));
    GLNN__TRY(check_finite(data, &totals));
    if (out)
        *out = glnn__totals_summary(&totals, learner->fit, glnn__learnt_targets(learner, data));
    if (!confusion)
        return GLNN_OK;
    memset(confusion, 0, classes * classes * sizeof *confusion);
    return glnn__take_range(learner, &all, count_part, confusion);
}

glnn_status glnn__evaluate(glnn_learner *learner, const char *function, const glnn_dataset *data,
                           glnn_metrics *out, int64_t *confusion)
{
    GLNN__TRY(glnn__gl_enter_for(learner->ctx, function));
    return glnn__gl_leave(learner->ctx, evaluate(learner, data, out, confusion));
}

glnn_status glnn_learner_evaluate(glnn_learner *learner, const glnn_dataset *data,
                                  glnn_metrics *metrics, int64_t *confusion)
{
    GLNN__HELD(learner);
    GLNN__NOT_NULL(data);
    return glnn__evaluate(learner, __func__, data, metrics, confusion);
}
