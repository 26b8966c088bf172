#include "device/profiler.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "device/measure.h"
#include "gl/busy.h"
#include "pass/program.h"

#include <math.h>
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
    struct glnn__session *session; /* a measurement under way; NULL: none */
    unsigned in_session;           /* the set of groups that it measures  */
    bool is_announced;             /* the log has said that the device is measured */
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

static void destroy(glnn_context *ctx, void *state)
{
    known *all = state;
    (void)ctx;
    for (int i = GLNN_STAGE_FRAGMENT; i < GLNN_STAGE_AUTO; ++i)
        glnn__session_end(all[i].session);
}

static void create(glnn_context *ctx, void *state)
{
    known *all = state;
    for (int i = GLNN_STAGE_FRAGMENT; i < GLNN_STAGE_AUTO; ++i) {
        all[i].plans = *glnn__profile_builtin(ctx, (glnn_stage)i);
        seek(ctx, glnn__programs_of(ctx), (glnn_stage)i, &all[i]);
    }
}

static glnn__slot slot = {.holds = "the device profile",
                          .size = GLNN_STAGE_AUTO * sizeof(known),
                          .create = create,
                          .destroy = destroy};

static glnn_status get_known(glnn_context *ctx, glnn_stage stage, glnn__programs **programs,
                             known **out)
{
    known *all;
    GLNN__TRY(glnn__programs_get(ctx, programs));
    GLNN__TRY(glnn__slot_get(ctx, &slot, &all));
    *out = &all[stage];
    return GLNN_OK;
}

/* ---- Measuring */

static glnn_status begin_session(glnn_context *ctx, glnn_stage stage, known *k, unsigned groups)
{
    if (!k->is_announced)
        glnn__log(GLNN_LOG_PROGRESS, "measuring the device, once per driver");
    k->is_announced = true;
    k->in_session = groups;
    return glnn__session_begin(ctx, stage, groups, &glnn__stopwatch_real, &k->measured,
                               &k->session);
}

static void end_session(known *k)
{
    glnn__session_end(k->session);
    k->session = NULL;
}

static void put_groups(glnn_context *ctx, glnn__programs *programs, glnn_stage stage, known *k)
{
    end_session(k);
    for (int g = 0; g < GLNN__PROFILE_GROUPS; ++g)
        if (k->in_session >> g & 1)
            put_group(ctx, programs, stage, k, g);
    complete(&k->measured, k->is_measured);
    glnn__log(GLNN_LOG_INFO, "the profile of the %s stage is measured", glnn_stage_name(stage));
}

/* Runs the next piece of the session. After a failure there is none. */
static glnn_status measure_piece(glnn_context *ctx, glnn__programs *programs, glnn_stage stage,
                                 known *k)
{
    bool is_over;
    const glnn__label former = glnn__label_part(ctx, "measure the device");
    const glnn_status status =
        glnn__label_end(ctx, former, glnn__session_next(k->session, &is_over));
    if (status)
        end_session(k);
    else if (is_over)
        put_groups(ctx, programs, stage, k);
    return status;
}

static glnn_status run_sessions(glnn_context *ctx, glnn__programs *programs, glnn_stage stage,
                                known *k, unsigned groups)
{
    while (k->session)
        GLNN__TRY(measure_piece(ctx, programs, stage, k));
    if (groups)
        GLNN__TRY(begin_session(ctx, stage, k, groups));
    while (k->session)
        GLNN__TRY(measure_piece(ctx, programs, stage, k));
    return GLNN_OK;
}

/* Ends a session under way, and measures a set of groups. */
static glnn_status measure(glnn_context *ctx, glnn__programs *programs, glnn_stage stage, known *k,
                           unsigned groups)
{
    glnn__busy_begin(ctx);
    const glnn_status status = run_sessions(ctx, programs, stage, k, groups);
    glnn__busy_end(ctx);
    return status;
}

/* Groups that have to be measured now, if a session under way is ended first. */
static unsigned beyond_session(const known *k, unsigned groups)
{
    return k->session ? groups & ~k->in_session : groups;
}

glnn_status glnn__profiler_measured(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                    const glnn__profile **out)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    *out = &k->measured;
    const unsigned missing = groups & groups_of(ctx, stage) & ~k->is_measured;
    return missing ? measure(ctx, programs, stage, k, beyond_session(k, missing)) : GLNN_OK;
}

glnn_status glnn__profiler_knows(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                 bool *is_known)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    *is_known = (groups & groups_of(ctx, stage) & ~k->is_measured) == 0;
    return GLNN_OK;
}

