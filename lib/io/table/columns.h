/* The columns of a table: their roles, copies, and the raw values of fields. */
#ifndef GLNN__IO_TABLE_COLUMNS_H
#define GLNN__IO_TABLE_COLUMNS_H

#include <glnn/csv.h>

#include <stddef.h>

/* The columns with a role. */
typedef struct glnn__csv_columns_of {
    glnn_csv_column *of;
    int count;
} glnn__csv_columns_of;

glnn__csv_columns_of glnn__csv_columns_with(const glnn_csv_columns *columns, glnn_csv_role role);

/* Fails with E_ARG if columns contradict themselves; the sentence names the field. */
glnn_status glnn__csv_columns_check(const glnn_csv_columns *of);

/* Copies a column or columns, with all texts and arrays. Returns false if memory ran out; *out is
 * then a part of the copy, which is to be freed. */
bool glnn__csv_column_copy(const glnn_csv_column *from, glnn_csv_column *out);
bool glnn__csv_columns_copy(const glnn_csv_columns *from, glnn_csv_columns *out);
void glnn__csv_column_free(glnn_csv_column *of);

/* The features that a column makes, by its other members. */
int glnn__csv_column_features(const glnn_csv_column *of);

/* Whether features of a type can have an encoding. */
bool glnn__csv_encoding_fits(glnn_csv_type type, glnn_csv_encoding encoding);

/* "column 3 ('width')", or the number of the feature column if its position is not known, in the
 * memory of the caller. */
enum { GLNN__CSV_PLACE = 96 };
const char *glnn__csv_column_describe(const glnn_csv_columns *columns, int index,
                                      char text[GLNN__CSV_PLACE]);

/* The result of reading a text as a raw value. */
typedef enum glnn__csv_kind {
    GLNN__CSV_READ,
    GLNN__CSV_MISSES,
    GLNN__CSV_OTHER,     /* it is not of the type of the column */
    GLNN__CSV_NOT_FINITE /* a number that is too large, or infinity */
} glnn__csv_kind;

/* Reads the raw value of a number or date, in the C locale. Sets *value to NaN if it is missing. */
glnn__csv_kind glnn__csv_read_value(const glnn_csv_column *of, const char *text, float *value);

/* The orders of day, month and year in which a text is a date, as a set of bits. */
unsigned glnn__csv_date_orders(const char *text);

/* The number of characters of a category without the zeros after the point of an integer. */
size_t glnn__csv_category_length(const char *text);

#endif
