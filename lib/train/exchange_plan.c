#include "train/exchange_plan.h"

#include "base/integers.h"
#include "base/sized.h"
#include "base/status.h"
#include "exchange/speeds.h"
#include "learner/evaluate.h"
#include "train/trial_steps.h"

#include <glnn/trainer.h>

#include <math.h>
#include <stdlib.h>

#define MOST_MEASURED (1 << 20)

/* ---- Layers and their costs */

static void list_layers(glnn_trainer *t)
{
    glnn__exchange_plan *plan = &t->plan;
    const glnn__learner *learner = &t->learner;
    plan->layers[0] =
        (glnn__exchanged){.name = learner->type->name, .messages = GLNN__EXCHANGE_LEARNER};
    plan->count =
        learner->type->exchanged ? learner->type->exchanged(learner->self, plan->layers) : 1;
}

/* The layers share the time of a step by their multiply-adds. The first one finds no deltas of its
 * inputs. */
static void share_time(const glnn__exchange_plan *plan, glnn__cost_layer *layers)
{
    double all = -plan->layers[0].multiply_adds;
    for (int i = 0; i < plan->count; ++i)
        all += 3 * plan->layers[i].multiply_adds;
    for (int i = 0; i < plan->count && all > 0; ++i) {
        const double seconds = plan->slowest * plan->layers[i].multiply_adds / all;
        layers[i].forward = layers[i].gradient = seconds;
        layers[i].backward = i > 0 ? seconds : 0;
    }
}

glnn__cost_plan glnn__exchange_plan_costs(const glnn_trainer *t,
                                          glnn__cost_layer layers[GLNN_EXCHANGE_MAX_LAYERS])
{
    const glnn__exchange_plan *plan = &t->plan;
    const bool gathers = t->desc.accumulate == 1 && glnn__share_has_one_part(t);
    const int ranks = glnn__exchange_ranks(t->exchange);
    for (int i = 0; i < plan->count; ++i) {
        const glnn__exchanged *of = &plan->layers[i];
        const double numbers =
            of->parameters > 0 ? of->parameters
                               : glnn__exchange_count_numbers(t->exchange, of->first, of->messages);
        layers[i] = (glnn__cost_layer){.parameters = numbers,
                                       .inputs = gathers ? of->inputs : 0,
                                       .units = gathers ? of->units : 0};
    }
    share_time(plan, layers);
    return (glnn__cost_plan){.speeds = plan->speeds,
                             .ranks = ranks,
                             .samples = glnn__ceil_div(glnn__step_size(t), ranks),
                             .kind = plan->kind,
                             .every = glnn__exchange_averages(t->exchange),
                             .layers = layers,
                             .layer_count = plan->count};
}

/* The numbers of the matrix whose exchange is measured: the largest one, but no more than take a
 * short time. */
static int measured_numbers(const glnn__exchange_plan *plan)
{
    double most = 0;
    for (int i = 0; i < plan->count; ++i)
        most = fmax(most, plan->layers[i].parameters);
    return (int)fmin(most, MOST_MEASURED);
}

/* ---- Measuring */

/* A step as all processes know it. */
typedef struct step_times {
    double mean, slowest; /* seconds                         */
    double samples, rate; /* of all, and the mean of samples a second */
} step_times;

static glnn_status agree(const glnn_trainer *t, const glnn__candidate *own, step_times *out)
{
    const int ranks = glnn__exchange_ranks(t->exchange);
    glnn__candidate *all = malloc((size_t)ranks * sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the times of %d processes", ranks);
    const glnn_status status = glnn__exchange_gather(t->exchange, own, sizeof *own, all);
    *out = (step_times){.mean = 0};
    for (int r = 0; r < ranks && !status; ++r) {
        out->mean += all[r].seconds / ranks;
        out->slowest = fmax(out->slowest, all[r].seconds);
        out->samples += all[r].samples;
        out->rate += all[r].samples / all[r].seconds / ranks;
    }
    free(all);
    return status;
}

static glnn_status take_alone(glnn_trainer *t, const glnn__candidate *own)
{
    step_times times;
    GLNN__TRY(agree(t, own, &times));
    t->plan.alone = times.mean;
    t->plan.slowest = times.slowest;
    t->plan.samples = times.samples;
    t->plan.rate = times.rate;
    return GLNN_OK;
}

/* Before steps with ACTIVATIONS are timed, the layers that exchange activations are chosen by this
 * prediction. */
static glnn_status measure_alone(glnn_trainer *t)
{
    glnn__candidate alone = {.samples = glnn__trial_steps_samples(t)};
    GLNN__TRY(glnn__trial_steps_run(t, &alone, 1));
    return take_alone(t, &alone);
}

/* The steps that were timed for AVERAGES exchange means, but only one in every few steps of a
 * training does. */
static double seconds_of(const glnn_trainer *t, glnn_exchange_kind kind, double timed)
{
    const double alone = t->plan.slowest;
    if (kind != GLNN_EXCHANGE_AVERAGES)
        return timed;
    glnn__exchange_choose(t->exchange, kind, t->desc.exchange.every);
    return alone + fmax(timed - alone, 0) / glnn__exchange_averages(t->exchange);
}

static bool is_candidate(const glnn_trainer *t, glnn_exchange_kind kind)
{
    const glnn_exchange_desc *desc = &t->desc.exchange;
    if (desc->kind != GLNN_EXCHANGE_AUTO || kind == GLNN_EXCHANGE_GRADIENTS)
        return desc->kind == kind || desc->kind == GLNN_EXCHANGE_AUTO;
    return kind == GLNN_EXCHANGE_AVERAGES ? t->learner.averages
                                          : desc->allow_activations && t->learner.type->exchanged;
}

/* The step alone is timed again, in turn with the others, so that they can be compared. */
static glnn_status measure_kinds(glnn_trainer *t)
{
    const int samples = glnn__trial_steps_samples(t);
    glnn__candidate tried[GLNN_EXCHANGE_COUNT] = {{.samples = samples}};
    int count = 1;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind)
        if (is_candidate(t, kind))
            tried[count++] = (glnn__candidate){.kind = kind, .samples = samples};
    GLNN__TRY(glnn__trial_steps_run(t, tried, count));
    GLNN__TRY(take_alone(t, &tried[0]));
    for (int i = 1; i < count; ++i) {
        step_times times;
        GLNN__TRY(agree(t, &tried[i], &times));
        t->plan.seconds[tried[i].kind] = seconds_of(t, tried[i].kind, times.slowest);
    }
    return GLNN_OK;
}

