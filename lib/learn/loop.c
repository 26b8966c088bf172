#include "learn/loop.h"

#include "base/clock.h"
#include "base/status.h"
#include "gl/gl.h"
#include "learn/order.h"
#include "learn/train_desc.h"

#include <math.h>
#include <stdio.h>

/* A training under way. */
typedef struct run {
    const glnn__learner *learner;
    const glnn_dataset *data;
    glnn_train_desc desc; /* defaults filled in */
    glnn_train_result *result;

    glnn__order order;
    glnn__walk walk; /* of the epoch under way */
    int samples;     /* that are trained on; behind them in the order stand those kept apart */
    int batches;     /* of an epoch */
    bool stops;      /* the callback said so */
    bool is_cut_off; /* the callback left a context that the library cannot use */

    double started, epoch_started;
    double best_loss;
    uint64_t best_steps;   /* done at the end of the best epoch */
    int requested_batches; /* that the pending totals cover */
    glnn_report report;    /* the latest */
} run;

static void fill_defaults(run *r)
{
    glnn_train_desc *desc = &r->desc;
    if (desc->epochs == 0)
        desc->epochs = 10;
    if (desc->schedule.rate == 0)
        desc->schedule.rate = r->learner->default_rate;
    if (desc->report_every == 0)
        desc->report_every = 64;
    r->samples = r->data->samples - glnn__train_desc_kept_apart(desc, r->data);
    if (desc->batch == 0)
        desc->batch = 128;
    if (desc->batch < 0 || desc->batch > r->samples)
        desc->batch = r->samples;
    r->batches = (r->samples - 1) / desc->batch + 1;
}

static bool has_validation(const run *r)
{
    return r->desc.validation || r->samples < r->data->samples;
}

/* What to do about a loss that is not finite. */
typedef struct advice {
    char text[64];
} advice;

static advice advise(const run *r)
{
    advice given = {"; smaller inputs may help"};
    if (r->learner->default_rate > 0)
        snprintf(given.text, sizeof given.text, " (rate %g); a lower rate may help",
                 (double)r->report.rate);
    return given;
}

/* Fills the report from totals; fails when they show a loss that is no finite number. */
static glnn_status take_totals(run *r, int batches, const glnn__totals *totals)
{
    r->report.batch = batches;
    r->report.loss = (double)totals->loss / fmax((double)totals->samples, 1);
    r->report.accuracy = (double)totals->correct / fmax((double)totals->samples, 1);
    if (glnn__totals_are_finite(totals))
        return GLNN_OK;
    const int step = (int)(totals->finite / (float)r->desc.batch) + 1;
    return glnn__fail(GLNN_E_DIVERGED,
                      "training: the loss is not finite from step %d of epoch %d on%s", step,
                      r->report.epoch, advise(r).text);
}

/* The callback sees the caller's own OpenGL state and may use the library. */
static glnn_status send_report(run *r, glnn_event event)
{
    const double now = glnn__clock_seconds();
    r->report.event = event;
    r->report.seconds = now - r->started;
    if (!r->desc.report)
        return GLNN_OK;
    int depth;
    glnn_status status = glnn__gl_suspend(r->learner->ctx, &depth);
    if (!status && !r->desc.report(r->desc.user, &r->report))
        r->stops = true;
    const glnn_status resumed = glnn__gl_resume(r->learner->ctx, depth);
    r->is_cut_off = resumed != GLNN_OK;
    if (resumed && !status)
        status = glnn__fail(resumed, "training: cannot go on after the report of epoch %d: %s",
                            r->report.epoch, glnn_last_error());
    return status;
}

/* Between two steps: passes on figures that have arrived, and asks for the next. */
static glnn_status follow(run *r, int batches_done)
{
    const glnn__learner *learner = r->learner;
    if (batches_done % r->desc.report_every != 0 || batches_done == r->batches)
        return GLNN_OK;
    if (glnn__scores_ready(learner->scores)) {
        glnn__totals totals;
        GLNN__TRY(glnn__scores_take(learner->ctx, learner->scores, &totals));
        GLNN__TRY(take_totals(r, r->requested_batches, &totals));
        r->report.samples_per_second =
            (double)batches_done * r->desc.batch / (glnn__clock_seconds() - r->epoch_started);
        GLNN__TRY(send_report(r, GLNN_EVENT_BATCH));
    }
    if (!learner->scores->pending)
        r->requested_batches = batches_done;
    return glnn__scores_request(learner->ctx, learner->scores);
}

