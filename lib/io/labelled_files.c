#include "io/labelled_files.h"

#include "base/file.h"
#include "base/status.h"
#include "base/string.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A folder that is being listed. */
typedef struct job {
    const char *path;
    const glnn__file_kind *kind;
    glnn__listing classes; /* the names of the classes' folders */
    glnn__listing *files;  /* the names of the files in each    */
    glnn__labelled_files *out;
} job;

static glnn_status fail_memory(const job *in)
{
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %lld %s", in->path,
                      (long long)in->out->count, in->kind->things);
}

static glnn_status check_classes(const job *in, size_t classes)
{
    return classes <= INT_MAX ? GLNN_OK
                              : glnn__fail(GLNN_E_LIMIT, "%s: %zu classes; at most %d can be read",
                                           in->path, classes, INT_MAX);
}

static glnn_status make_room(job *in)
{
    in->out->paths = calloc((size_t)in->out->count, sizeof *in->out->paths);
    in->out->labels = malloc((size_t)in->out->count * sizeof *in->out->labels);
    return in->out->paths && in->out->labels ? GLNN_OK : fail_memory(in);
}

/* ---- A folder for each class */

static glnn_status list_class(job *in, size_t class)
{
    char *folder = glnn__path_join(in->path, in->classes.names[class]);
    if (!folder)
        return fail_memory(in);
    glnn_status status = glnn__listing_make_deep(folder, in->kind->filter, &in->files[class]);
    if (!status && in->files[class].count == 0)
        status = glnn__fail(GLNN_E_FORMAT,
                            "%s: the folder of a class must have %s whose names end in %s", folder,
                            in->kind->things, in->kind->ending);
    in->out->count += (int64_t)in->files[class].count;
    free(folder);
    return status;
}

/* Lists the path and the class of each file. */
static glnn_status take_files(job *in)
{
    size_t file = 0;
    bool done = true;
    GLNN__TRY(make_room(in));
    for (size_t c = 0; done && c < in->classes.count; ++c) {
        char *folder = glnn__path_join(in->path, in->classes.names[c]);
        done = folder != NULL;
        for (size_t i = 0; done && i < in->files[c].count; ++i, ++file) {
            in->out->labels[file] = (int)c;
            in->out->paths[file] = glnn__path_join(folder, in->files[c].names[i]);
            done = in->out->paths[file] != NULL;
        }
        free(folder);
    }
    return done ? GLNN_OK : fail_memory(in);
}

static glnn_status list_folders(job *in)
{
    GLNN__TRY(check_classes(in, in->classes.count));
    in->files = calloc(in->classes.count, sizeof *in->files);
    if (!in->files)
        return fail_memory(in);
    for (size_t c = 0; c < in->classes.count; ++c)
        GLNN__TRY(list_class(in, c));
    GLNN__TRY(take_files(in));
    in->out->classes = (int)in->classes.count;
    in->out->class_names = in->classes.names;
    in->classes.names = NULL;
    return GLNN_OK;
}

/* ---- Files that are named by their classes */

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The class of a name, which the caller frees. */
static glnn_status find_class(const job *in, const char *name, char **out)
{
    const size_t length = strcspn(name, "_");
    if (length == 0 || !name[length])
        return glnn__fail(GLNN_E_FORMAT,
                          "%s/%s: the name must begin with a class and an underscore, as in "
                          "class_1%s",
                          in->path, name, in->kind->ending);
    *out = glnn__string_copy_start(name, length);
    return *out ? GLNN_OK : fail_memory(in);
}

/* Names that begin alike are neighbours in a list that is sorted by their bytes. */
static glnn_status find_classes(job *in, const glnn__listing *names)
{
    glnn__labelled_files *out = in->out;
    size_t classes = 0;
    out->class_names = calloc(names->count, sizeof *out->class_names);
    if (!out->class_names)
        return fail_memory(in);
    for (size_t i = 0; i < names->count; ++i) {
        char *class;
        GLNN__TRY(find_class(in, names->names[i], &class));
        const bool is_new = classes == 0 || strcmp(class, out->class_names[classes - 1]) != 0;
        if (!is_new)
            free(class);
        else
            out->class_names[classes++] = class;
        out->classes = (int)classes;
        GLNN__TRY(check_classes(in, classes));
    }
    qsort(out->class_names, classes, sizeof *out->class_names, compare);
    return GLNN_OK;
}

static glnn_status take_named(job *in, const glnn__listing *names)
{
    glnn__labelled_files *out = in->out;
    for (size_t i = 0; i < names->count; ++i) {
        char *class;
        GLNN__TRY(find_class(in, names->names[i], &class));
        char **found = bsearch(&class, out->class_names, (size_t)out->classes,
                               sizeof *out->class_names, compare);
        free(class);
        out->labels[i] = (int)(found - out->class_names);
        out->paths[i] = glnn__path_join(in->path, names->names[i]);
        if (!out->paths[i])
            return fail_memory(in);
    }
    return GLNN_OK;
}

static glnn_status list_names(job *in)
{
    glnn__listing names = {0};
    glnn_status status = glnn__listing_make(in->path, in->kind->filter, &names);
    if (!status && names.count == 0)
        status =
            glnn__fail(GLNN_E_FORMAT,
                       "%s: must have a folder of %s files for each class, or such files whose "
                       "names begin with a class and an underscore",
                       in->path, in->kind->format);
    in->out->count = (int64_t)names.count;
    if (!status)
        status = find_classes(in, &names);
    if (!status)
        status = make_room(in);
    if (!status)
        status = take_named(in, &names);
    glnn__listing_free(&names);
    return status;
}

static glnn_status list(job *in)
{
    GLNN__TRY(glnn__listing_make(in->path, glnn__is_folder_or_lost, &in->classes));
    if (in->classes.count > 0)
        return list_folders(in);
    if (in->kind->has_names)
        return list_names(in);
    return glnn__fail(GLNN_E_FORMAT, "%s: must have a folder of %s files for each class", in->path,
                      in->kind->format);
}

glnn_status glnn__labelled_files_list(const char *path, const glnn__file_kind *kind,
                                      glnn__labelled_files *out)
{
    job in = {.path = path, .kind = kind, .out = out};
    const glnn_status status = list(&in);
    for (size_t c = 0; in.files && c < in.classes.count; ++c)
        glnn__listing_free(&in.files[c]);
    free(in.files);
    if (in.classes.names)
        glnn__listing_free(&in.classes);
    return status;
}

void glnn__labelled_files_free(glnn__labelled_files *of)
{
    free(of->labels);
    for (int i = 0; of->class_names && i < of->classes; ++i)
        free(of->class_names[i]);
    free(of->class_names);
    for (int64_t i = 0; of->paths && i < of->count; ++i)
        free(of->paths[i]);
    free(of->paths);
    *of = (glnn__labelled_files){0};
}
