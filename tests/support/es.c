#include "es.h"

#include "headless.h"

#include <dlfcn.h>

static es_driver pretended;

const GLubyte *GLAPIENTRY glGetString(GLenum name)
{
    static const GLubyte *(GLAPIENTRY * real)(GLenum name);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "glGetString");
    return name == GL_VERSION && pretended.version ? (const GLubyte *)pretended.version
                                                   : real(name);
}

void GLAPIENTRY glGetIntegerv(GLenum name, GLint *values)
{
    static void(GLAPIENTRY * real)(GLenum name, GLint * values);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "glGetIntegerv");
    real(name, values);
    if (name == GL_MINOR_VERSION && pretended.minor)
        *values = pretended.minor;
    if (name == GL_MAX_DRAW_BUFFERS && pretended.draw_buffers)
        *values = pretended.draw_buffers;
    if (name == GL_IMPLEMENTATION_COLOR_READ_FORMAT && pretended.read_format)
        *values = pretended.read_format;
}

static PFNGLGETSTRINGIPROC real_string;

static const GLubyte *GLAPIENTRY list_fewer(GLenum name, GLuint i)
{
    const char *extension = (const char *)real_string(name, i);
    for (size_t k = 0; k < COUNT_OF(pretended.hidden) && pretended.hidden[k]; ++k)
        if (strcmp(extension, pretended.hidden[k]) == 0)
            return (const GLubyte *)"";
    return (const GLubyte *)extension;
}

static PFNGLSHADERSOURCEPROC real_source;

/* Shaders must not see a hidden extension, either: they ask for it by a name that no driver has. */
static void GLAPIENTRY compile_without(GLuint shader, GLsizei count, const GLchar *const *texts,
                                       const GLint *lengths)
{
    if (count != 1 || lengths) {
        real_source(shader, count, texts, lengths);
        return;
    }
    char *text = strdup(texts[0]);
    assert_non_null(text);
    for (size_t k = 0; k < COUNT_OF(pretended.hidden) && pretended.hidden[k]; ++k)
        for (char *at = text; (at = strstr(at, pretended.hidden[k])); ++at)
            memcpy(at, "NO", 2);
    real_source(shader, 1, (const GLchar *const[]){text}, NULL);
    free(text);
}

void es_pretend(es_driver driver)
{
    if (!real_string) {
        const foreign own = es_headless(); /* GLEW loads its functions */
        foreign_end(&own);
        real_string = glGetStringi;
        real_source = glShaderSource;
    }
    pretended = driver;
    glGetStringi = list_fewer;
    glShaderSource = compile_without;
}

foreign es_headless(void)
{
    static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                     EGL_NONE};
    foreign own = {.display = headless_display()};
    assert_true(eglBindAPI(EGL_OPENGL_ES_API));
    own.context = eglCreateContext(own.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    assert_ptr_not_equal(own.context, EGL_NO_CONTEXT);
    foreign_make_current(&own);
    foreign_load();
    return own;
}

bool es_window(foreign *out)
{
    assert_true(glfwInit());
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 1);
    *out = (foreign){.window = glfwCreateWindow(64, 64, "foreign", NULL, NULL)};
    if (!out->window)
        return false;
    foreign_make_current(out);
    foreign_load();
    return true;
}

/* ---- Creation */

glnn_context *created(const glnn_context_desc *desc)
{
    glnn_context *ctx = NULL;
    expect_ok(glnn_context_create(desc, &ctx));
    return ctx;
}

glnn_context_info info_of(const glnn_context *ctx)
{
    glnn_context_info info = {.size = sizeof info};
    expect_ok(glnn_context_get_info(ctx, &info));
    return info;
}

void expect_no_context(glnn_context_desc desc, glnn_status status, const char *part)
{
    glnn_context *ctx = NULL;
    desc.cache_dir = "";
    expect_error(glnn_context_create(&desc, &ctx), status, part);
    assert_null(ctx);
}
