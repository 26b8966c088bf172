#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

enum {
    WRITERS = 64,   /* that can write one file at the same time                           */
    NAME_PART = 200 /* bytes of the file's name that the temporary one repeats, as in the
                       library: a name has at most 255                                    */
};

static bool fail(const char *path)
{
    return refuse("cannot write %s: %s", path, strerror(errno));
}

/* The length of a path up to and including its last slash. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* The path of the temporary file with a number. False if it is too long. */
static bool set_temporary(const char *target, int number, char path[PATH_CAPACITY])
{
    const int folder = folder_length(target);
    const int length = snprintf(path, PATH_CAPACITY, "%.*s%.*s.glnn-saving-%d", folder, target,
                                (int)NAME_PART, target + folder, number);
    return length < PATH_CAPACITY ||
           refuse("the path %.80s... is longer than %d bytes", target, PATH_CAPACITY - 1);
}

static bool is_same_file(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

/* A process locks its temporary file. Only a process that has the lock removes the name, so it is
 * still that of the same file. */
static void remove_if_left_behind(const char *name)
{
    struct stat of_file, of_name;
    const int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &of_file) == 0 &&
        lstat(name, &of_name) == 0 && is_same_file(&of_file, &of_name))
        unlink(name);
    close(file);
}

/* Creates a temporary file and locks it. Returns -1 with errno: EEXIST if another process has it,
 * also if that one removes it before it is locked. */
static int create(const char *name, mode_t mode)
{
    struct stat info;
    remove_if_left_behind(name);
    const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (file < 0)
        return -1;
    const bool is_taken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!is_taken && fstat(file, &info) == 0 && info.st_nlink > 0)
        return file;
    close(file);
    errno = EEXIST;
    return -1;
}

/* Gives the new file the rights of the old one. Another group does not get those of its group. */
static bool copy_rights(int file, const struct stat *old)
{
    struct stat own;
    mode_t mode = old->st_mode & 0777;
    if (fstat(file, &own) != 0)
        return false;
    const bool differs = own.st_uid != old->st_uid || own.st_gid != old->st_gid;
    if (differs && fchown(file, old->st_uid, old->st_gid) != 0 &&
        fchown(file, (uid_t)-1, old->st_gid) != 0)
        mode = (mode & ~(mode_t)0070) | (mode & 0007) << 3;
    return fchmod(file, mode) == 0;
}

/* Opens the first temporary file that no other process has. `old` NULL: there is no old file. */
static bool open_temporary(const char *path, const struct stat *old, whole_file *out)
{
    int file = -1;
    for (int i = 0; file < 0 && i < WRITERS; ++i) {
        if (!set_temporary(out->target, i, out->temporary))
            return false;
        file = create(out->temporary, old ? 0600 : 0666);
        if (file < 0 && errno != EEXIST)
            return fail(path);
    }
    if (file < 0)
        return refuse("cannot write %s: all %d names of temporary files up to %s are in use", path,
                      WRITERS, out->temporary);
    out->stream = !old || copy_rights(file, old) ? fdopen(file, "w") : NULL;
    if (out->stream)
        return true;
    fail(path);
    unlink(out->temporary);
    close(file);
    return false;
}

/* Opens a pipe, a device, or standard output, which continues where it is. */
static bool open_in_place(const char *path, bool is_output, whole_file *out)
{
    fflush(stdout);
    out->temporary[0] = '\0';
    snprintf(out->target, PATH_CAPACITY, "%s", path);
    out->stream = is_output ? fdopen(dup(STDOUT_FILENO), "w") : fopen(path, "w");
    return out->stream != NULL || fail(path);
}

bool whole_file_open(const char *path, whole_file *out)
{
    struct stat old, output;
    const bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT)
        return fail(path);
    const bool is_output =
        exists && fstat(STDOUT_FILENO, &output) == 0 && is_same_file(&old, &output);
    if (is_output || (exists && !S_ISREG(old.st_mode)))
        return open_in_place(path, is_output, out);
    return path_follow(path, out->target) && open_temporary(path, exists ? &old : NULL, out);
}

bool whole_file_open_in(const char *folder, const char *name, whole_file *out)
{
    char path[PATH_CAPACITY];
    return path_join(path, folder, name) && whole_file_open(path, out);
}

/* File systems that cannot flush fail with these errors. */
static bool flush(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS;
}

/* A folder that cannot be opened is not flushed. */
static bool flush_folder(whole_file *of)
{
    const int length = folder_length(of->temporary);
    of->temporary[length] = '\0';
    const int folder = open(length ? of->temporary : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool done =
        folder < 0 || flush(folder) ||
        refuse("wrote %s, but its folder cannot be flushed: %s", of->target, strerror(errno));
    if (folder >= 0)
        close(folder);
    return done;
}

/* A stream that has failed before does not keep the reason, so one more byte finds it. */
static bool is_written(FILE *stream)
{
    errno = 0;
    if (fflush(stream) == 0 && ferror(stream) && write(fileno(stream), "", 1) > 0)
        errno = EIO;
    return !ferror(stream);
}

static bool put_in_place(const whole_file *of)
{
    return is_written(of->stream) &&
           (!of->temporary[0] ||
            (flush(fileno(of->stream)) && rename(of->temporary, of->target) == 0));
}

bool whole_file_close(whole_file *of)
{
    if (!put_in_place(of)) {
        fail(of->target);
        whole_file_discard(of);
        return false;
    }
    /* Closing releases the lock, which kept others from removing the temporary file. */
    fclose(of->stream);
    return !of->temporary[0] || flush_folder(of);
}

void whole_file_discard(whole_file *of)
{
    if (of->temporary[0])
        unlink(of->temporary);
    fclose(of->stream);
}

bool whole_file_uses(const char *path, const char *other, char name[PATH_CAPACITY])
{
    char target[PATH_CAPACITY];
    if (!path_follow(path, target))
        return false;
    for (int i = 0; i < WRITERS; ++i)
        if (set_temporary(target, i, name) && path_same(name, other))
            return true;
    return false;
}
