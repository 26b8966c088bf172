#include "ops/gemm/layout.h"

#include "base/status.h"
#include "pass/pass.h"

/* PACKED has to take less than this share of the time of TILED, because other operations are faster
 * with TILED. */
#define WORTH_PACKING 0.95

/* A matrix with a shorter side may be a batch, whose products have other shapes than those of
 * weights. */
#define LARGE_SIDE 512

/* Products with few inner indices take as long as any pass, and so do the others of their step,
 * which are those of so few samples. Three quarters of a block of TILED would be padding. */
#define FEW_SAMPLES 16

/* Only work groups that share their fetches are faster with one layout than with another. */
static bool is_large(const glnn__layout_use *use)
{
    return use->rows >= GLNN__LARGE_GROUP && use->columns >= GLNN__LARGE_GROUP;
}

static double time_of(const glnn__layout_use *use, const double speeds[GLNN__FORMS])
{
    const glnn__form form = use->transpose_a   ? GLNN__FORM_TN
                            : use->transpose_b ? GLNN__FORM_NT
                                               : GLNN__FORM_NN;
    return (double)use->rows * use->columns * use->inner / speeds[form];
}

glnn_status glnn__layout_choose(glnn_context *ctx, const glnn__layout_use *uses, int count,
                                glnn_layout *layout)
{
    const glnn__profile *profile;
    double tiled = 0, packed = 0;
    int longest = 0;
    if (*layout != GLNN_LAYOUT_AUTO)
        return GLNN_OK;
    *layout = GLNN_LAYOUT_TILED;
    for (int i = 0; i < count; ++i)
        if (is_large(&uses[i]) && uses[i].inner > longest)
            longest = uses[i].inner;
    if (longest == 0 || ctx->info.stage == GLNN_STAGE_FRAGMENT || ctx->info.software)
        return GLNN_OK;
    if (longest <= FEW_SAMPLES) {
        *layout = GLNN_LAYOUT_PACKED;
        return GLNN_OK;
    }
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__profile_for_plans(ctx, GLNN__PROFILE_LAYOUTS, &profile)));
    for (int i = 0; i < count; ++i)
        if (is_large(&uses[i])) {
            tiled += time_of(&uses[i], profile->tiled);
            packed += time_of(&uses[i], profile->packed);
        }
    if (packed < WORTH_PACKING * tiled)
        *layout = GLNN_LAYOUT_PACKED;
    return GLNN_OK;
}

glnn_status glnn__layout_of_matrix(glnn_context *ctx, int rows, int columns, glnn_layout *out)
{
    const int inner = rows < columns ? rows : columns;
    const glnn__layout_use uses[] = {{rows, columns, inner, false, false},
                                     {rows, columns, inner, false, true},
                                     {rows, columns, inner, true, false}};
    *out = GLNN_LAYOUT_AUTO;
    return glnn__layout_choose(ctx, uses, inner < LARGE_SIDE ? 0 : 3, out);
}
