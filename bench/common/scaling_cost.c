#include "common/scaling_cost.h"

#include <math.h>

static double ring(const cost_speeds *speeds, int ranks, double bytes)
{
    const double part = bytes / ranks;
    return (ranks - 1) * (2 * (speeds->latency + part / speeds->link) + part / speeds->add);
}

static double doubling(const cost_speeds *speeds, int ranks, double bytes)
{
    return ceil(log2(ranks)) * (speeds->latency + bytes / speeds->link + bytes / speeds->add);
}

/* A process with two children receives two buckets at a time, and sends two on the way down. */
static double tree(const cost_speeds *speeds, int ranks, double bytes)
{
    const double buckets = speeds->bucket > 0 ? fmax(ceil(bytes / speeds->bucket), 1) : 1;
    const double levels = floor(log2(ranks)), children = fmin(ranks - 1, 2);
    const double message = children * bytes / buckets;
    const double down = speeds->latency + message / speeds->link;
    const double up = down + message / speeds->add;
    return ranks > 1 ? (buckets + levels - 1) * up + levels * down : 0;
}

double cost_sum(const cost_speeds *speeds, cost_order order, int ranks, double bytes)
{
    return order == COST_TREE ? tree(speeds, ranks, bytes)
                              : fmin(ring(speeds, ranks, bytes), doubling(speeds, ranks, bytes));
}

double cost_gather(const cost_speeds *speeds, int ranks, double bytes)
{
    return (ranks - 1) * (speeds->latency + bytes / ranks / speeds->link);
}

double cost_break_even(double inputs, double units)
{
    return 2 * inputs * units / (inputs + units);
}

double cost_find_link(const cost_speeds *speeds, cost_order order, int ranks, double bytes,
                      double seconds)
{
    cost_speeds tried = *speeds;
    double low = 1e3, high = 1e15;
    while (high / low > 1.0001) {
        tried.link = sqrt(low * high);
        if (cost_sum(&tried, order, ranks, bytes) > seconds)
            low = tried.link;
        else
            high = tried.link;
    }
    return high;
}

/* ---- One layer */

static double transfer(const cost_speeds *speeds, double bytes, double speed)
{
    return fmax(bytes / speed, speeds->transfer);
}

static cost_parts exchange_parameters(const cost_plan *plan, const cost_layer *layer)
{
    const cost_speeds *speeds = &plan->speeds;
    const double bytes = (double)sizeof(float) * layer->parameters;
    return (cost_parts){
        .readback = transfer(speeds, bytes, speeds->readback),
        .message = cost_sum(speeds, plan->order, plan->ranks, bytes),
        .upload = transfer(speeds, bytes, speeds->upload),
    };
}

/* Inputs and deltas are two matrices, so each latency counts twice. A process has its own part of
 * them on its device. */
static cost_parts exchange_activations(const cost_plan *plan, const cost_layer *layer)
{
    const cost_speeds *speeds = &plan->speeds;
    const double sample = (double)sizeof(float) * plan->samples;
    const double inputs = sample * layer->inputs, deltas = sample * layer->units;
    return (cost_parts){
        .readback =
            transfer(speeds, inputs, speeds->readback) + transfer(speeds, deltas, speeds->readback),
        .message = cost_gather(speeds, plan->ranks, plan->ranks * inputs) +
                   cost_gather(speeds, plan->ranks, plan->ranks * deltas),
        .upload = transfer(speeds, (plan->ranks - 1) * inputs, speeds->upload) +
                  transfer(speeds, (plan->ranks - 1) * deltas, speeds->upload),
        .passes = (plan->ranks - 1) * layer->gradient,
    };
}

cost_parts cost_of_layer(const cost_plan *plan, int layer, glnn_exchange_kind kind)
{
    const cost_layer *of = &plan->layers[layer];
    if (plan->ranks == 1 || of->parameters <= 0)
        return (cost_parts){0};
    return kind == GLNN_EXCHANGE_ACTIVATIONS ? exchange_activations(plan, of)
                                             : exchange_parameters(plan, of);
}

