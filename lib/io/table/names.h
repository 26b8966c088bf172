/* Lists of names as one text.
 *
 * Format   names with a line feed between. A backslash within a name is \\, a line feed \n, and a
 *          byte that is no part of UTF-8 text is \x and two hexadecimal digits. */
#ifndef GLNN__IO_TABLE_NAMES_H
#define GLNN__IO_TABLE_NAMES_H

#include <glnn/base.h>

#include <stdbool.h>

/* The text of a list, for free(); NULL without memory. */
char *glnn__names_join(char *const *names, int count);

/* Reads a text of `count` names into an array of texts, each of them and the array for free().
 * E_FORMAT another count, or a backslash before something else; E_NOMEM. */
glnn_status glnn__names_split(const char *text, int count, char ***out);

/* Frees an array of names and each of them; NULL does nothing. */
void glnn__names_free(char **names, int count);

#endif