static glnn_status run_steps(run *r, int epoch, int *batches_done)
{
    const uint64_t steps = (uint64_t)r->desc.epochs * (uint64_t)r->batches;
    for (int b = 0; b < r->batches && !r->stops; ++b) {
        glnn__batch batch;
        GLNN__TRY(glnn__walk_next(&r->walk, r->desc.batch, &batch));
        batch.full = r->desc.batch;
        batch.epoch_samples = r->samples;
        const uint64_t step = (uint64_t)epoch * (uint64_t)r->batches + (uint64_t)b;
        r->report.rate = glnn_schedule_rate(&r->desc.schedule, step, steps, epoch);
        GLNN__TRY(r->learner->step(r->learner->self, &batch, r->report.rate));
        r->result->steps++;
        *batches_done = b + 1;
        GLNN__TRY(follow(r, b + 1));
    }
    return GLNN_OK;
}

static glnn_status measure(const glnn__learner *learner, glnn__walk *walk)
{
    const int count = walk->end - walk->at;
    while (!glnn__walk_is_over(walk)) {
        glnn__batch batch;
        GLNN__TRY(glnn__walk_next(walk, count, &batch));
        batch.full = count;
        GLNN__TRY(learner->measure(learner->self, &batch));
    }
    return GLNN_OK;
}

/* Measures `count` entries of an order, or of the samples' own, from `first` on. */
static glnn_status measure_entries(const glnn__learner *learner, const glnn_dataset *data,
                                   const glnn__order *order, int first, int count,
                                   glnn__totals *totals)
{
    glnn__walk walk;
    GLNN__TRY(glnn__scores_clear(learner->ctx, learner->measured));
    glnn_status status = glnn__walk_begin(data, order, first, count, learner->piece, &walk);
    if (!status)
        status = measure(learner, &walk);
    glnn__walk_end(&walk);
    GLNN__TRY(status);
    return glnn__scores_take(learner->ctx, learner->measured, totals);
}

static double mean_loss(const glnn__totals *totals)
{
    return (double)totals->loss / (double)totals->samples;
}

static double accuracy_of(const glnn__totals *totals)
{
    return (double)totals->correct / (double)totals->samples;
}

glnn_status glnn__measure(const glnn__learner *learner, const glnn_dataset *data, double *loss,
                          double *accuracy)
{
    glnn__totals totals;
    GLNN__TRY(measure_entries(learner, data, NULL, 0, data->samples, &totals));
    if (!glnn__totals_are_finite(&totals))
        return glnn__fail(GLNN_E_DIVERGED,
                          "%s: the mean loss is not finite; %.0f of %.0f samples have a finite one",
                          data->name, (double)totals.finite, (double)totals.samples);
    if (loss)
        *loss = mean_loss(&totals);
    if (accuracy)
        *accuracy = accuracy_of(&totals);
    return GLNN_OK;
}

static glnn_status validate(run *r)
{
    glnn__totals totals;
    const glnn_dataset *own = r->desc.validation;
    const int first = own ? 0 : r->samples;
    const int count = own ? own->samples : r->data->samples - r->samples;
    GLNN__TRY(measure_entries(r->learner, own ? own : r->data, own ? NULL : &r->order, first, count,
                              &totals));
    r->report.has_validation = true;
    r->report.validation_loss = mean_loss(&totals);
    r->report.validation_accuracy = accuracy_of(&totals);
    if (glnn__totals_are_finite(&totals))
        return GLNN_OK;
    return glnn__fail(GLNN_E_DIVERGED,
                      "training: the validation loss is not finite after epoch %d%s",
                      r->report.epoch, advise(r).text);
}

/* Remembers the best epoch, and ends training when it is too long ago. */
static glnn_status judge(run *r, int epoch)
{
    const double loss = has_validation(r) ? r->report.validation_loss : r->report.loss;
    r->report.best =
        r->result->best_epoch == 0 || loss < r->best_loss - (double)r->desc.min_improvement;
    if (r->report.best) {
        r->best_loss = loss;
        r->best_steps = r->result->steps;
        r->result->best_epoch = epoch;
        if (r->desc.keep_best)
            GLNN__TRY(r->learner->keep(r->learner->self));
    }
    if (r->desc.patience > 0 && epoch - r->result->best_epoch >= r->desc.patience)
        r->stops = true;
    return GLNN_OK;
}