double cost_total(const cost_parts *parts)
{
    return parts->readback + parts->message + parts->upload + parts->passes;
}

glnn_exchange_kind cost_faster(const cost_plan *plan, int layer)
{
    const cost_parts summed = cost_of_layer(plan, layer, GLNN_EXCHANGE_GRADIENTS);
    const cost_parts gathered = cost_of_layer(plan, layer, GLNN_EXCHANGE_ACTIVATIONS);
    return plan->layers[layer].inputs > 0 && cost_total(&gathered) < cost_total(&summed)
               ? GLNN_EXCHANGE_ACTIVATIONS
               : GLNN_EXCHANGE_GRADIENTS;
}

/* ---- A step */

/* The times until which the device and the queues are busy. */
typedef struct timeline {
    double device, readback, message, upload;
    double exchange; /* seconds of all exchanges so far */
} timeline;

/* Begins the exchange of a layer whose numbers the device has computed; the time of its end. */
static double begin(timeline *t, const cost_parts *parts, double delay)
{
    t->readback = fmax(t->readback, t->device) + parts->readback;
    t->message = fmax(t->message, t->readback) + parts->message;
    t->upload = fmax(t->upload, t->message) + parts->upload;
    t->device += delay * (parts->readback + parts->upload);
    t->exchange += parts->readback + parts->message + parts->upload;
    return t->upload;
}

static double alone(const cost_plan *plan)
{
    double seconds = 0;
    for (int i = 0; i < plan->layer_count; ++i)
        seconds += plan->layers[i].forward + plan->layers[i].backward + plan->layers[i].gradient;
    return seconds;
}

/* The device goes on with the layers before the one whose numbers travel. It computes the gradients
 * of ACTIVATIONS after the backward pass, so that the gathers have more time. */
static void exchange_within(const cost_plan *plan, const glnn_exchange_kind *kinds, timeline *t)
{
    double arrived[GLNN_NETWORK_MAX_LAYERS], late[GLNN_NETWORK_MAX_LAYERS];
    for (int i = 0; i < plan->layer_count; ++i)
        t->device += plan->layers[i].forward;
    for (int i = plan->layer_count - 1; i >= 0; --i) {
        const cost_layer *layer = &plan->layers[i];
        const cost_parts parts = cost_of_layer(plan, i, kinds[i]);
        const bool is_late = kinds[i] == GLNN_EXCHANGE_ACTIVATIONS;
        t->device += layer->backward + (is_late ? 0 : layer->gradient);
        late[i] = is_late ? layer->gradient + parts.passes : 0;
        arrived[i] = begin(t, &parts, plan->speeds.delay);
    }
    for (int i = plan->layer_count - 1; i >= 0; --i)
        t->device = fmax(t->device, arrived[i]) + late[i];
}

static void exchange_after(const cost_plan *plan, timeline *t)
{
    double arrived = 0;
    for (int i = plan->layer_count - 1; i >= 0; --i) {
        const cost_parts parts = cost_of_layer(plan, i, GLNN_EXCHANGE_AVERAGES);
        arrived = begin(t, &parts, 0);
    }
    t->device += arrived / plan->every;
    t->exchange /= plan->every;
}

cost_step cost_predict(const cost_plan *plan)
{
    cost_step step = {.alone = alone(plan)};
    timeline t = {0};
    for (int i = 0; i < plan->layer_count; ++i)
        step.kinds[i] = plan->kind == GLNN_EXCHANGE_ACTIVATIONS ? cost_faster(plan, i) : plan->kind;
    if (plan->kind == GLNN_EXCHANGE_AVERAGES) {
        exchange_after(plan, &t);
        t.device += step.alone;
    } else {
        exchange_within(plan, step.kinds, &t);
    }
    step.seconds = t.device;
    step.exchange = t.exchange;
    step.hidden = t.exchange > 0 ? fmax(1 - (step.seconds - step.alone) / step.exchange, 0) : 1;
    step.speedup = plan->ranks * step.alone / step.seconds;
    return step;
}
