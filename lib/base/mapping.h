/* Files that are read through the memory of the process. */
#ifndef GLNN__BASE_MAPPING_H
#define GLNN__BASE_MAPPING_H

#include <glnn/base.h>

#include <stddef.h>

/* The bytes of a file, for reading by any thread. */
typedef struct glnn__mapping {
    const unsigned char *bytes; /* NULL: nothing is mapped */
    size_t size;
} glnn__mapping;

/* Maps the `size` bytes of an open file, which may be closed afterwards; `path` is for the sentence
 * of an error. Reading bytes that the file has lost since raises SIGBUS.
 * Errors: E_IO the file cannot be mapped; *out is empty then. */
glnn_status glnn__mapping_create(const char *path, int file, size_t size, glnn__mapping *out);

/* Unmaps the file and empties *mapping; an empty one is left alone. */
void glnn__mapping_destroy(glnn__mapping *mapping);

#endif