/* What the learner does once an epoch. */
static glnn_status finish_epoch(run *r)
{
    const double started = glnn__clock_seconds();
    bool is_done = false;
    if (r->learner->end_epoch)
        GLNN__TRY(r->learner->end_epoch(r->learner->self, r->report.loss, &is_done));
    r->stops = r->stops || is_done;
    r->result->train_seconds += glnn__clock_seconds() - started;
    return GLNN_OK;
}

static glnn_status end_epoch(run *r, int epoch, int batches_done)
{
    glnn__totals totals;
    const glnn__learner *learner = r->learner;
    glnn_download_end(learner->scores->pending, NULL, 0);
    learner->scores->pending = NULL;
    GLNN__TRY(glnn__scores_take(learner->ctx, learner->scores, &totals));
    const double seconds = glnn__clock_seconds() - r->epoch_started;
    r->result->train_seconds += seconds;
    GLNN__TRY(take_totals(r, batches_done, &totals));
    r->report.samples_per_second = (double)totals.samples / seconds;
    if (batches_done == r->batches)
        GLNN__TRY(finish_epoch(r));
    if (has_validation(r))
        GLNN__TRY(validate(r));
    r->result->loss = r->report.loss;
    r->result->accuracy = r->report.accuracy;
    r->result->validation_loss = r->report.validation_loss;
    r->result->validation_accuracy = r->report.validation_accuracy;
    if (batches_done < r->batches)
        return GLNN_OK; /* stopped inside: figures, but no epoch */
    r->result->epochs = epoch;
    GLNN__TRY(judge(r, epoch));
    return send_report(r, GLNN_EVENT_EPOCH);
}

static glnn_status run_epoch(run *r, int epoch)
{
    int batches_done = 0;
    r->report.epoch = epoch + 1;
    if (!r->desc.keep_order)
        glnn__order_shuffle(&r->order, r->samples);
    if (!r->data->stream)
        GLNN__TRY(glnn__order_upload(r->learner->ctx, &r->order));
    GLNN__TRY(glnn__scores_clear(r->learner->ctx, r->learner->scores));
    r->epoch_started = glnn__clock_seconds();
    glnn_status status =
        glnn__walk_begin(r->data, &r->order, 0, r->samples, r->desc.batch, &r->walk);
    if (!status)
        status = run_steps(r, epoch, &batches_done);
    glnn__walk_end(&r->walk);
    GLNN__TRY(status);
    return end_epoch(r, epoch + 1, batches_done);
}

/* Whether windows of the sets hold what is used at a time is known before the first step. */
static glnn_status check_windows(const run *r)
{
    GLNN__TRY(glnn__walk_check(r->data, r->desc.batch));
    if (!has_validation(r))
        return GLNN_OK;
    return glnn__walk_check(r->desc.validation ? r->desc.validation : r->data, r->learner->piece);
}

static glnn_status run_epochs(run *r)
{
    GLNN__TRY(check_windows(r));
    GLNN__TRY(glnn__order_create(r->data->samples, r->desc.seed, &r->order));
    if (r->samples < r->data->samples)
        glnn__order_shuffle(&r->order, r->data->samples);
    glnn_status status = GLNN_OK;
    for (int epoch = 0; epoch < r->desc.epochs && !r->stops && !status; ++epoch)
        status = run_epoch(r, epoch);
    r->result->stopped = r->stops;
    if (r->desc.keep_best && r->result->best_epoch > 0 && !r->is_cut_off &&
        (status || r->best_steps < r->result->steps)) {
        glnn_status restored = r->learner->restore(r->learner->self);
        status = status ? status : restored;
    }
    return status;
}

glnn_status glnn__train(const glnn__learner *learner, const glnn_dataset *data,
                        const glnn_train_desc *desc, glnn_train_result *result)
{
    glnn_train_result ignored;
    run r = {
        .learner = learner,
        .data = data,
        .desc = *desc,
        .result = result ? result : &ignored,
        .started = glnn__clock_seconds(),
    };
    *r.result = (glnn_train_result){0};
    GLNN__TRY(glnn__train_desc_check(desc, data, learner->default_rate));
    fill_defaults(&r);
    r.report.epochs = r.desc.epochs;
    r.report.batches = r.batches;
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    glnn_status status = run_epochs(&r);
    glnn__order_destroy(&r.order);
    r.result->seconds = glnn__clock_seconds() - r.started;
    return glnn__gl_leave(learner->ctx, status);
}
