/* Whole files: read at once, written beside the old one and then put in its place. */
#ifndef GLNN__BASE_FILE_H
#define GLNN__BASE_FILE_H

#include <glnn/base.h>

#include <stddef.h>

/* Reads a file; *data gets one zero byte behind its end and is freed by the caller with free(). */
glnn_status glnn__file_read(const char *path, unsigned char **data, size_t *size);

/* One part of a file to be written. */
typedef struct glnn__span {
    const void *data;
    size_t size;
} glnn__span;

/* Writes the parts one behind the other to a temporary file in the same folder, flushes it to the
 * disk and renames it to `path`; on any failure the temporary file is removed and what stood at
 * `path` is untouched. */
glnn_status glnn__file_replace(const char *path, const glnn__span *spans, size_t count);

/* Makes a folder and those above it; one that exists is fine. */
glnn_status glnn__folder_make(const char *path);

#endif
