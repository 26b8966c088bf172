#include "train/exchange_plan.h"

#include "base/integers.h"
#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "learner/evaluate.h"
#include "train/trial_steps.h"

#include <glnn/trainer.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An exchange is hidden if a step of one process alone takes this share of the time. */
#define HIDDEN 0.9

/* A kind that computes something else, or more, has to save at least this share of the time. */
#define WORTH_IT 0.2

/* ---- Layers */

static void list_layers(glnn_trainer *t)
{
    glnn__exchange_plan *plan = &t->plan;
    glnn_learner *learner = t->learner;
    plan->layers[0] =
        (glnn__exchanged){.name = learner->type->name, .messages = GLNN__EXCHANGE_LEARNER};
    plan->count = learner->type->exchanged ? learner->type->exchanged(learner, plan->layers) : 1;
}

/* The samples of one process in a step. */
static double samples_of(const glnn_trainer *t)
{
    return glnn__ceil_div(glnn__step_size(t), glnn__exchange_ranks(t->exchange));
}

/* M inputs and N units of a batch of B samples are fewer numbers than the gradient if B (M + N) is
 * below 2 M N. A layer that does not gather has no inputs. */
static glnn_exchange_kind fewer_of(const glnn_trainer *t, const glnn__exchanged *of)
{
    const bool gathers = t->desc.accumulate == 1 && glnn__share_has_one_part(t);
    const double batch = samples_of(t) * glnn__exchange_ranks(t->exchange);
    return gathers && batch * (of->inputs + of->units) < 2 * of->inputs * of->units
               ? GLNN_EXCHANGE_ACTIVATIONS
               : GLNN_EXCHANGE_GRADIENTS;
}

/* The layers that exchange activations, if the kind is ACTIVATIONS. */
static void choose_layers(const glnn_trainer *t)
{
    for (int i = 0; i < t->plan.count; ++i)
        glnn__exchange_choose_layer(t->exchange, t->plan.layers[i].layer,
                                    fewer_of(t, &t->plan.layers[i]));
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
    return kind == GLNN_EXCHANGE_AVERAGES ? t->learner->averages
                                          : desc->allow_activations && t->learner->type->exchanged;
}

/* The step alone is timed in turn with the others, so that they can be compared. */
static glnn_status measure(glnn_trainer *t)
{
    const int samples = glnn__trial_steps_samples(t);
    glnn__candidate tried[GLNN_EXCHANGE_COUNT] = {{.samples = samples}};
    int count = 1;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind)
        if (is_candidate(t, kind))
            tried[count++] = (glnn__candidate){.kind = kind, .samples = samples};
    GLNN__TRY(glnn__trial_steps_run(t, tried, count));
    step_times times;
    GLNN__TRY(agree(t, &tried[0], &times));
    t->plan.alone = times.mean;
    t->plan.slowest = times.slowest;
    t->plan.samples = times.samples;
    t->plan.rate = times.rate;
    for (int i = 1; i < count; ++i) {
        GLNN__TRY(agree(t, &tried[i], &times));
        t->plan.seconds[tried[i].kind] = seconds_of(t, tried[i].kind, times.slowest);
    }
    return GLNN_OK;
}

/* ---- Choosing */

glnn_exchange_kind glnn__exchange_plan_choose(double alone,
                                              const double seconds[GLNN_EXCHANGE_COUNT])
{
    const double gradients = seconds[GLNN_EXCHANGE_GRADIENTS];
    glnn_exchange_kind fastest = GLNN_EXCHANGE_GRADIENTS;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_ACTIVATIONS; kind < GLNN_EXCHANGE_COUNT; ++kind)
        if (seconds[kind] > 0 && seconds[kind] < seconds[fastest])
            fastest = kind;
    const bool is_hidden = alone >= HIDDEN * gradients;
    return is_hidden || seconds[fastest] > (1 - WORTH_IT) * gradients ? GLNN_EXCHANGE_GRADIENTS
                                                                      : fastest;
}

