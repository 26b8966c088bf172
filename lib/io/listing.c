#include "io/listing.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/string.h"

#include <stdlib.h>
#include <string.h>

bool glnn__may_be_folder(const char *path)
{
    const glnn__path_kind kind = glnn__path_examine(path);
    return kind == GLNN__PATH_FOLDER || kind == GLNN__PATH_HIDDEN;
}

bool glnn__may_be_file(const char *path)
{
    return glnn__path_examine(path) != GLNN__PATH_FOLDER;
}

bool glnn__is_folder_or_lost(const char *path, const char *name)
{
    (void)name;
    return glnn__path_examine(path) != GLNN__PATH_OTHER;
}

bool glnn__is_png(const char *path, const char *name)
{
    return glnn__string_ends(name, ".png") && glnn__may_be_file(path);
}

bool glnn__is_wav(const char *path, const char *name)
{
    return glnn__string_ends(name, ".wav") && glnn__may_be_file(path);
}

/* A list that is being made. */
typedef struct job {
    const char *folder, *within; /* the folder, and its path in the one that is listed; NULL: it is
                                    that one */
    int levels;                  /* of folders that are listed too */
    glnn__listing_filter filter;
    glnn__listing *out;
} job;

static glnn_status fail_memory(const char *folder)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for the names in this folder", folder);
}

/* Lists a file under a name, which then belongs to the list. */
static glnn_status list_file(const job *of, const char *path, const char *last, char *name)
{
    glnn__listing *out = of->out;
    if (!of->filter(path, last)) {
        free(name);
        return GLNN_OK;
    }
    if (!glnn__memory_grow(&out->names, out->count, &out->capacity, sizeof *out->names)) {
        free(name);
        return fail_memory(of->folder);
    }
    out->names[out->count++] = name;
    return GLNN_OK;
}

static glnn_status add(void *user, const char *name);

static glnn_status list_folder(const job *of, const char *path, char *name)
{
    job inner = {path, name, of->levels - 1, of->filter, of->out};
    const glnn_status status =
        inner.levels > 0
            ? glnn__folder_visit(path, add, &inner)
            : glnn__fail(GLNN_E_LIMIT,
                         "%s: folders lie in each other more than %d deep; perhaps a symbolic link "
                         "leads back to a folder around it",
                         path, GLNN__LISTING_LEVELS);
    free(name);
    return status;
}

static glnn_status add(void *user, const char *last)
{
    const job *of = user;
    char *path = glnn__path_join(of->folder, last);
    char *name = of->within ? glnn__path_join(of->within, last) : glnn__string_copy(last);
    glnn_status status = GLNN_OK;
    if (!path || !name) {
        free(name);
        status = fail_memory(of->folder);
    } else if (of->levels > 0 && glnn__may_be_folder(path)) {
        status = list_folder(of, path, name);
    } else {
        status = list_file(of, path, last, name);
    }
    free(path);
    return status;
}

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static glnn_status make(const char *folder, int levels, glnn__listing_filter filter,
                        glnn__listing *out)
{
    job of = {folder, NULL, levels, filter, out};
    const glnn_status status = glnn__folder_visit(folder, add, &of);
    if (!status && out->count > 0)
        qsort(out->names, out->count, sizeof *out->names, compare);
    return status;
}

glnn_status glnn__listing_make(const char *folder, glnn__listing_filter filter, glnn__listing *out)
{
    return make(folder, 0, filter, out);
}

glnn_status glnn__listing_make_deep(const char *folder, glnn__listing_filter filter,
                                    glnn__listing *out)
{
    return make(folder, GLNN__LISTING_LEVELS, filter, out);
}

void glnn__listing_free(glnn__listing *of)
{
    for (size_t i = 0; i < of->count; ++i)
        free(of->names[i]);
    free(of->names);
    *of = (glnn__listing){0};
}
