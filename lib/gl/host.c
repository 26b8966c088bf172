#include "gl/host.h"

#include "base/status.h"
#include "base/thread.h"
#include "gl/debug.h"
#include "gl/limits.h"

#include <stdlib.h>

enum { PLAIN_COUNTERS = 4 };

/* Queries that would count the library's passes. Transform feedback is paused, so its query counts
 * nothing. GL_TIME_ELAPSED includes the library's time, which is useful to a host. */
static const struct {
    GLenum target;
    const char *name;
} counters[] = {
    {GL_SAMPLES_PASSED, "GL_SAMPLES_PASSED"},
    {GL_ANY_SAMPLES_PASSED, "GL_ANY_SAMPLES_PASSED"},
    {GL_ANY_SAMPLES_PASSED_CONSERVATIVE, "GL_ANY_SAMPLES_PASSED_CONSERVATIVE"},
    {GL_PRIMITIVES_GENERATED, "GL_PRIMITIVES_GENERATED"},
    /* From here on OpenGL 4.6, or the extension GL_ARB_pipeline_statistics_query. */
    {GL_VERTICES_SUBMITTED_ARB, "GL_VERTICES_SUBMITTED"},
    {GL_PRIMITIVES_SUBMITTED_ARB, "GL_PRIMITIVES_SUBMITTED"},
    {GL_VERTEX_SHADER_INVOCATIONS_ARB, "GL_VERTEX_SHADER_INVOCATIONS"},
    {GL_TESS_CONTROL_SHADER_PATCHES_ARB, "GL_TESS_CONTROL_SHADER_PATCHES"},
    {GL_TESS_EVALUATION_SHADER_INVOCATIONS_ARB, "GL_TESS_EVALUATION_SHADER_INVOCATIONS"},
    {GL_GEOMETRY_SHADER_INVOCATIONS, "GL_GEOMETRY_SHADER_INVOCATIONS"},
    {GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED_ARB, "GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED"},
    {GL_FRAGMENT_SHADER_INVOCATIONS_ARB, "GL_FRAGMENT_SHADER_INVOCATIONS"},
    {GL_COMPUTE_SHADER_INVOCATIONS_ARB, "GL_COMPUTE_SHADER_INVOCATIONS"},
    {GL_CLIPPING_INPUT_PRIMITIVES_ARB, "GL_CLIPPING_INPUT_PRIMITIVES"},
    {GL_CLIPPING_OUTPUT_PRIMITIVES_ARB, "GL_CLIPPING_OUTPUT_PRIMITIVES"},
};

static glnn_status check_list(void)
{
    const GLint list = glnn__gl_integer(GL_LIST_INDEX);
    if (list)
        return glnn__fail(GLNN_E_STATE,
                          "display list %d is being compiled in the adopted context and would "
                          "record the library's passes; call glEndList first",
                          list);
    return GLNN_OK;
}

static glnn_status check_render_mode(void)
{
    const GLint mode = glnn__gl_integer(GL_RENDER_MODE);
    if (mode != GL_RENDER)
        return glnn__fail(GLNN_E_STATE,
                          "the render mode of the adopted context is %s, in which the library's "
                          "passes would draw nothing; call glRenderMode(GL_RENDER) first",
                          mode == GL_SELECT ? "GL_SELECT" : "GL_FEEDBACK");
    return GLNN_OK;
}

/* Commands that only compatibility profiles have. */
static glnn_status check_old_commands(const struct glnn__host *host)
{
    if (!host->is_compatibility)
        return GLNN_OK;
    GLNN__TRY(check_list());
    return check_render_mode();
}

static glnn_status check_queries(const struct glnn__host *host)
{
    const size_t count = host->has_statistics ? sizeof counters / sizeof *counters : PLAIN_COUNTERS;
    for (size_t i = 0; i < count; ++i) {
        GLint active = 0;
        glGetQueryiv(counters[i].target, GL_CURRENT_QUERY, &active);
        if (active)
            return glnn__fail(GLNN_E_STATE,
                              "query %d of %s is active in the adopted context and would count the "
                              "library's passes; call glEndQuery first",
                              active, counters[i].name);
    }
    return GLNN_OK;
}

/* OpenGL does not report whether a conditional render is active, but it refuses a second one. The
 * host's debug output is off meanwhile, so that its callback does not receive this error. */
static bool begins_conditional_render(GLuint query)
{
    const GLboolean reports = glIsEnabled(GL_DEBUG_OUTPUT);
    if (reports)
        glDisable(GL_DEBUG_OUTPUT);
    glBeginConditionalRender(query, GL_QUERY_NO_WAIT);
    const bool begins = glnn__gl_take_flag() == GL_NO_ERROR;
    if (reports)
        glEnable(GL_DEBUG_OUTPUT);
    return begins;
}

