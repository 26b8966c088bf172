#include "gl/host.h"

#include "base/status.h"
#include "base/thread.h"
#include "gl/debug.h"
#include "gl/limits.h"

#include <stdlib.h>

/* Queries that would count the library's passes, and what a context offers that has them; 0: all
 * have them. Transform feedback is paused, so its query counts nothing. GL_TIME_ELAPSED includes
 * the library's time, which is useful to a host. */
#define STATISTIC(name)                                                                            \
    {                                                                                              \
        GLNN__OFFERS_STATISTICS, name##_ARB, #name                                                 \
    }

static const struct {
    unsigned offer;
    GLenum target;
    const char *name;
} counters[] = {
    {GLNN__OFFERS_SAMPLE_COUNTS, GL_SAMPLES_PASSED, "GL_SAMPLES_PASSED"},
    {0, GL_ANY_SAMPLES_PASSED, "GL_ANY_SAMPLES_PASSED"},
    {0, GL_ANY_SAMPLES_PASSED_CONSERVATIVE, "GL_ANY_SAMPLES_PASSED_CONSERVATIVE"},
    {GLNN__OFFERS_PRIMITIVE_COUNTS, GL_PRIMITIVES_GENERATED, "GL_PRIMITIVES_GENERATED"},
    STATISTIC(GL_VERTICES_SUBMITTED),
    STATISTIC(GL_PRIMITIVES_SUBMITTED),
    STATISTIC(GL_VERTEX_SHADER_INVOCATIONS),
    STATISTIC(GL_TESS_CONTROL_SHADER_PATCHES),
    STATISTIC(GL_TESS_EVALUATION_SHADER_INVOCATIONS),
    {GLNN__OFFERS_STATISTICS, GL_GEOMETRY_SHADER_INVOCATIONS, "GL_GEOMETRY_SHADER_INVOCATIONS"},
    STATISTIC(GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED),
    STATISTIC(GL_FRAGMENT_SHADER_INVOCATIONS),
    STATISTIC(GL_COMPUTE_SHADER_INVOCATIONS),
    STATISTIC(GL_CLIPPING_INPUT_PRIMITIVES),
    STATISTIC(GL_CLIPPING_OUTPUT_PRIMITIVES),
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
    if (!glnn__host_is_old(host))
        return GLNN_OK;
    GLNN__TRY(check_list());
    return check_render_mode();
}

static glnn_status check_queries(const struct glnn__host *host)
{
    for (size_t i = 0; i < sizeof counters / sizeof *counters; ++i) {
        GLint active = 0;
        if (counters[i].offer && !(host->offers & counters[i].offer))
            continue;
        glGetQueryiv(counters[i].target, GL_CURRENT_QUERY, &active);
        if (active)
            return glnn__fail(GLNN_E_STATE,
                              "query %d of %s is active in the adopted context and would count the "
                              "library's passes; call glEndQuery first",
                              active, counters[i].name);
    }
    return GLNN_OK;
}

static void begin_condition(const struct glnn__host *host)
{
    if (host->offers & GLNN__OFFERS_CONDITIONS)
        glBeginConditionalRender(host->query, GL_QUERY_NO_WAIT);
    else
        glBeginConditionalRenderNV(host->query, GL_QUERY_NO_WAIT_NV);
}

static void end_condition(const struct glnn__host *host)
{
    if (host->offers & GLNN__OFFERS_CONDITIONS)
        glEndConditionalRender();
    else
        glEndConditionalRenderNV();
}

/* OpenGL does not report whether a conditional render is active, but it refuses a second one. The
 * host's debug output is off meanwhile, so that its callback does not receive this error. */
static bool begins_conditional_render(const struct glnn__host *host)
{
    const bool reports = host->offers & GLNN__OFFERS_DEBUG_OUTPUT && glIsEnabled(GL_DEBUG_OUTPUT);
    if (reports)
        glDisable(GL_DEBUG_OUTPUT);
    begin_condition(host);
    const bool begins = glnn__gl_take_flag() == GL_NO_ERROR;
    if (reports)
        glEnable(GL_DEBUG_OUTPUT);
    return begins;
}

/* If no conditional render is active, this begins and ends an empty one. */
static glnn_status check_conditional_render(const struct glnn__host *host)
{
    if (!host->query || !(host->offers & (GLNN__OFFERS_CONDITIONS | GLNN__OFFERS_CONDITIONS_NV)))
        return GLNN_OK;
    if (!begins_conditional_render(host))
        return glnn__fail(GLNN_E_STATE, "a conditional render is active in the adopted context and "
                                        "may discard the library's passes; call "
                                        "glEndConditionalRender first");
    end_condition(host);
    return GLNN_OK;
}

/* A context without errors would replace the host's conditional render by the library's. */
static bool reports_errors(const struct glnn__host *host)
{
    return !(host->offers & GLNN__OFFERS_FLAGS) ||
           !(glnn__gl_integer(GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_NO_ERROR_BIT_KHR);
}

/* Asks what the host does, and creates the query object. */
static glnn_status ask(struct glnn__host *host)
{
    const GLenum target =
        host->offers & GLNN__OFFERS_SAMPLE_COUNTS ? GL_SAMPLES_PASSED : GL_ANY_SAMPLES_PASSED;
    GLNN__TRY(check_old_commands(host));
    GLNN__TRY(check_queries(host));
    if (!reports_errors(host))
        return GLNN_OK;
    glGenQueries(1, &host->query);
    glBeginQuery(target, host->query);
    glEndQuery(target);
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
    /* Guests in other threads may leave that one, which frees it. */
    if (host && host->query && !glIsQuery(host->query))
        host = NULL;
    glnn__mutex_unlock(&mutex);
    return host;
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

static glnn_status create(const glnn_context *ctx, struct glnn__host **out)
{
    struct glnn__host *host = calloc(1, sizeof *host);
    if (!host)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the state of the adopted context");
    host->offers = ctx->offers;
    const glnn_status status = ask(host);
    if (status) {
        free(host);
        return status;
    }
    host->native = ctx->native.context;
    list(host);
    *out = host;
    return GLNN_OK;
}

glnn_status glnn__host_create(glnn_context *ctx)
{
    struct glnn__host *host = find(ctx->native.context);
    if (!host)
        GLNN__TRY(create(ctx, &host));
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
