/* Uploads that do not wait. Any thread writes the texels into a mapped pixel buffer. They reach the
 * matrices after the passes submitted so far. */
#ifndef GLNN__TEX_UPLOAD_H
#define GLNN__TEX_UPLOAD_H

#include "tex/matrix.h"

typedef struct glnn__upload {
    glnn_context *ctx;
    GLuint buffer;
    GLsync fence; /* after the copies from the buffer; NULL: there are none */
    size_t bytes;
    void *mapped; /* NULL: it is not */
} glnn__upload;

/* A part of the buffer, and its destination: the first rows of a PAGED matrix. */
typedef struct glnn__upload_part {
    const glnn_matrix *matrix;
    int rows;
    size_t first_float; /* in the buffer */
} glnn__upload_part;

glnn_status glnn__upload_create(glnn_context *ctx, size_t bytes, glnn__upload *out);

/* An empty upload is ignored. */
void glnn__upload_destroy(glnn__upload *upload);

/* Whether glnn__upload_begin would return without waiting. */
bool glnn__upload_is_free(glnn__upload *upload);

/* Maps the buffer, whose content is then undefined. Waits until the GPU has copied the former
 * content. */
glnn_status glnn__upload_begin(glnn__upload *upload, float **texels);

/* Unmaps the buffer and starts to copy its parts. With no parts it drops the content. */
glnn_status glnn__upload_end(glnn__upload *upload, const glnn__upload_part *parts, int count);

#endif
