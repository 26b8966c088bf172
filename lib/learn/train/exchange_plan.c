#include "learn/train/exchange_plan.h"

#include "base/checksum.h"
#include "base/integers.h"
#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "device/profiler.h"
#include "gl/gl.h"
#include "learn/train/step.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gathers the numbers of all processes in the order of their ranks; the caller frees them. NULL:
 * *status is an error, whose sentence has `what`. */
static void *gather(const glnn__exchange_plan *plan, const char *what, const void *own,
                    size_t bytes, glnn_status *status)
{
    const int ranks = glnn__exchange_ranks(plan->of->exchange);
    void *all = calloc((size_t)ranks, bytes);
    *status = all ? glnn__exchange_gather(plan->of->exchange, own, bytes, all)
                  : glnn__fail(GLNN_E_NOMEM, "no memory for the %s of %d processes", what, ranks);
    if (*status) {
        free(all);
        all = NULL;
    }
    return all;
}

/* ---- Devices: which processes use the same device profile */

/* The description of a process for the others, which may get any bytes in its place. */
typedef struct member {
    uint64_t device; /* the checksum of the device and its driver */
    char renderer[120];
    float share;
    int can_measure; /* 0: no */
} member;

/* The device and its driver. The ways that passes write in are a part of them, because they change
 * the order of sums. */
static uint64_t device_of(const glnn_context_info *info)
{
    uint64_t sum = glnn__checksum_text(GLNN__CHECKSUM_START, info->renderer);
    sum = glnn__checksum_text(sum, info->version);
    return glnn__checksum_word(sum, (uint32_t)info->writes);
}

static glnn_status set_shares(glnn__exchange *exchange, const member *members)
{
    const int ranks = glnn__exchange_ranks(exchange);
    const float first = members->share;
    for (int r = 0; r < ranks; ++r) {
        const float share = members[r].share;
        if (!isfinite(share) || share < 0)
            return glnn__fail(GLNN_E_ARG,
                              "exchange.share of rank %d is %g; it has to be finite and positive, "
                              "or 0",
                              r, (double)share);
        if ((share > 0) != (first > 0))
            return glnn__fail(GLNN_E_ARG,
                              "exchange.share of rank %d is %g, and that of rank 0 is %g; either "
                              "all processes give one or none does",
                              r, (double)share, (double)first);
    }
    if (first == 0)
        return GLNN_OK;
    double *weights = malloc((size_t)ranks * sizeof *weights);
    if (!weights)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the shares of %d processes", ranks);
    for (int r = 0; r < ranks; ++r)
        weights[r] = (double)members[r].share;
    glnn__exchange_set_weights(exchange, weights);
    free(weights);
    return GLNN_OK;
}

/* Rank 0 measures its device. The other processes receive a message after each group of
 * measurements, so that the time limit of the messenger applies to one group. */
static glnn_status plan_as_first(const glnn__training *of, bool is_alike)
{
    const bool is_first = glnn__exchange_rank(of->exchange) == 0;
    int is_over = 0;
    glnn__planning planning = {0};
    while (!is_over) {
        bool is_complete = false;
        if (is_first)
            GLNN__TRY(glnn__profiler_measure_next(of->ctx, &is_complete));
        is_over = is_complete;
        GLNN__TRY(glnn__exchange_spread(of->exchange, &is_over, sizeof is_over));
    }
    if (is_first)
        GLNN__TRY(glnn__profiler_give(of->ctx, &planning));
    GLNN__TRY(glnn__exchange_spread(of->exchange, &planning, sizeof planning));
    return is_alike ? glnn__profiler_take(of->ctx, &planning) : GLNN_OK;
}

