/* Tables: each row is printed, aligned, when it ends, and written to a CSV file of the same
 * name. */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct column {
    const char *name; /* with its unit: "median_us"                           */
    int width;        /* printed characters; 0: in the CSV file alone         */
    bool is_text;     /* left-aligned; numbers are printed with four digits   */
} column;

typedef struct table {
    const column *columns;
    int count, next; /* next: the column that the next cell goes to */
    FILE *csv;
} table;

/* Opens DIR/name.csv and prints the head. A failure ends the program. */
void table_open(table *t, const char *folder, const char *name, const column *columns, int count);
void table_close(table *t);

/* The next cell of the row; a number that is not finite is an empty cell, printed as "-". The row
 * ends with its last cell. */
void table_text(table *t, const char *text);
void table_number(table *t, double value);

#endif
