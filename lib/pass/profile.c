#include "pass/profile.h"

#include "base/status.h"

#include <math.h>

/* ---- Built-in profiles, for devices that are not measured */

/* A GPU of medium speed, or a fast one that runs graphics on a part of its processors. */
static const glnn__profile middling[GLNN_STAGE_AUTO] = {
    [GLNN_STAGE_FRAGMENT] = {.targets = {8, 100e3},
                             .images = {8, 100e3},
                             .blended = 100e3,
                             .multiply_adds = 800e3,
                             .fetches = 30e3,
                             .shared = {{1e3, 8e3, 64e3, 300e3, 330e3},
                                        {1e3, 8e3, 64e3, 300e3, 330e3}},
                             .products = {{{1e3, 8e3, 64e3, 300e3, 330e3}, 0},
                                          {{130, 1e3, 8e3, 40e3, 60e3}, 0},
                                          {{40, 300, 2.4e3, 15e3, 30e3}, 0}},
                             .interleaved = 10e3,
                             .contiguous = 5e3},
    [GLNN_STAGE_COMPUTE] = {.targets = {8, 200e3},
                            .images = {8, 200e3},
                            .blended = 200e3,
                            .multiply_adds = 2e6,
                            .fetches = 100e3,
                            .shared = {{2e3, 16e3, 120e3, 1e6, 4e6},
                                       {4e3, 32e3, 240e3, 1.5e6, 3e6}},
                            .products = {{{1e3, 8e3, 64e3, 500e3, 1e6}, 0},
                                         {{130, 1e3, 8e3, 64e3, 200e3}, 0},
                                         {{40, 300, 2.4e3, 20e3, 80e3}, 0}},
                            .interleaved = 20e3,
                            .contiguous = 10e3,
                            .tiled = {1.5e6, 1.5e6, 700e3},
                            .packed = {1.3e6, 1.3e6, 1.3e6}},
};

/* Mesa's llvmpipe on two cores. A core computes tiles of 64 x 64 fragments. */
static const glnn__profile software[GLNN_STAGE_AUTO] = {
    [GLNN_STAGE_FRAGMENT] = {.targets = {30, 12e3},
                             .images = {30, 6e3},
                             .blended = 20e3,
                             .multiply_adds = 26e3,
                             .fetches = 800,
                             .layered = 12e3,
                             .shared = {{3e3, 3e3, 3.2e3, 6e3, 6e3}, {3e3, 3e3, 3.2e3, 6e3, 6e3}},
                             .products = {{{3e3, 3e3, 3.2e3, 6e3, 6e3}, 10e3},
                                          {{1.2e3, 1.3e3, 1.4e3, 2.7e3, 2.7e3}, 4.5e3},
                                          {{300, 320, 350, 600, 600}, 1e3}},
                             .interleaved = 1e3,
                             .contiguous = 1e3},
    [GLNN_STAGE_COMPUTE] = {.targets = {30, 6e3},
                            .images = {30, 6e3},
                            .blended = 6e3,
                            .multiply_adds = 26e3,
                            .fetches = 800,
                            .shared = {{1e3, 2e3, 4e3, 4e3, 4e3}, {1e3, 2e3, 4e3, 4e3, 4e3}},
                            .products = {{{3e3, 3e3, 3.2e3, 5e3, 5e3}, 8e3},
                                         {{1.2e3, 1.3e3, 1.4e3, 2.5e3, 2.5e3}, 4e3},
                                         {{300, 320, 350, 500, 500}, 900}},
                            .interleaved = 1e3,
                            .contiguous = 1e3},
};

const glnn__profile *glnn__profile_builtin(const glnn_context *ctx, glnn_stage stage)
{
    return ctx->info.software ? &software[stage] : &middling[stage];
}

/* ---- The profile of a context */

glnn__slot glnn__device_slot = {.holds = "the functions of a device", .size = sizeof(glnn__device)};

glnn_status glnn__profile_of_stage(glnn_context *ctx, glnn_stage stage, unsigned groups,
                                   const glnn__profile **out)
{
    *out = glnn__profile_builtin(ctx, stage);
    return ctx->info.tuning == GLNN_TUNING_OFF
               ? GLNN_OK
               : glnn__device_of(ctx)->ask_profile(ctx, stage, groups, out);
}

