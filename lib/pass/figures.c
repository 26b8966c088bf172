#include "pass/figures.h"

#include "base/log.h"
#include "base/status.h"
#include "pass/measure.h"
#include "pass/tuning_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A middling GPU, or a fast one whose graphics run on a part of it. */
static const glnn__figures middling[GLNN_STAGE_AUTO] = {
    [GLNN_STAGE_FRAGMENT] = {.targets = {8, 100e3},
                             .images = {8, 100e3},
                             .blended = 100e3,
                             .multiply_adds = 800e3,
                             .fetches = 30e3,
                             .products = {{1e3, 8e3, 64e3, 300e3, 330e3},
                                          {130, 1e3, 8e3, 40e3, 60e3},
                                          {40, 300, 2.4e3, 15e3, 30e3}},
                             .shared = {{1e3, 8e3, 64e3, 300e3, 330e3},
                                        {1e3, 8e3, 64e3, 300e3, 330e3}},
                             .combed = 10e3,
                             .in_runs = 5e3},
    [GLNN_STAGE_COMPUTE] = {.targets = {8, 200e3},
                            .images = {8, 200e3},
                            .blended = 200e3,
                            .multiply_adds = 2e6,
                            .fetches = 100e3,
                            .products = {{1e3, 8e3, 64e3, 500e3, 1e6},
                                         {130, 1e3, 8e3, 64e3, 200e3},
                                         {40, 300, 2.4e3, 20e3, 80e3}},
                            .shared = {{2e3, 16e3, 120e3, 1e6, 4e6},
                                       {4e3, 32e3, 240e3, 1.5e6, 3e6}},
                            .combed = 20e3,
                            .in_runs = 10e3},
};

/* ---- Keeping */

#define FIGURE_COUNT (sizeof(glnn__figures) / sizeof(double))

/* The figures one behind the other, three digits each: more would only look exact. */
static void write_figures(const glnn__figures *figures, char *text, size_t size)
{
    const double *values = (const double *)figures;
    size_t used = 0;
    for (size_t i = 0; i < FIGURE_COUNT && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%.0f", i ? " " : "", 1e3 * values[i]);
}

static bool read_figures(const char *text, glnn__figures *out)
{
    double *values = (double *)out;
    for (size_t i = 0; i < FIGURE_COUNT; ++i) {
        char *end;
        values[i] = 1e-3 * (double)strtoull(text, &end, 10);
        if (end == text || !(values[i] > 0))
            return false;
        text = end;
    }
    return *text == 0;
}

static void log_figures(const glnn_context *ctx, const glnn__figures *f)
{
    glnn__log(GLNN_LOG_INFO,
              "%s stage: %.3g GFLOP/s of registers alone, %.3g Gtexel/s fetched; by render targets "
              "%.3g us a pass and %.3g GB/s copied, by images %.3g us and %.3g GB/s; %.3g GB/s "
              "blended; %.3g GFLOP/s of tiled inner products, %.3g by the other kernel",
              glnn_stage_name(ctx->info.stage), 2e-3 * f->multiply_adds, 1e-3 * f->fetches,
              f->targets.pass_us, 1e-3 * f->targets.copied, f->images.pass_us,
              1e-3 * f->images.copied, 1e-3 * f->blended,
              2e-3 * f->products[GLNN_LAYOUT_TILED][GLNN__OCCUPANCIES - 1],
              2e-3 * f->shared[0][GLNN__OCCUPANCIES - 1]);
}

#define KEY_TEXT 32

/* What the disk has of the stage's figures, or NULL. */
static const char *find_line(glnn_context *ctx, glnn__programs *programs, char key[KEY_TEXT])
{
    snprintf(key, KEY_TEXT, "%s figures", glnn_stage_name(ctx->info.stage));
    return glnn__tuning_get(ctx, programs, key);
}

/* From the disk or by measuring; kept unless the tuning is off. */
static glnn_status find(glnn_context *ctx, glnn__programs *programs, glnn__figures *out)
{
    char key[KEY_TEXT], text[GLNN__TUNING_TEXT];
    const char *known = find_line(ctx, programs, key);
    if (known && read_figures(known, out))
        return GLNN_OK;
    GLNN__TRY(glnn__measure_figures(ctx, out));
    log_figures(ctx, out);
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    write_figures(out, text, sizeof text);
    glnn__figures others;
    if (read_figures(glnn__tuning_put(ctx, programs, key, known, text), &others))
        *out = others;
    return GLNN_OK;
}

glnn_status glnn__figures_measured(glnn_context *ctx, const glnn__figures **out)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    glnn__figures **figures = &programs->figures[ctx->info.stage];
    if (!*figures) {
        *figures = calloc(1, sizeof **figures);
        if (!*figures)
            return glnn__fail(GLNN_E_NOMEM, "no memory for the device's figures");
        const glnn_status status = find(ctx, programs, *figures);
        if (status) {
            free(*figures);
            *figures = NULL;
            *out = &middling[ctx->info.stage];
            /* What leaves no room for measuring is no reason to refuse the operation itself. */
            return status == GLNN_E_LIMIT || status == GLNN_E_NOMEM ? GLNN_OK : status;
        }
    }
    *out = *figures;
    return GLNN_OK;
}

