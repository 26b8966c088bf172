/* Folders of files with classes: one folder for each class, or files that are named by it. */
#ifndef GLNN__IO_LABELLED_FILES_H
#define GLNN__IO_LABELLED_FILES_H

#include "io/listing.h"

#include <stdint.h>

/* The files that are read, for listing and for sentences. */
typedef struct glnn__file_kind {
    glnn__listing_filter filter;
    const char *things;          /* "pictures" */
    const char *format, *ending; /* "PNG", ".png" */
    bool
        has_names; /* in a folder without folders, a file's class is its name up to an underscore */
} glnn__file_kind;

typedef struct glnn__labelled_files {
    int64_t count;
    char **paths;
    int *labels; /* of each file */
    int classes;
    char **class_names;
} glnn__labelled_files;

/* Lists the files. Classes, and files of a class, are sorted by the bytes of their names. The
 * caller frees them, also after a failure. Errors: E_IO, E_NOMEM; E_FORMAT there are no classes, a
 * class without files, or a name without its class; E_LIMIT too many classes. */
glnn_status glnn__labelled_files_list(const char *path, const glnn__file_kind *kind,
                                      glnn__labelled_files *out);

void glnn__labelled_files_free(glnn__labelled_files *of);

#endif
