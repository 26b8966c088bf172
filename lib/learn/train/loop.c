/* The loop of a training: steps, and the ends of epochs. */
#include "base/status.h"
#include "gl/gl.h"
#include "learn/passes.h"
#include "learn/train/step.h"
#include "learn/train/trainer.h"
#include "learn/visits.h"

/* ---- A step */

static glnn_status begin_epoch(glnn_trainer *t)
{
    glnn_learner *learner = t->training.learner;
    glnn__reporter_begin_step(&t->reporter);
    if (learner->type->begin_epoch)
        GLNN__TRY(learner->type->begin_epoch(learner));
    GLNN__TRY(glnn__training_order_samples(&t->training, t->cursor.epoch));
    GLNN__TRY(glnn__metrics_clear(t->training.ctx, &learner->metrics));
    return glnn__cursor_begin_epoch(&t->cursor);
}

/* A process without samples may have no list after a step either. */
static glnn_status run_step(glnn_trainer *t, bool may_wait)
{
    const int before = t->cursor.batches;
    const glnn__lists *lists = &t->training.learner->lists;
    const bool had_lists = lists->count > 0;
    glnn__reporter_begin_step(&t->reporter);
    t->training.ctx->watch = t->watch;
    const glnn_status status = glnn__step_run(&t->cursor, t->stopper.result.steps + 1);
    t->training.ctx->watch = NULL;
    GLNN__TRY(status);
    glnn__stopper_count_step(&t->stopper);
    if (!had_lists && lists->count > 0)
        glnn__exchange_plan_leave_out_steps(&t->plan);
    return glnn__reporter_follow(&t->reporter, t->cursor.batches - before, may_wait);
}

static glnn_status run_numbered_step(glnn_trainer *t, bool may_wait)
{
    glnn_context *ctx = t->training.ctx;
    const glnn__label former = ctx->label;
    ctx->label.step = t->stopper.result.steps + 1;
    return glnn__label_end(ctx, former, run_step(t, may_wait));
}

static glnn_status step(glnn_trainer *t, bool may_wait)
{
    glnn__cursor *at = &t->cursor;
    if (at->phase == GLNN__PHASE_BETWEEN)
        GLNN__TRY(begin_epoch(t));
    if (at->phase == GLNN__PHASE_STEPS)
        GLNN__TRY(run_numbered_step(t, may_wait));
    GLNN__TRY(glnn__cursor_go_on(at));
    GLNN__TRY(glnn__checkpointer_follow(&t->checkpointer));
    if (at->stops)
        glnn__cursor_leave_steps(at);
    return GLNN_OK;
}

/* All processes find a divergence by themselves, because they check the same numbers. */
static glnn_status end_training(glnn_trainer *t, glnn_status status)
{
    glnn__cursor_end(&t->cursor);
    if (status == GLNN_E_DIVERGED)
        glnn__exchange_abandon(t->training.exchange);
    else
        glnn__exchange_fail(t->training.exchange, status);
    return glnn__stopper_end(&t->stopper, status, t->cursor.stops);
}

static glnn_status run_steps(glnn_trainer *t, int steps, bool may_wait)
{
    glnn_status status = GLNN_OK;
    glnn__elapsed_start(&t->cursor.stepping);
    while (!status && steps-- > 0 && t->cursor.phase != GLNN__PHASE_EPOCH_END)
        status = step(t, may_wait);
    glnn__elapsed_stop(&t->cursor.stepping);
    return status ? end_training(t, status) : GLNN_OK;
}

glnn_status glnn__loop_steps(glnn_trainer *t, int steps)
{
    return run_steps(t, steps, true);
}

glnn_status glnn__loop_update_report(glnn_trainer *t)
{
    const glnn_status status = glnn__reporter_update(&t->reporter);
    return status ? end_training(t, status) : GLNN_OK;
}

/* ---- The end of an epoch */

/* A stop in the middle of an epoch gives metrics, but the epoch is not counted. */
static bool is_whole(const glnn_trainer *t)
{
    return t->cursor.batches == t->training.samples.batches;
}

static glnn_status end_learner(glnn_trainer *t)
{
    glnn_learner *learner = t->training.learner;
    bool is_done = false;
    if (!is_whole(t))
        return GLNN_OK;
    GLNN__TRY(glnn__training_end_order(&t->training, t->cursor.epoch));
    GLNN__TRY(glnn__learner_join(learner, t->training.exchange));
    GLNN__TRY(glnn__learner_apply_epoch(learner));
    if (learner->type->end_epoch)
        GLNN__TRY(learner->type->end_epoch(learner, t->reporter.report.training.loss, &is_done));
    glnn__cursor_stop(&t->cursor, is_done);
    glnn__exchange_plan_follow(&t->plan);
    return GLNN_OK;
}

static glnn_status report(glnn_trainer *t)
{
    bool is_best, is_over;
    glnn__stopper_note(&t->stopper);
    if (!is_whole(t))
        return GLNN_OK;
    glnn__cursor_count_epoch(&t->cursor);
    GLNN__TRY(glnn__stopper_judge(&t->stopper, t->cursor.epoch, &is_best, &is_over));
    glnn__cursor_stop(&t->cursor, is_over);
    return glnn__reporter_report_epoch(&t->reporter, is_best);
}

