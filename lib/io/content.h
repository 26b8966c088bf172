/* Files that are read from their start, and unpacked where gzip has compressed them. */
#ifndef GLNN__IO_CONTENT_H
#define GLNN__IO_CONTENT_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/* No deflate stream unpacks to more than so many times its size: 258 bytes from two bits. */
#define GLNN__DEFLATE_MAX_RATIO 1032

typedef struct glnn__content {
    const char *path;
    int file;
    size_t file_size; /* bytes of the file, packed or not                                 */
    size_t given;     /* bytes that were read, unpacked                                   */
    bool is_packed;
    bool is_ended;   /* all is unpacked, and its checksum is right                       */
    z_stream stream; /* its input: the bytes of the chunk that are not yet used          */
    unsigned char chunk[1 << 14];
} glnn__content;

/* Opens a file; `path` must outlive the content. On failure there is nothing to close. */
glnn_status glnn__content_open(const char *path, glnn__content *content);
void glnn__content_close(glnn__content *content);

/* Reads the next `size` bytes, of which there are *got < size only at the end. Errors: E_IO;
 * E_NOMEM; E_FORMAT compressed data that are cut off, damaged or followed by something else. */
glnn_status glnn__content_read(glnn__content *content, void *to, size_t size, size_t *got);

/* Reads all that is left, which has to be the `size` bytes that `sizes` promise ("7 x 5"); the
 * caller frees *data. A size that the file cannot hold is told before memory is asked for. Errors:
 * as glnn__content_read; E_FORMAT other sizes. */
glnn_status glnn__content_read_rest(glnn__content *content, const char *sizes, size_t size,
                                    void **data);

/* Compresses `data`; the caller frees *packed. `path` is for the sentence of an error. */
glnn_status glnn__content_pack(const char *path, unsigned char *data, size_t size,
                               unsigned char **packed, size_t *packed_size);

#endif
