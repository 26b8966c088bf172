#include "train/devices.h"

#include "base/checksum.h"
#include "base/log.h"
#include "base/status.h"
#include "device/profiler.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a process tells the others of itself. */
typedef struct member {
    uint64_t device; /* the checksum of the device and its driver */
    char renderer[120];
    float share;
} member;

static member describe(const glnn_trainer *t)
{
    const glnn_context_info *info = &t->learner.ctx->info;
    member own = {.share = t->desc.exchange.share};
    snprintf(own.renderer, sizeof own.renderer, "%s", info->renderer);
    own.device = glnn__checksum_text(GLNN__CHECKSUM_START, info->renderer);
    own.device = glnn__checksum_text(own.device, info->version);
    own.device = glnn__checksum_word(own.device, (uint32_t)info->writes);
    return own;
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

/* The others hear of each group, so that they do not take rank 0 as silent. */
static glnn_status measure_on_first(glnn_trainer *t)
{
    bool is_complete = false;
    while (!is_complete) {
        if (glnn__exchange_rank(t->exchange) == 0)
            GLNN__TRY(glnn__profiler_measure_next(t->learner.ctx, &is_complete));
        GLNN__TRY(glnn__exchange_spread(t->exchange, &is_complete, sizeof is_complete));
    }
    return GLNN_OK;
}

/* Receives the planning of rank 0; *winners has to be freed after failure too. */
static glnn_status spread_planning(glnn_trainer *t, glnn__planning *planning, char **winners)
{
    if (glnn__exchange_rank(t->exchange) == 0)
        GLNN__TRY(glnn__profiler_give(t->learner.ctx, planning, winners));
    GLNN__TRY(glnn__exchange_spread(t->exchange, planning, sizeof *planning));
    if (!*winners)
        *winners = malloc(planning->size);
    if (!*winners)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the device profile of rank 0");
    return glnn__exchange_spread(t->exchange, *winners, planning->size);
}

static glnn_status plan_as_first(glnn_trainer *t, const member *members)
{
    const bool is_alike = members[glnn__exchange_rank(t->exchange)].device == members->device;
    glnn__planning planning = {.size = 0};
    char *winners = NULL;
    GLNN__TRY(measure_on_first(t));
    glnn_status status = spread_planning(t, &planning, &winners);
    if (!status && is_alike)
        status = glnn__profiler_take(t->learner.ctx, &planning, winners);
    free(winners);
    return status;
}

static void log_other(const glnn__exchange *exchange, const member *members, int rank)
{
    const bool drifts = glnn__exchange_gathers(exchange);
    glnn__log(drifts ? GLNN_LOG_WARNING : GLNN_LOG_INFO,
              "rank %d computes on %s, rank 0 on %s: each plans by a device profile of its own%s",
              rank, members[rank].renderer, members->renderer,
              drifts ? ", so that their parameters may drift apart by rounding" : "");
}

static glnn_status agree_on_plans(glnn_trainer *t, const member *members)
{
    int alike = 1;
    for (int r = 1; r < glnn__exchange_ranks(t->exchange); ++r)
        if (members[r].device == members->device)
            alike++;
        else
            log_other(t->exchange, members, r);
    return alike > 1 ? plan_as_first(t, members) : GLNN_OK;
}

/* ---- Both */

/* The messages that follow have other sizes in other versions. */
static glnn_status compare_versions(glnn_trainer *t)
{
    char text[128];
    snprintf(text, sizeof text, "libglnn=%s\nstage=%s\n", glnn_version(),
             glnn_stage_name(t->learner.ctx->info.stage));
    const glnn__exchange_text version = {"library", text};
    return glnn__exchange_compare(t->exchange, &version, 1);
}

glnn_status glnn__devices_agree(glnn_trainer *t)
{
    if (!t->exchange)
        return GLNN_OK;
    GLNN__TRY(compare_versions(t));
    const size_t ranks = (size_t)glnn__exchange_ranks(t->exchange);
    const member own = describe(t);
    member *members = calloc(ranks, sizeof *members);
    if (!members)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the devices of %zu processes", ranks);
    glnn_status status = glnn__exchange_gather(t->exchange, &own, sizeof own, members);
    if (!status) {
        status = set_shares(t->exchange, members);
        if (status == GLNN_E_ARG)
            glnn__exchange_abandon(t->exchange);
    }
    if (!status)
        status = agree_on_plans(t, members);
    free(members);
    return status;
}
