/* Replaces gl/glfw.c in a library that is built without GLFW. */
#include "base/status.h"
#include "gl/platform.h"

static glnn_status create(glnn__native *native, const glnn_context_desc *desc)
{
    (void)native, (void)desc;
    return glnn__fail(GLNN_E_UNSUPPORTED,
                      "this libglnn was built without GLFW and cannot open a window; "
                      "the platforms EGL and ADOPT are available");
}

const glnn__platform glnn__platform_glfw = {.name = "GLFW", .create = create};
