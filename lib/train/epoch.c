#include "train/training.h"

#include "base/clock.h"
#include "base/status.h"
#include "learner/passes.h"
#include "learner/snapshot.h"
#include "learner/visits.h"
#include "train/exchange_plan.h"

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
        GLNN__TRY(glnn__snapshot_take(t->learner));
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

/* ---- The metrics of the epoch's training samples */

/* The squares of what is learnt, and the totals of the epoch. */
static glnn_status ask(glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    glnn__metrics *metrics = &learner->metrics;
    GLNN__TRY(glnn__report_settle(t));
    GLNN__TRY(glnn__learner_average(learner));
    GLNN__TRY(glnn__learnt_request(learner, &t->ending.squares));
    glnn__metrics_drop(metrics);
    return glnn__metrics_request(learner->ctx, metrics);
}

static bool has_arrived(const glnn_trainer *t)
{
    return glnn__metrics_ready(&t->learner->metrics) &&
           (!t->ending.squares || glnn_download_is_ready(t->ending.squares));
}

static glnn_status take_squares(glnn_trainer *t)
{
    glnn_download *squares = t->ending.squares;
    t->ending.squares = NULL;
    return glnn_download_end(squares, &t->squares, 0);
}

static glnn_status take(glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    const double started = glnn__clock_seconds();
    glnn__totals totals;
    GLNN__TRY(glnn__metrics_take(learner->ctx, &learner->metrics, &totals));
    GLNN__TRY(take_squares(t));
    GLNN__TRY(glnn__share_sum(t, &totals));
    t->report.samples_per_second =
        (double)totals.samples / (t->epoch_seconds + glnn__clock_seconds() - started);
    if (learner->type->add_settled)
        learner->type->add_settled(learner, &totals);
    GLNN__TRY(glnn__report_totals(t, t->batches_done, &totals));
    return glnn__learnt_check(t);
}

/* ---- The learner */

static glnn_status finish_learner(glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    bool is_done = false;
    if (t->desc.emphasis > 0)
        GLNN__TRY(glnn__emphasis_end(learner->ctx, &t->emphasis, t->epoch));
    if (learner->type->apply_epoch)
        GLNN__TRY(learner->type->apply_epoch(learner));
    if (learner->type->end_epoch)
        GLNN__TRY(learner->type->end_epoch(learner, t->report.training.loss, &is_done));
    t->stops = t->stops || is_done;
    glnn__exchange_plan_follow(t);
    glnn__exchange_plan_show(t);
    return GLNN_OK;
}

/* ---- Validation */

/* The program may measure the learner before the validation is over, so that it has metrics of its
 * own then. */
glnn_status glnn__validation_prepare(glnn_trainer *t)
{
    const glnn__metrics *like = &t->learner->measured;
    if (t->measured.rows)
        return GLNN_OK;
    return glnn__metrics_create(t->ctx, like->rows->rows, like->rows->columns, &t->measured);
}

static glnn_status begin_validation(glnn_trainer *t)
{
    t->ending.parts =
        (glnn__parts){.ranges = t->samples.validation, .count = t->samples.validation_count};
    GLNN__TRY(glnn__validation_prepare(t));
    return glnn__metrics_clear(t->ctx, &t->measured);
}

/* The learner adds to these metrics, instead of its own, until they are swapped again. */
static void swap_metrics(glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    const glnn__metrics own = learner->measured;
    learner->measured = t->measured;
    t->measured = own;
}

static glnn_status measure_part(glnn_trainer *t)
{
    glnn__batch part;
    bool has_part;
    GLNN__TRY(glnn__parts_next(t->learner, &t->ending.parts, &part, &has_part));
    if (!has_part) {
        glnn__parts_end(&t->ending.parts);
        t->ending.next++;
        return GLNN_OK;
    }
    swap_metrics(t);
    const glnn_status status = glnn__learner_measure(t->learner, &part);
    swap_metrics(t);
    return status;
}

