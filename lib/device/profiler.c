#include "device/profiler.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "device/measure.h"
#include "pass/program.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The known part of the profile of a stage. */
typedef struct known {
    glnn__profile measured;
    glnn__profile plans;  /* built-in numbers, and the measured ones of groups on disk          */
    unsigned is_measured; /* the set of groups that `measured` has                              */
    unsigned is_settled;  /* the set of groups that do not change in `plans`, unless all groups
                             are measured anew                                                  */
    bool can_measure;     /* the context that `plans` were taken from can                       */
} known;

/* ---- Groups */

static double *speeds_of(glnn__profile *profile, int g, size_t *count)
{
    *count = (glnn__profile_groups[g + 1].offset - glnn__profile_groups[g].offset) / sizeof(double);
    return (double *)profile + glnn__profile_groups[g].offset / sizeof(double);
}

#define ALL_GROUPS ((1u << GLNN__PROFILE_GROUPS) - 1)

/* Compute shaders only write images, and layouts differ in work groups only on a GPU. */
static unsigned groups_of(const glnn_context *ctx, glnn_stage stage)
{
    const bool is_compute = stage == GLNN_STAGE_COMPUTE;
    const unsigned absent =
        (is_compute ? (unsigned)GLNN__PROFILE_TARGETS : 0) |
        (is_compute && !ctx->info.software ? 0 : (unsigned)GLNN__PROFILE_LAYOUTS);
    return ALL_GROUPS & ~absent;
}

/* Groups that plans of a stage depend on. Only GPUs choose between blending and adding in the
 * shader, and between render targets and images. */
static unsigned planned(const glnn_context *ctx, glnn_stage stage)
{
    const unsigned groups = groups_of(ctx, stage);
    if (stage == GLNN_STAGE_COMPUTE)
        return groups & ~(unsigned)GLNN__PROFILE_BLENDING;
    return ctx->info.software ? groups & ~(unsigned)(GLNN__PROFILE_IMAGES | GLNN__PROFILE_BLENDING)
                              : groups;
}

#define PRODUCTS (GLNN__PROFILE_TILED | GLNN__PROFILE_PACKED | GLNN__PROFILE_UNPACKED)

/* Plans of products also depend on writing and blending, so one session measures all three. */
static unsigned with_writing(unsigned set)
{
    return set & PRODUCTS ? set | GLNN__PROFILE_WRITING | GLNN__PROFILE_BLENDING : set;
}

/* ---- Storing */

#define KEY_TEXT 64

static void write_key(glnn_stage stage, int g, char key[KEY_TEXT])
{
    snprintf(key, KEY_TEXT, "%s %s", glnn_stage_name(stage), glnn__profile_groups[g].name);
}

static void complete(glnn__profile *profile, unsigned is_measured)
{
    if (!(is_measured & GLNN__PROFILE_IMAGES))
        profile->images = profile->targets;
    if (!(is_measured & GLNN__PROFILE_TARGETS))
        profile->targets = profile->images;
}

static void settle(known *k, int g)
{
    size_t count;
    const double *measured = speeds_of(&k->measured, g, &count);
    if (!(k->is_settled >> g & 1))
        memcpy(speeds_of(&k->plans, g, &count), measured, count * sizeof *measured);
    k->is_measured |= 1u << g;
    k->is_settled |= 1u << g;
    if (k->is_settled & GLNN__PROFILE_WRITING)
        complete(&k->plans, k->is_settled);
}

/* Reads the groups of the stage that are on disk, unless the context measures them again. */
static void seek(glnn_context *ctx, glnn__programs *programs, glnn_stage stage, known *k)
{
    for (int g = 0; g < GLNN__PROFILE_GROUPS && ctx->info.tuning != GLNN_TUNING_AGAIN; ++g) {
        char key[KEY_TEXT];
        size_t count;
        double *speeds = speeds_of(&k->measured, g, &count);
        write_key(stage, g, key);
        if (glnn__tuning_read(ctx, &programs->tuning, key, speeds, count))
            settle(k, g);
    }
    complete(&k->measured, k->is_measured);
}

/* Stores a measured group on disk. Plans use it only if later runs can read it there. */
static void put_group(glnn_context *ctx, glnn__programs *programs, glnn_stage stage, known *k,
                      int g)
{
    char key[KEY_TEXT];
    size_t count;
    double *speeds = speeds_of(&k->measured, g, &count);
    write_key(stage, g, key);
    glnn__tuning_write(ctx, &programs->tuning, key, speeds, count);
    k->is_measured |= 1u << g;
    if (glnn__tuning_can_store(ctx, &programs->tuning))
        settle(k, g);
}

/* ---- Finding */

