#include "pass/blending.h"

#include "base/status.h"
#include "pass/pass.h"
#include "pass/program.h"

extern const glnn__kernel glnn__copy_kernel;

#define SIDE  16
#define COUNT (SIDE * SIDE)

static const float factor = -0.7f;

/* Numbers with full mantissas, the same in every run. */
static void fill(float *values, uint32_t seed)
{
    for (int i = 0; i < COUNT; ++i) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (float)(seed >> 8) * 0x1p-22f - 2.0f;
    }
}

/* target = source + factor * target, by blending. */
static glnn_status blend(glnn_context *ctx, const glnn_matrix *source, glnn_matrix *target,
                         float *former)
{
    const glnn_writes writes = ctx->info.writes;
    GLNN__TRY(glnn_matrix_upload(ctx, target, NULL, former, 0));
    ctx->info.writes = GLNN_WRITES_TARGETS;
    const glnn_status status = glnn__pass_run(ctx, &(glnn__pass){.kernel = &glnn__copy_kernel,
                                                                 .operands = {{.matrix = source}},
                                                                 .output = target,
                                                                 .blend = true,
                                                                 .blend_factor = factor,
                                                                 .blend_in_place = true});
    ctx->info.writes = writes;
    GLNN__TRY(status);
    return glnn_matrix_download(ctx, target, NULL, former, 0);
}

static bool is_exact(const float *source, const float *former, const float *blended)
{
    for (int i = 0; i < COUNT; ++i) {
        /* Volatile, so that no compiler makes one operation of the two. */
        volatile float kept = factor * former[i];
        volatile float sum = source[i] + kept;
        if (sum != blended[i])
            return false;
    }
    return true;
}

static glnn_status try_blending(glnn_context *ctx, bool *out)
{
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
    *out = !status && is_exact(values, former, blended);
    return status;
}

glnn_status glnn__blending_is_exact(glnn_context *ctx, bool *out)
{
    glnn__programs *programs;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    if (programs->blending == GLNN__BLENDING_UNTRIED) {
        const glnn_counters counters = ctx->counters;
        bool exact;
        const glnn_status status = try_blending(ctx, &exact);
        ctx->counters = counters;
        /* What leaves no room for trying has none for another texture either: it is blended. */
        *out = true;
        if (status)
            return status == GLNN_E_LIMIT || status == GLNN_E_NOMEM ? GLNN_OK : status;
        programs->blending = exact ? GLNN__BLENDING_EXACT : GLNN__BLENDING_INEXACT;
    }
    *out = programs->blending == GLNN__BLENDING_EXACT;
    return GLNN_OK;
}
