/* Uploads that do not wait: texels are written into a mapped pixel buffer, by any thread, and reach
 * matrices after the passes submitted so far. */
#ifndef GLNN__TEX_UPLOAD_H
#define GLNN__TEX_UPLOAD_H

#include "tex/matrix.h"

typedef struct glnn__upload {
    glnn_context *ctx;
    GLuint buffer;
    GLsync fence; /* after the copies out of the buffer; NULL: none are under way */
    size_t bytes;
    bool is_mapped;
} glnn__upload;

/* A part of the buffer, and where it goes: the first rows of a PAGED matrix. */
typedef struct glnn__upload_part {
    const glnn_matrix *matrix;
    int rows;
    size_t first_float; /* in the buffer */
} glnn__upload_part;

glnn_status glnn__upload_create(glnn_context *ctx, size_t bytes, glnn__upload *out);

/* An empty one is left alone. */
void glnn__upload_destroy(glnn__upload *upload);

/* True where glnn__upload_begin would not wait. */
bool glnn__upload_is_free(glnn__upload *upload);

/* Maps the buffer, whose content is undefined then. Where the GPU has not copied the last content
 * yet, this waits for it. */
glnn_status glnn__upload_begin(glnn__upload *upload, float **texels);

/* Unmaps the buffer and has its parts copied; none drop it. */
glnn_status glnn__upload_end(glnn__upload *upload, const glnn__upload_part *parts, int count);

#endif
