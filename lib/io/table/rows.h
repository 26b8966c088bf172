/* Divides a text into rows of fields. */
#ifndef GLNN__IO_TABLE_ROWS_H
#define GLNN__IO_TABLE_ROWS_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads one row after the other. Fields point into the text of the file, without quotes. */
typedef struct glnn__rows {
    const char *path;
    char separator; /* 0: fields are words separated by blanks, and lines that begin with '#' are
                       comments                                      */
    char *text;     /* the whole file, which ends in a zero byte      */
    char *next;     /* the start of the next row                      */
    size_t line;    /* of `next`, from 1                              */

    size_t row_line; /* the line in which the present row starts       */
    char **fields;   /* of the present row; the texts stay until close */
    size_t count;
    size_t capacity;
} glnn__rows;

/* Opens a file; `path` must outlive the rows. On failure there is nothing to close. */
glnn_status glnn__rows_open(const char *path, char separator, glnn__rows *rows);
void glnn__rows_close(glnn__rows *rows);

/* Reads the next row that is not empty; *found is false at the end of the file. */
glnn_status glnn__rows_next(glnn__rows *rows, bool *found);

/* Fails with E_FORMAT. The format follows the path and the line of the present row. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__rows_fail(const glnn__rows *rows,
                                                                  const char *format, ...);

#endif
