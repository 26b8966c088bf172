/* Measurements, stored as lines "key = value" in a file of the cache folder. Each driver and
 * version of the library has its own file. */
#ifndef GLNN__PASS_TUNING_STORE_H
#define GLNN__PASS_TUNING_STORE_H

#include "gl/gl.h"

#define GLNN__TUNING_TEXT  512 /* the longest key or value, and its zero             */
#define GLNN__TUNING_LINES 256 /* most lines of a file; a file with more is not used */

typedef struct glnn__tuning_line {
    char *key, *value; /* value NULL: forgotten */
    struct glnn__tuning_line *next;
} glnn__tuning_line;

/* Whether the file can be written. */
typedef enum glnn__storing {
    GLNN__STORING_UNTRIED,
    GLNN__STORING_WORKS,
    GLNN__STORING_FAILS
} glnn__storing;

/* The lines in the order of the file. */
typedef struct glnn__tuning {
    const char *folder; /* NULL: nothing is stored on disk */
    glnn__storing storing;
    bool is_loaded; /* the file was read, or is missing */
    int count;
    glnn__tuning_line *first, *last;
} glnn__tuning;

/* The value of a key, valid until the next call; NULL: unknown. */
const char *glnn__tuning_get(glnn_context *ctx, glnn__tuning *tuning, const char *key);

/* Whether values can be stored on disk. The first call tries it. */
bool glnn__tuning_can_store(glnn_context *ctx, glnn__tuning *tuning);

/* Stores a value, also on disk if there is a folder. It replaces the `damaged` value that the
 * caller could not read (NULL: there was none). Returns the value that is now known: if another
 * process has stored one first, that value, so that both processes agree. */
const char *glnn__tuning_put(glnn_context *ctx, glnn__tuning *tuning, const char *key,
                             const char *damaged, const char *value);

/* Reads the speeds of a key, at most GLNN__TUNING_SPEEDS. Returns false and changes nothing unless
 * the value consists of exactly `count` positive numbers. */
#define GLNN__TUNING_SPEEDS 32
bool glnn__tuning_read(glnn_context *ctx, glnn__tuning *tuning, const char *key, double *speeds,
                       size_t count);

/* Stores speeds with three decimals, and at least 0.001, replacing those that the context has read.
 * Sets `speeds` to the numbers that are stored, which are those of another process if it was
 * first. */
void glnn__tuning_write(glnn_context *ctx, glnn__tuning *tuning, const char *key, double *speeds,
                        size_t count);

/* Forgets all lines, so that the next call reads the file. */
void glnn__tuning_forget(glnn__tuning *tuning);

#endif