/* If no conditional render is active, this begins and ends an empty one. */
static glnn_status check_conditional_render(const struct glnn__host *host)
{
    if (!host->query)
        return GLNN_OK;
    if (!begins_conditional_render(host->query))
        return glnn__fail(GLNN_E_STATE, "a conditional render is active in the adopted context and "
                                        "may discard the library's passes; call "
                                        "glEndConditionalRender first");
    glEndConditionalRender();
    return GLNN_OK;
}

/* A context without errors would replace the host's conditional render by the library's. */
static bool reports_errors(void)
{
    return !(glnn__gl_integer(GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_NO_ERROR_BIT_KHR);
}

/* Whether the context has this version (45: OpenGL 4.5) or a later one, or the extension. */
static bool offers(int version, const char *extension)
{
    const int own = 10 * glnn__gl_integer(GL_MAJOR_VERSION) + glnn__gl_integer(GL_MINOR_VERSION);
    return own >= version || glnn__gl_has_extension(extension);
}

/* Finds out what the context offers, and creates the query object. */
static glnn_status ask(struct glnn__host *host)
{
    const GLint profile = glnn__gl_integer(GL_CONTEXT_PROFILE_MASK);
    host->is_compatibility = profile & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT;
    host->has_clip_control = glClipControl && offers(45, "GL_ARB_clip_control");
    host->has_statistics = offers(46, "GL_ARB_pipeline_statistics_query");
    GLNN__TRY(check_old_commands(host));
    GLNN__TRY(check_queries(host));
    if (!reports_errors())
        return GLNN_OK;
    glGenQueries(1, &host->query);
    glBeginQuery(GL_SAMPLES_PASSED, host->query);
    glEndQuery(GL_SAMPLES_PASSED);
    return GLNN_OK;
}

/* All hosts, the newest first. Contexts of several threads can be adopted at the same time. */
static glnn__mutex mutex = GLNN__MUTEX;
static struct glnn__host *hosts;

/* The host of other guests in the context that is current. A new context can have the address of
 * one that was destroyed before its guests; it does not have the query object. */
static struct glnn__host *find(const void *native)
{
    glnn__mutex_lock(&mutex);
    struct glnn__host *host = hosts;
    while (host && host->native != native)
        host = host->next;
    glnn__mutex_unlock(&mutex);
    return host && host->query && !glIsQuery(host->query) ? NULL : host;
}

static void list(struct glnn__host *host)
{
    glnn__mutex_lock(&mutex);
    host->next = hosts;
    hosts = host;
    glnn__mutex_unlock(&mutex);
}

static void unlist(struct glnn__host *host)
{
    struct glnn__host **link = &hosts;
    glnn__mutex_lock(&mutex);
    while (*link != host)
        link = &(*link)->next;
    *link = host->next;
    glnn__mutex_unlock(&mutex);
}

static glnn_status create(void *native, struct glnn__host **out)
{
    struct glnn__host *host = calloc(1, sizeof *host);
    if (!host)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the state of the adopted context");
    const glnn_status status = ask(host);
    if (status) {
        free(host);
        return status;
    }
    host->native = native;
    list(host);
    *out = host;
    return GLNN_OK;
}

glnn_status glnn__host_create(glnn_context *ctx)
{
    struct glnn__host *host = find(ctx->native.context);
    if (!host)
        GLNN__TRY(create(ctx->native.context, &host));
    ++host->guests;
    ctx->host = host;
    return GLNN_OK;
}

void glnn__host_destroy(glnn_context *ctx)
{
    struct glnn__host *host = ctx->host;
    ctx->host = NULL;
    if (!host)
        return;
    if (host->latest == ctx)
        host->latest = NULL;
    if (--host->guests > 0)
        return;
    if (host->query)
        glDeleteQueries(1, &host->query);
    unlist(host);
    free(host);
}

glnn_status glnn__host_check(const struct glnn__host *host)
{
    GLNN__TRY(check_old_commands(host));
    GLNN__TRY(check_queries(host));
    return check_conditional_render(host);
}

/* There OpenGL does not answer, so the number stays 0. */
bool glnn__host_is_in_primitive(void)
{
    return glnn__gl_integer(GL_MAX_TEXTURE_SIZE) == 0;
}

glnn_status glnn__host_check_primitive(void)
{
    if (!glnn__host_is_in_primitive())
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE, "the adopted context is between glBegin and glEnd, where "
                                    "OpenGL refuses the library's commands; call glEnd first");
}
