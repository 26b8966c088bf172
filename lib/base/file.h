/* Whole files: read at once, written next to the old one and then put in its place. */
#ifndef GLNN__BASE_FILE_H
#define GLNN__BASE_FILE_H

#include <glnn/base.h>

#include <stddef.h>

/* Opens a regular file for reading, without waiting; the caller closes *file. *size is its length
 * now. Errors: E_ARG an empty path; E_IO it cannot be opened, or is a folder, a pipe or a device;
 * E_LIMIT it is larger
 * than memory can address. */
glnn_status glnn__file_open_regular(const char *path, int *file, size_t *size);

/* Reads a regular file; *data gets one zero byte after its end and is freed by the caller with
 * free(). Errors: as glnn__file_open_regular; E_IO, E_NOMEM. */
glnn_status glnn__file_read(const char *path, unsigned char **data, size_t *size);

/* One part of a file to be written. */
typedef struct glnn__span {
    const void *data;
    size_t size;
} glnn__span;

/* Puts a file that consists of these parts in the place of `path`. The parts go to a temporary file
 * in the same folder, which is flushed to the disk, read back, compared and renamed; then the
 * folder is flushed. Until the renaming `path` is untouched, and a failure leaves no temporary file.
 *
 * A new file gets its mode from the umask. An existing one keeps its mode, and its owner and group
 * where the process may give them; otherwise the new group gets the rights of everyone. The target
 * of a symbolic link is replaced, and the link stays.
 *
 * A temporary file is named after the target with ".glnn-saving-0" (or 1 to 63) appended. Its saver
 * holds a lock on it, so each save removes the unlocked ones, which killed savers left behind.
 *
 * Errors: E_ARG an empty path; E_IO the sentence has the system's words, or `path` is a folder, a
 * pipe or a device;
 * E_NOMEM. Thread: any; of several savers of one target the last to rename wins. */
glnn_status glnn__file_replace(const char *path, const glnn__span *spans, size_t count);

/* "folder/name", for free(); NULL without memory. */
char *glnn__path_join(const char *folder, const char *name);

/* Makes a folder and those above it; one that exists is fine. */
glnn_status glnn__folder_make(const char *path);

#endif
