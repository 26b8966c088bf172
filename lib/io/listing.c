#include "io/listing.h"

#include "base/file.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool glnn__is_folder(const char *path, const char *name)
{
    struct stat of;
    (void)name;
    return stat(path, &of) == 0 && S_ISDIR(of.st_mode);
}

bool glnn__is_folder_or_lost(const char *path, const char *name)
{
    struct stat of;
    (void)name;
    return stat(path, &of) != 0 || S_ISDIR(of.st_mode);
}

/* A file whose name has an ending of four letters, in upper or lower case. */
static bool has_ending(const char *path, const char *name, const char *ending)
{
    const size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ending) == 0 && !glnn__is_folder(path, name);
}

bool glnn__is_png(const char *path, const char *name)
{
    return has_ending(path, name, ".png");
}

bool glnn__is_wav(const char *path, const char *name)
{
    return has_ending(path, name, ".wav");
}

static glnn_status fail_memory(const char *folder)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names in this folder", folder);
}

static glnn_status add(const char *folder, const char *name, glnn__listing_filter filter,
                       glnn__listing *out)
{
    char *path = glnn__path_join(folder, name);
    if (!path)
        return fail_memory(folder);
    const bool is_listed = filter(path, name);
    free(path);
    if (!is_listed)
        return GLNN_OK;
    if (!glnn__memory_grow(&out->names, out->count, &out->capacity, sizeof *out->names))
        return fail_memory(folder);
    out->names[out->count] = strdup(name);
    if (!out->names[out->count])
        return fail_memory(folder);
    ++out->count;
    return GLNN_OK;
}

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

glnn_status glnn__listing_make(const char *folder, glnn__listing_filter filter, glnn__listing *out)
{
    DIR *stream = opendir(folder);
    if (!stream)
        return glnn__fail(errno == ENOMEM ? GLNN_E_NOMEM : GLNN_E_IO,
                          "%s: the folder cannot be opened: %s", folder, strerror(errno));
    glnn_status status = GLNN_OK;
    const struct dirent *entry;
    errno = 0;
    while (!status && (entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] != '.')
            status = add(folder, entry->d_name, filter, out);
        errno = 0;
    }
    if (!status && errno != 0)
        status =
            glnn__fail(GLNN_E_IO, "%s: the folder cannot be read: %s", folder, strerror(errno));
    closedir(stream);
    if (!status && out->count > 0)
        qsort(out->names, out->count, sizeof *out->names, compare);
    return status;
}

void glnn__listing_free(glnn__listing *of)
{
    for (size_t i = 0; i < of->count; ++i)
        free(of->names[i]);
    free(of->names);
    *of = (glnn__listing){0};
}
