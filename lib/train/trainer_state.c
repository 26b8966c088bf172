#include "train/checkpoint.h"

#include "base/clock.h"
#include "learner/visits.h"
#include "train/curve.h"

#include <stdio.h>

glnn__place glnn__place_of(const glnn_trainer *t)
{
    glnn__place at = {.phase = (int)t->phase};
    if (t->phase == GLNN__PHASE_STEPS)
        at.done = t->group_done;
    return at;
}

static void exchange_metrics(glnn__state *state, glnn_metrics *metrics, const char *of,
                             const char *name)
{
    glnn__state_double(state, &metrics->loss, "%s.%s.loss", of, name);
    glnn__state_double(state, &metrics->accuracy, "%s.%s.accuracy", of, name);
    glnn__state_double(state, &metrics->squared_error, "%s.%s.squared_error", of, name);
    glnn__state_double(state, &metrics->r_squared, "%s.%s.r_squared", of, name);
}

static void exchange_report(glnn__state *state, glnn_report *report, const char *name)
{
    double rate = (double)report->rate;
    glnn__state_int(state, &report->epoch, "%s.epoch", name);
    glnn__state_int(state, &report->batch, "%s.batch", name);
    glnn__state_count(state, &report->step, "%s.step", name);
    exchange_metrics(state, &report->training, name, "training");
    exchange_metrics(state, &report->validation, name, "validation");
    glnn__state_bool(state, &report->has_validation, "%s.has_validation", name);
    glnn__state_bool(state, &report->best, "%s.best", name);
    glnn__state_double(state, &rate, "%s.rate", name);
    glnn__state_double(state, &report->samples_per_second, "%s.samples_per_second", name);
    glnn__state_double(state, &report->seconds, "%s.seconds", name);
    report->rate = (float)rate;
}

/* A report of the curve's, as the training sent it. */
static glnn_report sent(const glnn_curve *curve, size_t number)
{
    glnn_report report = curve->reports[number];
    report.epoch -= curve->start.epoch;
    report.step -= curve->start.step;
    report.seconds -= curve->start.seconds;
    return report;
}

/* The reports of this training in its curve. */
static void exchange_curve(glnn_trainer *t, glnn__state *state)
{
    glnn_curve *curve = t->desc.curve;
    size_t first = 0, end = curve ? curve->count : 0;
    while (first < end && curve->reports[first].epoch <= curve->start.epoch)
        ++first;
    uint64_t count = end - first;
    glnn__state_count(state, &count, "curve.count");
    if (curve && state->saved)
        curve->count = first;
    for (uint64_t i = 0; i < count && !state->status; ++i) {
        glnn_report report = glnn__state_loads(state) ? t->report : sent(curve, first + i);
        char name[32];
        snprintf(name, sizeof name, "curve.%llu", (unsigned long long)i);
        exchange_report(state, &report, name);
        report.event = GLNN_EVENT_EPOCH;
        if (curve && glnn__state_loads(state))
            state->status = glnn_curve_add(curve, &report);
    }
}

static void exchange_result(glnn__state *state, glnn_train_result *result)
{
    glnn__state_int(state, &result->epochs, "result.epochs");
    glnn__state_count(state, &result->steps, "result.steps");
    glnn__state_bool(state, &result->stopped, "result.stopped");
    glnn__state_int(state, &result->best_epoch, "result.best_epoch");
    exchange_metrics(state, &result->training, "result", "training");
    exchange_metrics(state, &result->validation, "result", "validation");
    glnn__state_double(state, &result->train_seconds, "result.train_seconds");
}

static void exchange_trainer(glnn_trainer *t, glnn__state *state, glnn__place *at)
{
    double rate = (double)t->rate;
    glnn__state_double(state, &rate, "rate");
    t->rate = (float)rate;
    glnn__state_int(state, &at->phase, "phase");
    glnn__state_int(state, &at->done, "samples_done");
    glnn__state_bool(state, &t->stops, "stops");
    glnn__state_int(state, &t->epoch, "epoch");
    glnn__state_int(state, &t->group, "group");
    glnn__state_int(state, &t->batches_done, "batches_done");
    glnn__state_count(state, &t->steps_done, "steps_done");
    glnn__state_double(state, &t->best_loss, "best_loss");
    glnn__state_count(state, &t->best_steps, "best_steps");
    glnn__state_bool(state, &t->has_snapshot, "has_snapshot");
    exchange_report(state, &t->report, "report");
    exchange_curve(t, state);
    exchange_result(state, &t->result);
    glnn__state_matrix(state, t->learner->metrics.rows, "metrics");
    glnn__state_matrix(state, t->emphasis.recent, "emphasis.recent");
    glnn__state_matrix(state, t->emphasis.presented, "emphasis.presented");
}

/* The clock of the call under way counts. */
static void exchange_seconds(glnn_trainer *t, glnn__state *state)
{
    double seconds = t->seconds + glnn__clock_seconds() - t->called;
    double of_epoch = glnn__steps_seconds(t);
    glnn__state_double(state, &seconds, "seconds");
    glnn__state_double(state, &of_epoch, "epoch_seconds");
    if (!glnn__state_loads(state))
        return;
    t->seconds = seconds;
    t->epoch_seconds = of_epoch;
}

void glnn__trainer_state(glnn_trainer *t, glnn__state *state, glnn__place *at)
{
    exchange_trainer(t, state, at);
    exchange_seconds(t, state);
    glnn__learner_state(t->learner, state);
}
