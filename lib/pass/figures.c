#include "pass/figures.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "pass/figures_builtin.h"
#include "pass/measure.h"
#include "pass/tuning_store.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct glnn__profile glnn__profile;

/* The profile of a stage, as far as it is known. */
struct glnn__profile {
    glnn__figures measured;
    glnn__figures plans;  /* the built-in figures, and the measured ones of groups that are kept */
    unsigned is_measured; /* sets of groups */
    unsigned is_settled;  /* plans are made from these as they are, for the life of the context */
    bool is_sought;       /* on the disk, or in vain */
};

/* ---- Groups */

typedef struct group_info {
    const char *name; /* in the file that keeps the profile */
    size_t offset;    /* in glnn__figures; it ends where the next one begins */
} group_info;

static const group_info infos[GLNN__FIGURES_GROUPS + 1] = {
    {"writing", 0},
    {"blending", offsetof(glnn__figures, blended)},
    {"limits", offsetof(glnn__figures, multiply_adds)},
    {"tiled products", offsetof(glnn__figures, layered)},
    {"packed products", offsetof(glnn__figures, products[GLNN_LAYOUT_PACKED])},
    {"unpacked products", offsetof(glnn__figures, products[GLNN_LAYOUT_UNPACKED])},
    {"folding", offsetof(glnn__figures, combed)},
    {NULL, sizeof(glnn__figures)},
};

static double *values_of(glnn__figures *figures, int g, size_t *count)
{
    *count = (infos[g + 1].offset - infos[g].offset) / sizeof(double);
    return (double *)figures + infos[g].offset / sizeof(double);
}

static void copy_group(int g, const glnn__figures *from, glnn__figures *to)
{
    const size_t offset = infos[g].offset;
    memcpy((char *)to + offset, (const char *)from + offset, infos[g + 1].offset - offset);
}

/* ---- Keeping */

#define KEY_TEXT 64

static void write_key(const glnn_context *ctx, int g, char key[KEY_TEXT])
{
    snprintf(key, KEY_TEXT, "%s %s", glnn_stage_name(ctx->info.stage), infos[g].name);
}

/* The figures one behind the other, three digits each: more would only look exact. */
static void write_group(glnn__figures *figures, int g, char *text, size_t size)
{
    size_t count, used = 0;
    const double *values = values_of(figures, g, &count);
    for (size_t i = 0; i < count && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%.0f", i ? " " : "", 1e3 * values[i]);
}

static bool read_group(const char *text, int g, glnn__figures *out)
{
    size_t count;
    double *values = values_of(out, g, &count);
    for (size_t i = 0; i < count && text; ++i) {
        char *end;
        values[i] = 1e-3 * (double)strtoull(text, &end, 10);
        if (end == text || !(values[i] > 0))
            return false;
        text = end;
    }
    return text && *text == 0;
}

static void keep_group(glnn__profile *profile, int g)
{
    if (!(profile->is_settled >> g & 1))
        copy_group(g, &profile->measured, &profile->plans);
    profile->is_measured |= 1u << g;
    profile->is_settled |= 1u << g;
}

/* What the disk has of the stage's profile. */
static void seek(glnn_context *ctx, glnn__programs *programs, glnn__profile *profile)
{
    for (int g = 0; g < GLNN__FIGURES_GROUPS && !profile->is_sought; ++g) {
        char key[KEY_TEXT];
        write_key(ctx, g, key);
        if (read_group(glnn__tuning_get(ctx, programs, key), g, &profile->measured))
            keep_group(profile, g);
    }
    profile->is_sought = true;
}

/* Puts a group that was measured on the disk. Another process may have been first: then its figures
 * count. */
static void put_group(glnn_context *ctx, glnn__programs *programs, glnn__profile *profile, int g)
{
    char key[KEY_TEXT], text[GLNN__TUNING_TEXT];
    glnn__figures others;
    write_key(ctx, g, key);
    write_group(&profile->measured, g, text, sizeof text);
    const char *damaged = glnn__tuning_get(ctx, programs, key);
    const char *known = glnn__tuning_put(ctx, programs, key, damaged, text);
    if (!glnn__tuning_can_keep(ctx, programs) || !read_group(known, g, &others))
        return;
    copy_group(g, &others, &profile->measured);
    keep_group(profile, g);
}

/* ---- Finding */

static glnn_status get_profile(glnn_context *ctx, glnn__programs **programs, glnn__profile **out)
{
    GLNN__TRY(glnn__programs_get(ctx, programs));
    glnn__profile **profile = &(*programs)->profiles[ctx->info.stage];
    if (!*profile) {
        *profile = calloc(1, sizeof **profile);
        if (!*profile)
            return glnn__fail(GLNN_E_NOMEM, "no memory for the device's profile");
        (*profile)->plans = *glnn__figures_builtin(ctx);
    }
    seek(ctx, *programs, *profile);
    *out = *profile;
    return GLNN_OK;
}

static glnn_status measure_group(glnn_context *ctx, glnn__programs *programs,
                                 glnn__profile *profile, int g)
{
    GLNN__TRY(glnn__measure_figures(ctx, (glnn__figures_group)(1 << g), &profile->measured));
    profile->is_measured |= 1u << g;
    put_group(ctx, programs, profile, g);
    return GLNN_OK;
}

/* Measures what is missing of a set. How products are written, and how fast, is measured before them. */
static glnn_status measure_missing(glnn_context *ctx, glnn__programs *programs,
                                   glnn__profile *profile, unsigned missing)
{
    const double start = glnn__clock_seconds();
    for (int g = 0; g < GLNN__FIGURES_GROUPS; ++g)
        if (missing >> g & 1)
            GLNN__TRY(measure_group(ctx, programs, profile, g));
    if (missing)
        glnn__log(GLNN_LOG_INFO, "the profile of the %s stage: measured in %.2f s",
                  glnn_stage_name(ctx->info.stage), glnn__clock_seconds() - start);
    return GLNN_OK;
}

#define PRODUCTS (GLNN__FIGURES_TILED | GLNN__FIGURES_PACKED | GLNN__FIGURES_UNPACKED)

static unsigned with_writing(unsigned set)
{
    return set & PRODUCTS ? set | GLNN__FIGURES_WRITING : set;
}

glnn_status glnn__figures_measured(glnn_context *ctx, unsigned set, const glnn__figures **out)
{
    glnn__programs *programs;
    glnn__profile *profile;
    GLNN__TRY(get_profile(ctx, &programs, &profile));
    *out = &profile->measured;
    return measure_missing(ctx, programs, profile, with_writing(set) & ~profile->is_measured);
}

glnn_status glnn__figures_for_plans(glnn_context *ctx, unsigned set, const glnn__figures **out)
{
    glnn__programs *programs;
    glnn__profile *profile;
    *out = glnn__figures_builtin(ctx);
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    GLNN__TRY(get_profile(ctx, &programs, &profile));
    *out = &profile->plans;
    const unsigned missing = with_writing(set) & ~profile->is_settled;
    if (!missing || !glnn__tuning_can_keep(ctx, programs))
        return GLNN_OK;
    const glnn_status status = measure_missing(ctx, programs, profile, missing);
    if (status != GLNN_E_LIMIT && status != GLNN_E_NOMEM)
        return status;
    /* Without room for samples the operation itself may still have room: it gets the built-in plan. */
    profile->is_settled |= missing;
    return GLNN_OK;
}

const glnn__figures *glnn__figures_known(glnn_context *ctx)
{
    glnn__programs *programs;
    glnn__profile *profile;
    if (ctx->info.tuning == GLNN_TUNING_OFF || get_profile(ctx, &programs, &profile) != GLNN_OK)
        return glnn__figures_builtin(ctx);
    return &profile->plans;
}

/* ---- What follows from them */

const glnn__writing *glnn__figures_writing(const glnn__figures *figures)
{
    const bool has_images = GLNN__WORTH_IMAGES * figures->images.pass_us < figures->targets.pass_us;
    return has_images ? &figures->images : &figures->targets;
}

/* A variant that is no faster than this is not worth another program. */
#define WORTH_IT 1.05

glnn_status glnn__figures_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching,
                                   bool *layered)
{
    const glnn__figures *figures;
    *fetching = GLNN__FETCHING_TEXELS;
    GLNN__TRY(glnn__figures_for_plans(ctx, GLNN__FIGURES_PRODUCTS(layout), &figures));
    const glnn__products *products = &figures->products[layout];
    double speed = products->speeds[GLNN__OCCUPANCIES - 1];
    if (products->sampled > WORTH_IT * speed) {
        *fetching = GLNN__FETCHING_SAMPLES;
        speed = products->sampled;
    }
    for (int f = 0; f < GLNN__FETCHING_COUNT && layered; ++f)
        if (figures->layered[f] > WORTH_IT * speed) {
            *fetching = (glnn__fetching)f;
            *layered = true;
            speed = figures->layered[f];
        }
    return GLNN_OK;
}

