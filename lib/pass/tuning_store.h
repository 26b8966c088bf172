/* Measurements of a driver, stored as lines "key = value" next to the programs. There is one file
 * for each driver and version of the library. */
#ifndef GLNN__PASS_TUNING_STORE_H
#define GLNN__PASS_TUNING_STORE_H

#include "gl/gl.h"

#define GLNN__TUNING_TEXT  512   /* the longest key or value, and its zero             */
#define GLNN__TUNING_LINES 65536 /* of a file; one with more is damaged, and not used   */

#define GLNN__TUNING_BUCKETS 4096

typedef struct glnn__tuning_line {
    char *key, *value;                        /* value NULL: forgotten */
    struct glnn__tuning_line *next;           /* in the file   */
    struct glnn__tuning_line *next_in_bucket; /* of its key's hash */
} glnn__tuning_line;

/* Whether the file can be written. */
typedef enum glnn__storing {
    GLNN__STORING_UNTRIED,
    GLNN__STORING_WORKS,
    GLNN__STORING_FAILS
} glnn__storing;

/* The lines in the order of the file, and by their keys. */
typedef struct glnn__tuning {
    const char *folder; /* NULL: nothing is stored on disk */
    glnn__storing storing;
    bool is_loaded; /* the file was read, or is missing */
    int count;
    glnn__tuning_line *first, *last;
    glnn__tuning_line *buckets[GLNN__TUNING_BUCKETS];
} glnn__tuning;

/* The value of a key; NULL if none is known. It lives until the next call. */
const char *glnn__tuning_get(glnn_context *ctx, glnn__tuning *tuning, const char *key);

/* Whether values can be stored on disk. The first call tries it. */
bool glnn__tuning_can_store(glnn_context *ctx, glnn__tuning *tuning);

/* Stores a value, on disk too if there is a folder, in place of the `damaged` one that the caller
 * could not read (NULL: there was none). Returns the value that is now known. If another process
 * stored one first, that is its value, so that both processes agree. */
const char *glnn__tuning_put(glnn_context *ctx, glnn__tuning *tuning, const char *key,
                             const char *damaged, const char *value);

/* The speeds of a key, of which there are at most GLNN__TUNING_SPEEDS; false, and nothing is
 * changed, unless its value consists of just so many, all above zero. */
#define GLNN__TUNING_SPEEDS 32
bool glnn__tuning_read(glnn_context *ctx, glnn__tuning *tuning, const char *key, double *speeds,
                       size_t count);

/* Stores speeds in place of those that the context has read. If another process was first, its
 * speeds replace these. */
void glnn__tuning_write(glnn_context *ctx, glnn__tuning *tuning, const char *key, double *speeds,
                        size_t count);

/* Forgets all lines, so that the next call reads the file. */
void glnn__tuning_forget(glnn__tuning *tuning);

#endif
