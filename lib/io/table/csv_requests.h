/* The columns that the description of a table names. */
#ifndef GLNN__IO_TABLE_CSV_REQUESTS_H
#define GLNN__IO_TABLE_CSV_REQUESTS_H

#include <glnn/csv.h>

#include <stdbool.h>
#include <stddef.h>

/* The columns that a description names in one role, and those that desc->like has in it. */
typedef struct glnn__csv_request {
    const char *what; /* for error sentences */
    glnn_csv_role role;
    const char *const *texts;
    int count;
    const glnn_csv_column *learnt;
    int learnt_count;
} glnn__csv_request;

/* The label's request comes first. */
enum { GLNN__CSV_REQUESTS = 3 };
void glnn__csv_list_requests(const glnn_csv_desc *desc, glnn__csv_request out[GLNN__CSV_REQUESTS]);

/* "first", "last" or a number from 1, which needs no header. */
bool glnn__csv_find_position(const char *text, size_t columns, size_t *column);
bool glnn__csv_is_position(const char *text);

/* Fails with E_ARG if a description is wrong for every table. */
glnn_status glnn__csv_check_desc(const glnn_csv_desc *desc);

#endif