static glnn_status validate(glnn_trainer *t)
{
    glnn__totals totals;
    GLNN__TRY(glnn__metrics_take(t->ctx, &t->measured, &totals));
    GLNN__TRY(glnn__share_sum(t, &totals));
    t->report.has_validation = true;
    t->report.validation = glnn__totals_summary(&totals, glnn__learnt_targets(t->learner, t->data));
    if (glnn__totals_are_finite(&totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED, "the validation loss is not finite after epoch %d%s",
                      t->report.epoch, glnn__report_advise(t).text);
}

/* ---- The end */

/* All processes stop if the report function of one has returned false. */
static glnn_status agree_to_stop(glnn_trainer *t)
{
    double wishes = t->wants_stop;
    GLNN__TRY(glnn__exchange_sum(t->exchange, &wishes, 1));
    t->stops = t->stops || wishes > 0;
    return GLNN_OK;
}

/* A stop in the middle of an epoch gives metrics, but the epoch is not counted. */
static bool is_whole(const glnn_trainer *t)
{
    return t->batches_done == t->batches;
}

static glnn_status report(glnn_trainer *t)
{
    t->result.training = t->report.training;
    t->result.validation = t->report.validation;
    if (!is_whole(t))
        return GLNN_OK;
    t->result.epochs = ++t->epoch;
    GLNN__TRY(judge(t, t->epoch));
    GLNN__TRY(glnn__report_send(t, GLNN_EVENT_EPOCH));
    return agree_to_stop(t);
}

static glnn_status run_part(glnn_trainer *t)
{
    switch (t->ending.next) {
    case GLNN__ENDING_ASK:
        return ask(t);
    case GLNN__ENDING_TAKE:
        return take(t);
    case GLNN__ENDING_LEARNER:
        return is_whole(t) ? finish_learner(t) : GLNN_OK;
    case GLNN__ENDING_BEGIN:
        return begin_validation(t);
    case GLNN__ENDING_MEASURE:
        return measure_part(t);
    case GLNN__ENDING_SUM:
        return glnn__metrics_request(t->ctx, &t->measured);
    case GLNN__ENDING_VALIDATE:
        return validate(t);
    default:
        return report(t);
    }
}

/* The part after one that is done. GLNN__ENDING_MEASURE is run several times, and chooses the part
 * after it by itself. */
static glnn__ending_part part_after(const glnn_trainer *t, glnn__ending_part done)
{
    if (done == GLNN__ENDING_LEARNER && t->samples.validation_count == 0)
        return GLNN__ENDING_REPORT;
    return done == GLNN__ENDING_MEASURE ? t->ending.next : (glnn__ending_part)(done + 1);
}

/* Runs the next part. The time of the validation is not counted. */
static glnn_status time_part(glnn_trainer *t)
{
    const glnn__ending_part part = t->ending.next;
    const double started = glnn__clock_seconds();
    GLNN__TRY(run_part(t));
    const double seconds = glnn__clock_seconds() - started;
    t->ending.next = part_after(t, part);
    if (part < GLNN__ENDING_BEGIN)
        t->epoch_seconds += seconds;
    if (part == GLNN__ENDING_ASK)
        glnn__exchange_plan_leave_out(t, seconds);
    return GLNN_OK;
}

static bool can_go_on(const glnn_trainer *t)
{
    return t->ending.next == GLNN__ENDING_TAKE       ? has_arrived(t)
           : t->ending.next == GLNN__ENDING_VALIDATE ? glnn__metrics_ready(&t->measured)
                                                     : true;
}

/* Adds the time of the epoch to the result, also after an error. */
static glnn_status close_epoch(glnn_trainer *t, glnn_status status)
{
    glnn__epoch_end_drop(t);
    t->result.train_seconds += t->epoch_seconds;
    t->phase = GLNN__PHASE_BETWEEN;
    if (status || t->stops || t->epoch == t->desc.epochs)
        return glnn__training_end(t, status);
    return GLNN_OK;
}

static glnn_status end_part(glnn_trainer *t)
{
    const glnn_status status = time_part(t);
    return status || t->ending.next == GLNN__ENDING_PARTS ? close_epoch(t, status) : GLNN_OK;
}

glnn_status glnn__epoch_end_part(glnn_trainer *t, bool *arrives)
{
    *arrives = can_go_on(t);
    return *arrives ? end_part(t) : GLNN_OK;
}

glnn_status glnn__epoch_end(glnn_trainer *t)
{
    while (t->phase == GLNN__PHASE_EPOCH_END)
        GLNN__TRY(end_part(t));
    return GLNN_OK;
}

void glnn__epoch_end_drop(glnn_trainer *t)
{
    glnn_download_end(t->ending.squares, NULL, 0);
    glnn__parts_end(&t->ending.parts);
    t->ending = (glnn__ending){0};
}

/* Restores the best epoch, if it was not the last; without one the last parameters stay. */
static glnn_status settle(glnn_trainer *t, glnn_status status)
{
    const bool has_best = t->desc.restore_best && t->result.best_epoch > 0;
    if (has_best && (status || t->best_steps < t->result.steps)) {
        const glnn_status restored = glnn__snapshot_restore(t->learner);
        return status ? status : restored;
    }
    return status || has_best ? status : glnn__learnt_measure(t);
}

/* All processes find a divergence by themselves, because they check the same numbers. */
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