static glnn_status agree_on_plans(const glnn__training *of, const member *members)
{
    const glnn_exchange_desc *desc = &of->desc.exchange;
    const bool drifts = desc->kind == GLNN_EXCHANGE_ACTIVATIONS || desc->allow_activations;
    int alike = 0;
    for (int r = 0; r < glnn__exchange_ranks(of->exchange); ++r) {
        if (members[r].device == members->device) {
            alike++;
            continue;
        }
        glnn__log(drifts ? GLNN_LOG_WARNING : GLNN_LOG_INFO,
                  "rank %d computes on %s, rank 0 on %s: each plans by a device profile of its "
                  "own%s",
                  r, members[r].renderer, members->renderer,
                  drifts ? ", so that their parameters drift apart by rounding if activations are "
                           "exchanged"
                         : "");
    }
    const member *own = &members[glnn__exchange_rank(of->exchange)];
    return alike > 1 ? plan_as_first(of, own->device == members->device) : GLNN_OK;
}

/* The messages that follow have other sizes in other versions. */
static glnn_status compare_versions(const glnn__training *of)
{
    char text[128];
    snprintf(text, sizeof text, "libglnn=%s\nstage=%s\n", glnn_version(),
             glnn_stage_name(of->ctx->info.stage));
    return glnn__exchange_compare(of->exchange, &(glnn__exchange_text){"library", text}, 1);
}

static glnn_status use_devices(glnn__exchange_plan *plan, member *members)
{
    glnn__exchange *exchange = plan->of->exchange;
    plan->can_measure = true;
    for (int r = 0; r < glnn__exchange_ranks(exchange); ++r) {
        members[r].renderer[sizeof members[r].renderer - 1] = '\0';
        plan->can_measure = plan->can_measure && members[r].can_measure;
        plan->devices_differ = plan->devices_differ || members[r].device != members->device;
    }
    const glnn_status status = set_shares(exchange, members);
    if (status == GLNN_E_ARG)
        glnn__exchange_abandon(exchange);
    return status ? status : agree_on_plans(plan->of, members);
}

glnn_status glnn__exchange_plan_agree(glnn__exchange_plan *plan)
{
    const glnn__training *of = plan->of;
    const glnn_context_info *info = &of->ctx->info;
    if (!of->exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_compare_ranks(of->exchange));
    GLNN__TRY(compare_versions(of));
    glnn_status status;
    bool can_measure;
    GLNN__TRY(glnn__profiler_can_measure(of->ctx, &can_measure));
    member own = {
        .device = device_of(info), .share = of->desc.exchange.share, .can_measure = can_measure};
    snprintf(own.renderer, sizeof own.renderer, "%s", info->renderer);
    member *members = gather(plan, "devices", &own, sizeof own, &status);
    if (members)
        status = use_devices(plan, members);
    free(members);
    return status;
}

/* ---- Trial steps */

/* Steps are timed several at once, if they are short, and in several rounds. Of a step that takes
 * long, two rounds are enough. */
static const double shortest_seconds = 5e-3, round_seconds = 0.03, long_seconds = 0.5;
enum { MOST_STEPS = 64, MOST_ROUNDS = 5, LEAST_ROUNDS = 3, LONG_ROUNDS = 2 };

/* All that a trial step changes. */
static void list(const glnn__training *of, glnn__state *state)
{
    glnn__state_matrix(state, of->learner->metrics.rows, "metrics");
    glnn__learner_state(of->learner, state);
}

/* The first samples of a group, which all candidates take. */
typedef struct sampling {
    glnn__order order;
    glnn__batch_iterator iterator;
    glnn__batch batch;
} sampling;

/* Of the first group that has samples, `most` of them or fewer. */
static glnn_status take_samples(const glnn__training *of, int most, sampling *out)
{
    const glnn__samples *samples = &of->samples;
    const int group = glnn__samples_first_group(samples);
    const int count = glnn__least(most, glnn__samples_of_group(samples, group));
    GLNN__TRY(glnn__order_create(count, 0, &out->order));
    memcpy(out->order.entries, samples->order.entries + samples->groups.begins[group],
           (size_t)count * sizeof *out->order.entries);
    if (!of->data->stream)
        GLNN__TRY(glnn__order_upload(of->ctx, &out->order));
    GLNN__TRY(glnn__batch_iterator_begin(of->data, &out->order, 0, count, count, &out->iterator));
    GLNN__TRY(glnn__batch_iterator_next(&out->iterator, count, &out->batch));
    out->batch.group = group + 1;
    return GLNN_OK;
}

