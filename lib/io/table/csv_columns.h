/* The roles of a table's columns. */
#ifndef GLNN__IO_TABLE_CSV_COLUMNS_H
#define GLNN__IO_TABLE_CSV_COLUMNS_H

#include <glnn/csv.h>

#include <stdbool.h>
#include <stddef.h>

#include "io/table/csv_rows.h"

typedef enum glnn__csv_role {
    GLNN__CSV_FEATURE,
    GLNN__CSV_TARGET,
    GLNN__CSV_LABEL,
    GLNN__CSV_LEFT_OUT
} glnn__csv_role;

typedef struct glnn__csv_column {
    glnn__csv_role role;
    size_t place; /* among the features or targets of a row */
} glnn__csv_column;

typedef struct glnn__csv_roles {
    size_t count;
    glnn__csv_column *of; /* per column, on the heap */
    bool header;          /* the first row is one    */
    bool has_label;
} glnn__csv_roles;

/* Gives each column its role by the first row of a table, fills *columns except for its means, and
 * sets *problem where it fails by one. The caller frees roles->of and *columns in any case. */
glnn_status glnn__csv_find_columns(const glnn__csv_rows *first, const glnn_csv_desc *desc,
                                   glnn__csv_roles *roles, glnn_csv_columns *columns,
                                   glnn_csv_problem *problem);

/* A field without a value. */
bool glnn__csv_is_missing(const char *text);

#endif
