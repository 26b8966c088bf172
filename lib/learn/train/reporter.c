#include "learn/train/reporter.h"

#include "base/names.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learn/evaluate.h"
#include "learn/passes.h"
#include "learn/train/curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const events[] = {
    [GLNN_EVENT_BATCH] = "batch",
    [GLNN_EVENT_EPOCH] = "epoch",
};

GLNN__DEFINE_NAMES(glnn_event, events)

static void clear_validation(glnn_report *report)
{
    report->validation = (glnn_metrics){.squared_error = NAN, .r_squared = NAN};
    report->has_validation = report->best = false;
}

void glnn__reporter_begin(glnn__reporter *r)
{
    r->report.epochs = r->of->desc.epochs;
    clear_validation(&r->report);
    r->report.training = r->report.validation;
}

void glnn__reporter_destroy(glnn__reporter *r)
{
    glnn__metrics_destroy(&r->measured);
}

void glnn__reporter_begin_step(glnn__reporter *r)
{
    r->report.epoch = r->at->epoch + 1;
    r->report.batches = r->of->samples.batches;
    r->report.rate = glnn__cursor_rate(r->at);
}

/* ---- The program */

/* Inputs of this magnitude are unusual enough to be named. */
#define LARGE_INPUT 1e3f

/* A loss of the program's own can be undefined where all parameters are finite. */
#define OWN_LOSS "; the expressions of the loss may not be finite for some outputs and targets"

/* Of a stream, and of matrices of the program, the inputs are not known. */
static glnn__advice name_inputs(const glnn_dataset *data, glnn__advice given)
{
    const size_t used = strlen(given.text);
    if (data->greatest >= LARGE_INPUT)
        snprintf(given.text + used, sizeof given.text - used,
                 "; an input of %.64s has the magnitude %g, which may be the cause", data->name,
                 (double)data->greatest);
    return given;
}

/* With the inputs of a data set that were used. */
static glnn__advice advise(const glnn__reporter *r, const glnn_dataset *data)
{
    const glnn_learner *learner = r->of->learner;
    glnn__advice given = {"; smaller inputs may help"};
    if (learner->default_rate > 0)
        snprintf(given.text, sizeof given.text, " (rate %g)%s", (double)r->report.rate,
                 learner->has_own_loss ? OWN_LOSS ", or the rate may be too high"
                                       : "; a lower rate may help");
    return name_inputs(data, given);
}

glnn__advice glnn__reporter_advise(const glnn__reporter *r)
{
    return advise(r, r->of->data);
}

static void stamp(glnn__reporter *r, glnn_event event)
{
    r->report.event = event;
    r->report.step = r->result->steps;
    r->report.seconds = glnn__elapsed_read(&r->at->calls);
}

/* Hands the report to the program, which sees its own OpenGL state and may use the library. */
static glnn_status send(glnn__reporter *r, glnn_event event)
{
    const glnn_train_desc *desc = &r->of->desc;
    stamp(r, event);
    if (desc->curve && event == GLNN_EVENT_EPOCH)
        GLNN__TRY(glnn_curve_add(desc->curve, &r->report));
    if (!desc->report)
        return GLNN_OK;
    glnn__suspended call;
    glnn_status status = glnn__gl_suspend(r->of->ctx, &call);
    r->is_reporting = true;
    if (!status && !desc->report(desc->user, &r->report))
        r->wants_stop = true;
    r->is_reporting = false;
    const glnn_status resumed = glnn__gl_resume(r->of->ctx, &call);
    r->is_cut_off = resumed != GLNN_OK;
    if (resumed && !status)
        status = glnn__fail(resumed, "cannot go on after the report of epoch %d: %s",
                            r->report.epoch, glnn_last_error());
    return status;
}

glnn_status glnn__reporter_report_epoch(glnn__reporter *r, bool is_best)
{
    r->report.best = is_best;
    GLNN__TRY(send(r, GLNN_EVENT_EPOCH));
    double wishes = r->wants_stop;
    GLNN__TRY(glnn__exchange_sum(r->of->exchange, &wishes, 1));
    glnn__cursor_stop(r->at, wishes > 0);
    return GLNN_OK;
}

/* Fails if the totals of training samples show a loss that is not finite. */
static glnn_status take_totals(glnn__reporter *r, int batches, const glnn__totals *totals)
{
    r->report.batch = batches;
    r->report.training = glnn__totals_summary(totals, r->of->learner->fit,
                                              glnn__learnt_targets(r->of->learner, r->of->data));
    if (glnn__totals_are_finite(totals))
        return GLNN_OK;
    const float samples = (float)r->of->samples.batch * (float)r->of->desc.accumulate;
    /* Another process, or a checkpoint, may have any count. */
    const int step = (int)fminf(fmaxf(totals->finite / samples, 0), (float)batches) + 1;
    const bool is_first = step == 1 && r->report.epoch == 1;
    const bool is_own = r->of->learner->has_own_loss;
    glnn__advice start;
    snprintf(start.text, sizeof start.text, "%s",
             is_own ? OWN_LOSS ", or the parameters or the data may be too large"
                    : "; the parameters or the data are too large or not finite");
    return glnn__fail(GLNN_E_DIVERGED, "the loss is not finite from step %d of epoch %d on%s", step,
                      r->report.epoch,
                      (is_first ? name_inputs(r->of->data, start) : glnn__reporter_advise(r)).text);
}