/* The processes begin together. */
static glnn_status wait_for_all(const glnn__exchange_plan *plan, double own, double *most)
{
    glnn_status status;
    double *all = gather(plan, "times", &own, sizeof own, &status);
    *most = own;
    for (int r = 0; r < glnn__exchange_ranks(plan->of->exchange) && all; ++r)
        *most = fmax(*most, all[r]);
    free(all);
    return status;
}

static glnn_status time_steps(const glnn__exchange_plan *plan, const glnn__candidate *candidate,
                              const sampling *from, int count, double *seconds)
{
    const glnn__training *of = plan->of;
    const bool is_alone = candidate->kind == GLNN_EXCHANGE_AUTO;
    double ignored;
    glnn__batch own = from->batch;
    own.count = glnn__least(own.count, candidate->samples);
    if (!is_alone)
        glnn__exchange_choose(of->exchange, candidate->kind, 1);
    glnn__gl_wait(of->ctx);
    GLNN__TRY(wait_for_all(plan, 0, &ignored));
    const double begun = glnn__clock_seconds();
    for (int i = 0; i < count; ++i)
        GLNN__TRY(glnn__step_try(plan->at, &own, is_alone));
    glnn__gl_wait(of->ctx);
    *seconds = (glnn__clock_seconds() - begun) / count;
    return GLNN_OK;
}

/* How often the steps of a candidate are timed: the same on all processes. */
typedef struct repeats {
    int steps, rounds;
} repeats;

/* Makes programs and buffers, and finds out how long a step takes. A step that takes long is timed
 * again, because drivers also compile in the steps after the first one. */
static glnn_status warm_up(const glnn__exchange_plan *plan, const glnn__candidate *candidate,
                           const sampling *from, repeats *out)
{
    double seconds, most = INFINITY;
    for (int i = 0; i < LONG_ROUNDS && most > long_seconds; ++i) {
        GLNN__TRY(time_steps(plan, candidate, from, 1, &seconds));
        GLNN__TRY(wait_for_all(plan, seconds, &most));
    }
    most = fmax(most, 1e-9);
    const double steps = fmin(fmax(ceil(shortest_seconds / most), 1), MOST_STEPS);
    const double rounds = ceil(round_seconds / (steps * most));
    out->steps = (int)steps;
    out->rounds =
        most > long_seconds ? LONG_ROUNDS : (int)fmin(fmax(rounds, LEAST_ROUNDS), MOST_ROUNDS);
    return GLNN_OK;
}

/* Rounds of all candidates in turn, so that a busy moment does not spoil all times of one. */
static glnn_status time_all(const glnn__exchange_plan *plan, glnn__candidate *candidates, int count,
                            const sampling *from)
{
    repeats of[GLNN_EXCHANGE_COUNT];
    for (int i = 0; i < count; ++i) {
        GLNN__TRY(warm_up(plan, &candidates[i], from, &of[i]));
        candidates[i].seconds = INFINITY;
    }
    for (int round = 0; round < MOST_ROUNDS; ++round)
        for (int i = 0; i < count; ++i) {
            double seconds;
            if (round >= of[i].rounds)
                continue;
            GLNN__TRY(time_steps(plan, &candidates[i], from, of[i].steps, &seconds));
            candidates[i].seconds = fmin(candidates[i].seconds, seconds);
        }
    return GLNN_OK;
}

glnn_status glnn__exchange_plan_try(const glnn__exchange_plan *plan, glnn__candidate *candidates,
                                    int count)
{
    const glnn__training *of = plan->of;
    glnn__state saved = {.ctx = of->ctx, .path = "trial steps"};
    sampling from = {.batch = {.count = 0}};
    const glnn__label former = glnn__label_part(of->ctx, "trial");
    int most = 1;
    for (int i = 0; i < count; ++i)
        most = candidates[i].samples > most ? candidates[i].samples : most;
    list(of, &saved);
    glnn_status status = glnn__state_keep(&saved);
    if (!status) {
        status = take_samples(of, most, &from);
        if (!status)
            status = time_all(plan, candidates, count, &from);
        glnn__batch_iterator_end(&from.iterator);
        glnn__order_destroy(&from.order);
        glnn__state state = glnn__state_from(&saved);
        list(of, &state);
        status = status ? status : state.status;
    }
    glnn__state_free(&saved);
    return glnn__label_end(of->ctx, former, status);
}

