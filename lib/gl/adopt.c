#include "base/status.h"
#include "gl/host.h"
#include "gl/platform.h"

static glnn_status create(glnn__native *native, const glnn_context_desc *desc)
{
    (void)desc;
    native->context = glnn__current_context();
    if (native->context)
        GLNN__TRY(glnn__host_check_primitive());
    if (!native->context || !glGetString(GL_VERSION))
        return glnn__fail(GLNN_E_STATE,
                          "the calling thread has no current OpenGL context to adopt");
    return GLNN_OK;
}

/* The adopted context stays the caller's. */
static void destroy(glnn__native *native)
{
    native->context = NULL;
}

static glnn_status make_current(glnn__native *native)
{
    (void)native;
    return glnn__fail(GLNN_E_STATE, "the adopted OpenGL context is not current in the calling "
                                    "thread: make it current before the call");
}

const glnn__platform glnn__platform_adopt = {
    .name = "adopted",
    .adopted = true,
    .create = create,
    .destroy = destroy,
    .make_current = make_current,
};
