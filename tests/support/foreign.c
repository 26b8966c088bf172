#include "foreign.h"

#include "headless.h"

void foreign_load(void)
{
    glewExperimental = GL_TRUE;
    GLenum error = glewInit();
    assert_true(error == GLEW_OK || error == GLEW_ERROR_NO_GLX_DISPLAY);
    glGetError();
}

void foreign_make_current(const foreign *own)
{
    if (own->window)
        glfwMakeContextCurrent(own->window);
    else
        headless_make_current(own->display, own->context);
}

bool foreign_window_of(int profile, int minor, foreign *out)
{
    assert_true(glfwInit());
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE, profile);
    *out = (foreign){.window = glfwCreateWindow(64, 64, "foreign", NULL, NULL)};
    if (!out->window)
        return false;
    foreign_make_current(out);
    foreign_load();
    return true;
}

foreign foreign_window(int profile)
{
    foreign own;
    assert_true(foreign_window_of(profile, 3, &own));
    return own;
}

static foreign headless(EGLContext shared, bool compatibility)
{
    const EGLDisplay display = headless_display();
    const EGLContext context = headless_context(display, shared, 3, compatibility);
    assert_ptr_not_equal(context, EGL_NO_CONTEXT);
    return (foreign){.display = display, .context = context};
}

foreign foreign_headless_of(bool compatibility)
{
    const foreign own = headless(EGL_NO_CONTEXT, compatibility);
    foreign_make_current(&own);
    foreign_load();
    return own;
}

foreign foreign_headless(void)
{
    return foreign_headless_of(false);
}

foreign foreign_sharing(const foreign *own)
{
    return headless(own->context, false);
}

void foreign_end(const foreign *own)
{
    if (own->window) {
        glfwTerminate();
        return;
    }
    headless_make_current(own->display, EGL_NO_CONTEXT);
    eglDestroyContext(own->display, own->context);
}

/* Messages that the log received, by level. */
static int messages[GLNN_LOG_PROGRESS + 1];

static void count_message(void *user, glnn_log_level level, const char *message)
{
    (void)user;
    assert_true(message[0]);
    ++messages[level];
}

void watch_log(void)
{
    memset(messages, 0, sizeof messages);
    glnn_log_set(count_message, NULL);
}

int watched_messages(glnn_log_level level)
{
    return messages[level];
}

/* A context that is left while its transform feedback is active makes the next contexts of the
 * process fault on NVIDIA's driver 580: see docs/drivers.md. */
static void end_feedback(void)
{
    GLint is_active = GL_FALSE;
    glGetIntegerv(GL_TRANSFORM_FEEDBACK_BUFFER_ACTIVE, &is_active);
    if (is_active)
        glEndTransformFeedback();
}

int leave_nothing_current(void **state)
{
    (void)state;
    if (eglGetCurrentContext() != EGL_NO_CONTEXT)
        end_feedback();
    glfwTerminate();
    if (eglGetCurrentContext() != EGL_NO_CONTEXT)
        eglMakeCurrent(eglGetCurrentDisplay(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    glnn_log_set(NULL, NULL);
    return 0;
}

int keep_driver_loaded(void **state)
{
    (void)state;
    glnn_device device = {.size = sizeof device};
    int count = 0;
    return glnn_device_list(&device, 1, &count) == GLNN_OK ? 0 : -1;
}
