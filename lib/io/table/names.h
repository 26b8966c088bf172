/* Lists of names as one text.
 *
 * A line feed separates two names. In a name, \\ is a backslash, \n a line feed, and \x with two
 * hexadecimal digits a byte that is not UTF-8. */
#ifndef GLNN__IO_TABLE_NAMES_H
#define GLNN__IO_TABLE_NAMES_H

#include <glnn/base.h>

#include <stdbool.h>

/* The text of a list, which the caller frees; NULL if memory ran out. */
char *glnn__names_join(char *const *names, int count);

/* Reads a text of `count` names into an array, for glnn__names_free. Errors: E_FORMAT the text has
 * another number of names, or a backslash before another character; E_NOMEM. */
glnn_status glnn__names_split(const char *text, int count, char ***out);

/* Copies an array of names, for glnn__names_free, unless it is NULL or empty. Returns false if
 * memory ran out; *out is then a part of the copy. */
bool glnn__names_copy(char *const *names, int count, char ***out);

/* Frees an array of names and each of them; NULL does nothing. */
void glnn__names_free(char **names, int count);

#endif
