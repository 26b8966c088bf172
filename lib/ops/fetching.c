#include "ops/fetching.h"

#include "base/status.h"
#include "pass/figures.h"
#include "pass/stage.h"

/* Elements below which it does not matter how they are read: passes take their time whatever they
 * read. */
#define FEW_ELEMENTS (1 << 18)

static bool is_large(const glnn_matrix *x)
{
    return (int64_t)x->rows * x->columns >= FEW_ELEMENTS;
}

static glnn_status choose_fetching(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching)
{
    GLNN__TRY(glnn__stage_resolve(ctx));
    return glnn__figures_fetching(ctx, layout, fetching, NULL);
}

glnn_status glnn__choose_fetching(glnn_context *ctx, const glnn_matrix *x, glnn__fetching *fetching)
{
    *fetching = GLNN__FETCHING_TEXELS;
    if (x->layout == GLNN_LAYOUT_PAGED || !is_large(x))
        return GLNN_OK;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, choose_fetching(ctx, x->layout, fetching));
}

static glnn_status choose_folding(glnn_context *ctx, bool *combs)
{
    GLNN__TRY(glnn__stage_resolve(ctx));
    return glnn__figures_folding(ctx, combs);
}

glnn_status glnn__choose_folding(glnn_context *ctx, const glnn_matrix *x, bool *combs)
{
    *combs = true;
    if (!is_large(x))
        return GLNN_OK;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, choose_folding(ctx, combs));
}
