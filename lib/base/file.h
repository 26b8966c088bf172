/* Reading whole files, and replacing files without ever leaving a half-written one. */
#ifndef GLNN__BASE_FILE_H
#define GLNN__BASE_FILE_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a regular file for reading; the caller closes *file. *size is its length at this moment.
 * Errors: E_ARG the path is empty; E_IO it cannot be opened, or is a folder, a pipe or a device;
 * E_LIMIT it is larger than memory can address. */
glnn_status glnn__file_open_regular(const char *path, int *file, size_t *size);
void glnn__file_close(int file);

/* Whether there is something at the path that the process may read. */
bool glnn__file_is_readable(const char *path);

/* Reads a regular file. The caller frees *data with free(); a zero byte follows its last byte.
 * Errors: as glnn__file_open_regular; E_IO, E_NOMEM. */
glnn_status glnn__file_read(const char *path, unsigned char **data, size_t *size);

/* Reads `size` bytes of an open file from `place` on, or those up to its end, in any thread. `name`
 * begins the sentence of an error, E_IO. */
glnn_status glnn__file_read_up_to(int file, const char *name, size_t place, size_t size, void *to,
                                  size_t *got);

/* The same of a file that must have these bytes; `whole` is the size that it had. Errors: E_IO,
 * also if it has become shorter. */
glnn_status glnn__file_read_at(int file, const char *name, size_t whole, size_t place, size_t size,
                               void *to);

/* One part of a file to be written. */
typedef struct glnn__span {
    const void *data;
    size_t size;
} glnn__span;

/* Replaces the file at `path` by one that consists of these parts. The parts go to a temporary file
 * in the same folder, which is flushed to the disk, read back, compared and renamed; then the
 * folder is flushed. The file at `path` does not change before the renaming, and a failure leaves
 * no temporary file.
 *
 * A new file gets its mode from the umask. An existing file keeps its mode, and its owner and group
 * if the process may set them; otherwise the group gets the rights of all other users. If `path` is
 * a symbolic link, the file that it points to is replaced.
 *
 * The temporary file has the target's name with ".glnn-saving-0" (to 63) appended. The process that
 * writes it holds a lock on it. Each call removes unlocked ones, which killed processes left.
 *
 * Errors: E_ARG the path is empty; E_IO, with the system's words, or `path` is a folder, a pipe or
 * a device; E_NOMEM. Thread: any. If several replace one file, the last renaming wins. */
glnn_status glnn__file_replace(const char *path, const glnn__span *spans, size_t count);

/* The same, but an existing file stays under its name with ".1" appended, in place of a file that
 * had this name. If the file system has hard links, there is a whole file at `path` at any time. */
glnn_status glnn__file_replace_keeping(const char *path, const glnn__span *spans, size_t count);

/* Where that keeps the old file: if `path` is a link, next to the file that it points to. The
 * caller frees *former. Errors: E_IO, E_NOMEM. */
glnn_status glnn__file_find_former(const char *path, char **former);

/* Whether that could be done now: the same checks, and a temporary file that is removed. */
glnn_status glnn__file_probe_keeping(const char *path);

/* Tells files, and states of one file, apart. Zeros: there is none. */
typedef struct glnn__file_mark {
    uint64_t device, number, size;
    int64_t seconds, nanoseconds; /* of the last change of its content */
} glnn__file_mark;

/* The mark of the file at a path, after all symbolic links. */
glnn__file_mark glnn__file_find_mark(const char *path);

static inline bool glnn__file_is_marked(glnn__file_mark a, glnn__file_mark b)
{
    return a.device == b.device && a.number == b.number && a.size == b.size &&
           a.seconds == b.seconds && a.nanoseconds == b.nanoseconds;
}

/* "folder/name", which the caller frees; NULL if memory ran out. */
char *glnn__path_join(const char *folder, const char *name);

/* Gives a file another name, in place of a file that has it. Returns false if it keeps its own. */
bool glnn__file_rename(const char *from, const char *to);

/* The same, but if something has the name already, the file keeps its own. */
bool glnn__file_rename_new(const char *from, const char *to);

#endif
