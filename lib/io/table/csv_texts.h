/* Features that are texts. */
#ifndef GLNN__IO_TABLE_CSV_TEXTS_H
#define GLNN__IO_TABLE_CSV_TEXTS_H

#include "io/table/csv_columns.h"

/* Fails because of the text in a feature of the present row, and sets *problem. Reads the rows that
 * follow as well, so that the sentence names all columns of texts at once. */
glnn_status glnn__csv_fail_texts(glnn__rows *rows, const glnn__csv_roles *roles, size_t column,
                                 glnn_csv_problem *problem);

#endif
