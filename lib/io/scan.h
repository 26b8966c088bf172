/* The values of JSON and of Python's literals, read from a text one after the other.
 *
 * A function that fails has a sentence with the place and what should stand there. */
#ifndef GLNN__IO_SCAN_H
#define GLNN__IO_SCAN_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct glnn__scan {
    const char *path;
    const char *language; /* for error sentences: "JSON"                     */
    const char *quotes;   /* each of them starts and ends a text             */
    bool takes_last_comma;
    char *start, *next, *end; /* of the text, in which texts get their zero bytes */
} glnn__scan;

/* The next character that is not a blank; 0 at the end. */
char glnn__scan_next(glnn__scan *in);

/* Skips a word where it comes next; needs one. */
bool glnn__scan_take(glnn__scan *in, const char *word);
glnn_status glnn__scan_need(glnn__scan *in, const char *word);

/* E_FORMAT, because something else comes next. */
glnn_status glnn__scan_fail(const glnn__scan *in, const char *wanted);

/* A text without its quotes, which stays in place. */
glnn_status glnn__scan_text(glnn__scan *in, const char *wanted, char **text);

/* Digits alone; false where something else comes next. SIZE_MAX: at least as many. */
bool glnn__scan_count(glnn__scan *in, size_t *count);

/* A list between two brackets; `item` reads each item. */
typedef glnn_status (*glnn__scan_item)(glnn__scan *in, void *context);
glnn_status glnn__scan_list(glnn__scan *in, const char brackets[2], glnn__scan_item item,
                            void *context);

/* Any value of JSON within `depth` others, of which there may be at most GLNN__SCAN_MAX_DEPTH. */
enum { GLNN__SCAN_MAX_DEPTH = 64 };
glnn_status glnn__scan_skip(glnn__scan *in, int depth);

#endif
