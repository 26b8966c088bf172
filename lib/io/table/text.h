/* Files of text. */
#ifndef GLNN__IO_TABLE_TEXT_H
#define GLNN__IO_TABLE_TEXT_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads a whole file, unpacked where it is compressed; E_FORMAT where it holds a zero byte. The
 * caller frees *text; it starts at *start, after a byte order mark. */
glnn_status glnn__text_read(const char *path, char **text, char **start);

/* The bytes of the character that starts `size` bytes; 0 where they do not start with UTF-8: the
 * shortest form of a character up to U+10FFFF, no surrogates. */
size_t glnn__text_character(const char *text, size_t size);

/* True where all bytes are UTF-8. */
bool glnn__text_is_utf8(const char *text, size_t size);

/* A line ends here: LF, CR LF (at the LF) or CR alone. */
bool glnn__text_breaks(const char *text);

#endif