static glnn_exchange_kind choose(const glnn_trainer *t)
{
    const glnn_exchange_kind asked = t->desc.exchange.kind;
    if (asked != GLNN_EXCHANGE_AUTO)
        return asked;
    return t->plan.is_measured ? glnn__exchange_plan_choose(t->plan.slowest, t->plan.seconds)
                               : GLNN_EXCHANGE_GRADIENTS;
}

/* ---- Reporting */

static glnn_exchange_kind kind_of(const glnn_trainer *t, int layer)
{
    if (t->plan.kind != GLNN_EXCHANGE_ACTIVATIONS)
        return t->plan.kind;
    return glnn__exchange_gathers(t->exchange, layer) ? GLNN_EXCHANGE_ACTIVATIONS
                                                      : GLNN_EXCHANGE_GRADIENTS;
}

/* The messages of a layer are under way one after another, so the last one has waited for all. */
static double measured_of(const glnn_trainer *t, const glnn__exchanged *of)
{
    double most = 0;
    for (int i = 0; i < of->messages; ++i)
        most = fmax(most, glnn__exchange_get_seconds(t->exchange, of->first + i));
    return most;
}

static glnn_exchange_layer layer_of(const glnn_trainer *t, const glnn__exchanged *of)
{
    glnn_exchange_layer layer = {.layer = of->layer,
                                 .name = of->name,
                                 .kind = kind_of(t, of->layer),
                                 .fewer_numbers = fewer_of(t, of),
                                 .numbers = of->parameters,
                                 .measured_seconds = measured_of(t, of)};
    if (layer.kind == GLNN_EXCHANGE_ACTIVATIONS)
        layer.numbers = samples_of(t) * (of->inputs + of->units);
    else if (layer.numbers <= 0)
        layer.numbers = glnn__exchange_count_numbers(t->exchange, of->first, of->messages);
    return layer;
}

/* How many times as fast as one process a step of all is. */
static double speedup_of(const glnn_trainer *t, double seconds)
{
    const glnn__exchange_plan *plan = &t->plan;
    return seconds > 0 && plan->rate > 0 ? plan->samples / seconds / plan->rate : 0;
}

/* ACTIVATIONS were asked for, but all layers exchange gradients. */
static bool has_no_activations(const glnn_exchange_plan *plan)
{
    for (int i = 0; i < plan->layer_count; ++i)
        if (plan->layers[i].kind == GLNN_EXCHANGE_ACTIVATIONS)
            return false;
    return plan->kind == GLNN_EXCHANGE_ACTIVATIONS;
}

/* Words such as "gradients 0.80, averages 1.75". */
static void print_speedups(const glnn_trainer *t, const glnn_exchange_plan *plan, char *text,
                           size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind) {
        if (t->plan.seconds[kind] == 0 || length >= size)
            continue;
        const char *name =
            glnn_exchange_kind_name(has_no_activations(plan) ? GLNN_EXCHANGE_GRADIENTS : kind);
        length += (size_t)snprintf(text + length, size - length, "%s%s %.2f", length ? ", " : "",
                                   name, speedup_of(t, t->plan.seconds[kind]));
    }
}

/* The kind and its reason. */
static void print_choice(const glnn_trainer *t, const glnn_exchange_plan *plan, char *text,
                         size_t size)
{
    const bool is_auto = t->desc.exchange.kind == GLNN_EXCHANGE_AUTO;
    if (has_no_activations(plan))
        snprintf(text, size,
                 "gradients; no layer exchanges activations, because gradients have fewer numbers");
    else if (plan->measured)
        snprintf(text, size, "%s, %s", glnn_exchange_kind_name(plan->kind),
                 is_auto ? "which auto chose" : "as the description asks");
    else
        snprintf(text, size, "%s", glnn_exchange_kind_name(plan->kind));
}

