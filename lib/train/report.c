#include "train/training.h"

#include "base/clock.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learner/evaluate.h"
#include "train/curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

glnn__advice glnn__report_advise(const glnn_trainer *t)
{
    glnn__advice given = {"; smaller inputs may help"};
    if (t->learner->default_rate > 0)
        snprintf(given.text, sizeof given.text, " (rate %g); a lower rate may help",
                 (double)t->report.rate);
    return given;
}

glnn_status glnn__report_totals(glnn_trainer *t, int batches, const glnn__totals *totals)
{
    t->report.batch = batches;
    t->report.training = glnn__totals_summary(totals, glnn__learnt_targets(t->learner, t->data));
    if (glnn__totals_are_finite(totals))
        return GLNN_OK;
    const float samples = (float)t->desc.batch * (float)t->desc.accumulate;
    const int step = (int)(totals->finite / samples) + 1;
    const bool is_first = step == 1 && t->report.epoch == 1;
    return glnn__fail(GLNN_E_DIVERGED, "the loss is not finite from step %d of epoch %d on%s", step,
                      t->report.epoch,
                      is_first ? "; the parameters or the data are too large or not finite"
                               : glnn__report_advise(t).text);
}

void glnn__report_clear_validation(glnn_report *report)
{
    report->validation = (glnn_metrics){.squared_error = NAN, .r_squared = NAN};
    report->has_validation = report->best = false;
}

glnn_status glnn__report_send(glnn_trainer *t, glnn_event event)
{
    t->report.event = event;
    if (event == GLNN_EVENT_BATCH)
        glnn__report_clear_validation(&t->report);
    t->report.step = t->result.steps;
    t->report.seconds = t->seconds + glnn__clock_seconds() - t->called;
    if (t->desc.curve && event == GLNN_EVENT_EPOCH)
        GLNN__TRY(glnn_curve_add(t->desc.curve, &t->report));
    if (!t->desc.report)
        return GLNN_OK;
    glnn__suspended call;
    glnn_status status = glnn__gl_suspend(t->ctx, &call);
    t->is_reporting = true;
    if (!status && !t->desc.report(t->desc.user, &t->report))
        t->wants_stop = true;
    t->is_reporting = false;
    const glnn_status resumed = glnn__gl_resume(t->ctx, &call);
    t->is_cut_off = resumed != GLNN_OK;
    if (resumed && !status)
        status = glnn__fail(resumed, "cannot go on after the report of epoch %d: %s",
                            t->report.epoch, glnn_last_error());
    return status;
}

static glnn_status report_batches(glnn_trainer *t, const glnn__totals *totals)
{
    GLNN__TRY(glnn__report_totals(t, t->requested_batches, totals));
    t->report.samples_per_second = (double)t->batches_done * t->desc.batch / glnn__steps_seconds(t);
    return glnn__report_send(t, GLNN_EVENT_BATCH);
}

/* Before a software rasteriser reads, it finishes all work (tex/transfer.c). A call with a time
 * limit therefore leaves the request to a call that begins when all work is done. */
static glnn_status request(glnn_trainer *t)
{
    glnn__metrics *metrics = &t->learner->metrics;
    t->wants_metrics = t->is_limited && t->ctx->info.software;
    if (metrics->pending || t->wants_metrics)
        return GLNN_OK;
    t->requested_batches = t->batches_done;
    return glnn__metrics_request(t->ctx, metrics);
}

glnn_status glnn__report_request_left(glnn_trainer *t)
{
    return t->wants_metrics ? request(t) : GLNN_OK;
}

/* Metrics that were asked for so many batches ago are waited for. The device still has these
 * batches to compute, so it does not idle. Without the wait, a driver could take a whole epoch
 * before the device has done a batch. */
#define MOST_BATCHES_AHEAD 64

static bool are_due(const glnn_trainer *t)
{
    const glnn__metrics *metrics = &t->learner->metrics;
    const bool is_late = t->batches_done - t->requested_batches >= MOST_BATCHES_AHEAD;
    return glnn__metrics_ready(metrics) || (metrics->pending && is_late && !t->is_limited);
}

static glnn_status follow_alone(glnn_trainer *t)
{
    glnn__metrics *metrics = &t->learner->metrics;
    if (are_due(t)) {
        glnn__totals totals;
        GLNN__TRY(glnn__metrics_take(t->ctx, metrics, &totals));
        GLNN__TRY(report_batches(t, &totals));
        t->stops = t->stops || t->wants_stop;
    }
    return request(t);
}

/* ---- Several processes */

/* The sums that were requested. The texels of the one row of totals are its columns. */
static glnn_status take_sums(glnn_trainer *t, glnn__totals *out)
{
    const int columns = t->learner->metrics.total->columns;
    GLNN__TRY(glnn__exchange_end(t->exchange, GLNN__EXCHANGE_METRICS));
    memcpy(out, glnn__exchange_get_sums(t->exchange, GLNN__EXCHANGE_METRICS) + columns - 4,
           sizeof *out);
    t->is_summing = false;
    return GLNN_OK;
}

/* Wishes to stop are exchanged during the next step. */
static glnn_status ask_to_stop(glnn_trainer *t)
{
    t->wishes = t->wants_stop;
    t->is_asking = true;
    return glnn__exchange_begin_numbers(t->exchange, GLNN__EXCHANGE_STOP, &t->wishes, 1);
}

static glnn_status hear_to_stop(glnn_trainer *t)
{
    if (!t->is_asking)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_end(t->exchange, GLNN__EXCHANGE_STOP));
    t->is_asking = false;
    t->stops = t->stops || t->wishes > 0;
    return GLNN_OK;
}

static glnn_status follow_together(glnn_trainer *t)
{
    const glnn__metrics *metrics = &t->learner->metrics;
    if (t->is_summing) {
        glnn__totals totals;
        GLNN__TRY(take_sums(t, &totals));
        GLNN__TRY(report_batches(t, &totals));
        GLNN__TRY(ask_to_stop(t));
    }
    t->requested_batches = t->batches_done;
    t->is_summing = true;
    GLNN__TRY(glnn__metrics_sum(t->ctx, metrics));
    return glnn__exchange_begin(t->exchange, GLNN__EXCHANGE_METRICS, metrics->total);
}

glnn_status glnn__report_settle(glnn_trainer *t)
{
    GLNN__TRY(hear_to_stop(t));
    t->is_summing = false;
    return glnn__exchange_end(t->exchange, GLNN__EXCHANGE_METRICS);
}

glnn_status glnn__report_follow(glnn_trainer *t, int batches)
{
    const int every = t->desc.report_every;
    GLNN__TRY(hear_to_stop(t));
    if (t->batches_done / every == (t->batches_done - batches) / every ||
        t->batches_done == t->batches)
        return GLNN_OK;
    return t->exchange ? follow_together(t) : follow_alone(t);
}
