/* A file of samples, read by pread or through a mapping. */
#ifndef GLNN__DATA_SAMPLE_FILE_H
#define GLNN__DATA_SAMPLE_FILE_H

#include "base/mapping.h"

#include <stdbool.h>

typedef struct glnn__sample_file {
    bool is_read; /* by pread, from `descriptor`                                  */
    int descriptor;
    glnn__mapping mapping; /* empty: the file is not mapped                                */
    size_t size;           /* bytes of the file when it was opened; 0: there is no file    */
    size_t begin;          /* the first byte of the samples                                */
} glnn__sample_file;

/* Opens a regular file, whose samples begin at its first byte. Errors: E_IO it cannot be opened or
 * mapped, or is not a regular file; E_FORMAT it is empty. On failure *out is empty. */
glnn_status glnn__sample_file_open(const char *path, bool is_mapped, glnn__sample_file *out);

/* Closes the file and empties *file; an empty one is left alone. */
void glnn__sample_file_close(glnn__sample_file *file);

/* Reads `size` bytes, the first one `place` bytes after the first of the samples, in any thread.
 * Errors: E_IO, also if the file has lost some of them; `name` begins the sentence. */
glnn_status glnn__sample_file_read(const glnn__sample_file *file, const char *name, size_t place,
                                   size_t size, void *to);

#endif
