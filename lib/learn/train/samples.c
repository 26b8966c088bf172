#include "learn/train/samples.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int glnn__samples_kept_apart(const glnn_train_desc *desc, const glnn_dataset *data)
{
    return (int)(desc->validation_split * (float)data->samples);
}

glnn_status glnn__train_order(const glnn_train_desc *desc, const glnn_dataset *data,
                              bool groups_classes, glnn__order *order, glnn__groups *groups)
{
    const int samples = data->samples - glnn__samples_kept_apart(desc, data);
    *groups = (glnn__groups){0};
    GLNN__TRY(glnn__order_create(data->samples, desc->seed, order));
    if (samples < data->samples)
        glnn__order_shuffle(order, data->samples);
    const glnn_status status = glnn__order_group(
        order, 0, samples, groups_classes ? data->labels : NULL, data->outputs, groups);
    if (status) {
        glnn__order_destroy(order);
        glnn__groups_destroy(groups);
    }
    return status;
}

static glnn_status choose_training(glnn_learner *learner, const glnn_dataset *data,
                                   const glnn_train_desc *desc, glnn__samples *out)
{
    if (!learner->chosen)
        return glnn__train_order(desc, data, learner->groups_classes, &out->order, &out->groups);
    GLNN__TRY(glnn__order_create(out->count, desc->seed, &out->order));
    memcpy(out->order.entries, learner->chosen, (size_t)out->count * sizeof(int));
    return glnn__order_group(&out->order, 0, out->count, NULL, 0, &out->groups);
}

/* A range for each class that the groups have samples of. */
static glnn_status choose_ranges(glnn_learner *learner, const glnn__groups *groups, bool has_groups,
                                 const glnn__range *all, glnn__samples *out)
{
    out->validation = calloc((size_t)groups->count, sizeof *out->validation);
    if (!out->validation)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d ranges of samples", groups->count);
    for (int g = 0; g < groups->count; ++g) {
        glnn__range range = *all;
        range.first = groups->begins[g];
        range.count = groups->begins[g + 1] - range.first;
        range.rows = has_groups ? learner->validation_rows : glnn__part_rows(learner, range.count);
        range.group = has_groups ? g + 1 : 0;
        if (range.count > 0)
            out->validation[out->validation_count++] = range;
    }
    return GLNN_OK;
}

/* A validation set is measured in its own order, but class by class if training is. */
static glnn_status choose_validation(glnn_learner *learner, const glnn_dataset *data,
                                     const glnn_dataset *own, glnn__samples *out)
{
    const bool has_groups = learner->groups_classes && data->labels;
    const int first = own ? 0 : out->count, count = own ? own->samples : data->samples - first;
    glnn__range all = {.data = own ? own : data, .order = own ? NULL : &out->order};
    glnn__order *order = own ? &out->validation_order : &out->order;
    glnn__groups groups;
    if (own && has_groups) {
        GLNN__TRY(glnn__order_create(own->samples, 0, order));
        all.order = order;
    }
    glnn_status status = glnn__order_group(
        order, first, count, has_groups ? all.data->labels : NULL, all.data->outputs, &groups);
    if (!status && own && has_groups && !own->stream)
        status = glnn__order_upload(learner->ctx, order);
    if (!status)
        status = choose_ranges(learner, &groups, has_groups, &all, out);
    glnn__groups_destroy(&groups);
    return status;
}

static int batch_of(const glnn__samples *of, int epoch)
{
    const int first = of->first_batch;
    return first < 0 ? of->count
                     : glnn__least(glnn_batch_schedule_get_batch(&of->batch_schedule, first, epoch),
                                   of->count);
}

/* Samples of a step, by those of a batch. */
static int step_of(const glnn__samples *of, int batch)
{
    const int64_t step = (int64_t)batch * of->accumulate;
    return step < of->count ? (int)step : of->count;
}

/* Parts of an epoch, of so many samples; none has samples of several groups. */
static int count_parts(const glnn__samples *of, int samples)
{
    int parts = 0;
    for (int g = 0; g < of->groups.count; ++g)
        parts += glnn__ceil_div(glnn__samples_of_group(of, g), samples);
    return parts;
}

void glnn__samples_go_to(glnn__samples *of, int epoch)
{
    of->batch = batch_of(of, epoch);
    of->step = step_of(of, of->batch);
    of->batches = count_parts(of, of->batch);
    of->steps = (uint64_t)count_parts(of, of->step);
}