glnn_status glnn__profile_for_plans(glnn_context *ctx, unsigned groups, const glnn__profile **out)
{
    return glnn__profile_of_stage(ctx, ctx->info.stage, groups, out);
}

const glnn__profile *glnn__profile_known(glnn_context *ctx, glnn_stage stage)
{
    const glnn__profile *profile;
    const glnn_status status = glnn__profile_of_stage(ctx, stage, 0, &profile);
    return status ? glnn__profile_builtin(ctx, stage) : profile;
}

/* ---- Decisions and speeds that follow from a profile */

const glnn__writing *glnn__profile_writing(const glnn__profile *profile)
{
    const bool has_images = GLNN__WORTH_IMAGES * profile->images.pass_us < profile->targets.pass_us;
    return has_images ? &profile->images : &profile->targets;
}

/* In the large product that is measured, another way of reading has to be WORTH_IT times as fast as
 * texelFetch: it gains less in small products. With a ratio of 1.13, an H100 took up to a quarter
 * longer for the products of a training step. Reading layer by layer also has to be WORTH_LAYERS
 * times as fast as the other ways. */
#define WORTH_IT     1.2
#define WORTH_LAYERS 1.05

glnn_status glnn__profile_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching,
                                   bool *layered)
{
    const glnn__profile *profile;
    *fetching = GLNN__FETCHING_TEXELS;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(layout), &profile));
    const glnn__products *products = &profile->products[GLNN__RENDERED(layout)];
    const double wanted = WORTH_IT * products->speeds[GLNN__OCCUPANCIES - 1];
    if (products->sampled > wanted)
        *fetching = GLNN__FETCHING_SAMPLES;
    if (layered && profile->layered > fmax(wanted, WORTH_LAYERS * products->sampled)) {
        *fetching = GLNN__FETCHING_SAMPLES;
        *layered = true;
    }
    return GLNN_OK;
}

/* On devices that run neighbouring fragments at the same time, interleaving gains at least half. On
 * others it seems to gain a little, because a cache holds the whole sample. */
#define WORTH_INTERLEAVING 1.25

glnn_status glnn__profile_interleaves(glnn_context *ctx, bool *interleaves)
{
    const glnn__profile *profile;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_REDUCTIONS, &profile));
    *interleaves = profile->interleaved > WORTH_INTERLEAVING * profile->contiguous;
    return GLNN_OK;
}

/* Shorter passes are never cut, so programs with small matrices measure nothing. */
#define SHORT_PRODUCT 16777216.0

glnn_status glnn__pass_time(glnn_context *ctx, glnn_layout layout, double multiply_adds, double *us)
{
    const glnn__profile *profile;
    *us = 0;
    if (multiply_adds <= SHORT_PRODUCT || isinf(ctx->pass_limit_ms))
        return GLNN_OK;
    GLNN__TRY(glnn__profile_for_plans(ctx, GLNN__PROFILE_PRODUCTS(layout), &profile));
    *us = multiply_adds / profile->products[GLNN__RENDERED(layout)].speeds[GLNN__OCCUPANCIES - 1];
    return GLNN_OK;
}

/* If a product with eight times the fragments is at least this many times as fast, the device was
 * not full before. */
#define WAS_NOT_FULL 2.0

/* Up to the first measurement, and between two of which the second is much faster, speed grows in
 * proportion to the fragments until it reaches that of the second, where the device is full.
 * Between others it grows by a power of their number. */
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

double glnn__profile_product(const glnn__profile *profile, glnn_layout layout, double fragments)
{
    return speed_of(profile->products[GLNN__RENDERED(layout)].speeds, fragments);
}

double glnn__profile_shared(const glnn__profile *profile, bool small, double elements)
{
    const glnn__layout_info *tile = glnn__layout_get(GLNN_LAYOUT_TILED, GLNN__TILE_LAYERS);
    return speed_of(profile->shared[small], elements / (tile->block_rows * tile->block_columns));
}

double glnn__profile_fill(const glnn__profile *profile, glnn_layout layout)
{
    double most = 0, fragments = 16;
    for (int i = 0; i < GLNN__OCCUPANCIES; ++i)
        most = fmax(most, profile->products[GLNN__RENDERED(layout)].speeds[i]);
    while (glnn__profile_product(profile, layout, fragments) < 0.9 * most)
        fragments *= 1.25;
    return floor(fragments);
}
