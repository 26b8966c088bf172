/* Reads the values of JSON and of Python literals from a text, one after the other.
 *
 * The sentence of an error has the place and the value that was expected there. */
#ifndef GLNN__IO_SCAN_H
#define GLNN__IO_SCAN_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct glnn__scan {
    const char *path;
    const char *language; /* for error sentences: "JSON"                     */
    const char *quotes;   /* characters that begin and end a text            */
    bool takes_last_comma;
    char *start, *next, *end; /* of the text, in which texts get their zero bytes */
} glnn__scan;

/* Skips blanks and returns the next character; 0 at the end. */
char glnn__scan_next(glnn__scan *in);

/* Skips a word if it comes next. glnn__scan_need fails if it does not. */
bool glnn__scan_take(glnn__scan *in, const char *word);
glnn_status glnn__scan_need(glnn__scan *in, const char *word);

/* Fails with E_FORMAT, because something other than `wanted` comes next. */
glnn_status glnn__scan_fail(const glnn__scan *in, const char *wanted);

/* Reads a text in quotes; *text is a part of the scanned text, without the quotes. */
glnn_status glnn__scan_text(glnn__scan *in, const char *wanted, char **text);

/* Reads a number of digits only; larger numbers become SIZE_MAX. Returns false if something else
 * comes next. */
bool glnn__scan_count(glnn__scan *in, size_t *count);

/* Reads a list between two brackets; `item` reads each item. */
typedef glnn_status (*glnn__scan_item)(glnn__scan *in, void *context);
glnn_status glnn__scan_list(glnn__scan *in, const char brackets[2], glnn__scan_item item,
                            void *context);

/* Skips any value of JSON. It is nested in `depth` others, at most GLNN__SCAN_MAX_DEPTH. */
enum { GLNN__SCAN_MAX_DEPTH = 64 };
glnn_status glnn__scan_skip(glnn__scan *in, int depth);

#endif