/* ---- Batches */

static glnn_status report_batches(glnn__reporter *r, const glnn__totals *totals)
{
    GLNN__TRY(take_totals(r, r->requested_batches, totals));
    r->report.samples_per_second =
        (double)r->at->batches * r->of->samples.batch / glnn__elapsed_read(&r->at->stepping);
    clear_validation(&r->report);
    return send(r, GLNN_EVENT_BATCH);
}

/* Before a software rasteriser reads, it finishes all work (tex/transfer.c). A call with a time
 * limit therefore leaves the request to a call that begins when all work is done. A process of its
 * own does not hold up the caller. */
static glnn_status request(glnn__reporter *r, bool may_wait)
{
    glnn__metrics *metrics = &r->of->learner->metrics;
    const glnn_context *ctx = r->of->ctx;
    r->wants_metrics = !may_wait && ctx->info.software && !ctx->is_remote;
    if (metrics->pending || r->wants_metrics)
        return GLNN_OK;
    r->requested_batches = r->at->batches;
    return glnn__metrics_request(r->of->ctx, metrics);
}

glnn_status glnn__reporter_request_left(glnn__reporter *r)
{
    return r->wants_metrics ? request(r, true) : GLNN_OK;
}

/* Metrics that were asked for so many batches ago are waited for. The device still has these
 * batches to compute, so it does not idle. Without the wait, a driver could take a whole epoch
 * before the device has done a batch. */
#define MOST_BATCHES_AHEAD 64

static glnn_status follow_alone(glnn__reporter *r, bool may_wait)
{
    glnn__metrics *metrics = &r->of->learner->metrics;
    const bool is_late = r->at->batches - r->requested_batches >= MOST_BATCHES_AHEAD;
    if (glnn__metrics_ready(metrics) || (metrics->pending && is_late && may_wait)) {
        glnn__totals totals;
        GLNN__TRY(glnn__metrics_take(r->of->ctx, metrics, &totals));
        GLNN__TRY(report_batches(r, &totals));
        glnn__cursor_stop(r->at, r->wants_stop);
    }
    return request(r, may_wait);
}

/* Wishes to stop are exchanged during the next step. */
static glnn_status hear_to_stop(glnn__reporter *r)
{
    if (!r->is_asking)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_end(r->of->exchange, GLNN__EXCHANGE_STOP));
    r->is_asking = false;
    glnn__cursor_stop(r->at, r->wishes > 0);
    return GLNN_OK;
}

static glnn_status follow_together(glnn__reporter *r)
{
    glnn__exchange *exchange = r->of->exchange;
    const glnn__metrics *metrics = &r->of->learner->metrics;
    if (r->is_summing) {
        glnn__totals totals;
        GLNN__TRY(glnn__exchange_end(exchange, GLNN__EXCHANGE_METRICS));
        /* The texels of the one row of totals are its columns. */
        memcpy(&totals,
               glnn__exchange_get_sums(exchange, GLNN__EXCHANGE_METRICS) + metrics->total->columns -
                   4,
               sizeof totals);
        r->is_summing = false;
        GLNN__TRY(report_batches(r, &totals));
        r->wishes = r->wants_stop;
        r->is_asking = true;
        GLNN__TRY(glnn__exchange_begin_numbers(exchange, GLNN__EXCHANGE_STOP, &r->wishes, 1));
    }
    r->requested_batches = r->at->batches;
    r->is_summing = true;
    GLNN__TRY(glnn__metrics_sum(r->of->ctx, metrics));
    return glnn__exchange_begin(exchange, GLNN__EXCHANGE_METRICS, metrics->total);
}

glnn_status glnn__reporter_follow(glnn__reporter *r, int batches, bool may_wait)
{
    const int every = r->of->desc.report_every, done = r->at->batches;
    GLNN__TRY(hear_to_stop(r));
    if (done / every == (done - batches) / every || done == r->of->samples.batches)
        return GLNN_OK;
    return r->of->exchange ? follow_together(r) : follow_alone(r, may_wait);
}

/* ---- Epochs */

/* Adds the totals of all processes. */
static glnn_status sum(const glnn__reporter *r, glnn__totals *totals)
{
    double values[] = {(double)totals->loss, (double)totals->correct, (double)totals->finite,
                       (double)totals->samples};
    if (!r->of->exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_sum(r->of->exchange, values, 4));
    *totals =
        (glnn__totals){(float)values[0], (float)values[1], (float)values[2], (float)values[3]};
    return GLNN_OK;
}

