/* Copies of strings, and comparisons that treat capitals and small letters alike. */
#ifndef GLNN__BASE_STRING_H
#define GLNN__BASE_STRING_H

#include <stdbool.h>
#include <stddef.h>

/* A copy, or one of the first `length` characters, which the caller frees. NULL: no memory. */
char *glnn__string_copy(const char *text);
char *glnn__string_copy_start(const char *text, size_t length);

/* Whether a string is the other one, begins with it, or ends with it. Capitals and small letters of
 * ASCII count as the same, whatever the locale. */
bool glnn__string_is(const char *text, const char *other);
bool glnn__string_begins(const char *text, const char *start);
bool glnn__string_ends(const char *text, const char *end);

#endif
