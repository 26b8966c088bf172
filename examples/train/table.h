/* Tables of samples, from CSV or NumPy files. */
#ifndef TRAIN_TABLE_H
#define TRAIN_TABLE_H

#include <glnn/csv.h>
#include <glnn/distortion.h>

#include "classes.h"

typedef struct table {
    int rows;
    float *inputs;            /* a row for each sample: raw values of a CSV file, else features;
                                 NULL: they stay in `file`                             */
    struct stored *file;      /* NULL: the inputs are in memory                      */
    float *targets;           /* rows x columns.targets; NULL without targets        */
    int *labels;              /* a class of `classes` per row; NULL without labels   */
    float *weights;           /* one per row; NULL without weights                   */
    class_names classes;      /* in the order of their numbers                       */
    glnn_shape shape;         /* of the samples of a .npy file; zeros: not known          */
    glnn_csv_columns columns; /* without classes; .npy files have only the number of features, and
                                 CSV files none unless they are like others           */
    int64_t dropped_rows;     /* left out because of missing values                       */
} table;

/* The format of a CSV file. Columns are named by the header, or as "first", "last" or a number from
 * 1. Lists are separated by commas. */
typedef struct table_format {
    const char *label;     /* column of the labels, or "none"; NULL: the last one, or with
                              targets none                                                       */
    const char *targets;   /* columns of numbers to predict; NULL: none                          */
    const char *weights;   /* column of the training table with the weights of its rows, which other
                              tables need not have; NULL: none                                   */
    const char *drop;      /* columns to leave out; NULL: none                                   */
    const char *types;     /* NAME=TYPE of columns; NULL: they are found                         */
    const char *separator; /* one character, or "tab"                                            */
    const char *decimal;   /* "." or ","; NULL: "."                                              */
    glnn_csv_header header;
    glnn_csv_missing missing; /* with FILL and others, they stay NaN, and the caller fills them */
    int encoding;             /* of categories: 0 for one-hot, 1 for ordinal                     */
    float rare;               /* the share of rows below which categories are pooled             */
    glnn_shape shape;         /* of each sample, as the user gave it; zeros: not given           */
    bool stays;               /* the inputs of a CSV file stay there                             */
    bool is_for_model;        /* a saved model brings the columns, so no types can be chosen     */
} table_format;

/* Reads a .npy file of inputs with labels from another one (NULL: none), or any other file as CSV.
 * `like` are the columns of the training table; NULL: this is the training table. A CSV file with a
 * header is matched to them by name; any other file has to have as many features. False with a
 * failure: the file is damaged, does not fit, or has a number that is not finite. */
bool table_read(const char *path, const char *labels, const table_format *format,
                const glnn_csv_columns *like, table *out);

/* True if the path ends in .npy. */
bool path_is_npy(const char *path);

void table_free(table *of);

#endif
