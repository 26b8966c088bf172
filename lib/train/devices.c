#include "train/devices.h"

#include "base/checksum.h"
#include "base/log.h"
#include "base/status.h"
#include "device/profiler.h"
#include "train/trial_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The description of a process for the others. */
typedef struct member {
    uint64_t device; /* the checksum of the device and its driver */
    char renderer[120];
    float share;
    bool can_measure;
} member;

/* The device and its driver. The ways that passes write in are a part of them, because they change
 * the order of sums. */
static uint64_t device_of(const glnn_context_info *info)
{
    uint64_t sum = glnn__checksum_text(GLNN__CHECKSUM_START, info->renderer);
    sum = glnn__checksum_text(sum, info->version);
    return glnn__checksum_word(sum, (uint32_t)info->writes);
}

static glnn_status describe(const glnn_trainer *t, member *out)
{
    const glnn_context_info *info = &t->ctx->info;
    *out = (member){.device = device_of(info), .share = t->desc.exchange.share};
    snprintf(out->renderer, sizeof out->renderer, "%s", info->renderer);
    return glnn__profiler_can_measure(t->ctx, &out->can_measure);
}

/* ---- Shares */

static glnn_status check_share(int rank, float share, float first)
{
    if (!(share >= 0) || !isfinite(share))
        return glnn__fail(GLNN_E_ARG,
                          "exchange.share of rank %d is %g; it has to be finite and not negative",
                          rank, (double)share);
    if ((share > 0) != (first > 0))
        return glnn__fail(GLNN_E_ARG,
                          "exchange.share of rank %d is %g, and that of rank 0 is %g; either all "
                          "processes give one or none does",
                          rank, (double)share, (double)first);
    return GLNN_OK;
}

