/* Folders and paths. Functions that return false leave a failure, except path_is_folder,
 * path_ends and path_same. */
#ifndef EXAMPLES_FOLDER_H
#define EXAMPLES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define PATH_CAPACITY 4096

/* path = folder/name; false if it is too long. */
bool path_join(char path[PATH_CAPACITY], const char *folder, const char *name);

bool path_is_folder(const char *path);

/* Whether a path ends with a text such as ".png". */
bool path_ends(const char *path, const char *end);

/* Creates a folder and those above it, if they do not exist. */
bool folder_create(const char *folder);

/* True if a file can be written at `path`: its folder exists and allows it, and there is nothing at
 * `path` but perhaps a regular file. */
bool path_writable(const char *path);

/* The path at the end of the symbolic links that begin at `path`. There may be nothing at it. */
bool path_follow(const char *path, char target[PATH_CAPACITY]);

/* True if both paths name one file, also through links, and also one that does not exist yet. */
bool path_same(const char *path, const char *other);

/* True if the file exists and can be read. */
bool path_readable(const char *path);

#endif
