#include "io/listing.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/string.h"

#include <stdlib.h>
#include <string.h>

bool glnn__is_folder(const char *path, const char *name)
{
    (void)name;
    return glnn__path_examine(path) == GLNN__PATH_FOLDER;
}

bool glnn__is_folder_or_lost(const char *path, const char *name)
{
    (void)name;
    return glnn__path_examine(path) != GLNN__PATH_OTHER;
}

bool glnn__is_png(const char *path, const char *name)
{
    return glnn__string_ends(name, ".png") && !glnn__is_folder(path, name);
}

bool glnn__is_wav(const char *path, const char *name)
{
    return glnn__string_ends(name, ".wav") && !glnn__is_folder(path, name);
}

/* A list that is being made. */
typedef struct job {
    const char *folder;
    glnn__listing_filter filter;
    glnn__listing *out;
} job;

static glnn_status fail_memory(const char *folder)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names in this folder", folder);
}

static glnn_status add(void *user, const char *name)
{
    const job *of = user;
    glnn__listing *out = of->out;
    char *path = glnn__path_join(of->folder, name);
    if (!path)
        return fail_memory(of->folder);
    const bool is_listed = of->filter(path, name);
    free(path);
    if (!is_listed)
        return GLNN_OK;
    if (!glnn__memory_grow(&out->names, out->count, &out->capacity, sizeof *out->names))
        return fail_memory(of->folder);
    out->names[out->count] = glnn__string_copy(name);
    if (!out->names[out->count])
        return fail_memory(of->folder);
    ++out->count;
    return GLNN_OK;
}

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

glnn_status glnn__listing_make(const char *folder, glnn__listing_filter filter, glnn__listing *out)
{
    job of = {folder, filter, out};
    const glnn_status status = glnn__folder_visit(folder, add, &of);
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