static void print_sentence(const glnn_trainer *t, glnn_exchange_plan *plan)
{
    char choice[120], speedups[80];
    print_choice(t, plan, choice, sizeof choice);
    print_speedups(t, plan, speedups, sizeof speedups);
    if (!plan->measured)
        snprintf(plan->sentence, sizeof plan->sentence,
                 "%d processes exchange %s; their speed was not measured", plan->processes, choice);
    else
        snprintf(plan->sentence, sizeof plan->sentence,
                 "%d processes exchange %s%s; speed relative to one process: %s", plan->processes,
                 choice, plan->expected_speedup < 1 ? ", but are slower than one" : "", speedups);
}

static void report_times(const glnn_trainer *t, glnn_exchange_plan *out)
{
    const glnn__exchange_plan *plan = &t->plan;
    out->alone_seconds = plan->alone;
    out->alone_samples_per_second = plan->rate;
    out->expected_seconds = plan->seconds[plan->kind];
    out->expected_speedup = speedup_of(t, out->expected_seconds);
    if (plan->epoch_steps > 0)
        out->measured_seconds = plan->epoch_seconds / plan->epoch_steps;
    if (plan->epoch_steps > 0 && plan->rate > 0)
        out->measured_speedup = plan->epoch_samples / plan->epoch_seconds / plan->rate;
}

static glnn_exchange_plan report(const glnn_trainer *t)
{
    glnn_exchange_plan out = {.size = sizeof out,
                              .processes = glnn__exchange_ranks(t->exchange),
                              .kind = GLNN_EXCHANGE_GRADIENTS,
                              .sentence = "one process trains alone"};
    if (!t->exchange || t->plan.count == 0)
        return out;
    out.kind = t->plan.kind;
    out.every = glnn__exchange_averages(t->exchange);
    out.measured = t->plan.is_measured;
    out.layer_count = t->plan.count;
    for (int i = 0; i < out.layer_count; ++i)
        out.layers[i] = layer_of(t, &t->plan.layers[i]);
    report_times(t, &out);
    print_sentence(t, &out);
    return out;
}

static void log_layer(const glnn_exchange_plan *plan, const glnn_exchange_layer *layer)
{
    glnn__log(GLNN_LOG_INFO, "layer %d (%s): %d processes exchange %.0f numbers as %s%s",
              layer->layer, layer->name, plan->processes, layer->numbers,
              glnn_exchange_kind_name(layer->kind),
              layer->kind != GLNN_EXCHANGE_AVERAGES && layer->kind != layer->fewer_numbers
                  ? ", which are not the fewest"
                  : "");
}

static void log_plan(const glnn_trainer *t)
{
    const glnn_exchange_plan plan = report(t);
    for (int i = 0; i < plan.layer_count && plan.layers[i].numbers > 0; ++i)
        log_layer(&plan, &plan.layers[i]);
    glnn__log(GLNN_LOG_INFO, "%s", plan.sentence);
}

/* ---- Making it */

static glnn_status make(glnn_trainer *t)
{
    list_layers(t);
    t->plan.is_measured = t->can_measure;
    choose_layers(t);
    if (t->plan.is_measured)
        GLNN__TRY(measure(t));
    t->plan.kind = choose(t);
    glnn__exchange_choose(t->exchange, t->plan.kind, t->desc.exchange.every);
    glnn__exchange_forget_seconds(t->exchange);
    log_plan(t);
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
    const glnn_exchange_plan plan = report(t);
    glnn__sized_fill(t->desc.exchange.plan, &plan, sizeof plan);
}

glnn_status glnn_trainer_get_exchange_plan(const glnn_trainer *t, glnn_exchange_plan *out)
{
    if (!t)
        return glnn__fail_null(__func__, "trainer");
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_exchange_plan, out));
    const glnn_exchange_plan plan = report(t);
    glnn__sized_fill(out, &plan, sizeof plan);
    return GLNN_OK;
}