glnn_status glnn__reporter_settle(glnn__reporter *r)
{
    GLNN__TRY(hear_to_stop(r));
    r->wants_metrics = r->is_summing = false;
    return glnn__exchange_end(r->of->exchange, GLNN__EXCHANGE_METRICS);
}

glnn_status glnn__reporter_request(glnn__reporter *r)
{
    glnn__metrics *metrics = &r->of->learner->metrics;
    glnn__metrics_drop(metrics);
    return glnn__metrics_request(r->of->ctx, metrics);
}

glnn_status glnn__reporter_take(glnn__reporter *r)
{
    glnn_learner *learner = r->of->learner;
    glnn__totals totals;
    GLNN__TRY(glnn__metrics_take(learner->ctx, &learner->metrics, &totals));
    GLNN__TRY(sum(r, &totals));
    r->report.samples_per_second = (double)totals.samples / glnn__elapsed_read(&r->at->stepping);
    for (int g = 0; g < r->of->samples.groups.count && learner->settled; ++g) {
        totals.loss += learner->settled[g].loss;
        totals.finite += learner->settled[g].finite;
        totals.samples += learner->settled[g].samples;
    }
    return take_totals(r, r->at->batches, &totals);
}

glnn_status glnn__reporter_update(glnn__reporter *r)
{
    if (r->at->phase != GLNN__PHASE_STEPS)
        return GLNN_OK;
    GLNN__TRY(glnn__reporter_settle(r));
    GLNN__TRY(glnn__reporter_request(r));
    r->requested_batches = r->at->batches;
    GLNN__TRY(glnn__reporter_take(r));
    clear_validation(&r->report);
    stamp(r, GLNN_EVENT_BATCH);
    return GLNN_OK;
}

/* ---- Validation */

/* The program may measure the learner before the validation is over, so that it has metrics of its
 * own then. */
glnn_status glnn__reporter_prepare_validation(glnn__reporter *r)
{
    const glnn__metrics *like = &r->of->learner->measured;
    if (r->measured.rows)
        return GLNN_OK;
    return glnn__metrics_create(r->of->ctx, like->rows->rows, like->rows->columns, &r->measured);
}

glnn_status glnn__reporter_begin_validation(glnn__reporter *r)
{
    const glnn__samples *samples = &r->of->samples;
    r->parts = (glnn__parts){.ranges = samples->validation, .count = samples->validation_count};
    GLNN__TRY(glnn__reporter_prepare_validation(r));
    return glnn__metrics_clear(r->of->ctx, &r->measured);
}

/* The learner adds to these metrics, instead of its own, until they are swapped again. */
static void swap_metrics(glnn__reporter *r)
{
    glnn_learner *learner = r->of->learner;
    const glnn__metrics own = learner->measured;
    learner->measured = r->measured;
    r->measured = own;
}

glnn_status glnn__reporter_measure_part(glnn__reporter *r, bool *has_part)
{
    glnn__batch part;
    GLNN__TRY(glnn__parts_next(r->of->learner, &r->parts, &part, has_part));
    if (!*has_part) {
        glnn__parts_end(&r->parts);
        return GLNN_OK;
    }
    swap_metrics(r);
    const glnn_status status = glnn__learner_measure(r->of->learner, &part);
    swap_metrics(r);
    return status;
}

glnn_status glnn__reporter_request_validation(glnn__reporter *r)
{
    return glnn__metrics_request(r->of->ctx, &r->measured);
}

/* The inputs of a training make the parameters, from which the loss of a validation follows. */
static const glnn_dataset *largest_of(const glnn__training *of)
{
    const glnn_dataset *validation = of->desc.validation;
    return validation && validation->greatest > of->data->greatest ? validation : of->data;
}

glnn_status glnn__reporter_take_validation(glnn__reporter *r)
{
    glnn__totals totals;
    GLNN__TRY(glnn__metrics_take(r->of->ctx, &r->measured, &totals));
    GLNN__TRY(sum(r, &totals));
    r->report.has_validation = true;
    r->report.validation = glnn__totals_summary(&totals, r->of->learner->fit,
                                                glnn__learnt_targets(r->of->learner, r->of->data));
    if (glnn__totals_are_finite(&totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED, "the validation loss is not finite after epoch %d%s",
                      r->report.epoch, advise(r, largest_of(r->of)).text);
}

void glnn__reporter_drop_validation(glnn__reporter *r)
{
    glnn__parts_end(&r->parts);
}

/* ---- Checkpoints */

void glnn__reporter_state(glnn__reporter *r, glnn__state *state)
{
    glnn__report_state(state, &r->report, "report");
    glnn__curve_state(state, r->of->desc.curve, &r->report);
}
