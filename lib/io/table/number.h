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

/* The columns in which different words mean a missing value (glnn/csv.h). */
typedef enum glnn__csv_field {
    GLNN__CSV_FIELD_LABEL,
    GLNN__CSV_FIELD_CATEGORY,
    GLNN__CSV_FIELD_NUMBER
} glnn__csv_field;

/* Whether a text means a missing value in such a column. Dates have the words of numbers. */
bool glnn__number_is_missing(const char *text, glnn__csv_field column);

#endif
