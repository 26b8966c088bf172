/* Textures of a host, adopted as matrices. */
#ifndef TESTS_HOST_TEXTURES_H
#define TESTS_HOST_TEXTURES_H

#include "guest.h"

#include <glnn/texture.h>

/* How a texture is made and adopted. */
typedef struct host_kind {
    GLenum format, target;
    glnn_pixels pixels;
    int channels; /* as in the description            */
    int level, layer;
    bool is_mutable; /* made by glTexImage, with the default filter, which needs a mipmap */
} host_kind;

/* A texture, and the image of it that is a matrix. */
typedef struct host_texture {
    host_kind kind;
    GLuint name;
    int width, height;
} host_texture;

/* Whether a texture of this kind can be a matrix of rows x columns, which texture_holding needs. */
bool can_hold(const host_kind *kind, int rows, int columns);
host_texture texture_holding(const host_kind *kind, array values);

/* A texture of so many texels; each channel of each image has a different number. */
host_texture host_texture_new(const host_kind *kind, int width, int height);
void host_texture_end(const host_texture *texture);

/* Deletes all textures that were made. */
void host_textures_end(void);

glnn_texture_desc described(const host_texture *texture);
glnn_matrix *adopted(const host_texture *texture);

/* The elements of the matrix, as the host finds them in its texture. */
array read_by_host(const host_texture *texture);

/* Fails if an image of the texture other than the matrix has changed, or another channel is not
 * what it should be: as the host set it, or 0 if a matrix of fewer channels was written. */
void expect_rest_unchanged(const host_texture *texture, bool is_written);

/* Expects that a texture is not adopted, with E_ARG and this in the sentence, and that OpenGL sees
 * no error. */
void expect_refused(glnn_texture_desc desc, const char *part);

/* The setup and teardown of tests in a host whose debug output must not report an error. */
int watched_host_begin(void **state);
int watched_host_end(void **state);

int channels_of(GLenum format);
glnn_storage storage_of(GLenum format);

#endif
