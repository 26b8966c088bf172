#include "folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

bool path_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_join(char path[PATH_CAPACITY], const char *folder, const char *name)
{
    int length = snprintf(path, PATH_CAPACITY, "%s/%s", folder, name);
    if (length < 0 || length >= PATH_CAPACITY)
        return refuse("the path of %s in the folder %.80s... is longer than %d bytes", name, folder,
                      PATH_CAPACITY - 1);
    return true;
}

bool folder_create(const char *folder)
{
    char path[PATH_CAPACITY];
    if (!path_join(path, folder, ""))
        return false;
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && !path_is_folder(path))
            return refuse("cannot create the folder %s: %s", path, strerror(errno));
        *slash = '/';
    }
    if (access(folder, W_OK | X_OK) != 0)
        return refuse("cannot write to the folder %s: %s", folder, strerror(errno));
    return true;
}

/* Tries it, because permissions are not enough: some folders of the system refuse even root. */
static bool can_create_file(const char *folder)
{
    char path[PATH_CAPACITY];
    if (!path_join(path, folder, "try-XXXXXX"))
        return false;
    int file = mkstemp(path);
    if (file < 0)
        return false;
    close(file);
    unlink(path);
    return true;
}

static bool refuse_long(const char *path)
{
    return refuse("the path %.80s... is longer than %d bytes", path, PATH_CAPACITY - 1);
}

/* Splits a path into its folder and its name; false if it is too long. */
static bool split_path(const char *path, char folder[PATH_CAPACITY], const char **name)
{
    const char *slash = strrchr(path, '/');
    if (strlen(path) >= PATH_CAPACITY)
        return refuse_long(path);
    if (slash == NULL)
        strcpy(folder, ".");
    else
        snprintf(folder, PATH_CAPACITY, "%.*s", (int)(slash - path) + 1, path);
    *name = slash ? slash + 1 : path;
    return true;
}

bool path_follow(const char *path, char target[PATH_CAPACITY])
{
    enum { MOST_LINKS = 40 }; /* as in the kernel */
    char link[PATH_CAPACITY];
    ssize_t length;
    if (snprintf(target, PATH_CAPACITY, "%s", path) >= PATH_CAPACITY)
        return refuse_long(path);
    for (int links = 0; (length = readlink(target, link, sizeof link)) >= 0; ++links) {
        const char *slash = strrchr(target, '/');
        const size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - target) + 1;
        if (links == MOST_LINKS)
            return refuse("%s: %s", path, strerror(ELOOP));
        if (folder + (size_t)length >= PATH_CAPACITY)
            return refuse_long(path);
        memcpy(target + folder, link, (size_t)length);
        target[folder + (size_t)length] = '\0';
    }
    return true;
}

/* The same for paths at which there is no file yet. */
static bool will_be_same(const char *path, const char *other)
{
    char target[PATH_CAPACITY], other_target[PATH_CAPACITY];
    char folder[PATH_CAPACITY], other_folder[PATH_CAPACITY];
    const char *name, *other_name;
    struct stat left, right;
    return path_follow(path, target) && path_follow(other, other_target) &&
           split_path(target, folder, &name) &&
           split_path(other_target, other_folder, &other_name) && strcmp(name, other_name) == 0 &&
           stat(folder, &left) == 0 && stat(other_folder, &right) == 0 &&
           left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

bool path_same(const char *path, const char *other)
{
    struct stat left, right;
    const bool exists = stat(path, &left) == 0, other_exists = stat(other, &right) == 0;
    if (exists && other_exists)
        return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
    return !exists && !other_exists && will_be_same(path, other);
}

/* A file must not replace a device, a pipe or a socket. */
static bool is_replaceable(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return errno == ENOENT || refuse("cannot write the file %s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return refuse("cannot write the file %s: it is a folder", path);
    return S_ISREG(status.st_mode) ||
           refuse("cannot write the file %s: a device, pipe or socket is there", path);
}

bool path_ends(const char *path, const char *end)
{
    const size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

bool path_writable(const char *path)
{
    char folder[PATH_CAPACITY];
    const char *name;
    if (!split_path(path, folder, &name))
        return false;
    if (!path_is_folder(folder))
        return refuse("cannot write the file %s: there is no folder %s", path, folder);
    return is_replaceable(path) && (can_create_file(folder) ||
                                    refuse("cannot write the file %s: %s", path, strerror(errno)));
}

bool path_readable(const char *path)
{
    if (path_is_folder(path))
        return refuse("cannot read %s: it is a folder", path);
    return access(path, R_OK) == 0 || refuse("cannot read %s: %s", path, strerror(errno));
}
