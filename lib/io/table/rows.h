/* Divides a text into rows of fields. */
#ifndef GLNN__IO_TABLE_ROWS_H
#define GLNN__IO_TABLE_ROWS_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

/* Reads one row after the other. Fields point into the text, without quotes. */
typedef struct glnn__rows {
    const char *path;
    char separator; /* 0: fields are words separated by blanks, and lines that begin with '#' are
                       comments                                      */
    char decimal;   /* ',': a comma is the decimal mark of numbers, and becomes a point */
    char *text;     /* the file or a part of it; a zero byte ends it  */
    char *next;     /* the start of the next row                      */
    size_t line;    /* of `next`, from 1                              */

    bool has_parts; /* `file` is open, and the text is a part of it       */
    bool goes_on;   /* the file goes on after this part                   */
    int file;
    size_t file_size;
    size_t place; /* of the text in the file                            */
    size_t size;  /* of the text                                        */

    size_t row_line; /* the line in which the present row starts       */
    char **fields;   /* of the present row; the texts stay until close,
                        or with parts until the next row               */
    size_t count;
    size_t capacity;
} glnn__rows;

/* Opens a file; `path` must outlive the rows. On failure there is nothing to close. */
glnn_status glnn__rows_open(const char *path, char separator, glnn__rows *rows);
void glnn__rows_close(glnn__rows *rows);

/* The same for a file that is read part by part, and cannot be compressed. */
glnn_status glnn__rows_open_parts(const char *path, char separator, glnn__rows *rows);

/* Opens the file of rows that were just opened once more, or copies its text. Both are closed. */
glnn_status glnn__rows_open_again(const glnn__rows *rows, glnn__rows *out);

/* Where the next row starts in the file. Empty lines may come before it. */
size_t glnn__rows_place(const glnn__rows *rows);

/* Reads the row that has these bytes of the file and begins in this line. */
glnn_status glnn__rows_read_at(glnn__rows *rows, size_t place, size_t size, size_t line);

/* Reads the next row that is not empty; *found is false at the end of the file. */
glnn_status glnn__rows_next(glnn__rows *rows, bool *found);

/* Fails with E_FORMAT. The format follows the path and the line of the present row. */
__attribute__((format(printf, 2, 3))) glnn_status glnn__rows_fail(const glnn__rows *rows,
                                                                  const char *format, ...);

#endif