int glnn__exchange_plan_samples(const glnn__exchange_plan *plan)
{
    const glnn__samples *samples = &plan->of->samples;
    const int own = samples->by_epoch
                        ? glnn__samples_most(samples)
                        : glnn__samples_own_of_all(samples, plan->at->batches, samples->step);
    return glnn__least(own > 0 ? own : 1,
                       glnn__samples_of_group(samples, glnn__samples_first_group(samples)));
}

/* ---- Shares by speed */

/* A device is slower than another one if it needs this many times as long. */
#define IS_SLOWER 1.25

/* Weights are multiples of this share of the greatest one. */
#define GRID 8

static double seconds_of_device(int ranks, const glnn__speed *speeds, int rank)
{
    double least = INFINITY;
    for (int r = 0; r < ranks; ++r)
        if (speeds[r].device == speeds[rank].device)
            least = fmin(least, speeds[r].seconds);
    return least;
}

void glnn__exchange_plan_weigh(int ranks, const glnn__speed *speeds, double *weights)
{
    double least = INFINITY, most = 0;
    for (int r = 0; r < ranks; ++r) {
        weights[r] = seconds_of_device(ranks, speeds, r);
        least = fmin(least, weights[r]);
        most = fmax(most, weights[r]);
    }
    const bool differ = most > IS_SLOWER * least;
    for (int r = 0; r < ranks; ++r)
        weights[r] = differ ? fmax(round(GRID * least / weights[r]), 1) / GRID : 1;
}

/* Shares have to be finite, whatever the other processes say. */
static glnn_status check_speeds(int ranks, const glnn__speed *speeds)
{
    for (int r = 0; r < ranks; ++r)
        if (!(speeds[r].seconds > 0) || isinf(speeds[r].seconds))
            return glnn__fail(GLNN_E_PROCESS,
                              "rank %d needs %g s for a step; the time has to be finite and "
                              "positive",
                              r, speeds[r].seconds);
    return GLNN_OK;
}

static glnn_status weigh(const glnn__exchange_plan *plan, const glnn__speed *speeds)
{
    const int ranks = glnn__exchange_ranks(plan->of->exchange);
    double *weights = calloc((size_t)ranks, sizeof *weights);
    if (!weights)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the speeds of %d processes", ranks);
    const glnn_status status = check_speeds(ranks, speeds);
    if (!status) {
        glnn__exchange_plan_weigh(ranks, speeds, weights);
        glnn__exchange_set_weights(plan->of->exchange, weights);
    }
    free(weights);
    for (int r = 0; r < ranks && !status; ++r)
        glnn__log(GLNN_LOG_INFO, "rank %d alone needs %.3g ms for an equal share of a step", r,
                  1e3 * speeds[r].seconds);
    return status;
}

glnn_status glnn__exchange_plan_share(const glnn__exchange_plan *plan)
{
    const glnn__training *of = plan->of;
    if (!of->exchange || !plan->can_measure || !plan->devices_differ || of->desc.exchange.share > 0)
        return GLNN_OK;
    glnn__candidate alone = {.samples = glnn__exchange_plan_samples(plan)};
    glnn_status status;
    GLNN__TRY(glnn__exchange_plan_try(plan, &alone, 1));
    const glnn__speed own = {device_of(&of->ctx->info), alone.seconds};
    glnn__speed *speeds = gather(plan, "speeds", &own, sizeof own, &status);
    if (speeds)
        status = weigh(plan, speeds);
    free(speeds);
    return status;
}

/* ---- The kind of exchange */

/* An exchange is hidden if a step of one process alone takes this share of the time. */
#define HIDDEN 0.9

/* A kind that computes something else, or more, has to save at least this share of the time. */
#define WORTH_IT 0.2

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

/* The samples of one process in a step. */
static double samples_of(const glnn__exchange_plan *plan)
{
    return glnn__ceil_div(plan->of->samples.step, glnn__exchange_ranks(plan->of->exchange));
}

