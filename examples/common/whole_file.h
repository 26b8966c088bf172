/* Text files and pictures that are replaced whole, by glnn_file_write(). The content is kept in
 * memory until it is complete. Functions that return false leave a failure. */
#ifndef EXAMPLES_WHOLE_FILE_H
#define EXAMPLES_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "folder.h"

/* Stays where it is while it is open. */
typedef struct whole_file {
    FILE *stream; /* to write to */
    char path[PATH_CAPACITY];
    bool is_in_place; /* a pipe, a device or standard output      */
    char *text;       /* the content, when the stream is closed   */
    size_t size;
} whole_file;

/* Begins to write the file at `path`, or folder/name. */
bool whole_file_open(const char *path, whole_file *out);
bool whole_file_open_in(const char *folder, const char *name, whole_file *out);

/* Puts the file in place. If it cannot be written, the old one stays. */
bool whole_file_close(whole_file *of);

/* Ends without replacing the old file. */
void whole_file_discard(whole_file *of);

/* True if `other` is, also through links, a temporary file that the library uses to write the one
 * at `path` (glnn/file.h). `name` is then the path of the temporary file. */
bool whole_file_uses(const char *path, const char *other, char name[PATH_CAPACITY]);

#endif
