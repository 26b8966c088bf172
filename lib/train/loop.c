/* The loop of a training: epochs, groups of samples, steps. */
#include "base/clock.h"
#include "base/integers.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learner/metrics.h"
#include "train/checkpoint.h"
#include "train/exchange_plan.h"

/* Counts the batches of a group that an epoch leaves out. */
static void leave_out(glnn_trainer *t)
{
    t->batches_done += glnn__ceil_div(glnn__group_size(t, t->group), t->desc.batch);
    t->steps_done += (uint64_t)glnn__ceil_div(glnn__group_size(t, t->group), glnn__step_size(t));
}

static bool is_settled(const glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    return learner->type->is_settled && learner->type->is_settled(learner, t->group);
}

/* Begins the first group from t->group on that still learns; without one the epoch is over. */
static glnn_status begin_group(glnn_trainer *t)
{
    glnn__share_end(t);
    for (; t->group < t->samples.groups.count; ++t->group) {
        if (glnn__group_size(t, t->group) > 0 && !is_settled(t))
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
        GLNN__TRY(glnn__order_upload(t->ctx, order));
    if (!is_drawn)
        return GLNN_OK;
    return glnn__emphasis_draw(t->ctx, &t->emphasis, t->epoch, order->matrix);
}

static glnn_status begin_epoch(glnn_trainer *t)
{
    t->phase = GLNN__PHASE_STEPS;
    t->report.epoch = t->epoch + 1;
    t->epoch_seconds = 0;
    t->batches_done = 0;
    t->steps_done = 0;
    t->wants_metrics = false;
    if (t->learner->type->begin_epoch)
        GLNN__TRY(t->learner->type->begin_epoch(t->learner));
    GLNN__TRY(order_samples(t));
    GLNN__TRY(glnn__metrics_clear(t->ctx, &t->learner->metrics));
    t->group = 0;
    return begin_group(t);
}

static glnn_status run_step(glnn_trainer *t)
{
    const int before = t->batches_done;
    const bool compiles = t->learner->lists.count == 0;
    GLNN__TRY(glnn__step_run(t));
    if (compiles)
        glnn__exchange_plan_leave_out_steps(t);
    return glnn__report_follow(t, t->batches_done - before);
}

static glnn_status run_numbered_step(glnn_trainer *t)
{
    glnn_context *ctx = t->ctx;
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

glnn_status glnn__steps_run(glnn_trainer *t, int steps)
{
    t->stepping = glnn__clock_seconds();
    const glnn_status status = run_steps(t, steps);
    t->epoch_seconds = glnn__steps_seconds(t);
    t->stepping = 0;
    return status ? glnn__training_end(t, status) : GLNN_OK;
}
