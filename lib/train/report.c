#include "train/training.h"

#include "base/clock.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learner/evaluate.h"
#include "train/curve.h"

#include <stdio.h>

glnn__advice glnn__report_advise(const glnn_trainer *t)
{
    glnn__advice given = {"; smaller inputs may help"};
    if (t->learner.default_rate > 0)
        snprintf(given.text, sizeof given.text, " (rate %g); a lower rate may help",
                 (double)t->report.rate);
    return given;
}

glnn_status glnn__report_totals(glnn_trainer *t, int batches, const glnn__totals *totals)
{
    t->report.batch = batches;
    t->report.training = glnn__totals_summary(totals, glnn__learnt_targets(&t->learner, t->data));
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

glnn_status glnn__report_send(glnn_trainer *t, glnn_event event)
{
    t->report.event = event;
    t->report.step = t->result.steps;
    t->report.seconds = t->seconds + glnn__clock_seconds() - t->called;
    if (t->desc.curve && event == GLNN_EVENT_EPOCH)
        GLNN__TRY(glnn_curve_add(t->desc.curve, &t->report));
    if (!t->desc.report)
        return GLNN_OK;
    glnn__suspended call;
    glnn_status status = glnn__gl_suspend(t->learner.ctx, &call);
    t->is_reporting = true;
    if (!status && !t->desc.report(t->desc.user, &t->report))
        t->stops = true;
    t->is_reporting = false;
    const glnn_status resumed = glnn__gl_resume(t->learner.ctx, &call);
    t->is_cut_off = resumed != GLNN_OK;
    if (resumed && !status)
        status = glnn__fail(resumed, "cannot go on after the report of epoch %d: %s",
                            t->report.epoch, glnn_last_error());
    return status;
}

glnn_status glnn__report_follow(glnn_trainer *t, int batches)
{
    glnn__metrics *metrics = &t->learner.trained->metrics;
    const int every = t->desc.report_every;
    if (t->batches_done / every == (t->batches_done - batches) / every ||
        t->batches_done == t->batches)
        return GLNN_OK;
    if (glnn__metrics_ready(metrics)) {
        glnn__totals totals;
        GLNN__TRY(glnn__metrics_take(t->learner.ctx, metrics, &totals));
        GLNN__TRY(glnn__report_totals(t, t->requested_batches, &totals));
        t->report.samples_per_second = (double)t->batches_done * t->desc.batch /
                                       (t->epoch_seconds + glnn__clock_seconds() - t->called);
        GLNN__TRY(glnn__report_send(t, GLNN_EVENT_BATCH));
    }
    if (!metrics->pending)
        t->requested_batches = t->batches_done;
    return glnn__metrics_request(t->learner.ctx, metrics);
}
