/* Files that are read where they lie, through the memory of the process. */
#ifndef GLNN__BASE_MAPPING_H
#define GLNN__BASE_MAPPING_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* A file mapped for reading, by any thread. */
typedef struct glnn__mapping {
    const unsigned char *bytes; /* NULL: nothing is mapped */
    size_t size;
    int file;
} glnn__mapping;

/* Maps a whole file. Errors: E_IO it cannot be opened, is no regular file or cannot be mapped;
 * E_FORMAT it is empty. On failure *out is empty.
 *
 * Reading what a file has no longer, or what its disk does not give, raises SIGBUS. So this puts a
 * handler in front of the one that is there. It ends the reading below, and passes every other
 * signal on. */
glnn_status glnn__mapping_open(const char *path, glnn__mapping *out);

/* Calls `read`, which reads the mapping, touches memory of its own, and calls nothing that takes
 * locks or memory. Where the mapping cannot be read, `read` is left in its middle. Returns true
 * where it came to its end, and the file is then still as long as it was. */
bool glnn__mapping_read(const glnn__mapping *mapping, void (*read)(void *argument), void *argument);

/* True while the file is as long as it was. Any thread may ask. */
bool glnn__mapping_is_whole(const glnn__mapping *mapping);

/* Unmaps the file and empties *mapping; an empty one is left alone. */
void glnn__mapping_close(glnn__mapping *mapping);

#endif
