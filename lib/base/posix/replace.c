#include "base/file.h"

#include "base/status.h"
#include "base/string.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_LINKS = 40,  /* symbolic links in a row, as in the kernel                           */
    MAX_SAVERS = 64, /* processes and threads that replace one file at the same time        */
    NAME_PART = 200, /* bytes of the target's name that the temporary one repeats; a name has at
                        most 255                                                            */
    SUFFIX = 32      /* room for the rest of the temporary name                             */
};

/* A file that is being replaced. */
typedef struct saving {
    const char *path; /* the caller's                        */
    char *target;     /* the path after all symbolic links   */
    char *temporary;  /* the path of the temporary file      */
    char *former;     /* the other name of a file that is kept; NULL: it is not kept */
    struct stat old;  /* the target's                        */
    bool is_new;      /* there is no target yet              */
    bool keeps_old;   /* under another name                  */
    int file;         /* the temporary file, open; -1: none  */
} saving;

static glnn_status fail(const saving *to, int error)
{
    return glnn__fail(GLNN_E_IO, "%s: cannot be written: %s", to->path, strerror(error));
}

static glnn_status fail_memory(const saving *to)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a file name", to->path);
}

/* The length of the path up to and including its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The path that a symbolic link at `path` points to. */
static char *resolve(const char *path, const char *link)
{
    const size_t folder = link[0] == '/' ? 0 : folder_length(path);
    char *resolved = malloc(folder + strlen(link) + 1);
    if (resolved) {
        memcpy(resolved, path, folder);
        strcpy(resolved + folder, link);
    }
    return resolved;
}

/* The target need not exist; realpath() would fail then. */
static glnn_status follow_links(saving *to)
{
    to->target = glnn__string_copy(to->path);
    for (int links = 0; to->target; ++links) {
        char link[PATH_MAX];
        const ssize_t length = readlink(to->target, link, sizeof link - 1);
        if (length < 0)
            return GLNN_OK;
        if (links == MAX_LINKS)
            return fail(to, ELOOP);
        link[length] = 0;
        char *next = resolve(to->target, link);
        free(to->target);
        to->target = next;
    }
    return fail_memory(to);
}

static glnn_status check_target(saving *to)
{
    to->is_new = lstat(to->target, &to->old) != 0;
    if (to->is_new && errno != ENOENT)
        return fail(to, errno);
    if (!to->is_new && !S_ISREG(to->old.st_mode))
        return glnn__fail(GLNN_E_IO, "%s: cannot be written: it is not a regular file", to->path);
    return GLNN_OK;
}

static glnn_status name_former(saving *to)
{
    const size_t size = strlen(to->target) + sizeof ".1";
    to->former = malloc(size);
    if (!to->former)
        return fail_memory(to);
    snprintf(to->former, size, "%s.1", to->target);
    return GLNN_OK;
}

/* Whether a former file can have its other name. */
static glnn_status check_former(saving *to)
{
    struct stat info;
    GLNN__TRY(name_former(to));
    const int error = lstat(to->former, &info) == 0 ? S_ISDIR(info.st_mode) ? EISDIR : 0 : errno;
    if (error == 0 || error == ENOENT)
        return GLNN_OK;
    return glnn__fail(GLNN_E_IO,
                      "%s: cannot be written: the file before it cannot have the name %s.1: %s",
                      to->path, to->path, strerror(error));
}

static void set_temporary(saving *to, int saver)
{
    const size_t folder = folder_length(to->target);
    snprintf(to->temporary + folder, NAME_PART + SUFFIX, "%.*s.glnn-saving-%d", (int)NAME_PART,
             to->target + folder, saver);
}

/* While the file is locked and still has this name, no other process gives the name to another
 * file. */
static void remove_if_left_behind(const char *name)
{
    struct stat of_file, of_name;
    const int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &of_file) == 0 &&
        lstat(name, &of_name) == 0 && of_file.st_ino == of_name.st_ino &&
        of_file.st_dev == of_name.st_dev)
        unlink(name);
    close(file);
}

/* Creates the temporary file and locks it. Returns false and sets errno: EEXIST if another process
 * has it. */
