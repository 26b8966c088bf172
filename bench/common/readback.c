#include "common/readback.h"

#include "common/failure.h"
#include "common/readback_helper.h"
#include "gl/gl.h"
#include "tex/buffer.h"

enum { WIDTH = 256, PERIOD = 1009 };

/* ---- From the texture to a buffer */

static void get_image(GLuint texture, GLuint buffer)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static void copy_image(const readback *r)
{
    glCopyImageSubData(r->texture, GL_TEXTURE_2D, 0, 0, 0, 0, r->copy, GL_TEXTURE_2D, 0, 0, 0, 0,
                       r->width, r->height, 1);
}

static void begin_nothing(readback *r)
{
    (void)r;
}

static void begin_image(readback *r)
{
    get_image(r->texture, r->host);
    glFlush();
}

static bool has_sub_image(const readback *r)
{
    (void)r;
    return glGetTextureSubImage != NULL;
}

static void begin_sub_image(readback *r)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->host);
    glGetTextureSubImage(r->texture, 0, 0, 0, 0, r->width, r->height, 1, GL_RGBA, GL_FLOAT,
                         (GLsizei)r->bytes, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glFlush();
}

static void begin_pixels(readback *r)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->framebuffer);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->host);
    glReadPixels(0, 0, r->width, r->height, GL_RGBA, GL_FLOAT, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glFlush();
}

static void begin_copy(readback *r)
{
    copy_image(r);
    get_image(r->copy, r->host);
    glFlush();
}

static void begin_device_buffer(readback *r)
{
    get_image(r->texture, r->device);
    glBindBuffer(GL_COPY_READ_BUFFER, r->device);
    glBindBuffer(GL_COPY_WRITE_BUFFER, r->host);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)r->bytes);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    glFlush();
}

/* ---- From the buffer to main memory */

static void end_nothing(readback *r)
{
    (void)r;
}

static void end_map(readback *r)
{
    void *mapped;
    CHECK(glnn__buffer_map(r->ctx, GL_PIXEL_PACK_BUFFER, r->host, r->bytes, GL_MAP_READ_BIT,
                           &mapped));
    glnn__pool_copy(r->pool, r->values, mapped, r->bytes);
    CHECK(glnn__buffer_unmap(r->ctx, GL_PIXEL_PACK_BUFFER, r->host, r->bytes, mapped));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

/* ---- A buffer that stays mapped */

static GLsync arrived;

static bool has_lasting(const readback *r)
{
    return r->mapped != NULL;
}

static void begin_lasting(readback *r)
{
    get_image(r->texture, r->lasting);
    arrived = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
}

static void wait_for_fence(const readback *r)
{
    while (
        !glnn__fence_has_passed(r->ctx, arrived, GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_C(1000000000)))
        continue;
    glDeleteSync(arrived);
}

static void end_lasting(readback *r)
{
    wait_for_fence(r);
    glnn__pool_copy(r->pool, r->values, r->mapped, r->bytes);
}

/* ---- Another thread and context */

static GLsync written;

static bool has_helper(const readback *r)
{
    return r->helper != NULL;
}

/* The whole transfer. Only the orders that precede the fence are awaited. */
static void read_elsewhere(void *state)
{
    readback *r = state;
    glWaitSync(written, 0, GL_TIMEOUT_IGNORED);
    get_image(r->texture, r->host);
    end_map(r);
}

static void begin_elsewhere(readback *r)
{
    written = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    helper_begin(r->helper, read_elsewhere, r);
}

static void end_elsewhere(readback *r)
{
    helper_end(r->helper);
    glDeleteSync(written);
}

/* The first one is the exchange's. */
const readback_way readback_ways[] = {
    {"none", NULL, begin_nothing, end_nothing},
    {"glGetTexImage, as now", NULL, begin_image, end_map},
    {"glGetTextureSubImage", has_sub_image, begin_sub_image, end_map},
    {"glReadPixels", NULL, begin_pixels, end_map},
    {"glGetTexImage of a copy", NULL, begin_copy, end_map},
    {"through a device buffer", NULL, begin_device_buffer, end_map},
    {"buffer that stays mapped", has_lasting, begin_lasting, end_lasting},
    {"another thread and context", has_helper, begin_elsewhere, end_elsewhere},
};
const int readback_way_count = sizeof readback_ways / sizeof readback_ways[0];

/* ---- Making and destroying */

static GLuint new_buffer(size_t bytes, GLenum usage)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, name);
    glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)bytes, NULL, usage);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return name;
}

static void make_lasting(readback *r)
{
    const GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    if (!glBufferStorage)
        return;
    glGenBuffers(1, &r->lasting);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, r->lasting);
    glBufferStorage(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)r->bytes, NULL,
                    flags | GL_CLIENT_STORAGE_BIT);
    r->mapped = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)r->bytes, flags);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static GLuint new_texture(const readback *r, const float *texels)
{
    GLuint name;
    glGenTextures(1, &name);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, r->width, r->height);
    if (texels)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, r->width, r->height, GL_RGBA, GL_FLOAT, texels);
    return name;
}

static void make_objects(readback *r)
{
    r->host = new_buffer(r->bytes, GL_STREAM_READ);
    r->device = new_buffer(r->bytes, GL_STATIC_COPY);
    make_lasting(r);
    r->copy = new_texture(r, NULL);
    r->texture = new_texture(r, r->values);
    glGenFramebuffers(1, &r->framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, r->framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, r->texture, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    r->helper = helper_new();
}

static float element(size_t i)
{
    return (float)(i % PERIOD);
}

readback *readback_new(glnn_context *ctx, int height)
{
    readback *r = allocate(1, sizeof *r);
    const size_t count = (size_t)4 * WIDTH * (size_t)height;
    *r = (readback){.ctx = ctx,
                    .pool = glnn__pool_create_share(1),
                    .bytes = count * sizeof(float),
                    .width = WIDTH,
                    .height = height};
    REQUIRE(r->pool);
    r->values = allocate(count, sizeof(float));
    for (size_t i = 0; i < count; ++i)
        r->values[i] = element(i);
    CHECK(glnn__gl_enter(ctx));
    make_objects(r);
    ctx->bindings_age++;
    CHECK(glnn__gl_leave(ctx, glnn__gl_check(ctx, "making the objects of a readback")));
    return r;
}

void readback_free(readback *r)
{
    CHECK(glnn__gl_enter(r->ctx));
    helper_free(r->helper);
    glDeleteFramebuffers(1, &r->framebuffer);
    glDeleteTextures(2, (const GLuint[]){r->texture, r->copy});
    glDeleteBuffers(3, (const GLuint[]){r->host, r->device, r->lasting});
    CHECK(glnn__gl_leave(r->ctx, GLNN_OK));
    glnn__pool_destroy(r->pool);
    free(r->values);
    free(r);
}

bool readback_is_right(const readback *r)
{
    for (size_t i = 0; i < r->bytes / sizeof(float); ++i)
        if (r->values[i] != element(i))
            return false;
    return true;
}
