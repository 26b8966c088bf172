/* Files that are read from their start, and unpacked if gzip has compressed them. */
#ifndef GLNN__IO_CONTENT_H
#define GLNN__IO_CONTENT_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

/* A deflate stream unpacks to at most so many times its size: 258 bytes from two bits. */
#define GLNN__DEFLATE_MAX_RATIO 1032

typedef struct glnn__content {
    const char *path;
    int file;
    size_t file_size; /* bytes of the file, packed or not                                 */
    size_t fetched;   /* bytes of the file that were read                                 */
    size_t given;     /* bytes that the caller has read, unpacked                         */
    bool is_packed;
    bool is_ended;   /* everything is unpacked, and its checksum is right                */
    z_stream stream; /* its input: the bytes of the chunk that are not used yet          */
    unsigned char chunk[1 << 14];
} glnn__content;

/* Opens a file; `path` must outlive the content. On failure there is nothing to close. */
glnn_status glnn__content_open(const char *path, glnn__content *content);
void glnn__content_close(glnn__content *content);

/* Reads the next `size` bytes; *got is less only at the end. Errors: E_IO; E_NOMEM; E_FORMAT the
 * gzip data are cut off, damaged or followed by other bytes. */
glnn_status glnn__content_read(glnn__content *content, void *to, size_t size, size_t *got);

/* Reads the rest, which must have the `size` bytes that follow from `sizes` ("7 x 5"). The caller
 * frees *data, which is set only if the call succeeds. A size that the file cannot hold is refused
 * before memory is allocated. Errors: as glnn__content_read; E_FORMAT the rest has another size. */
glnn_status glnn__content_read_rest(glnn__content *content, const char *sizes, size_t size,
                                    void **data);

/* Compresses `data`; the caller frees *packed. `path` is for the sentence of an error. */
glnn_status glnn__content_pack(const char *path, unsigned char *data, size_t size,
                               unsigned char **packed, size_t *packed_size);

#endif