/* *next is the piece that follows. */
static glnn_status run_piece(glnn_trainer *t, glnn__ending *next)
{
    bool has_part = false;
    *next = t->ending + 1;
    switch (t->ending) {
    case GLNN__ENDING_ASK:
        GLNN__TRY(glnn__reporter_settle(&t->reporter));
        GLNN__TRY(glnn__learner_average(t->training.learner, t->training.exchange));
        GLNN__TRY(glnn__stopper_ask(&t->stopper));
        return glnn__reporter_request(&t->reporter);
    case GLNN__ENDING_TAKE:
        GLNN__TRY(glnn__reporter_take(&t->reporter));
        return glnn__stopper_check(&t->stopper);
    case GLNN__ENDING_LEARNER:
        if (t->training.samples.validation_count == 0)
            *next = GLNN__ENDING_REPORT;
        return end_learner(t);
    case GLNN__ENDING_BEGIN:
        return glnn__reporter_begin_validation(&t->reporter);
    case GLNN__ENDING_MEASURE:
        GLNN__TRY(glnn__reporter_measure_part(&t->reporter, &has_part));
        if (has_part)
            *next = GLNN__ENDING_MEASURE;
        return GLNN_OK;
    case GLNN__ENDING_SUM:
        return glnn__reporter_request_validation(&t->reporter);
    case GLNN__ENDING_VALIDATE:
        return glnn__reporter_take_validation(&t->reporter);
    default:
        return report(t);
    }
}

/* Runs the next piece. The time of the validation is not counted. */
static glnn_status time_piece(glnn_trainer *t)
{
    glnn__elapsed *stepping = &t->cursor.stepping;
    const double before = stepping->seconds;
    const glnn__ending piece = t->ending;
    glnn__ending next;
    if (piece < GLNN__ENDING_BEGIN)
        glnn__elapsed_start(stepping);
    const glnn_status status = run_piece(t, &next);
    if (piece < GLNN__ENDING_BEGIN)
        glnn__elapsed_stop(stepping);
    if (piece == GLNN__ENDING_ASK)
        glnn__exchange_plan_leave_out(&t->plan, stepping->seconds - before);
    if (!status)
        t->ending = next;
    return status;
}

/* The time of the epoch also counts after an error. */
static glnn_status end_piece(glnn_trainer *t)
{
    const glnn_status status = time_piece(t);
    if (!status && t->ending != GLNN__ENDING_PIECES)
        return GLNN_OK;
    glnn__loop_drop_end(t);
    glnn__stopper_add_epoch(&t->stopper, t->cursor.stepping.seconds);
    glnn__cursor_close_epoch(&t->cursor);
    return status || t->cursor.stops || t->cursor.epoch == t->training.desc.epochs
               ? end_training(t, status)
               : GLNN_OK;
}

glnn_status glnn__loop_end_epoch(glnn_trainer *t)
{
    while (t->cursor.phase == GLNN__PHASE_EPOCH_END)
        GLNN__TRY(end_piece(t));
    return GLNN_OK;
}

void glnn__loop_drop_end(glnn_trainer *t)
{
    glnn__stopper_drop(&t->stopper);
    glnn__reporter_drop_validation(&t->reporter);
    t->ending = GLNN__ENDING_ASK;
}

/* ---- Calls with a time limit */

/* The units of such a call, and the steps that it may still make. */
typedef struct units {
    glnn_trainer *trainer;
    int steps;
} units;

static glnn__unit next_unit(const void *of)
{
    const units *all = of;
    const glnn_trainer *t = all->trainer;
    switch (t->cursor.phase) {
    case GLNN__PHASE_ENDED:
        return GLNN__UNIT_NONE;
    case GLNN__PHASE_EPOCH_END:
        return t->ending == GLNN__ENDING_MEASURE ? GLNN__UNIT_PART : GLNN__UNIT_READING;
    default:
        return all->steps == 0                          ? GLNN__UNIT_NONE
               : t->cursor.phase == GLNN__PHASE_BETWEEN ? GLNN__UNIT_FIRST_STEP
                                                        : GLNN__UNIT_STEP;
    }
}

static glnn_status make_unit(void *of, bool *arrives)
{
    units *all = of;
    glnn_trainer *t = all->trainer;
    if (t->cursor.phase == GLNN__PHASE_EPOCH_END) {
        *arrives = t->ending == GLNN__ENDING_TAKE       ? glnn__stopper_has_arrived(&t->stopper)
                   : t->ending == GLNN__ENDING_VALIDATE ? glnn__metrics_ready(&t->reporter.measured)
                                                        : true;
        return *arrives ? end_piece(t) : GLNN_OK;
    }
    if (t->pacer.is_idle) {
        const glnn_status status = glnn__reporter_request_left(&t->reporter);
        if (status)
            return end_training(t, status);
    }
    all->steps--;
    return run_steps(t, 1, false);
}

glnn_status glnn__loop_run_for(glnn_trainer *t, int steps, double seconds)
{
    units all = {t, steps};
    return glnn__pacer_run(t->training.ctx, &t->pacer, t->cursor.calls.started, seconds,
                           &(glnn__work){&all, next_unit, make_unit});
}
