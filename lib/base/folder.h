/* Folders, and what is at a path. */
#ifndef GLNN__BASE_FOLDER_H
#define GLNN__BASE_FOLDER_H

#include <glnn/base.h>

typedef enum glnn__path_kind {
    GLNN__PATH_LOST,   /* nothing, or a symbolic link that leads nowhere              */
    GLNN__PATH_HIDDEN, /* the system cannot say: a disk fails, or a right is missing */
    GLNN__PATH_FOLDER, /* or a symbolic link to one                                   */
    GLNN__PATH_OTHER
} glnn__path_kind;

glnn__path_kind glnn__path_examine(const char *path);

/* Creates a folder and those above it, as far as they do not exist. */
glnn_status glnn__folder_make(const char *path);

/* Calls `visit` with the name of each entry that does not begin with a dot, in any order, until it
 * fails. Errors: E_IO, E_NOMEM. */
glnn_status glnn__folder_visit(const char *path, glnn_status (*visit)(void *user, const char *name),
                               void *user);

/* The folder in which programs keep files for the user that can be made again; the caller frees it.
 * NULL: the environment names none, or memory ran out. */
char *glnn__folder_of_caches(void);

/* Locks a folder against other processes that lock it. If one of them holds the lock, it waits, but
 * no longer than so many seconds. Returns a number for glnn__folder_unlock. On file systems without
 * locks, nothing is locked. */
int glnn__folder_lock(const char *path, double seconds);
void glnn__folder_unlock(int lock);

#endif