/* Groups that plans need, and that can be measured and stored. */
static unsigned missing_groups(glnn_context *ctx, glnn__programs *programs, glnn_stage stage,
                               const known *k, unsigned groups)
{
    const unsigned missing = with_writing(groups) & planned(ctx, stage) & ~k->is_settled;
    return missing && glnn__tuning_can_store(ctx, &programs->tuning) ? missing : 0;
}

/* The operation may fit in memory even if the measurement does not, so its plan uses built-in
 * numbers. */
static glnn_status forgive(known *k, unsigned missing, glnn_status status)
{
    if (status != GLNN_E_LIMIT && status != GLNN_E_NOMEM)
        return status;
    k->is_settled |= missing;
    return GLNN_OK;
}

glnn_status glnn__profiler_ask(glnn_context *ctx, glnn_stage stage, unsigned groups,
                               const glnn__profile **out)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    *out = &k->plans;
    const unsigned missing = missing_groups(ctx, programs, stage, k, groups);
    return missing
               ? forgive(k, missing, measure(ctx, programs, stage, k, beyond_session(k, missing)))
               : GLNN_OK;
}

static glnn_status ask_piece(glnn_context *ctx, unsigned groups, double *progress)
{
    const glnn_stage stage = ctx->info.stage;
    glnn__programs *programs;
    known *k;
    *progress = 1;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    const unsigned missing =
        ctx->info.tuning == GLNN_TUNING_OFF ? 0 : missing_groups(ctx, programs, stage, k, groups);
    if (!missing)
        return GLNN_OK;
    if (!k->session)
        GLNN__TRY(forgive(k, missing, begin_session(ctx, stage, k, missing)));
    const glnn_status status = k->session ? measure_piece(ctx, programs, stage, k) : GLNN_OK;
    if (k->session)
        *progress = glnn__session_progress(k->session);
    else
        *progress = missing_groups(ctx, programs, stage, k, groups) ? 0 : 1;
    return forgive(k, missing, status);
}

glnn_status glnn__profiler_ask_until(glnn_context *ctx, unsigned groups, double end,
                                     double *progress)
{
    glnn_status status;
    glnn__busy_begin(ctx);
    do
        status = ask_piece(ctx, groups, progress);
    while (!status && *progress < 1 && glnn__clock_seconds() < end);
    glnn__busy_end(ctx);
    return status;
}

glnn_status glnn__profiler_measure_anew(glnn_context *ctx)
{
    const glnn_stage stage = ctx->info.stage;
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, stage, &programs, &k));
    end_session(k);
    k->is_settled = 0;
    k->is_announced = false;
    ++glnn__device_of(ctx)->profile_age;
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

glnn_status glnn__profiler_give(glnn_context *ctx, glnn__planning *out)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(get_known(ctx, ctx->info.stage, &programs, &k));
    *out = (glnn__planning){
        .profile = k->plans,
        .is_settled = k->is_settled,
        .tuning = ctx->info.tuning,
    };
    bool can_measure;
    const glnn_status status = glnn__profiler_can_measure(ctx, &can_measure);
    out->can_measure = !status && can_measure;
    return status;
}

/* Another process may send any bytes. Some speeds are 0. */
static glnn_status check_planning(const glnn__planning *planning)
{
    const double *numbers = (const double *)(const void *)&planning->profile;
    for (size_t i = 0; i < sizeof planning->profile / sizeof *numbers; ++i)
        if (!isfinite(numbers[i]) || numbers[i] < 0)
            return glnn__fail(GLNN_E_ARG,
                              "the device profile of another process has the number %g; it has to "
                              "be finite and not negative",
                              numbers[i]);
    if ((unsigned)planning->tuning >= GLNN_TUNING_COUNT)
        return glnn__fail(GLNN_E_ARG,
                          "the tuning of another process is %d, which is not in the enumeration",
                          (int)planning->tuning);
    return GLNN_OK;
}

glnn_status glnn__profiler_take(glnn_context *ctx, const glnn__planning *planning)
{
    glnn__programs *programs;
    known *k;
    GLNN__TRY(check_planning(planning));
    GLNN__TRY(get_known(ctx, ctx->info.stage, &programs, &k));
    end_session(k);
    k->plans = planning->profile;
    k->is_settled = planning->is_settled;
    k->can_measure = planning->can_measure != 0;
    ctx->info.tuning = planning->tuning;
    ++glnn__device_of(ctx)->profile_age;
    glnn__tuning_forget(&programs->tuning);
    programs->tuning.folder = NULL;
    return GLNN_OK;
}
