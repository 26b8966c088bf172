/* Numbers as text. */
#ifndef GLNN__IO_TABLE_NUMBER_H
#define GLNN__IO_TABLE_NUMBER_H

#include <stdbool.h>

typedef enum glnn__number {
    GLNN__NUMBER_NONE,       /* the text is not a number                                   */
    GLNN__NUMBER_NOT_FINITE, /* infinity, NaN, or too large for the type                   */
    GLNN__NUMBER_FINITE
} glnn__number;

/* Reads a whole text as a decimal number, in the C locale. Sets *value only if the number is
 * finite. */
glnn__number glnn__number_parse(const char *text, float *value);
glnn__number glnn__number_parse_double(const char *text, double *value);

/* Whether a text is a number for glnn__number_parse, finite or not. This is faster. */
bool glnn__number_is(const char *text);

/* Whether a text means a missing value: it is empty, "?", "NA", or "nan" in upper or lower case. */
bool glnn__number_is_missing(const char *text);

#endif