static bool create(saving *to)
{
    struct stat info;
    /* The rights of an old file are given only to the complete one. */
    to->file = open(to->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                    to->is_new ? 0666 : 0600);
    if (to->file < 0)
        return false;
    const bool is_taken = flock(to->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const bool is_known = !is_taken && fstat(to->file, &info) == 0;
    if (is_known && info.st_nlink > 0)
        return true;
    /* Another process found it before it was locked, and removes it. */
    const int error = is_taken || is_known ? EEXIST : errno;
    if (error != EEXIST)
        unlink(to->temporary);
    close(to->file);
    to->file = -1;
    errno = error;
    return false;
}

static glnn_status create_temporary(saving *to)
{
    const size_t folder = folder_length(to->target);
    to->temporary = malloc(folder + NAME_PART + SUFFIX);
    if (!to->temporary)
        return fail_memory(to);
    memcpy(to->temporary, to->target, folder);
    for (int saver = 0; saver < MAX_SAVERS; ++saver) {
        set_temporary(to, saver);
        remove_if_left_behind(to->temporary);
    }
    for (int saver = 0; saver < MAX_SAVERS; ++saver) {
        set_temporary(to, saver);
        if (create(to))
            return GLNN_OK;
        if (errno != EEXIST)
            return fail(to, errno);
    }
    return glnn__fail(GLNN_E_IO,
                      "%s: cannot be written: all %d names of temporary files up to %s are in use",
                      to->path, MAX_SAVERS, to->temporary);
}

static bool write_span(int file, const glnn__span *span)
{
    const char *next = span->data;
    for (size_t left = span->size; left > 0;) {
        const ssize_t written = write(file, next, left);
        if (written < 0 && errno != EINTR)
            return false;
        next += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Whether the next bytes of the file are those of the span. */
static bool compare_span(int file, const glnn__span *span)
{
    char found[1 << 14];
    const char *next = span->data;
    for (size_t left = span->size; left > 0;) {
        const ssize_t got = read(file, found, left < sizeof found ? left : sizeof found);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || memcmp(found, next, (size_t)got) != 0)
            return false;
        next += got;
        left -= (size_t)got;
    }
    return true;
}

static bool is_written(int file, const glnn__span *spans, size_t count)
{
    char rest;
    if (lseek(file, 0, SEEK_SET) != 0)
        return false;
    for (size_t i = 0; i < count; ++i) {
        if (!compare_span(file, &spans[i]))
            return false;
    }
    return read(file, &rest, 1) == 0;
}

/* File systems that cannot flush fail with these errors. */
static bool flush(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

/* Gives the new file the owner, group and mode of the old one. Only root may change the owner. */
static bool copy_rights(const saving *to)
{
    const struct stat *old = &to->old;
    struct stat own;
    mode_t mode = old->st_mode & 0777;
    if (fstat(to->file, &own) != 0)
        return false;
    const bool differs = own.st_uid != old->st_uid || own.st_gid != old->st_gid;
    /* Another group must not get the rights that the old group had. */
    if (differs && fchown(to->file, old->st_uid, old->st_gid) != 0 &&
        fchown(to->file, (uid_t)-1, old->st_gid) != 0)
        mode = (mode & ~(mode_t)0070) | (mode & 0007) << 3;
    return fchmod(to->file, mode) == 0;
}

static glnn_status fill_temporary(const saving *to, const glnn__span *spans, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!write_span(to->file, &spans[i]))
            return fail(to, errno);
    }
    if ((!to->is_new && !copy_rights(to)) || !flush(to->file))
        return fail(to, errno);
    if (!is_written(to->file, spans, count))
        return glnn__fail(
            GLNN_E_IO, "%s: cannot be written: the bytes read back from the disk differ", to->path);
    return GLNN_OK;
}

/* A folder that the process may write but not read cannot be opened, so it is not flushed. */
static glnn_status flush_folder(const saving *to)
{
    const size_t length = folder_length(to->target);
    to->temporary[length] = 0;
    const int folder = open(length ? to->temporary : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return GLNN_OK;
    const int error = flush(folder) ? 0 : errno;
    close(folder);
    if (error)
        return glnn__fail(GLNN_E_IO, "%s: written, but its folder cannot be flushed: %s", to->path,
                          strerror(error));
    return GLNN_OK;
}

/* Gives the old file its other name, next to the present one if the file system can. */
static glnn_status keep_old(const saving *to)
{
    struct stat info;
    /* Another process may have put it there, or taken it away, in the meantime. */
    if (lstat(to->target, &info) != 0)
        return GLNN_OK;
    unlink(to->former);
    return link(to->target, to->former) == 0 || rename(to->target, to->former) == 0
               ? GLNN_OK
               : glnn__fail(GLNN_E_IO, "%s: the former file cannot be renamed to %s.1: %s",
                            to->path, to->path, strerror(errno));
}

static glnn_status put_in_place(saving *to)
{
    if (to->keeps_old)
        GLNN__TRY(keep_old(to));
    if (rename(to->temporary, to->target) != 0)
        return fail(to, errno);
    /* Closing releases the lock, which kept others from removing the temporary file. */
    const int closed = close(to->file);
    to->file = -1;
    return closed == 0 ? flush_folder(to) : fail(to, errno);
}

static glnn_status begin(saving *to)
{
    if (!*to->path)
        return glnn__fail(GLNN_E_ARG, "a file cannot be written: the path is empty");
    GLNN__TRY(follow_links(to));
    GLNN__TRY(check_target(to));
    if (to->keeps_old)
        GLNN__TRY(check_former(to));
    return create_temporary(to);
}

static glnn_status save(saving *to, const glnn__span *spans, size_t count)
{
    GLNN__TRY(begin(to));
    GLNN__TRY(fill_temporary(to, spans, count));
    return put_in_place(to);
}

/* Also removes a temporary file that was not put in place. */
static void end(saving *to)
{
    if (to->file >= 0) {
        unlink(to->temporary);
        close(to->file);
    }
    free(to->temporary);
    free(to->former);
    free(to->target);
}

static glnn_status replace(const char *path, bool keeps_old, const glnn__span *spans, size_t count)
{
    saving to = {.path = path, .keeps_old = keeps_old, .file = -1};
    const glnn_status status = save(&to, spans, count);
    end(&to);
    return status;
}

glnn_status glnn__file_find_former(const char *path, char **former)
{
    saving to = {.path = path};
    glnn_status status = follow_links(&to);
    if (!status)
        status = name_former(&to);
    free(to.target);
    *former = to.former;
    return status;
}

glnn_status glnn__file_probe_keeping(const char *path)
{
    saving to = {.path = path, .keeps_old = true, .file = -1};
    const glnn_status status = begin(&to);
    end(&to);
    return status;
}

glnn_status glnn__file_replace(const char *path, const glnn__span *spans, size_t count)
{
    return replace(path, false, spans, count);
}

glnn_status glnn__file_replace_keeping(const char *path, const glnn__span *spans, size_t count)
{
    return replace(path, true, spans, count);
}
