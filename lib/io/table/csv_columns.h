/* The roles of a table's columns. */
#ifndef GLNN__IO_TABLE_CSV_COLUMNS_H
#define GLNN__IO_TABLE_CSV_COLUMNS_H

#include "io/table/columns.h"
#include "io/table/csv_requests.h"
#include "io/table/rows.h"

typedef struct glnn__csv_column {
    glnn_csv_role role;
    size_t place;                  /* among the columns of its role          */
    const char *name;              /* in the text of the rows; NULL: none   */
    const glnn_csv_choice *choice; /* of the description; NULL: none */
} glnn__csv_column;

typedef struct glnn__csv_roles {
    size_t count;
    glnn__csv_column *of;            /* per column, on the heap */
    int counts[GLNN_CSV_ROLE_COUNT]; /* columns of each role    */
    bool header;                     /* the first row is one    */
} glnn__csv_roles;

/* Gives each column its role, from the first row of a table. Sets *problem if another description
 * could read the table. The caller frees roles->of after success and failure. */
glnn_status glnn__csv_find_roles(const glnn__rows *first, const glnn_csv_desc *desc,
                                 glnn__csv_roles *roles, glnn_csv_problem *problem);

/* "column 3 ('width')", in the memory of the caller. */
const char *glnn__csv_describe(const glnn__csv_roles *roles, size_t column,
                               char text[GLNN__CSV_PLACE]);

/* Fails and sets *problem if a row has one field that contains other separators. */
glnn_status glnn__csv_check_separator(const glnn__rows *row, glnn_csv_problem *problem);

#endif
