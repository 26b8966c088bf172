#include "base/file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static glnn_status check_regular(const char *path, int file, size_t *size)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return glnn__fail(GLNN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return glnn__fail(GLNN_E_IO, "%s: cannot be read: it is not a regular file", path);
    if ((uintmax_t)info.st_size > SIZE_MAX / 4)
        return glnn__fail(GLNN_E_LIMIT, "%s: the file is larger than memory can address", path);
    *size = (size_t)info.st_size;
    return GLNN_OK;
}

glnn_status glnn__file_open_regular(const char *path, int *file, size_t *size)
{
    if (!*path)
        return glnn__fail(GLNN_E_ARG, "a file cannot be read: the path is empty");
    /* Opening a pipe would wait for a writer. */
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file < 0)
        return glnn__fail(GLNN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
    glnn_status status = check_regular(path, *file, size);
    if (status)
        glnn__file_close(*file);
    return status;
}

void glnn__file_close(int file)
{
    close(file);
}

glnn_status glnn__file_read_up_to(int file, const char *name, size_t place, size_t size, void *to,
                                  size_t *got)
{
    ssize_t more = 1;
    for (*got = 0; *got < size && more != 0; *got += more > 0 ? (size_t)more : 0) {
        more = pread(file, (char *)to + *got, size - *got, (off_t)(place + *got));
        if (more < 0 && errno != EINTR)
            return glnn__fail(GLNN_E_IO, "%s: the file cannot be read: %s", name, strerror(errno));
    }
    return GLNN_OK;
}

bool glnn__file_is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

glnn__file_mark glnn__file_find_mark(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return (glnn__file_mark){0};
    return (glnn__file_mark){
        .device = (uint64_t)info.st_dev,
        .number = (uint64_t)info.st_ino,
        .size = (uint64_t)info.st_size,
        .seconds = (int64_t)info.st_mtim.tv_sec,
        .nanoseconds = (int64_t)info.st_mtim.tv_nsec,
    };
}

bool glnn__file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool glnn__file_rename_new(const char *from, const char *to)
{
    return link(from, to) == 0 && unlink(from) == 0;
}
