#include "base/status.h"
#include "gl/platform.h"

#include <GLFW/glfw3.h>

/* GLFW must only be used from the main thread, so these need no lock. */
static int window_count;
static bool initialised_here;

static const char *error_text(void)
{
    const char *text = NULL;
    return glfwGetError(&text) != GLFW_NO_ERROR && text ? text : "GLFW gives no reason";
}

/* If the program itself has initialised GLFW, the library does not terminate it. */
static bool is_initialised(void)
{
    glfwGetError(NULL);
    glfwGetCurrentContext();
    return glfwGetError(NULL) != GLFW_NOT_INITIALIZED;
}

static glnn_status initialise(void)
{
    if (is_initialised())
        return GLNN_OK;
    if (!glfwInit())
        return glnn__fail(GLNN_E_UNSUPPORTED, "GLFW cannot be initialised: %s", error_text());
    initialised_here = true;
    return GLNN_OK;
}

static void terminate_unless_used(void)
{
    if (window_count > 0 || !initialised_here)
        return;
    glfwTerminate();
    initialised_here = false;
}

static GLFWwindow *hidden_window(glnn_api api, int major, int minor, bool debug)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    glfwWindowHint(GLFW_CLIENT_API, api == GLNN_API_GL ? GLFW_OPENGL_API : GLFW_OPENGL_ES_API);
    if (api == GLNN_API_GL && major >= 3) {
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    }
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
    GLFWwindow *window = glfwCreateWindow(1, 1, "glnn", NULL, NULL);
    glfwDefaultWindowHints();
    return window;
}

/* A window with a context of the version that the library needs, or else of an older one. */
static GLFWwindow *best_window(glnn_api api, bool debug)
{
    static const int versions[GLNN_API_COUNT][3][2] = {
        [GLNN_API_GL] = {{4, 3}, {3, 2}, {1, 0}},
        [GLNN_API_ES] = {{3, 1}, {3, 0}, {2, 0}},
        [GLNN_API_WEBGL] = {{3, 0}, {2, 0}, {1, 0}},
    };
    GLFWwindow *window = NULL;
    for (int i = 0; i < 3 && !window; ++i)
        window = hidden_window(api, versions[api][i][0], versions[api][i][1], debug && i == 0);
    return window;
}

static glnn_status open_window(glnn__native *native, const glnn_context_desc *desc)
{
    GLNN__TRY(initialise());
    /* GLFW makes the context of a new window current for a moment. GLX refuses that while a context
     * of EGL is current. */
    glnn__current_release();
    native->surface = best_window(desc->api, desc->debug);
    if (!native->surface) {
        glnn__fail(GLNN_E_UNSUPPORTED,
                   "GLFW cannot create a hidden window with a context of OpenGL%s nor an older "
                   "one: %s",
                   desc->api == GLNN_API_ES ? " ES, neither of version 3.1"
                                            : ", neither a core profile 4.3",
                   error_text());
        terminate_unless_used();
        return GLNN_E_UNSUPPORTED;
    }
    ++window_count;
    return GLNN_OK;
}

static glnn_status make_current(glnn__native *native)
{
    glnn__current_release();
    glfwMakeContextCurrent(native->surface);
    if (!native->context)
        native->context = glnn__current_context();
    if (native->context && glnn__current_context() == native->context)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "GLFW cannot make the context of the hidden window current in this thread: "
                      "%s; does another thread use it?",
                      error_text());
}

static void destroy(glnn__native *native)
{
    glfwDestroyWindow(native->surface);
    --window_count;
    terminate_unless_used();
}

static glnn_status create(glnn__native *native, const glnn_context_desc *desc)
{
    /* The status reports errors, so the callback of a program that uses GLFW too is off meanwhile.
     * */
    GLFWerrorfun callback = glfwSetErrorCallback(NULL);
    glnn_status status = open_window(native, desc);
    if (status == GLNN_OK && (status = make_current(native)) != GLNN_OK)
        destroy(native);
    glfwSetErrorCallback(callback);
    return status;
}

const glnn__platform glnn__platform_glfw = {
    .name = "GLFW",
    .create = create,
    .destroy = destroy,
    .make_current = make_current,
};