/* ---- Choosing */

/* The layers that exchange activations, if the kind is ACTIVATIONS. */
static void choose_layers(const glnn_trainer *t)
{
    glnn__cost_layer layers[GLNN_EXCHANGE_MAX_LAYERS];
    const glnn__cost_plan costs = glnn__exchange_plan_costs(t, layers);
    for (int i = 0; i < t->plan.count; ++i)
        glnn__exchange_choose_layer(t->exchange, t->plan.layers[i].layer,
                                    t->plan.is_measured ? glnn__cost_faster(&costs, i)
                                                        : glnn__cost_fewer(&costs, i));
}

static glnn_status measure(glnn_trainer *t)
{
    GLNN__TRY(glnn__speeds_measure(t->exchange, measured_numbers(&t->plan), &t->plan.speeds));
    if (is_candidate(t, GLNN_EXCHANGE_ACTIVATIONS)) {
        GLNN__TRY(measure_alone(t));
        choose_layers(t);
    }
    return measure_kinds(t);
}

static glnn_exchange_kind choose(const glnn_trainer *t)
{
    const glnn_exchange_kind asked = t->desc.exchange.kind;
    if (asked != GLNN_EXCHANGE_AUTO)
        return asked;
    return t->plan.is_measured ? glnn__cost_choose_kind(t->plan.slowest, t->plan.seconds)
                               : GLNN_EXCHANGE_GRADIENTS;
}

static glnn_status make(glnn_trainer *t)
{
    list_layers(t);
    t->plan.is_measured = t->can_measure;
    if (t->plan.is_measured)
        GLNN__TRY(measure(t));
    else
        choose_layers(t);
    t->plan.kind = choose(t);
    glnn__exchange_choose(t->exchange, t->plan.kind, t->desc.exchange.every);
    glnn__exchange_forget_seconds(t->exchange);
    glnn__exchange_plan_log(t);
    return GLNN_OK;
}

glnn_status glnn__exchange_plan_make(glnn_trainer *t)
{
    if (t->exchange && t->phase != GLNN__PHASE_ENDED)
        GLNN__TRY(make(t));
    glnn__exchange_plan_show(t);
    return GLNN_OK;
}

/* ---- During the training */

void glnn__exchange_plan_leave_out_steps(glnn_trainer *t)
{
    t->plan.left_out_seconds = glnn__steps_seconds(t);
    t->plan.left_out_samples = fmin((double)t->batches_done * t->desc.batch, t->samples.count);
    t->plan.left_out_steps = (double)t->steps_done;
}

void glnn__exchange_plan_leave_out(glnn_trainer *t, double seconds)
{
    if (t->plan.epoch_steps == 0)
        t->plan.left_out_seconds += seconds;
}

void glnn__exchange_plan_follow(glnn_trainer *t)
{
    glnn__exchange_plan *plan = &t->plan;
    const double steps = (double)t->steps - plan->left_out_steps;
    if (steps > 0) {
        plan->epoch_seconds += t->epoch_seconds - plan->left_out_seconds;
        plan->epoch_samples += t->samples.count - plan->left_out_samples;
        plan->epoch_steps += steps;
    }
    plan->left_out_seconds = plan->left_out_samples = plan->left_out_steps = 0;
}

void glnn__exchange_plan_show(const glnn_trainer *t)
{
    if (!t->desc.exchange.plan)
        return;
    const glnn_exchange_plan plan = glnn__exchange_plan_report(t);
    glnn__sized_fill(t->desc.exchange.plan, &plan, sizeof plan);
}

glnn_status glnn_trainer_get_exchange_plan(const glnn_trainer *t, glnn_exchange_plan *out)
{
    if (!t)
        return glnn__fail_null(__func__, "trainer");
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_exchange_plan, out));
    const glnn_exchange_plan plan = glnn__exchange_plan_report(t);
    glnn__sized_fill(out, &plan, sizeof plan);
    return GLNN_OK;
}
