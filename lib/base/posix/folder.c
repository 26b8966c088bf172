#include "base/folder.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/status.h"
#include "base/string.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

glnn__path_kind glnn__path_examine(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? GLNN__PATH_LOST
                                                                     : GLNN__PATH_HIDDEN;
    return S_ISDIR(info.st_mode) ? GLNN__PATH_FOLDER : GLNN__PATH_OTHER;
}

glnn_status glnn__folder_make(const char *path)
{
    char *part = glnn__string_copy(path);
    if (!part)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a folder name", path);
    int failed = 0;
    for (char *slash = part + 1; !failed; ++slash) {
        if (*slash != '/' && *slash != 0)
            continue;
        char kept = *slash;
        *slash = 0;
        failed = mkdir(part, 0755) != 0 && errno != EEXIST;
        *slash = kept;
        if (!kept)
            break;
    }
    free(part);
    if (failed)
        return glnn__fail(GLNN_E_IO, "%s: the folder cannot be created: %s", path, strerror(errno));
    return GLNN_OK;
}

glnn_status glnn__folder_visit(const char *path, glnn_status (*visit)(void *user, const char *name),
                               void *user)
{
    DIR *stream = opendir(path);
    if (!stream)
        return glnn__fail(errno == ENOMEM ? GLNN_E_NOMEM : GLNN_E_IO,
                          "%s: the folder cannot be opened: %s", path, strerror(errno));
    glnn_status status = GLNN_OK;
    const struct dirent *entry;
    errno = 0;
    while (!status && (entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] != '.')
            status = visit(user, entry->d_name);
        errno = 0;
    }
    if (!status && errno != 0)
        status = glnn__fail(GLNN_E_IO, "%s: the folder cannot be read: %s", path, strerror(errno));
    closedir(stream);
    return status;
}

char *glnn__folder_of_caches(void)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (cache && cache[0] == '/')
        return glnn__string_copy(cache);
    return home && home[0] == '/' ? glnn__path_join(home, ".cache") : NULL;
}

int glnn__folder_lock(const char *path, double seconds)
{
    const double end = glnn__clock_seconds() + seconds;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) != 0 &&
           (errno == EWOULDBLOCK || errno == EINTR) && glnn__clock_seconds() < end)
        glnn__clock_sleep(1e-3);
    return folder;
}

void glnn__folder_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
