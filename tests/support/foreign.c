#include "foreign.h"

static void load_functions(void)
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
        assert_true(eglMakeCurrent(own->display, EGL_NO_SURFACE, EGL_NO_SURFACE, own->context));
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
    load_functions();
    return true;
}

foreign foreign_window(int profile)
{
    foreign own;
    assert_true(foreign_window_of(profile, 3, &own));
    return own;
}

static EGLContext create_context(EGLDisplay display, EGLContext shared)
{
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
                                 EGL_NONE};
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, shared, attributes);
    assert_ptr_not_equal(context, EGL_NO_CONTEXT);
    return context;
}

foreign foreign_headless(void)
{
    foreign own = {
        .display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)};
    assert_true(eglInitialize(own.display, NULL, NULL));
    assert_true(eglBindAPI(EGL_OPENGL_API));
    own.context = create_context(own.display, EGL_NO_CONTEXT);
    foreign_make_current(&own);
    load_functions();
    return own;
}

foreign foreign_sharing(const foreign *own)
{
    return (foreign){.display = own->display,
                     .context = create_context(own->display, own->context)};
}

void foreign_end(const foreign *own)
{
    if (own->window) {
        glfwTerminate();
        return;
    }
    eglMakeCurrent(own->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(own->display, own->context);
    eglTerminate(own->display);
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

int leave_nothing_current(void **state)
{
    (void)state;
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
