/* Folders and paths: joining, creating, asking whether a file can be written. */
#ifndef EXAMPLES_FOLDER_H
#define EXAMPLES_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define PATH_CAPACITY 4096

/* path = folder/name; false when that is too long. */
bool path_join(char path[PATH_CAPACITY], const char *folder, const char *name);

/* Creates a folder and those above it; one that exists and can be written to is fine. */
bool folder_create(const char *folder);

/* True when a file can be put at `path`: its folder exists and can be written to, and only a
 * regular file is there now, if any. */
bool path_writable(const char *path);

/* True where both paths are of one file. Files that exist are told apart as files, so that links do
 * not matter; others by folder and name. */
bool path_same(const char *path, const char *other);

/* True when a file is there and can be read. */
bool path_readable(const char *path);

#endif
