/* Texts of other codes in UTF-8. */
#ifndef GLNN__BASE_CONVERTER_H
#define GLNN__BASE_CONVERTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct glnn__converter glnn__converter;

/* A converter of this code, such as "GB18030"; *out is NULL if the system does not know the code.
 * Returns false if memory ran out. */
bool glnn__converter_create(const char *code, glnn__converter **out);
void glnn__converter_destroy(glnn__converter *converter);

/* Writes `length` bytes of the code as UTF-8, ended by a zero byte; `room` includes it. Returns
 * false if the bytes are not a text, or do not fit. */
bool glnn__converter_run(glnn__converter *converter, const char *bytes, size_t length, char *out,
                         size_t room);

#endif
