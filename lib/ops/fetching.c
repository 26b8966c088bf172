#include "ops/fetching.h"

#include "base/status.h"
#include "pass/profile.h"

/* Elements below which it does not matter how they are read: passes take their time whatever they
 * read. */
#define FEW_ELEMENTS (1 << 18)

static bool is_large(const glnn_matrix *x)
{
    return (int64_t)x->rows * x->columns >= FEW_ELEMENTS;
}

glnn_status glnn__choose_fetching(glnn_context *ctx, const glnn_matrix *x, glnn__fetching *fetching)
{
    *fetching = GLNN__FETCHING_TEXELS;
    if (x->layout == GLNN_LAYOUT_PAGED || !is_large(x))
        return GLNN_OK;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__profile_fetching(ctx, x->layout, fetching, NULL));
}

glnn_status glnn__choose_interleaving(glnn_context *ctx, const glnn_matrix *x, bool *interleaves)
{
    *interleaves = true;
    if (!is_large(x))
        return GLNN_OK;
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__profile_interleaves(ctx, interleaves));
}
