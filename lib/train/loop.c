#include "train/loop.h"

#include "base/clock.h"
#include "base/status.h"
#include "data/order.h"
#include "gl/gl.h"
#include "train/train_desc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A training under way. */
typedef struct run {
    const glnn__learner *learner;
    const glnn_dataset *data;
    glnn_train_desc desc; /* defaults filled in */
    glnn_train_result *result;

    glnn__order order;
    glnn__order validation_order; /* of desc.validation, where the learner groups samples */
    glnn__groups groups, validation_groups;
    glnn__walk walk; /* of the group under way */
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
    r->samples = r->learner->chosen ? r->learner->chosen_count
                                    : r->data->samples - glnn__train_desc_kept_apart(desc, r->data);
    if (desc->batch == 0)
        desc->batch = 128;
    if (desc->batch < 0 || desc->batch > r->samples)
        desc->batch = r->samples;
}

static bool has_validation(const run *r)
{
    return !r->learner->chosen && (r->desc.validation || r->samples < r->data->samples);
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

static glnn_status run_steps(run *r, int epoch, int group, int *batches_done)
{
    const uint64_t steps = (uint64_t)r->desc.epochs * (uint64_t)r->batches;
    while (!glnn__walk_is_over(&r->walk) && !r->stops) {
        glnn__batch batch;
        GLNN__TRY(glnn__walk_next(&r->walk, r->desc.batch, &batch));
        batch.full = r->desc.batch;
        batch.epoch_samples = r->samples;
        batch.group = group;
        const uint64_t step = (uint64_t)epoch * (uint64_t)r->batches + (uint64_t)*batches_done;
        r->report.rate = glnn_schedule_rate(&r->desc.schedule, step, steps, epoch);
        GLNN__TRY(r->learner->step(r->learner->self, &batch, r->report.rate));
        r->result->steps++;
        *batches_done += 1;
        GLNN__TRY(follow(r, *batches_done));
    }
    return GLNN_OK;
}

static int batches_of(const run *r, int samples)
{
    return samples / r->desc.batch + (samples % r->desc.batch > 0);
}

/* The samples of one group, whose number is `group` where the learner is told. */
static glnn_status run_group(run *r, int epoch, int g, int group, int *batches_done)
{
    const int begin = r->groups.begins[g], count = r->groups.begins[g + 1] - begin;
    const glnn__learner *learner = r->learner;
    if (group > 0 && learner->is_settled && learner->is_settled(learner->self, group - 1)) {
        *batches_done += batches_of(r, count);
        return GLNN_OK;
    }
    glnn_status status =
        glnn__walk_begin(r->data, &r->order, begin, count, r->desc.batch, &r->walk);
    if (!status)
        status = run_steps(r, epoch, group, batches_done);
    glnn__walk_end(&r->walk);
    return status;
}

/* Whether batches are of one class. */
static bool has_classes(const run *r)
{
    return r->learner->groups_classes && r->data->labels;
}

static glnn_status run_groups(run *r, int epoch, int *batches_done)
{
    for (int g = 0; g < r->groups.count && !r->stops; ++g)
        if (r->groups.begins[g] < r->groups.begins[g + 1])
            GLNN__TRY(run_group(r, epoch, g, has_classes(r) ? g + 1 : 0, batches_done));
    return GLNN_OK;
}

/* Entries that are measured: `count` from `first` on, or of the samples' own order. */
typedef struct range {
    const glnn_dataset *data;
    const glnn__order *order; /* NULL: the samples' own */
    int first, count;
    int unit;  /* windows of a stream hold whole units */
    int group; /* of the batches */
} range;

static glnn_status measure_range(const glnn__learner *learner, const range *of)
{
    glnn__walk walk;
    glnn_status status =
        glnn__walk_begin(of->data, of->order, of->first, of->count, of->unit, &walk);
    while (!status && !glnn__walk_is_over(&walk)) {
        glnn__batch batch;
        status = glnn__walk_next(&walk, of->count, &batch);
        batch.full = of->count;
        batch.group = of->group;
        if (!status)
            status = learner->measure(learner->self, &batch);
    }
    glnn__walk_end(&walk);
    return status;
}

/* The totals of all samples of a data set. */
static glnn_status measure_all(const glnn__learner *learner, const glnn_dataset *data,
                               glnn__totals *totals)
{
    const range all = {.data = data, .count = data->samples, .unit = learner->piece};
    GLNN__TRY(glnn__scores_clear(learner->ctx, learner->measured));
    GLNN__TRY(measure_range(learner, &all));
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
    GLNN__TRY(measure_all(learner, data, &totals));
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

/* Measures the samples kept apart, group by group where the learner groups them. */
static glnn_status measure_validation(run *r)
{
    const glnn_dataset *own = r->desc.validation;
    for (int g = 0; g < r->validation_groups.count; ++g) {
        const int *begins = r->validation_groups.begins + g;
        const range of_group = {
            .data = own ? own : r->data,
            .order = !own             ? &r->order
                     : has_classes(r) ? &r->validation_order
                                      : NULL,
            .first = begins[0],
            .count = begins[1] - begins[0],
            .unit = has_classes(r) ? r->learner->class_piece : r->learner->piece,
            .group = has_classes(r) ? g + 1 : 0,
        };
        if (of_group.count > 0)
            GLNN__TRY(measure_range(r->learner, &of_group));
    }
    return GLNN_OK;
}

static glnn_status validate(run *r)
{
    const glnn__learner *learner = r->learner;
    glnn__totals totals;
    GLNN__TRY(glnn__scores_clear(learner->ctx, learner->measured));
    GLNN__TRY(measure_validation(r));
    GLNN__TRY(glnn__scores_take(learner->ctx, learner->measured, &totals));
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
    r->report.samples_per_second = (double)totals.samples / seconds;
    if (learner->add_settled)
        learner->add_settled(learner->self, &totals);
    GLNN__TRY(take_totals(r, batches_done, &totals));
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
    if (!r->data->stream && (!r->desc.keep_order || epoch == 0))
        GLNN__TRY(glnn__order_upload(r->learner->ctx, &r->order));
    GLNN__TRY(glnn__scores_clear(r->learner->ctx, r->learner->scores));
    r->epoch_started = glnn__clock_seconds();
    GLNN__TRY(run_groups(r, epoch, &batches_done));
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

/* A validation set of its own is measured in its own order, but class by class where samples are
 * grouped. */
static glnn_status order_validation(run *r)
{
    const glnn_dataset *own = r->desc.validation;
    const int *labels = has_classes(r) ? (own ? own : r->data)->labels : NULL;
    const int classes = r->data->outputs;
    if (!own)
        return glnn__order_group(&r->order, r->samples, r->data->samples - r->samples, labels,
                                 classes, &r->validation_groups);
    if (labels)
        GLNN__TRY(glnn__order_create(own->samples, 0, &r->validation_order));
    GLNN__TRY(glnn__order_group(&r->validation_order, 0, own->samples, labels, classes,
                                &r->validation_groups));
    return labels && !own->stream ? glnn__order_upload(r->learner->ctx, &r->validation_order)
                                  : GLNN_OK;
}

static glnn_status choose_order(run *r)
{
    const glnn__learner *learner = r->learner;
    if (!learner->chosen)
        return glnn__train_order(&r->desc, r->data, learner->groups_classes, &r->order, &r->groups);
    GLNN__TRY(glnn__order_create(r->samples, r->desc.seed, &r->order));
    memcpy(r->order.entries, learner->chosen, (size_t)r->samples * sizeof(int));
    return glnn__order_group(&r->order, 0, r->samples, NULL, 0, &r->groups);
}

/* Which samples are trained on, in which groups, and how many batches they make. */
static glnn_status order_samples(run *r)
{
    const glnn__groups *groups = &r->groups;
    GLNN__TRY(choose_order(r));
    if (has_validation(r))
        GLNN__TRY(order_validation(r));
    for (int g = 0; g < groups->count; ++g)
        r->batches += batches_of(r, groups->begins[g + 1] - groups->begins[g]);
    r->report.batches = r->batches;
    return GLNN_OK;
}

static glnn_status run_epochs(run *r)
{
    GLNN__TRY(check_windows(r));
    GLNN__TRY(order_samples(r));
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
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    glnn_status status = run_epochs(&r);
    glnn__order_destroy(&r.order);
    glnn__order_destroy(&r.validation_order);
    glnn__groups_destroy(&r.groups);
    glnn__groups_destroy(&r.validation_groups);
    r.result->seconds = glnn__clock_seconds() - r.started;
    return glnn__gl_leave(learner->ctx, status);
}
