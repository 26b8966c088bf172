#include "train/training.h"

#include "base/integers.h"
#include "base/status.h"
#include "learner/evaluate.h"
#include "learner/passes.h"
#include "learner/visits.h"

int glnn__step_size(const glnn_trainer *t)
{
    const int64_t size = (int64_t)t->desc.batch * t->desc.accumulate;
    return size < t->samples.count ? (int)size : t->samples.count;
}

void glnn__step_count(glnn_trainer *t)
{
    for (int g = 0; g < t->samples.groups.count; ++g) {
        t->batches += glnn__ceil_div(glnn__group_size(t, g), t->desc.batch);
        t->steps += (uint64_t)glnn__ceil_div(glnn__group_size(t, g), glnn__step_size(t));
    }
    t->report.batches = t->batches;
}

/* The number of the step under way, from 0 at the beginning of the training. */
static uint64_t step_number(const glnn_trainer *t)
{
    return (uint64_t)t->epoch * t->steps + t->steps_done;
}

static float current_rate(const glnn_trainer *t)
{
    glnn_schedule schedule = t->desc.schedule;
    schedule.rate = t->rate;
    return glnn_schedule_get_rate(&schedule, step_number(t), (uint64_t)t->desc.epochs * t->steps,
                                  t->epoch);
}

/* The same, with a slot from which passes read it. */
static glnn__uniform rate_of(const glnn_trainer *t)
{
    return (glnn__uniform){.f = current_rate(t), .slot = &t->learner->rate};
}

/* The samples of a step that this process computes. */
typedef struct own {
    int all, done;
    int rows; /* of a part */
} own;

/* The parts of one batch, whose place is set. A step without own samples has one empty part. */
static glnn_status add_parts(const glnn_trainer *t, const glnn__batch *batch, glnn__step *step,
                             const own *samples)
{
    glnn_learner *learner = t->learner;
    int offset = 0;
    do {
        glnn__batch part = *batch;
        part.first += offset;
        part.place += offset;
        part.count = glnn__least(samples->rows, batch->count - offset);
        step->is_first = samples->done + offset == 0;
        step->is_last = samples->done + offset + part.count == samples->all;
        GLNN__TRY(glnn__learner_gradient(learner, &part, step));
        offset += samples->rows;
    } while (offset < batch->count);
    return GLNN_OK;
}

/* The batches of a step differ in three ways at most: the first one, those in the middle, and the
 * last one. */
#define DIFFERENT_BATCHES 3

/* Rows of the matrices for parts of a batch. */
static int part_rows(const glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    return learner->rows ? learner->rows : glnn__batch_rows(learner, glnn__share_most(t));
}

/* The passes of a step of so many samples, of all processes. */
static glnn_status record_samples(const glnn_trainer *t, const glnn__batch *like, int size)
{
    glnn_learner *learner = t->learner;
    const int most = glnn__share_most(t);
    own samples = {
        .all = glnn__least(glnn__exchange_most(t->exchange, size, glnn__exchange_rank(t->exchange)),
                           DIFFERENT_BATCHES * most),
        .rows = part_rows(t),
    };
    glnn__step step = {
        .samples = size,
        .own_samples = samples.all,
        .epoch_samples = t->samples.count,
        .batch = t->desc.batch,
        .has_one_part = size <= t->desc.batch && glnn__share_has_one_part(t),
        .rate = rate_of(t),
        .exchange = t->exchange,
    };
    for (; samples.done < samples.all; samples.done += most) {
        glnn__batch batch = *like;
        batch.place = samples.done;
        batch.count = glnn__least(most, samples.all - samples.done);
        GLNN__TRY(add_parts(t, &batch, &step, &samples));
    }
    return glnn__learner_apply(learner, &step);
}

glnn_status glnn__step_prepare(const glnn_trainer *t, int group)
{
    return t->learner->type->prepare(t->learner, part_rows(t), group + 1);
}

glnn_status glnn__step_record(const glnn_trainer *t, const glnn__batch *like)
{
    const int group = like->group - 1, last = glnn__group_size(t, group) % glnn__step_size(t);
    glnn__batch batch = *like;
    batch.distorter = t->distorter;
    GLNN__TRY(
        record_samples(t, &batch, glnn__least(glnn__step_size(t), glnn__group_size(t, group))));
    if (last > 0)
        GLNN__TRY(record_samples(t, &batch, last));
    return glnn__metrics_sum(t->ctx, &t->learner->metrics);
}

static void begin_step(glnn_learner *learner, const glnn__step *step)
{
    learner->rate.f = step->rate.f;
    if (learner->type->begin_step)
        learner->type->begin_step(learner, step);
}

static glnn_status add_batch(glnn_trainer *t, glnn__batch *batch, glnn__step *step,
                             const own *samples)
{
    glnn_learner *learner = t->learner;
    batch->group = t->group + 1;
    batch->distorter = t->distorter;
    batch->step = step_number(t);
    GLNN__TRY(learner->type->prepare(learner, samples->rows, batch->group));
    if (samples->done == 0)
        begin_step(learner, step);
    return add_parts(t, batch, step, samples);
}

static glnn_status add_batches(glnn_trainer *t, glnn__step *step)
{
    own samples = {.all = glnn__share_of(t, step->samples), .rows = part_rows(t)};
    step->own_samples = samples.all;
    step->has_one_part = step->samples <= t->desc.batch && glnn__share_has_one_part(t);
    for (int done = 0, count; done < step->samples; done += count) {
        glnn__batch batch;
        int first;
        GLNN__TRY(glnn__share_next(t, &batch, &first, &count));
        batch.place = done + first;
        if (batch.count > 0 || (samples.all == 0 && done == 0))
            GLNN__TRY(add_batch(t, &batch, step, &samples));
        samples.done += batch.count;
        t->batches_done++;
    }
    return GLNN_OK;
}

glnn_status glnn__step_try(const glnn_trainer *t, glnn__batch *batch, glnn__step *step, int rows)
{
    glnn_learner *learner = t->learner;
    const own samples = {.all = batch->count, .rows = rows};
    batch->distorter = t->distorter;
    batch->step = step_number(t);
    step->own_samples = batch->count;
    step->rate = rate_of(t);
    GLNN__TRY(learner->type->prepare(learner, rows, batch->group));
    begin_step(learner, step);
    GLNN__TRY(add_parts(t, batch, step, &samples));
    GLNN__TRY(glnn__learner_apply(learner, step));
    return glnn__learner_follow_averages(learner, step, 0);
}

glnn_status glnn__step_run(glnn_trainer *t)
{
    t->report.rate = current_rate(t);
    glnn__step step = {
        .samples = glnn__least(glnn__share_left(t), glnn__step_size(t)),
        .batch = t->desc.batch,
        .epoch_samples = t->samples.count,
        .rate = rate_of(t),
        .exchange = t->exchange,
    };
    GLNN__TRY(add_batches(t, &step));
    GLNN__TRY(glnn__learner_apply(t->learner, &step));
    GLNN__TRY(glnn__learner_follow_averages(t->learner, &step, t->result.steps + 1));
    t->result.steps++;
    t->steps_done++;
    return GLNN_OK;
}
