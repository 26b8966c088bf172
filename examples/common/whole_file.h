/* Files that are replaced whole. The new text goes to a temporary file in the same folder, which
 * replaces the old file when it is complete and on the disk. If the disk is full or the process is
 * killed, the old file is as it was. Functions that return false leave a failure.
 *
 * Temporary files have the names that those of the library have (glnn/safetensors.h): the name of
 * the file with ".glnn-saving-0" (to 63) appended. A killed process leaves its own, and the next
 * one that writes the same file removes it. */
#ifndef EXAMPLES_WHOLE_FILE_H
#define EXAMPLES_WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "folder.h"

typedef struct whole_file {
    FILE *stream; /* to write to */
    char target[PATH_CAPACITY];
    char temporary[PATH_CAPACITY]; /* "": the file is written in place */
} whole_file;

/* Begins to write the file at `path`. If this is a link, the file that it points to is replaced. A
 * new file gets its mode from the umask. An old one keeps its mode, and its owner and group if the
 * process may set them. A pipe, a device and standard output are written in place. */
bool whole_file_open(const char *path, whole_file *out);

/* The same for folder/name. */
bool whole_file_open_in(const char *folder, const char *name, whole_file *out);

/* Puts the file in place. If a part of it could not be written, the old file stays, and the
 * temporary one is removed. */
bool whole_file_close(whole_file *of);

/* Ends without replacing the old file. */
void whole_file_discard(whole_file *of);

/* True if `other` is, also through links, a temporary file for the one at `path`. `name` is then
 * the path of the temporary file. */
bool whole_file_uses(const char *path, const char *other, char name[PATH_CAPACITY]);

#endif
