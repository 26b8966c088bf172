#include "train/training.h"

#include "base/clock.h"
#include "base/status.h"
#include "train/exchange_plan.h"

static glnn_status validate(glnn_trainer *t)
{
    glnn__totals totals;
    GLNN__TRY(
        glnn__measure(&t->learner, t->samples.validation, t->samples.validation_count, &totals));
    GLNN__TRY(glnn__share_sum(t, &totals));
    t->report.has_validation = true;
    t->report.validation =
        glnn__totals_summary(&totals, glnn__learnt_targets(&t->learner, t->data));
    if (glnn__totals_are_finite(&totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED, "the validation loss is not finite after epoch %d%s",
                      t->report.epoch, glnn__report_advise(t).text);
}

/* Remembers the best epoch, and stops training if it is too long ago. */
static glnn_status judge(glnn_trainer *t, int epoch)
{
    const double loss =
        t->samples.validation_count > 0 ? t->report.validation.loss : t->report.training.loss;
    glnn_train_result *result = &t->result;
    t->report.best =
        result->best_epoch == 0 || loss < t->best_loss - (double)t->desc.min_improvement;
    if (t->report.best && t->desc.restore_best) {
        GLNN__TRY(glnn__learnt_measure(t));
        GLNN__TRY(t->learner.type->snapshot(t->learner.self));
        t->has_snapshot = true;
    }
    if (t->report.best) {
        t->best_loss = loss;
        t->best_steps = result->steps;
        result->best_epoch = epoch;
    }
    if (t->desc.patience > 0 && epoch - result->best_epoch >= t->desc.patience)
        t->stops = true;
    return GLNN_OK;
}

/* The totals of the epoch and the squares of what is learnt, with one wait for both. */
static glnn_status take_totals(glnn_trainer *t, glnn__totals *totals)
{
    const glnn__learner *learner = &t->learner;
    glnn_download *download;
    GLNN__TRY(glnn__learnt_request(learner, &download));
    const glnn_status status =
        glnn__metrics_take_now(learner->ctx, &learner->trained->metrics, totals);
    const glnn_status summed = glnn_download_end(download, &t->squares, 0);
    return status ? status : summed;
}

/* The metrics of the epoch's training samples. */
static glnn_status take_metrics(glnn_trainer *t)
{
    const glnn__learner *learner = &t->learner;
    glnn__totals totals;
    GLNN__TRY(glnn__report_settle(t));
    if (glnn__exchange_averages(t->exchange))
        GLNN__TRY(learner->type->average(learner->self));
    GLNN__TRY(take_totals(t, &totals));
    GLNN__TRY(glnn__share_sum(t, &totals));
    t->epoch_seconds += glnn__clock_seconds() - t->called;
    t->report.samples_per_second = (double)totals.samples / t->epoch_seconds;
    if (learner->type->add_settled)
        learner->type->add_settled(learner->self, &totals);
    GLNN__TRY(glnn__report_totals(t, t->batches_done, &totals));
    return glnn__learnt_check(t);
}

static glnn_status finish_learner(glnn_trainer *t)
{
    const glnn__learner *learner = &t->learner;
    const double started = glnn__clock_seconds();
    bool is_done = false;
    if (t->desc.emphasis > 0)
        GLNN__TRY(glnn__emphasis_end(learner->ctx, &t->emphasis, t->epoch));
    if (learner->type->end_epoch)
        GLNN__TRY(learner->type->end_epoch(learner->self, t->report.training.loss, &is_done));
    t->stops = t->stops || is_done;
    t->epoch_seconds += glnn__clock_seconds() - started;
    return GLNN_OK;
}

/* All processes stop if the report function of one has returned false. */
static glnn_status agree_to_stop(glnn_trainer *t)
{
    double wishes = t->wants_stop;
    GLNN__TRY(glnn__exchange_sum(t->exchange, &wishes, 1));
    t->stops = t->stops || wishes > 0;
    return GLNN_OK;
}

/* A stop in the middle of an epoch gives metrics, but the epoch is not counted. */
static glnn_status end_epoch(glnn_trainer *t)
{
    const bool is_whole = t->batches_done == t->batches;
    GLNN__TRY(take_metrics(t));
    if (is_whole) {
        GLNN__TRY(finish_learner(t));
        glnn__exchange_plan_follow(t);
        glnn__exchange_plan_show(t);
    }
    if (t->samples.validation_count > 0)
        GLNN__TRY(validate(t));
    t->result.training = t->report.training;
    t->result.validation = t->report.validation;
    if (!is_whole)
        return GLNN_OK;
    t->result.epochs = ++t->epoch;
    GLNN__TRY(judge(t, t->epoch));
    GLNN__TRY(glnn__report_send(t, GLNN_EVENT_EPOCH));
    return agree_to_stop(t);
}

glnn_status glnn__epoch_end(glnn_trainer *t)
{
    const glnn_status status = end_epoch(t);
    t->result.train_seconds += t->epoch_seconds;
    t->phase = GLNN__PHASE_BETWEEN;
    if (status || t->stops || t->epoch == t->desc.epochs)
        return glnn__training_end(t, status);
    return GLNN_OK;
}

/* Restores the best epoch, if it was not the last; without one the last parameters stay. */
static glnn_status settle(glnn_trainer *t, glnn_status status)
{
    const bool has_best = t->desc.restore_best && t->result.best_epoch > 0;
    if (has_best && (status || t->best_steps < t->result.steps)) {
        const glnn_status restored = t->learner.type->restore(t->learner.self);
        return status ? status : restored;
    }
    return status || has_best ? status : glnn__learnt_measure(t);
}

/* All processes find a divergence in the same numbers. */
static void tell_others(glnn_trainer *t, glnn_status status)
{
    if (status == GLNN_E_DIVERGED)
        glnn__exchange_abandon(t->exchange);
    else
        glnn__exchange_fail(t->exchange, status);
}

glnn_status glnn__training_end(glnn_trainer *t, glnn_status status)
{
    t->phase = GLNN__PHASE_ENDED;
    t->result.stopped = t->stops;
    tell_others(t, status);
    glnn__share_end(t);
    return t->is_cut_off ? status : settle(t, status);
}
