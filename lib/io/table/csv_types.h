/* The types of a table's columns, found from its rows. */
#ifndef GLNN__IO_TABLE_CSV_TYPES_H
#define GLNN__IO_TABLE_CSV_TYPES_H

#include "io/table/csv_columns.h"

/* Finds the types of all feature columns from the rows of a table, of which none was read yet.
 * `found` has a column for each column of the table. Those of features get their type, encoding,
 * categories and order of dates. The caller frees them after success and failure.
 * Errors: E_ARG an encoding does not fit; E_FORMAT the dates of a choice are unclear; E_LIMIT too
 * many categories; E_NOMEM. */
glnn_status glnn__csv_find_types(glnn__rows *rows, const glnn__csv_roles *roles,
                                 const glnn_csv_desc *desc, glnn_csv_column *found);

/* The encoding of a column of a type that has one, by its choice or else the description. */
glnn_csv_encoding glnn__csv_encoding_of(glnn_csv_type type, const glnn_csv_choice *choice,
                                        const glnn_csv_desc *desc);

#endif