const glnn__figures *glnn__figures_known(glnn_context *ctx)
{
    glnn__programs *programs = ctx->slots[GLNN__SLOT_PROGRAMS].state;
    if (!programs || ctx->info.tuning == GLNN_TUNING_OFF)
        return NULL;
    glnn__figures **figures = &programs->figures[ctx->info.stage];
    if (!*figures && !programs->figures_sought[ctx->info.stage]) {
        char key[KEY_TEXT];
        glnn__figures found;
        const char *line = find_line(ctx, programs, key);
        programs->figures_sought[ctx->info.stage] = true;
        if (line && read_figures(line, &found) && (*figures = malloc(sizeof found)))
            **figures = found;
    }
    /* While the others are measured, those of writing count already. */
    return *figures && (*figures)->images.copied > 0 ? *figures : NULL;
}

const glnn__writing *glnn__figures_writing(const glnn__figures *figures)
{
    const bool has_images = GLNN__WORTH_IMAGES * figures->images.pass_us < figures->targets.pass_us;
    return has_images ? &figures->images : &figures->targets;
}

glnn_status glnn__figures_for_plans(glnn_context *ctx, const glnn__figures **out)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    if (ctx->info.tuning != GLNN_TUNING_OFF && programs->cache_dir)
        return glnn__figures_measured(ctx, out);
    *out = &middling[ctx->info.stage];
    return GLNN_OK;
}

/* A variant that is no faster than this is not worth another program. */
#define WORTH_IT 1.05

glnn_status glnn__figures_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching,
                                   bool *layered)
{
    const glnn__figures *figures;
    *fetching = GLNN__FETCHING_TEXELS;
    if (ctx->info.tuning == GLNN_TUNING_OFF)
        return GLNN_OK;
    GLNN__TRY(glnn__figures_measured(ctx, &figures));
    double speed = figures->products[layout][GLNN__OCCUPANCIES - 1];
    if (figures->sampled[layout] > WORTH_IT * speed) {
        *fetching = GLNN__FETCHING_SAMPLES;
        speed = figures->sampled[layout];
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
    GLNN__TRY(glnn__figures_for_plans(ctx, &figures));
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
    return speed_of(figures->products[layout], fragments);
}

double glnn__figures_shared(const glnn__figures *figures, int group, double elements)
{
    const glnn__layout_info *tile = glnn__layout_get(GLNN_LAYOUT_TILED);
    return speed_of(figures->shared[group == GLNN__SMALL_GROUP],
                    elements / (tile->block_rows * tile->block_columns));
}
