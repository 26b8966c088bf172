/* Files that may be compressed with gzip. */
#ifndef GLNN__IO_GZIP_H
#define GLNN__IO_GZIP_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/* No deflate stream unpacks to more than so many times its size: 258 bytes from two bits. */
#define GLNN__DEFLATE_MAX_RATIO 1032

/* A file's content, of which a compressed one is unpacked only as far as it is asked for. */
typedef struct glnn__content {
    const char *path;
    unsigned char *bytes; /* what is unpacked so far */
    size_t size;
    size_t capacity;
    bool ended;            /* `bytes` is all of it, and its checksum is right */
    unsigned char *packed; /* NULL for a plain file                           */
    size_t packed_size;
    size_t packed_used;
    z_stream stream;
} glnn__content;

/* Opens a file; `path` must outlive the content. On failure there is nothing to close. */
glnn_status glnn__content_open(const char *path, glnn__content *content);
void glnn__content_close(glnn__content *content);

/* Unpacks until there are `size` bytes or the end is reached; E_FORMAT where the compressed data
 * are cut off, damaged or followed by something else. */
glnn_status glnn__content_need(glnn__content *content, size_t size);

/* The most bytes that the whole content can have, known without unpacking it. */
size_t glnn__content_most(const glnn__content *content);

/* Compresses `data`; the caller frees *packed. `path` is for the sentence of an error. */
glnn_status glnn__gzip_pack(const char *path, unsigned char *data, size_t size,
                            unsigned char **packed, size_t *packed_size);

#endif
