#include "base/status.h"
#include "gl/current.h"
#include "gl/platform.h"

#include <GLFW/glfw3.h>

#include <stdlib.h>

typedef struct glfw_window {
    GLFWwindow *window;
    void *context; /* what glnn__current_context() says while the window is current */
} glfw_window;

/* GLFW is used from the main thread alone, as its documentation asks, so these need no lock. */
static int window_count;
static bool initialised_here;

static const char *error_text(void)
{
    const char *text = NULL;
    return glfwGetError(&text) != GLFW_NO_ERROR && text ? text : "GLFW gives no reason";
}

/* A program that runs GLFW itself keeps the right to end it. */
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

static GLFWwindow *hidden_window(int major, int minor, bool debug)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    if (major >= 3) {
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug);
    }
    GLFWwindow *window = glfwCreateWindow(1, 1, "glnn", NULL, NULL);
    glfwDefaultWindowHints();
    return window;
}

static glnn_status open_window(glfw_window *own, bool debug)
{
    GLNN__TRY(initialise());
    /* GLFW makes a new window's context current for a moment, which GLX refuses while EGL has one. */
    glnn__current_release();
    own->window = hidden_window(4, 3, debug);
    if (!own->window)
        own->window = hidden_window(3, 2, false);
    if (!own->window)
        own->window = hidden_window(1, 0, false);
    if (!own->window) {
        glnn__fail(GLNN_E_UNSUPPORTED,
                   "GLFW makes no hidden window with an OpenGL context, neither core profile 4.3 "
                   "nor older: %s",
                   error_text());
        terminate_unless_used();
        return GLNN_E_UNSUPPORTED;
    }
    ++window_count;
    return GLNN_OK;
}

static glnn_status use_window(glfw_window *own)
{
    glnn__current_release();
    glfwMakeContextCurrent(own->window);
    if (!own->context)
        own->context = glnn__current_context();
    if (own->context && glnn__current_context() == own->context)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "GLFW cannot make the context of the hidden window current in this thread: "
                      "%s; does another thread use it?",
                      error_text());
}

static void close_window(glfw_window *own)
{
    glfwDestroyWindow(own->window);
    --window_count;
    terminate_unless_used();
}

static glnn_status create(glnn_context *ctx)
{
    glfw_window *own = calloc(1, sizeof *own);
    if (!own)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a GLFW window");
    /* Errors are told by the status, not by the callback of a program that uses GLFW as well. */
    GLFWerrorfun callback = glfwSetErrorCallback(NULL);
    glnn_status status = open_window(own, ctx->desc.debug);
    if (status == GLNN_OK && (status = use_window(own)) != GLNN_OK)
        close_window(own);
    glfwSetErrorCallback(callback);
    if (status != GLNN_OK)
        free(own);
    else
        ctx->platform_data = own;
    return status;
}

static bool is_current(const glnn_context *ctx)
{
    const glfw_window *own = ctx->platform_data;
    return glnn__current_context() == own->context;
}

static glnn_status make_current(glnn_context *ctx)
{
    return use_window(ctx->platform_data);
}

static void destroy(glnn_context *ctx)
{
    close_window(ctx->platform_data);
    free(ctx->platform_data);
}

const glnn__platform glnn__platform_glfw = {
    .name = "GLFW",
    .create = create,
    .destroy = destroy,
    .is_current = is_current,
    .make_current = make_current,
};