/* M inputs and N units of a batch of B samples are fewer numbers than the gradient if B (M + N) is
 * below 2 M N. A layer that does not gather has no inputs. */
static glnn_exchange_kind fewer_of(const glnn__exchange_plan *plan, const glnn__exchanged *of)
{
    const bool gathers = plan->of->desc.accumulate == 1 && glnn__step_has_one_part(plan->of);
    const double batch = samples_of(plan) * glnn__exchange_ranks(plan->of->exchange);
    return gathers && batch * (of->inputs + of->units) < 2 * of->inputs * of->units
               ? GLNN_EXCHANGE_ACTIVATIONS
               : GLNN_EXCHANGE_GRADIENTS;
}

/* Lists the layers, and chooses those that exchange activations if the kind is ACTIVATIONS. */
static void list_layers(glnn__exchange_plan *plan)
{
    glnn_learner *learner = plan->of->learner;
    plan->count = glnn__learner_list_exchanged(learner, plan->layers);
    if (plan->count == 0)
        plan->layers[plan->count++] =
            (glnn__exchanged){.name = glnn_learner_kind_name(learner->type->kind),
                              .messages = GLNN__EXCHANGE_LEARNER};
    for (int i = 0; i < plan->count; ++i)
        glnn__exchange_choose_layer(plan->of->exchange, plan->layers[i].layer,
                                    fewer_of(plan, &plan->layers[i]));
}

/* A step as all processes know it. */
typedef struct step_times {
    double mean, slowest; /* seconds                         */
    double samples, rate; /* of all, and the mean of samples a second */
} step_times;

static glnn_status agree(const glnn__exchange_plan *plan, const glnn__candidate *own,
                         step_times *out)
{
    const int ranks = glnn__exchange_ranks(plan->of->exchange);
    glnn_status status;
    glnn__candidate *all = gather(plan, "times", own, sizeof *own, &status);
    *out = (step_times){.mean = 0};
    for (int r = 0; r < ranks && all; ++r) {
        out->mean += all[r].seconds / ranks;
        out->slowest = fmax(out->slowest, all[r].seconds);
        out->samples += all[r].samples;
        out->rate += all[r].samples / all[r].seconds / ranks;
    }
    free(all);
    return status;
}

static bool is_candidate(const glnn__exchange_plan *plan, glnn_exchange_kind kind)
{
    const glnn__training *of = plan->of;
    const glnn_exchange_desc *desc = &of->desc.exchange;
    if (desc->kind != GLNN_EXCHANGE_AUTO || kind == GLNN_EXCHANGE_GRADIENTS)
        return desc->kind == kind || desc->kind == GLNN_EXCHANGE_AUTO;
    return kind == GLNN_EXCHANGE_AVERAGES
               ? glnn__training_averages(of->learner)
               : desc->allow_activations && plan->layers[0].parameters > 0;
}

/* The step alone is timed in turn with the others, so that they can be compared. */
static glnn_status measure(glnn__exchange_plan *plan)
{
    const int samples = glnn__exchange_plan_samples(plan);
    glnn__candidate tried[GLNN_EXCHANGE_COUNT] = {{.samples = samples}};
    int count = 1;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind)
        if (is_candidate(plan, kind))
            tried[count++] = (glnn__candidate){.kind = kind, .samples = samples};
    GLNN__TRY(glnn__exchange_plan_try(plan, tried, count));
    step_times times;
    GLNN__TRY(agree(plan, &tried[0], &times));
    plan->alone = times.mean;
    plan->slowest = times.slowest;
    plan->samples = times.samples;
    plan->rate = times.rate;
    for (int i = 1; i < count; ++i) {
        double *seconds = &plan->seconds[tried[i].kind];
        GLNN__TRY(agree(plan, &tried[i], &times));
        *seconds = times.slowest;
        if (tried[i].kind != GLNN_EXCHANGE_AVERAGES)
            continue;
        /* The steps that were timed exchange means, but only one in every few of a training. */
        glnn__exchange_choose(plan->of->exchange, tried[i].kind, plan->of->desc.exchange.every);
        *seconds = plan->slowest +
                   fmax(*seconds - plan->slowest, 0) / glnn__exchange_averages(plan->of->exchange);
    }
    return GLNN_OK;
}

