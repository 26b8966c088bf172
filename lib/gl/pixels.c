#include "gl/pixels.h"

static const struct {
    GLenum name;
    GLint value;
} stores[GLNN__PIXEL_STORES] = {
    {GL_PACK_ALIGNMENT, 1},      {GL_PACK_ROW_LENGTH, 0},    {GL_PACK_SKIP_ROWS, 0},
    {GL_PACK_SKIP_PIXELS, 0},    {GL_PACK_SWAP_BYTES, 0},    {GL_PACK_IMAGE_HEIGHT, 0},
    {GL_PACK_SKIP_IMAGES, 0},    {GL_UNPACK_ALIGNMENT, 1},   {GL_UNPACK_ROW_LENGTH, 0},
    {GL_UNPACK_SKIP_ROWS, 0},    {GL_UNPACK_SKIP_PIXELS, 0}, {GL_UNPACK_SWAP_BYTES, 0},
    {GL_UNPACK_IMAGE_HEIGHT, 0}, {GL_UNPACK_SKIP_IMAGES, 0},
};

static const struct {
    GLenum name;
    GLfloat value;
} transfers[GLNN__PIXEL_TRANSFERS] = {
    {GL_MAP_COLOR, 0},  {GL_MAP_STENCIL, 0}, {GL_RED_SCALE, 1}, {GL_GREEN_SCALE, 1},
    {GL_BLUE_SCALE, 1}, {GL_ALPHA_SCALE, 1}, {GL_RED_BIAS, 0},  {GL_GREEN_BIAS, 0},
    {GL_BLUE_BIAS, 0},  {GL_ALPHA_BIAS, 0},
};

void glnn__pixels_save(glnn__pixels *pixels, bool compatibility)
{
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &pixels->pack_buffer);
    glGetIntegerv(GL_PIXEL_UNPACK_BUFFER_BINDING, &pixels->unpack_buffer);
    for (int i = 0; i < GLNN__PIXEL_STORES; ++i)
        glGetIntegerv(stores[i].name, &pixels->stores[i]);
    glGetIntegerv(GL_CLAMP_READ_COLOR, &pixels->clamp_read);
    if (!compatibility)
        return;
    glGetIntegerv(GL_CLAMP_FRAGMENT_COLOR, &pixels->clamp_fragment);
    for (int i = 0; i < GLNN__PIXEL_TRANSFERS; ++i)
        glGetFloatv(transfers[i].name, &pixels->transfers[i]);
}

void glnn__pixels_restore(const glnn__pixels *pixels, bool compatibility)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)pixels->pack_buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, (GLuint)pixels->unpack_buffer);
    for (int i = 0; i < GLNN__PIXEL_STORES; ++i)
        glPixelStorei(stores[i].name, pixels->stores[i]);
    glClampColor(GL_CLAMP_READ_COLOR, (GLenum)pixels->clamp_read);
    if (!compatibility)
        return;
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, (GLenum)pixels->clamp_fragment);
    for (int i = 0; i < GLNN__PIXEL_TRANSFERS; ++i)
        glPixelTransferf(transfers[i].name, pixels->transfers[i]);
}

void glnn__pixels_set_defaults(bool compatibility)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    for (int i = 0; i < GLNN__PIXEL_STORES; ++i)
        glPixelStorei(stores[i].name, stores[i].value);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    if (!compatibility)
        return;
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    for (int i = 0; i < GLNN__PIXEL_TRANSFERS; ++i)
        glPixelTransferf(transfers[i].name, transfers[i].value);
}
