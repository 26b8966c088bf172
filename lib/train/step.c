#include "train/training.h"

#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learner/evaluate.h"
#include "learner/passes.h"
#include "learner/visits.h"
#include "pass/pass.h"
#include "train/checkpoint.h"
#include "train/exchange_plan.h"

static int group_size(const glnn_trainer *t, int group)
{
    const int *begins = t->samples.groups.begins + group;
    return begins[1] - begins[0];
}

int glnn__step_size(const glnn_trainer *t)
{
    const int64_t size = (int64_t)t->desc.batch * t->desc.accumulate;
    return size < t->samples.count ? (int)size : t->samples.count;
}

void glnn__step_count(glnn_trainer *t)
{
    for (int g = 0; g < t->samples.groups.count; ++g) {
        t->batches += glnn__ceil_div(group_size(t, g), t->desc.batch);
        t->steps += (uint64_t)glnn__ceil_div(group_size(t, g), glnn__step_size(t));
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
    return (glnn__uniform){.f = current_rate(t), .slot = &t->learner.trained->rate};
}

/* Counts the batches of a group that an epoch leaves out. */
static void leave_out(glnn_trainer *t)
{
    t->batches_done += glnn__ceil_div(group_size(t, t->group), t->desc.batch);
    t->steps_done += (uint64_t)glnn__ceil_div(group_size(t, t->group), glnn__step_size(t));
}

static bool is_settled(const glnn_trainer *t)
{
    const glnn__learner *learner = &t->learner;
    return learner->type->is_settled && learner->type->is_settled(learner->self, t->group);
}

/* Begins the first group from t->group on that still learns; without one the epoch is over. */
static glnn_status begin_group(glnn_trainer *t)
{
    glnn__share_end(t);
    for (; t->group < t->samples.groups.count; ++t->group) {
        if (group_size(t, t->group) > 0 && !is_settled(t))
            return glnn__share_begin(t, 0);
        leave_out(t);
    }
    t->phase = GLNN__PHASE_EPOCH_END;
    return GLNN_OK;
}

/* The order of the samples that are kept apart for validation stays the same. */
static glnn_status order_samples(glnn_trainer *t)
{
    const bool is_drawn = t->desc.emphasis > 0, stays = is_drawn || t->desc.keep_order;
    glnn__order *order = &t->samples.order;
    if (!stays)
        glnn__order_shuffle(order, t->samples.count);
    if (!t->data->stream && (!stays || !order->matrix))
        GLNN__TRY(glnn__order_upload(t->learner.ctx, order));
    if (!is_drawn)
        return GLNN_OK;
    return glnn__emphasis_draw(t->learner.ctx, &t->emphasis, t->epoch, order->matrix);
}

static glnn_status begin_epoch(glnn_trainer *t)
{
    t->phase = GLNN__PHASE_STEPS;
    t->report.epoch = t->epoch + 1;
    t->epoch_seconds = 0;
    t->batches_done = 0;
    t->steps_done = 0;
    t->wants_metrics = false;
    if (t->learner.type->begin_epoch)
        GLNN__TRY(t->learner.type->begin_epoch(t->learner.self));
    GLNN__TRY(order_samples(t));
    GLNN__TRY(glnn__metrics_clear(t->learner.ctx, &t->learner.trained->metrics));
    t->group = 0;
    return begin_group(t);
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
    const glnn__learner *learner = &t->learner;
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
    const glnn__learner *learner = &t->learner;
    return learner->rows ? learner->rows : glnn__batch_rows(learner, glnn__share_most(t));
}

/* The passes of a step of so many samples, of all processes. */
static glnn_status record_samples(const glnn_trainer *t, const glnn__batch *like, int size)
{
    const glnn__learner *learner = &t->learner;
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
    return t->learner.type->prepare(t->learner.self, part_rows(t), group + 1);
}

glnn_status glnn__step_record(const glnn_trainer *t, const glnn__batch *like)
{
    const int group = like->group - 1, last = group_size(t, group) % glnn__step_size(t);
    glnn__batch batch = *like;
    batch.distorter = t->distorter;
    GLNN__TRY(record_samples(t, &batch, glnn__least(glnn__step_size(t), group_size(t, group))));
    if (last > 0)
        GLNN__TRY(record_samples(t, &batch, last));
    return glnn__metrics_sum(t->learner.ctx, &t->learner.trained->metrics);
}

static void begin_step(const glnn__learner *learner, const glnn__step *step)
{
    learner->trained->rate.f = step->rate.f;
    if (learner->type->begin_step)
        learner->type->begin_step(learner->self, step);
}

static glnn_status add_batch(glnn_trainer *t, glnn__batch *batch, glnn__step *step,
                             const own *samples)
{
    const glnn__learner *learner = &t->learner;
    batch->group = t->group + 1;
    batch->distorter = t->distorter;
    batch->step = step_number(t);
    GLNN__TRY(learner->type->prepare(learner->self, samples->rows, batch->group));
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
    const glnn__learner *learner = &t->learner;
    const own samples = {.all = batch->count, .rows = rows};
    batch->distorter = t->distorter;
    batch->step = step_number(t);
    step->own_samples = batch->count;
    step->rate = rate_of(t);
    GLNN__TRY(learner->type->prepare(learner->self, rows, batch->group));
    begin_step(learner, step);
    GLNN__TRY(add_parts(t, batch, step, &samples));
    GLNN__TRY(glnn__learner_apply(learner, step));
    return glnn__learner_follow_averages(learner, step, 0);
}

static glnn_status run_step(glnn_trainer *t)
{
    const int left = glnn__share_left(t), before = t->batches_done;
    const bool compiles = t->learner.trained->lists.count == 0;
    t->report.rate = current_rate(t);
    glnn__step step = {
        .samples = glnn__least(left, glnn__step_size(t)),
        .batch = t->desc.batch,
        .epoch_samples = t->samples.count,
        .rate = rate_of(t),
        .exchange = t->exchange,
    };
    GLNN__TRY(add_batches(t, &step));
    GLNN__TRY(glnn__learner_apply(&t->learner, &step));
    GLNN__TRY(glnn__learner_follow_averages(&t->learner, &step, t->result.steps + 1));
    t->result.steps++;
    t->steps_done++;
    if (compiles)
        glnn__exchange_plan_leave_out_steps(t);
    return glnn__report_follow(t, t->batches_done - before);
}

static glnn_status run_numbered_step(glnn_trainer *t)
{
    glnn_context *ctx = t->learner.ctx;
    const glnn__label former = ctx->label;
    ctx->label.step = t->result.steps + 1;
    return glnn__label_end(ctx, former, run_step(t));
}

static glnn_status step(glnn_trainer *t)
{
    if (t->phase == GLNN__PHASE_BETWEEN)
        GLNN__TRY(begin_epoch(t));
    if (t->phase == GLNN__PHASE_STEPS)
        GLNN__TRY(run_numbered_step(t));
    if (t->phase == GLNN__PHASE_STEPS && glnn__share_left(t) == 0) {
        t->group++;
        GLNN__TRY(begin_group(t));
    }
    GLNN__TRY(glnn__checkpoint_follow(t));
    if (t->stops) {
        glnn__share_end(t);
        t->phase = GLNN__PHASE_EPOCH_END;
    }
    return GLNN_OK;
}

static glnn_status run_steps(glnn_trainer *t, int steps)
{
    while (steps-- > 0 && t->phase != GLNN__PHASE_EPOCH_END)
        GLNN__TRY(step(t));
    return GLNN_OK;
}

double glnn__steps_seconds(const glnn_trainer *t)
{
    const double under_way = t->stepping > 0 ? glnn__clock_seconds() - t->stepping : 0;
    return t->epoch_seconds + under_way;
}

glnn_status glnn__steps_run(glnn_trainer *t, int steps)
{
    t->stepping = glnn__clock_seconds();
    const glnn_status status = run_steps(t, steps);
    t->epoch_seconds = glnn__steps_seconds(t);
    t->stepping = 0;
    return status ? glnn__training_end(t, status) : GLNN_OK;
}