/* ---- Reporting */

static glnn_exchange_layer layer_of(const glnn__exchange_plan *plan, const glnn__exchanged *of)
{
    glnn__exchange *exchange = plan->of->exchange;
    glnn_exchange_layer layer = {.layer = of->layer,
                                 .name = of->name,
                                 .kind = plan->kind,
                                 .fewer_numbers = fewer_of(plan, of),
                                 .numbers = of->parameters};
    if (plan->kind == GLNN_EXCHANGE_ACTIVATIONS && !glnn__exchange_gathers(exchange, of->layer))
        layer.kind = GLNN_EXCHANGE_GRADIENTS;
    /* The messages of a layer are under way one after another, so the last one has waited for
     * all. */
    for (int i = 0; i < of->messages; ++i)
        layer.measured_seconds =
            fmax(layer.measured_seconds, glnn__exchange_get_seconds(exchange, of->first + i));
    if (layer.kind == GLNN_EXCHANGE_ACTIVATIONS)
        layer.numbers = samples_of(plan) * (of->inputs + of->units);
    else if (layer.numbers <= 0)
        layer.numbers = glnn__exchange_count_numbers(exchange, of->first, of->messages);
    return layer;
}

/* How many times as fast as one process a step of all is. */
static double speedup_of(const glnn__exchange_plan *plan, double seconds)
{
    return seconds > 0 && plan->rate > 0 ? plan->samples / seconds / plan->rate : 0;
}

/* ACTIVATIONS were asked for, but all layers exchange gradients. */
static bool has_no_activations(const glnn_exchange_plan *out)
{
    for (int i = 0; i < out->layer_count; ++i)
        if (out->layers[i].kind == GLNN_EXCHANGE_ACTIVATIONS)
            return false;
    return out->kind == GLNN_EXCHANGE_ACTIVATIONS;
}

/* Words such as "gradients 0.80, averages 1.75". */
static void print_speedups(const glnn__exchange_plan *plan, const glnn_exchange_plan *out,
                           char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (glnn_exchange_kind kind = GLNN_EXCHANGE_GRADIENTS; kind < GLNN_EXCHANGE_COUNT; ++kind) {
        if (plan->seconds[kind] == 0 || length >= size)
            continue;
        const char *name =
            glnn_exchange_kind_name(has_no_activations(out) ? GLNN_EXCHANGE_GRADIENTS : kind);
        length += (size_t)snprintf(text + length, size - length, "%s%s %.2f", length ? ", " : "",
                                   name, speedup_of(plan, plan->seconds[kind]));
    }
}

/* The kind and its reason, and the speeds. */
static void print_sentence(const glnn__exchange_plan *plan, glnn_exchange_plan *out)
{
    const bool is_auto = plan->of->desc.exchange.kind == GLNN_EXCHANGE_AUTO;
    const char *choice = glnn_exchange_kind_name(out->kind), *reason = "";
    char speedups[80];
    print_speedups(plan, out, speedups, sizeof speedups);
    if (has_no_activations(out)) {
        choice = "gradients";
        reason = "; no layer exchanges activations, because gradients have fewer numbers";
    } else if (out->measured)
        reason = is_auto ? ", which auto chose" : ", as the description asks";
    if (!out->measured)
        snprintf(out->sentence, sizeof out->sentence,
                 "%d processes exchange %s%s; their speed was not measured", out->processes, choice,
                 reason);
    else
        snprintf(out->sentence, sizeof out->sentence,
                 "%d processes exchange %s%s%s; speed relative to one process: %s", out->processes,
                 choice, reason, out->expected_speedup < 1 ? ", but are slower than one" : "",
                 speedups);
}

