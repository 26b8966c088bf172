/* The public creation of a context: it creates one in the room `gl` and adds the services of this
 * room. */
#include <glnn/context.h>

#include "base/status.h"
#include "device/blending.h"
#include "device/profiler.h"
#include "device/stage.h"
#include "ops/gemm/layout.h"

static const glnn__device device = {
    .ask_profile = glnn__profiler_ask,
    .ask_blending = glnn__blending_is_exact,
};

static const glnn__layouts layouts = {.choose = glnn__layout_of_matrix};

/* Measuring does not change the caller's counters. */
static glnn_status choose_stage(glnn_context *ctx)
{
    GLNN__TRY(glnn__gl_enter(ctx));
    GLNN__TRY(glnn__gl_leave(ctx, glnn__stage_choose(ctx)));
    glnn_context_reset_counters(ctx);
    return GLNN_OK;
}

glnn_status glnn_context_create(const glnn_context_desc *desc, glnn_context **out)
{
    GLNN__TRY(glnn__gl_create(desc, out));
    (*out)->device = &device;
    (*out)->layouts = &layouts;
    if ((*out)->info.stage != GLNN_STAGE_AUTO)
        return GLNN_OK;
    const glnn_status status = choose_stage(*out);
    if (status) {
        glnn_context_destroy(*out);
        *out = NULL;
    }
    return status;
}

glnn_status glnn_context_measure(glnn_context *ctx)
{
    if (!ctx)
        return glnn__fail(GLNN_E_ARG, "%s: the context is null", __func__);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, glnn__profiler_measure_anew(ctx));
}
