/* Files that are read where they lie, through the memory of the process. */
#ifndef GLNN__BASE_MAPPING_H
#define GLNN__BASE_MAPPING_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* A file mapped for reading. Its bytes may be read from any thread while the file has them: one
 * that has become shorter ends the process when its lost part is read. */
typedef struct glnn__mapping {
    const unsigned char *bytes; /* NULL: nothing is mapped */
    size_t size;
    int file;
} glnn__mapping;

/* Maps a whole file. Errors: E_IO it cannot be opened, is no regular file or cannot be mapped;
 * E_FORMAT it is empty. On failure *out is empty. */
glnn_status glnn__mapping_open(const char *path, glnn__mapping *out);

/* True while the file is as long as it was. Any thread may ask. */
bool glnn__mapping_is_whole(const glnn__mapping *mapping);

/* Unmaps the file and empties *mapping; an empty one is left alone. */
void glnn__mapping_close(glnn__mapping *mapping);

#endif
