#include "base/status.h"
#include "gl/current.h"
#include "gl/platform.h"

/* platform_data is the handle of the adopted context itself, which stays the caller's. */

static glnn_status create(glnn_context *ctx)
{
    ctx->platform_data = glnn__current_context();
    if (!ctx->platform_data || !glGetString(GL_VERSION))
        return glnn__fail(GLNN_E_STATE, "there is no OpenGL context to adopt: none is current in "
                                        "the calling thread");
    return GLNN_OK;
}

static void destroy(glnn_context *ctx)
{
    ctx->platform_data = NULL;
}

static bool is_current(const glnn_context *ctx)
{
    return glnn__current_context() == ctx->platform_data;
}

static glnn_status make_current(glnn_context *ctx)
{
    (void)ctx;
    return glnn__fail(GLNN_E_STATE, "the adopted OpenGL context is not current in the calling "
                                    "thread: make it current before the call");
}

const glnn__platform glnn__platform_adopt = {
    .name = "adopted",
    .adopted = true,
    .create = create,
    .destroy = destroy,
    .is_current = is_current,
    .make_current = make_current,
};