glnn_exchange_plan glnn__exchange_plan_report(const glnn__exchange_plan *plan)
{
    glnn_exchange_plan out = {.size = sizeof out,
                              .processes = glnn__exchange_ranks(plan->of->exchange),
                              .kind = GLNN_EXCHANGE_GRADIENTS,
                              .sentence = "one process trains alone"};
    if (!plan->of->exchange || plan->count == 0)
        return out;
    out.kind = plan->kind;
    out.every = glnn__exchange_averages(plan->of->exchange);
    out.measured = plan->is_measured;
    out.layer_count = plan->count;
    for (int i = 0; i < out.layer_count; ++i)
        out.layers[i] = layer_of(plan, &plan->layers[i]);
    out.alone_seconds = plan->alone;
    out.alone_samples_per_second = plan->rate;
    out.expected_seconds = plan->seconds[plan->kind];
    out.expected_speedup = speedup_of(plan, out.expected_seconds);
    if (plan->epoch_steps > 0)
        out.measured_seconds = plan->epoch_seconds / plan->epoch_steps;
    if (plan->epoch_steps > 0 && plan->rate > 0)
        out.measured_speedup = plan->epoch_samples / plan->epoch_seconds / plan->rate;
    print_sentence(plan, &out);
    return out;
}

static void show(const glnn__exchange_plan *plan)
{
    if (!plan->of->desc.exchange.plan)
        return;
    const glnn_exchange_plan out = glnn__exchange_plan_report(plan);
    glnn__sized_fill(plan->of->desc.exchange.plan, &out, sizeof out);
}

static void log_plan(const glnn_exchange_plan *plan)
{
    for (int i = 0; i < plan->layer_count && plan->layers[i].numbers > 0; ++i) {
        const glnn_exchange_layer *layer = &plan->layers[i];
        const bool has_more =
            layer->kind != GLNN_EXCHANGE_AVERAGES && layer->kind != layer->fewer_numbers;
        glnn__log(GLNN_LOG_INFO, "layer %d (%s): %d processes exchange %.0f numbers as %s%s",
                  layer->layer, layer->name, plan->processes, layer->numbers,
                  glnn_exchange_kind_name(layer->kind),
                  has_more ? ", which are not the fewest" : "");
    }
    glnn__log(GLNN_LOG_INFO, "%s", plan->sentence);
}

/* ---- During the training */

glnn_status glnn__exchange_plan_make(glnn__exchange_plan *plan)
{
    const glnn__training *of = plan->of;
    const glnn_exchange_kind asked = of->desc.exchange.kind;
    if (of->exchange && plan->at->phase != GLNN__PHASE_ENDED) {
        list_layers(plan);
        plan->is_measured = plan->can_measure;
        if (plan->is_measured)
            GLNN__TRY(measure(plan));
        plan->kind = asked != GLNN_EXCHANGE_AUTO ? asked
                     : plan->is_measured ? glnn__exchange_plan_choose(plan->slowest, plan->seconds)
                                         : GLNN_EXCHANGE_GRADIENTS;
        glnn__exchange_choose(of->exchange, plan->kind, of->desc.exchange.every);
        glnn__exchange_forget_seconds(of->exchange);
        const glnn_exchange_plan made = glnn__exchange_plan_report(plan);
        log_plan(&made);
    }
    show(plan);
    return GLNN_OK;
}

void glnn__exchange_plan_leave_out_steps(glnn__exchange_plan *plan)
{
    const glnn__cursor *at = plan->at;
    const glnn__samples *samples = &plan->of->samples;
    plan->left_out_seconds = glnn__elapsed_read(&at->stepping);
    plan->left_out_samples = fmin((double)at->batches * samples->batch, samples->count);
    plan->left_out_steps = (double)at->steps;
}

void glnn__exchange_plan_leave_out(glnn__exchange_plan *plan, double seconds)
{
    if (plan->epoch_steps == 0)
        plan->left_out_seconds += seconds;
}

void glnn__exchange_plan_follow(glnn__exchange_plan *plan)
{
    const glnn__samples *samples = &plan->of->samples;
    const double steps = (double)samples->steps - plan->left_out_steps;
    if (steps > 0) {
        plan->epoch_seconds += plan->at->stepping.seconds - plan->left_out_seconds;
        plan->epoch_samples += samples->count - plan->left_out_samples;
        plan->epoch_steps += steps;
    }
    plan->left_out_seconds = plan->left_out_samples = plan->left_out_steps = 0;
    show(plan);
}
