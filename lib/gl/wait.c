/* Waits for the GPU. */
#include "base/status.h"
#include "gl/fences.h"
#include "gl/gl.h"

#define WAIT_PARTS (GLNN__PART_FRAMEBUFFERS | GLNN__PART_DRAWING | GLNN__PART_TRANSFERS)

/* A framebuffer of one pixel. */
typedef struct pixel {
    GLuint renderbuffer, framebuffer;
} pixel;

static void create(glnn_context *ctx, void *state)
{
    pixel *of = state;
    const GLint former = glnn__gl_integer(GL_RENDERBUFFER_BINDING);
    (void)ctx;
    glGenRenderbuffers(1, &of->renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, of->renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glBindRenderbuffer(GL_RENDERBUFFER, (GLuint)former);
    glGenFramebuffers(1, &of->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, of->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              of->renderbuffer);
}

static void destroy(glnn_context *ctx, void *state)
{
    const pixel *of = state;
    (void)ctx;
    glDeleteFramebuffers(1, &of->framebuffer);
    glDeleteRenderbuffers(1, &of->renderbuffer);
}

static glnn__slot slot = {
    .holds = "a pixel to wait for", .size = sizeof(pixel), .create = create, .destroy = destroy};

/* Browsers only flush where a program calls glFinish. They have to wait for a pixel that is read,
 * and the GPU draws it after all passes. */
static glnn_status read_pixel(glnn_context *ctx)
{
    static const GLfloat colour[4] = {1, 1, 1, 1};
    GLubyte read[4];
    const pixel *of;
    GLNN__TRY(glnn__gl_claim(ctx, WAIT_PARTS));
    GLNN__TRY(glnn__slot_get(ctx, &slot, &of));
    glBindFramebuffer(GL_FRAMEBUFFER, of->framebuffer);
    glnn__fences_before_draw(ctx);
    glClearBufferfv(GL_COLOR, 0, colour);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, read);
    ++ctx->framebuffer_age;
    return GLNN_OK;
}

void glnn__gl_wait(glnn_context *ctx)
{
    if (glnn__gl_offers(ctx, GLNN__OFFERS_DIRECT_CALLS) || read_pixel(ctx) != GLNN_OK)
        glFinish();
    ++ctx->counters.waits;
}
