/* Samples of the caller's own, from CSV or NumPy files. */
#ifndef EXAMPLES_TABLE_H
#define EXAMPLES_TABLE_H

#include "classes.h"

typedef struct table {
    int rows, features;
    float *inputs; /* rows x features                                        */
    int *labels;   /* a class of `classes` per row; NULL without labels      */
    class_names classes;
} table;

/* How the files are to be read. */
typedef struct table_format {
    const char
        *label; /* of a CSV file: the label's column, "first", "last", "none" or its header */
    const char
        *separator; /* of a CSV file: one character                                         */
} table_format;

/* Reads a .npy file of inputs with its labels in another one (NULL: none), or any other file as CSV.
 * False where a file is damaged, has a number that is not finite (row and column are named), or the
 * two do not fit together. */
bool table_read(const char *path, const char *labels, const table_format *format, table *out);

/* True where the path ends in .npy. */
bool path_is_npy(const char *path);

void table_free(table *of);

#endif
