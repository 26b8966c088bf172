/* Files of text. */
#ifndef GLNN__IO_TABLE_TEXT_H
#define GLNN__IO_TABLE_TEXT_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads a whole file, and unpacks it if it is compressed. Fails with E_FORMAT if it has a zero
 * byte. The caller frees *text, which begins at *start, after a byte order mark. */
glnn_status glnn__text_read(const char *path, char **text, char **start);

/* The number of the line, from 1, in which `place` is. */
size_t glnn__text_line(const char *text, const char *place);

/* The length of the first character of `size` bytes, or 0 if it is not UTF-8: the shortest form of
 * a character up to U+10FFFF, without surrogates. */
size_t glnn__text_character(const char *text, size_t size);

/* Whether all bytes are UTF-8. */
bool glnn__text_is_utf8(const char *text, size_t size);

/* Whether a line ends here: with LF, CR LF (at the LF) or CR alone. */
bool glnn__text_breaks(const char *text);

#endif
