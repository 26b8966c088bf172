/* What a description of a table may say. */
#ifndef GLNN__IO_TABLE_CSV_DESC_H
#define GLNN__IO_TABLE_CSV_DESC_H

#include <glnn/csv.h>

#include <stdbool.h>
#include <stddef.h>

/* E_ARG where the description makes no sense for any table. */
glnn_status glnn__csv_check_desc(const glnn_csv_desc *desc);

/* "first", "last" or a number from 1, which needs no header; the second one also finds the column. */
bool glnn__csv_is_position(const char *text);
bool glnn__csv_find_position(const char *text, size_t columns, size_t *column);

#endif