uint64_t glnn__samples_steps(const glnn__samples *of, int epochs)
{
    const int last = batch_of(of, epochs - 1);
    uint64_t sum = 0;
    for (int epoch = 0, end; epoch < epochs; epoch = end) {
        const int batch = batch_of(of, epoch);
        end = batch == last ? epochs : epoch + 1;
        sum += (uint64_t)(end - epoch) * (uint64_t)count_parts(of, step_of(of, batch));
    }
    return sum;
}

glnn_status glnn__samples_choose(glnn_learner *learner, const glnn_dataset *data,
                                 const glnn_train_desc *desc, glnn__exchange *exchange,
                                 glnn__samples *out)
{
    out->exchange = exchange;
    out->by_epoch = learner->updates_by_epoch;
    out->count = learner->chosen ? learner->chosen_count
                                 : data->samples - glnn__samples_kept_apart(desc, data);
    GLNN__TRY(choose_training(learner, data, desc, out));
    out->first_batch = desc->batch;
    out->accumulate = desc->accumulate;
    out->batch_schedule = desc->batch_schedule;
    glnn__samples_go_to(out, 0);
    return learner->chosen ? GLNN_OK : choose_validation(learner, data, desc->validation, out);
}

void glnn__samples_destroy(glnn__samples *samples)
{
    glnn__order_destroy(&samples->order);
    glnn__order_destroy(&samples->validation_order);
    glnn__groups_destroy(&samples->groups);
    free(samples->validation);
}

int glnn__samples_of_group(const glnn__samples *samples, int group)
{
    return samples->groups.begins[group + 1] - samples->groups.begins[group];
}

int glnn__samples_first_group(const glnn__samples *samples)
{
    int group = 0;
    while (group + 1 < samples->groups.count && glnn__samples_of_group(samples, group) == 0)
        ++group;
    return group;
}

/* ---- Several processes */

/* Batches of a process from which on processes take whole batches in turn. */
#define LEAST_BATCHES 4

/* If the learner is updated once an epoch, processes exchange nothing in a step, so each can take
 * whole batches. A part of a batch would take as many passes as a whole one. */
static bool takes_turns(const glnn__samples *of)
{
    return of->exchange && of->by_epoch &&
           of->batches * glnn__exchange_least_weight(of->exchange) >= LEAST_BATCHES;
}

static int most_of(const glnn__samples *of, int rank)
{
    return takes_turns(of) ? of->batch : glnn__exchange_most(of->exchange, of->batch, rank);
}

int glnn__samples_most(const glnn__samples *of)
{
    return most_of(of, glnn__exchange_rank(of->exchange));
}

int glnn__samples_most_of_all(const glnn__samples *of)
{
    return takes_turns(of) ? of->batch : glnn__exchange_most_of_all(of->exchange, of->batch);
}

int glnn__samples_own(const glnn__samples *of, int batch, int count, int *first)
{
    if (!takes_turns(of))
        return glnn__exchange_share(of->exchange, count, first);
    *first = 0;
    return glnn__exchange_turn(of->exchange, batch) == glnn__exchange_rank(of->exchange) ? count
                                                                                         : 0;
}

int glnn__samples_own_of_all(const glnn__samples *of, int batch, int count)
{
    int own = 0, first;
    for (int done = 0; done < count; done += of->batch)
        own += glnn__samples_own(of, batch++, glnn__least(of->batch, count - done), &first);
    return own;
}

glnn_status glnn__samples_share(glnn__samples *of)
{
    const int ranks = glnn__exchange_ranks(of->exchange);
    for (int i = 0; i < of->validation_count; ++i) {
        int first;
        glnn__range *range = &of->validation[i];
        range->count = glnn__exchange_share(of->exchange, range->count, &first);
        range->first += first;
    }
    if (takes_turns(of))
        GLNN__TRY(glnn__exchange_take_turns(of->exchange, of->batches));
    for (int r = 0; r < ranks && of->exchange; ++r)
        glnn__log(GLNN_LOG_INFO,
                  "rank %d of %d processes has %.4g %% of the samples: at most %d of a batch of %d",
                  r, ranks, 100 * glnn__exchange_weight(of->exchange, r), most_of(of, r),
                  of->batch);
    return GLNN_OK;
}
