/* What was measured on a driver, kept as lines of text next to the programs: one file a driver and
 * version of the library, "key = value" a line. */
#ifndef GLNN__PASS_TUNING_STORE_H
#define GLNN__PASS_TUNING_STORE_H

#include "gl/gl.h"

#define GLNN__TUNING_TEXT  512   /* the longest key or value, and its zero             */
#define GLNN__TUNING_LINES 65536 /* of a file; one with more is damaged, and not used   */

#define GLNN__TUNING_BUCKETS 4096

typedef struct glnn__tuning_line {
    char *key, *value;
    struct glnn__tuning_line *next;           /* in the file   */
    struct glnn__tuning_line *next_in_bucket; /* of its key's hash */
} glnn__tuning_line;

/* Whether the file can be written. */
typedef enum glnn__keeping {
    GLNN__KEEPING_UNTRIED,
    GLNN__KEEPING_WORKS,
    GLNN__KEEPING_FAILS
} glnn__keeping;

/* The lines in the order of the file, and by their keys. */
typedef struct glnn__tuning {
    const char *folder; /* NULL: nothing is kept on disk */
    glnn__keeping keeping;
    bool is_loaded; /* from the disk, or in vain */
    int count;
    glnn__tuning_line *first, *last;
    glnn__tuning_line *buckets[GLNN__TUNING_BUCKETS];
} glnn__tuning;

/* The value of a key; NULL where none is known. It lives until the next call. */
const char *glnn__tuning_get(glnn_context *ctx, glnn__tuning *tuning, const char *key);

/* Whether values can be kept on disk. The first call tries it. */
bool glnn__tuning_can_keep(glnn_context *ctx, glnn__tuning *tuning);

/* Keeps a value, on disk too where there is a folder for it, in place of the `damaged` one that the
 * caller could not read (NULL: there was none). Returns the value that is now known: that of another
 * process which was first to keep one, so that both go on alike. */
const char *glnn__tuning_put(glnn_context *ctx, glnn__tuning *tuning, const char *key,
                             const char *damaged, const char *value);

/* Forgets all lines, so that the next call reads the file. */
void glnn__tuning_forget(glnn__tuning *tuning);

#endif
