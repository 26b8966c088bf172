#include "ops/fetching.h"

#include "base/status.h"
#include "pass/figures.h"
#include "pass/stage.h"

/* Elements below which it does not matter how they are read: passes take their time whatever they
 * read. */
#define FEW_ELEMENTS (1 << 18)

static glnn_status choose(glnn_context *ctx, glnn_layout layout, glnn__fetching *fetching)
{
    GLNN__TRY(glnn__stage_resolve(ctx));
    return glnn__figures_fetching(ctx, layout, fetching, NULL);
}

glnn_status glnn__choose_fetching(glnn_context *ctx, const glnn_matrix *x, glnn__fetching *fetching)
{
    *fetching = GLNN__FETCHING_TEXELS;
    if (x->layout == GLNN_LAYOUT_PAGED || (int64_t)x->rows * x->columns < FEW_ELEMENTS)
        return GLNN_OK;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, choose(ctx, x->layout, fetching));
}