static glnn_status get_known(glnn_context *ctx, glnn_stage stage, glnn__programs **programs,
                             known **out)
{
    known *all = ctx->slots[GLNN__SLOT_DEVICE].state;
    GLNN__TRY(glnn__programs_get(ctx, programs));
    if (!all) {
        all = calloc(GLNN_STAGE_AUTO, sizeof *all);
        if (!all)
            return glnn__fail(GLNN_E_NOMEM, "no memory for the device profile");
        for (int i = GLNN_STAGE_FRAGMENT; i < GLNN_STAGE_AUTO; ++i) {
            all[i].plans = *glnn__profile_builtin(ctx, (glnn_stage)i);
            seek(ctx, *programs, (glnn_stage)i, &all[i]);
        }
        ctx->slots[GLNN__SLOT_DEVICE].state = all;
    }
    *out = &all[stage];
    return GLNN_OK;
}

static glnn_status measure(glnn_context *ctx, glnn__programs *programs, glnn_stage stage, known *k,
                           unsigned groups)
{
    const double start = glnn__clock_seconds();
    if (!groups)
        return GLNN_OK;
    glnn__log(GLNN_LOG_PROGRESS, "measuring the device, once per driver");
    const glnn__label former = glnn__label_part(ctx, "measure the device");
    GLNN__TRY(glnn__label_end(
        ctx, former,
        glnn__measure_profile(ctx, stage, groups, &glnn__stopwatch_real, &k->measured)));
    for (int g = 0; g < GLNN__PROFILE_GROUPS; ++g)
        if (groups >> g & 1)
            put_group(ctx, programs, stage, k, g);
    complete(&k->measured, k->is_measured);
    glnn__log(GLNN_LOG_INFO, "the profile of the %s stage: measured in %.2f s",
              glnn_stage_name(stage), glnn__clock_seconds() - start);
    return GLNN_OK;
}

glnn_status glnn__profiler_measured(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                    const glnn__profile **out)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    *out = &k->measured;
    return measure(ctx, programs, stage, k, groups & groups_of(ctx, stage) & ~k->is_measured);
}

glnn_status glnn__profiler_ask(glnn_context *ctx, glnn_stage stage, unsigned groups,
                               const glnn__profile **out)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    *out = &k->plans;
    const unsigned missing = with_writing(groups) & planned(ctx, stage) & ~k->is_settled;
    if (!missing || !glnn__tuning_can_store(ctx, &programs->tuning))
        return GLNN_OK;
    const glnn_status status = measure(ctx, programs, stage, k, missing);
    if (status != GLNN_E_LIMIT && status != GLNN_E_NOMEM)
        return status;
    /* The operation may fit in memory even if the measurement does not, so its plan uses built-in
     * numbers. */
    k->is_settled |= missing;
    return GLNN_OK;
}

glnn_status glnn__profiler_measure_anew(glnn_context *ctx)
{
    const glnn_stage stage = ctx->info.stage;
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    k->is_settled = 0;
    ++ctx->profile_age;
    return measure(ctx, programs, stage, k, groups_of(ctx, stage));
}

/* ---- Plans of another context */

glnn_status glnn__profiler_can_measure(glnn_context *ctx, bool *can_measure)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, ctx->info.stage, &programs, &k));
    *can_measure = ctx->info.tuning != GLNN_TUNING_OFF &&
                   (k->can_measure || glnn__tuning_can_store(ctx, &programs->tuning));
    return GLNN_OK;
}

glnn_status glnn__profiler_measure_next(glnn_context *ctx, bool *is_complete)
{
    const glnn_stage stage = ctx->info.stage;
    const glnn__profile *profile;
    glnn__programs *programs;
    known *k;
    *is_complete = true;
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    const unsigned missing = planned(ctx, stage) & ~k->is_settled;
    if (!missing || !glnn__tuning_can_store(ctx, &programs->tuning))
        return GLNN_OK;
    *is_complete = false;
    return glnn__profiler_ask(ctx, stage, missing & (~missing + 1), &profile);
}

glnn_status glnn__profiler_give(glnn_context *ctx, glnn__planning *out, char **winners)
{
    char prefix[KEY_TEXT];
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, ctx->info.stage, &programs, &k));
    snprintf(prefix, sizeof prefix, "%s product ", glnn_stage_name(ctx->info.stage));
    *winners = glnn__tuning_give(ctx, &programs->tuning, prefix);
    if (!*winners)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the device profile");
    *out = (glnn__planning){
        .profile = k->plans,
        .is_settled = k->is_settled,
        .tuning = ctx->info.tuning,
        .size = strlen(*winners) + 1,
    };
    return glnn__profiler_can_measure(ctx, &out->can_measure);
}

glnn_status glnn__profiler_take(glnn_context *ctx, const glnn__planning *planning, char *winners)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, ctx->info.stage, &programs, &k));
    k->plans = planning->profile;
    k->is_settled = planning->is_settled;
    k->can_measure = planning->can_measure;
    ctx->info.tuning = planning->tuning;
    ++ctx->profile_age;
    glnn__tuning_take(&programs->tuning, winners);
    return GLNN_OK;
}
