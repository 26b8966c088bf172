/* Samples of the caller's own, from CSV or NumPy files. */
#ifndef TRAIN_TABLE_H
#define TRAIN_TABLE_H

#include <glnn/csv.h>

#include "classes.h"

typedef struct table {
    int rows;
    float *inputs;            /* rows x columns.features                             */
    float *targets;           /* rows x columns.targets; NULL without targets        */
    int *labels;              /* a class of `classes` per row; NULL without labels   */
    class_names classes;      /* in the order of their numbers                       */
    glnn_csv_columns columns; /* of a .npy file only the number of features          */
    int64_t dropped_rows;     /* left out because of missing values                  */
    int64_t filled_values;    /* missing ones that became the means of their columns */
} table;

/* How a CSV file is to be read. A column is named by its header, or as "first", "last" or a number
 * from 1; lists have commas between their names. */
typedef struct table_format {
    const char *label;     /* column of the labels, or "none"; NULL: the last one, but none where
                              there are targets                                                  */
    const char *targets;   /* list of the columns of numbers to predict; NULL: none              */
    const char *drop;      /* list of the columns to leave out; NULL: none                       */
    const char *separator; /* one character, or "tab"                                            */
    glnn_csv_header header;
    glnn_csv_missing missing;
} table_format;

/* Reads a .npy file of inputs with its labels in another one (NULL: none), or any other file as
 * CSV. `like` are the columns of the table that was trained on (NULL: this one is): a CSV file with
 * a header is matched to them by name, any other file has to have as many features. False where a
 * file is damaged, has a number that is not finite (row and column are named), or does not fit. */
bool table_read(const char *path, const char *labels, const table_format *format,
                const glnn_csv_columns *like, table *out);

/* True where the path ends in .npy. */
bool path_is_npy(const char *path);

void table_free(table *of);

#endif
