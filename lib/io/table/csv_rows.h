/* Text cut into rows of fields. */
#ifndef GLNN__IO_TABLE_CSV_ROWS_H
#define GLNN__IO_TABLE_CSV_ROWS_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads one row after the other; fields are unquoted in place in the text of the file. */
typedef struct glnn__csv_rows {
    const char *path;
    char separator;
    char *text;  /* the whole file, which ends in a zero byte      */
    char *next;  /* where the next row starts                      */
    size_t line; /* of `next`, from 1                              */

    size_t row_line; /* where the row that was read starts             */
    char **fields;   /* its fields; they stay valid until close        */
    size_t count;
    size_t capacity;
} glnn__csv_rows;

/* Opens a file; `path` must outlive the rows. On failure there is nothing to close. */
glnn_status glnn__csv_open(const char *path, char separator, glnn__csv_rows *rows);
void glnn__csv_close(glnn__csv_rows *rows);

/* Reads the next row that is not empty; *found is false at the end of the file. */
glnn_status glnn__csv_next(glnn__csv_rows *rows, bool *found);

#endif
