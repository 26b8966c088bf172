/* The plan of an exchange in numbers and sentences. */
#include "base/log.h"
#include "train/exchange_plan.h"

#include <math.h>
#include <stdio.h>

/* The largest batch that a sentence advises. */
#define MOST_SAMPLES (1 << 24)

/* ---- Layers */

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

static glnn_exchange_layer layer_of(const glnn_trainer *t, const glnn__cost_plan *costs, int i)
{
    const glnn__exchanged *of = &t->plan.layers[i];
    const glnn__cost_layer *cost = &costs->layers[i];
    glnn_exchange_layer layer = {.layer = of->layer,
                                 .name = of->name,
                                 .kind = kind_of(t, of->layer),
                                 .fewer_numbers = glnn__cost_fewer(costs, i),
                                 .numbers = cost->parameters,
                                 .measured_seconds = measured_of(t, of)};
    if (layer.kind == GLNN_EXCHANGE_ACTIVATIONS)
        layer.numbers = costs->samples * (cost->inputs + cost->units);
    if (!t->plan.is_measured)
        return layer;
    const glnn__cost_parts parts = glnn__cost_of_layer(costs, i, layer.kind);
    layer.predicted_seconds = parts.readback + parts.message;
    return layer;
}

/* ---- The sentence */

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

static void print_advice(const glnn_exchange_plan *plan, char *text, size_t size)
{
    text[0] = 0;
    if (plan->hiding_batch > 0)
        snprintf(text, size, "; with a batch of at least %d, gradients would be hidden",
                 plan->hiding_batch);
}

static bool are_gradients_fewer(const glnn_exchange_plan *plan)
{
    for (int i = 0; i < plan->layer_count; ++i)
        if (plan->layers[i].fewer_numbers == GLNN_EXCHANGE_ACTIVATIONS)
            return false;
    return true;
}

/* The kind and its reason. */
static void print_choice(const glnn_trainer *t, const glnn_exchange_plan *plan, char *text,
                         size_t size)
{
    const bool is_auto = t->desc.exchange.kind == GLNN_EXCHANGE_AUTO;
    if (has_no_activations(plan))
        snprintf(text, size, "gradients; no layer exchanges activations, because its gradient %s",
                 are_gradients_fewer(plan) ? "has fewer numbers" : "is expected to be faster");
    else if (plan->measured)
        snprintf(text, size, "%s, %s", glnn_exchange_kind_name(plan->kind),
                 is_auto ? "which auto chose" : "as the description asks");
    else
        snprintf(text, size, "%s", glnn_exchange_kind_name(plan->kind));
}

static void print_sentence(const glnn_trainer *t, glnn_exchange_plan *plan)
{
    char choice[120], speedups[80], advice[80];
    print_choice(t, plan, choice, sizeof choice);
    print_speedups(t, plan, speedups, sizeof speedups);
    print_advice(plan, advice, sizeof advice);
    if (!plan->measured)
        snprintf(plan->sentence, sizeof plan->sentence,
                 "%d processes exchange %s; their speed was not measured", plan->processes, choice);
    else
        snprintf(plan->sentence, sizeof plan->sentence,
                 "%d processes exchange %s%s; speed relative to one process: %s%s", plan->processes,
                 choice, plan->expected_speedup < 1 ? ", but are slower than one" : "", speedups,
                 advice);
}

/* ---- All of it */

/* Processes of unequal speed wait for the slowest one, which no batch changes. */
static bool are_hidden(const glnn__exchange_plan *plan)
{
    return plan->kind == GLNN_EXCHANGE_GRADIENTS &&
           plan->slowest >= GLNN__COST_HIDDEN * plan->seconds[GLNN_EXCHANGE_GRADIENTS];
}

/* By the model, with speeds that agree with the step that was measured. If another kind was
 * named, no step with GRADIENTS was measured. */
static int find_hiding_batch(const glnn_trainer *t, const glnn__cost_plan *costs)
{
    const double seconds = t->plan.seconds[GLNN_EXCHANGE_GRADIENTS];
    glnn__cost_plan slower = *costs;
    if (!t->learner.type->exchanged || seconds == 0)
        return 0;
    slower.speeds = glnn__cost_slow_down(costs, seconds);
    return glnn__cost_hiding_batch(&slower, MOST_SAMPLES);
}

static void report_times(const glnn_trainer *t, const glnn__cost_plan *costs,
                         glnn_exchange_plan *out)
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
    if (plan->is_measured && !are_hidden(plan))
        out->hiding_batch = find_hiding_batch(t, costs);
}

glnn_exchange_plan glnn__exchange_plan_report(const glnn_trainer *t)
{
    glnn__cost_layer layers[GLNN_EXCHANGE_MAX_LAYERS];
    glnn_exchange_plan out = {.size = sizeof out,
                              .processes = glnn__exchange_ranks(t->exchange),
                              .kind = GLNN_EXCHANGE_GRADIENTS,
                              .sentence = "one process trains alone"};
    if (!t->exchange || t->plan.count == 0)
        return out;
    const glnn__cost_plan costs = glnn__exchange_plan_costs(t, layers);
    out.kind = t->plan.kind;
    out.every = glnn__exchange_averages(t->exchange);
    out.measured = t->plan.is_measured;
    out.layer_count = t->plan.count;
    for (int i = 0; i < out.layer_count; ++i)
        out.layers[i] = layer_of(t, &costs, i);
    report_times(t, &costs, &out);
    print_sentence(t, &out);
    return out;
}

/* ---- The log */

static void log_layer(const glnn_exchange_plan *plan, const glnn_exchange_layer *layer)
{
    char predicted[48] = "";
    if (plan->measured)
        snprintf(predicted, sizeof predicted, "; %.0f us predicted",
                 1e6 * layer->predicted_seconds);
    glnn__log(GLNN_LOG_INFO, "layer %d (%s): %d processes exchange %.0f numbers as %s%s%s",
              layer->layer, layer->name, plan->processes, layer->numbers,
              glnn_exchange_kind_name(layer->kind),
              layer->kind != GLNN_EXCHANGE_AVERAGES && layer->kind != layer->fewer_numbers
                  ? ", which are not the fewest"
                  : "",
              predicted);
}

void glnn__exchange_plan_log(const glnn_trainer *t)
{
    const glnn_exchange_plan plan = glnn__exchange_plan_report(t);
    for (int i = 0; i < plan.layer_count && plan.layers[i].numbers > 0; ++i)
        log_layer(&plan, &plan.layers[i]);
    glnn__log(GLNN_LOG_INFO, "%s", plan.sentence);
}