/* Where neighbours run at the same time, combs gain half and more. Elsewhere they seem to be ahead by a
 * little, as long as a cache holds the sample. */
#define WORTH_COMBING 1.25

glnn_status glnn__figures_folding(glnn_context *ctx, bool *combs)
{
    const glnn__figures *figures;
    GLNN__TRY(glnn__figures_for_plans(ctx, GLNN__FIGURES_FOLDING, &figures));
    *combs = figures->combed > WORTH_COMBING * figures->in_runs;
    return GLNN_OK;
}

/* Eight times the fragments that are so many times as fast found a device that was not full. */
#define WAS_NOT_FULL 2.0

/* Between two measured speeds fragments add their own, as below the first one, until the device is full,
 * which it is at the upper speed; one that was full before gets faster by and by. */
static double speed_of(const double *products, double fragments)
{
    double measured = 16; /* fragments that make products[at] */
    int at = 0;
    for (; at < GLNN__OCCUPANCIES - 1 && fragments >= 8 * measured; ++at)
        measured *= 8;
    if (at == GLNN__OCCUPANCIES - 1)
        return products[at];
    const double more = fmax(fragments, 1) / measured, faster = products[at + 1] / products[at];
    if (more < 1 || faster >= WAS_NOT_FULL)
        return products[at] * fmin(more, fmax(faster, 1));
    return products[at] * pow(faster, log2(more) / 3);
}

double glnn__figures_product(const glnn__figures *figures, glnn_layout layout, double fragments)
{
    return speed_of(figures->products[layout].speeds, fragments);
}

double glnn__figures_shared(const glnn__figures *figures, int group, double elements)
{
    const glnn__layout_info *tile = glnn__layout_get(GLNN_LAYOUT_TILED);
    return speed_of(figures->shared[group == GLNN__SMALL_GROUP],
                    elements / (tile->block_rows * tile->block_columns));
}

double glnn__figures_fill(const glnn__figures *figures, glnn_layout layout)
{
    double most = 0, fragments = 16;
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        most = fmax(most, figures->products[layout].speeds[i]);
    while (glnn__figures_product(figures, layout, fragments) < 0.9 * most)
        fragments *= 1.25;
    return floor(fragments);
}