static glnn_status set_shares(glnn__exchange *exchange, const member *members)
{
    const int ranks = glnn__exchange_ranks(exchange);
    for (int r = 0; r < ranks; ++r)
        GLNN__TRY(check_share(r, members[r].share, members->share));
    if (members->share == 0)
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

/* ---- Plans */

/* The other processes receive a message after each group of measurements, so that the time limit of
 * the messenger applies to one group. */
static glnn_status measure_on_first(glnn_trainer *t)
{
    bool is_complete = false;
    while (!is_complete) {
        if (glnn__exchange_rank(t->exchange) == 0)
            GLNN__TRY(glnn__profiler_measure_next(t->ctx, &is_complete));
        GLNN__TRY(glnn__exchange_spread(t->exchange, &is_complete, sizeof is_complete));
    }
    return GLNN_OK;
}

static glnn_status plan_as_first(glnn_trainer *t, const member *members)
{
    const bool is_alike = members[glnn__exchange_rank(t->exchange)].device == members->device;
    glnn__planning planning;
    GLNN__TRY(measure_on_first(t));
    if (glnn__exchange_rank(t->exchange) == 0)
        GLNN__TRY(glnn__profiler_give(t->ctx, &planning));
    GLNN__TRY(glnn__exchange_spread(t->exchange, &planning, sizeof planning));
    return is_alike ? glnn__profiler_take(t->ctx, &planning) : GLNN_OK;
}

static void log_other(const glnn_exchange_desc *desc, const member *members, int rank)
{
    const bool drifts = desc->kind == GLNN_EXCHANGE_ACTIVATIONS || desc->allow_activations;
    glnn__log(
        drifts ? GLNN_LOG_WARNING : GLNN_LOG_INFO,
        "rank %d computes on %s, rank 0 on %s: each plans by a device profile of its own%s", rank,
        members[rank].renderer, members->renderer,
        drifts ? ", so that their parameters drift apart by rounding if activations are exchanged"
               : "");
}

static glnn_status agree_on_plans(glnn_trainer *t, const member *members)
{
    int alike = 1;
    for (int r = 1; r < glnn__exchange_ranks(t->exchange); ++r)
        if (members[r].device == members->device)
            alike++;
        else
            log_other(&t->desc.exchange, members, r);
    return alike > 1 ? plan_as_first(t, members) : GLNN_OK;
}

/* ---- Both */

/* The messages that follow have other sizes in other versions. */
static glnn_status compare_versions(glnn_trainer *t)
{
    char text[128];
    snprintf(text, sizeof text, "libglnn=%s\nstage=%s\n", glnn_version(),
             glnn_stage_name(t->ctx->info.stage));
    const glnn__exchange_text version = {"library", text};
    return glnn__exchange_compare(t->exchange, &version, 1);
}

static bool can_all_measure(const member *members, int ranks)
{
    for (int r = 0; r < ranks; ++r)
        if (!members[r].can_measure)
            return false;
    return true;
}

glnn_status glnn__devices_agree(glnn_trainer *t)
{
    if (!t->exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__exchange_compare_ranks(t->exchange));
    GLNN__TRY(compare_versions(t));
    const size_t ranks = (size_t)glnn__exchange_ranks(t->exchange);
    member own, *members = calloc(ranks, sizeof *members);
    if (!members)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the devices of %zu processes", ranks);
    glnn_status status = describe(t, &own);
    if (!status)
        status = glnn__exchange_gather(t->exchange, &own, sizeof own, members);
    if (!status) {
        t->can_measure = can_all_measure(members, (int)ranks);
        status = set_shares(t->exchange, members);
        if (status == GLNN_E_ARG)
            glnn__exchange_abandon(t->exchange);
    }
    if (!status)
        status = agree_on_plans(t, members);
    free(members);
    return status;
}

/* ---- Shares by speed */

/* A device is slower than another one if it needs this many times as long. */
#define IS_SLOWER 1.25

/* Weights are multiples of this share of the greatest one. */
#define GRID 8

static double seconds_of(int ranks, const uint64_t *devices, const double *seconds, int rank)
{
    double least = INFINITY;
    for (int r = 0; r < ranks; ++r)
        if (devices[r] == devices[rank])
            least = fmin(least, seconds[r]);
    return least;
}

void glnn__devices_weigh(int ranks, const uint64_t *devices, const double *seconds, double *weights)
{
    double least = INFINITY, most = 0;
    for (int r = 0; r < ranks; ++r) {
        weights[r] = seconds_of(ranks, devices, seconds, r);
        least = fmin(least, weights[r]);
        most = fmax(most, weights[r]);
    }
    const bool differ = most > IS_SLOWER * least;
    for (int r = 0; r < ranks; ++r)
        weights[r] = differ ? fmax(round(GRID * least / weights[r]), 1) / GRID : 1;
}

/* Room for the devices, seconds and weights of all processes. */
typedef struct speeds {
    uint64_t *devices;
    double *seconds, *weights;
} speeds;

static glnn_status weigh_measured(glnn_trainer *t, const speeds *all)
{
    const int ranks = glnn__exchange_ranks(t->exchange);
    const uint64_t own = device_of(&t->ctx->info);
    bool differ = false;
    GLNN__TRY(glnn__exchange_gather(t->exchange, &own, sizeof own, all->devices));
    for (int r = 1; r < ranks; ++r)
        differ = differ || all->devices[r] != all->devices[0];
    if (!differ)
        return GLNN_OK;
    GLNN__TRY(glnn__trial_steps_alone(t, glnn__trial_steps_samples(t), all->seconds));
    glnn__devices_weigh(ranks, all->devices, all->seconds, all->weights);
    glnn__exchange_set_weights(t->exchange, all->weights);
    for (int r = 0; r < ranks; ++r)
        glnn__log(GLNN_LOG_INFO, "rank %d alone needs %.3g ms for an equal share of a step", r,
                  1e3 * all->seconds[r]);
    return GLNN_OK;
}

glnn_status glnn__devices_measure(glnn_trainer *t)
{
    const size_t ranks = (size_t)glnn__exchange_ranks(t->exchange);
    if (!t->exchange || !t->can_measure || t->desc.exchange.share > 0)
        return GLNN_OK;
    double *room = calloc(2 * ranks, sizeof *room);
    uint64_t *devices = calloc(ranks, sizeof *devices);
    const glnn_status status =
        room && devices
            ? weigh_measured(t, &(speeds){devices, room, room + ranks})
            : glnn__fail(GLNN_E_NOMEM, "no memory for the speeds of %zu processes", ranks);
    free(room);
    free(devices);
    return status;
}
