#include "device/blending.h"

#include "base/status.h"
#include "ops/copy.h"

#include <math.h>

#define SIDE  16
#define COUNT (SIDE * SIDE)

/* The factors of draws that follow each other: some drivers keep the first one. */
enum { DRAWS = 2 };
static const float factors[DRAWS] = {-0.7f, 0.3f};

/* Numbers with full mantissas, the same in every run. */
static void fill(float *values, uint32_t seed)
{
    for (int i = 0; i < COUNT; ++i) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(seed >> 8) * 0x1p-22f - 2.0f;
    }
}

/* target = source + factor * target for each factor, by blending. */
static glnn_status blend(glnn_context *ctx, const glnn_matrix *source, glnn_matrix *target,
                         float *former)
{
    const glnn__way way = {GLNN_STAGE_FRAGMENT, GLNN_WRITES_TARGETS};
    glnn__pass pass = glnn__copy_pass(source, target);
    pass.way = &way;
    pass.blend = pass.blend_in_place = true;
    GLNN__TRY(glnn_matrix_upload(ctx, target, NULL, former, 0));
    for (int i = 0; i < DRAWS; ++i) {
        pass.blend_factor.f = factors[i];
        GLNN__TRY(glnn__pass_run(ctx, &pass));
    }
    return glnn_matrix_download(ctx, target, NULL, former, 0);
}

/* How far results may be from those of IEEE arithmetic: of numbers below 2, other roundings change
 * less than this, and a wrong factor changes more. */
static const float other_rounding = 0x1p-18f;

/* Whether all elements are within `tolerance` of what the blended draws should give. */
static bool agrees(const float *source, const float *former, const float *blended, float tolerance)
{
    for (int i = 0; i < COUNT; ++i) {
        /* Volatile, so that no compiler contracts the two operations to a fused multiply-add. */
        volatile float sum = former[i];
        for (int draw = 0; draw < DRAWS; ++draw) {
            volatile float kept = factors[draw] * sum;
            sum = source[i] + kept;
        }
        if (!(fabsf(sum - blended[i]) <= tolerance))
            return false;
    }
    return true;
}

static glnn_status try_blending(glnn_context *ctx, float tolerance, bool *has)
{
    *has = false;
    if (!glnn__gl_offers(ctx, GLNN__OFFERS_FLOAT_BLENDING))
        return GLNN_OK;
    const glnn_matrix_desc desc = {
        .rows = SIDE, .columns = SIDE, .layout = GLNN_LAYOUT_PACKED, .name = "blending"};
    float values[COUNT], former[COUNT], blended[COUNT];
    glnn_matrix *source = NULL, *target = NULL;
    fill(values, 1);
    fill(former, 2);
    fill(blended, 2);
    glnn_status status = glnn_matrix_create(ctx, &desc, &source);
    if (!status)
        status = glnn_matrix_create(ctx, &desc, &target);
    if (!status)
        status = glnn_matrix_upload(ctx, source, NULL, values, 0);
    if (!status)
        status = blend(ctx, source, target, blended);
    glnn_matrix_destroy(source);
    glnn_matrix_destroy(target);
    *has = !status && agrees(values, former, blended, tolerance);
    return status;
}

glnn_status glnn__try_blend_factors(glnn_context *ctx, bool *has)
{
    return try_blending(ctx, other_rounding, has);
}

glnn_status glnn__try_blend_rounding(glnn_context *ctx, bool *has)
{
    return try_blending(ctx, 0, has);
}
