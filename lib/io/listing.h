/* The names in a folder. */
#ifndef GLNN__IO_LISTING_H
#define GLNN__IO_LISTING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* All zeros at the start. */
typedef struct glnn__listing {
    size_t count, capacity;
    char **names; /* sorted by their bytes */
} glnn__listing;

/* Whether an entry of a folder is listed. `path` is that of the entry, `name` its last part. */
typedef bool (*glnn__listing_filter)(const char *path, const char *name);

/* Both are true of what the system cannot examine. To open it then says why. */
bool glnn__may_be_folder(const char *path);
bool glnn__may_be_file(const char *path);

/* Also a symbolic link that leads nowhere, and whatever cannot be examined. */
bool glnn__is_folder_or_lost(const char *path, const char *name);

/* A name that ends in ".png" or ".wav", in upper or lower case, of something else than a folder. */
bool glnn__is_png(const char *path, const char *name);
bool glnn__is_wav(const char *path, const char *name);

/* Lists the entries of a folder that pass the filter, except those that begin with a dot. The
 * caller frees the list, also after a failure. Errors: E_IO, E_NOMEM. */
glnn_status glnn__listing_make(const char *folder, glnn__listing_filter filter, glnn__listing *out);

/* The same with the entries of all folders in it, which are not listed themselves. Names are paths
 * in the folder. Errors also: E_LIMIT folders lie in each other too deep. */
enum { GLNN__LISTING_LEVELS = 16 };
glnn_status glnn__listing_make_deep(const char *folder, glnn__listing_filter filter,
                                    glnn__listing *out);

void glnn__listing_free(glnn__listing *of);

#endif
