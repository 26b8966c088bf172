/* Columns fitted to rows, and raw values encoded as features. */
#ifndef GLNN__IO_TABLE_FIT_H
#define GLNN__IO_TABLE_FIT_H

#include <glnn/csv.h>

/* The share of rows below which a category is not kept. */
#define GLNN__CSV_RARE 0.005f

/* The values of a column. */
typedef struct glnn__csv_statistics {
    double sum;
    int64_t count, missing;
    int64_t *categories; /* rows of each; NULL: the column has none */
    bool has_time;
} glnn__csv_statistics;

/* The rows to which columns are fitted, summed up. */
typedef struct glnn__csv_fit {
    int columns;
    int64_t rows;
    glnn__csv_statistics *of;
} glnn__csv_fit;

/* Begins without rows. To be freed after success and failure. */
glnn_status glnn__csv_fit_begin(const glnn_csv_columns *columns, glnn__csv_fit *out);
void glnn__csv_fit_free(glnn__csv_fit *fit);

/* Adds the raw values of a row. */
void glnn__csv_fit_add(glnn__csv_fit *fit, const float *values);

/* Fits the columns to the rows that were added. Errors: E_FORMAT a column has no value;
 * E_LIMIT; E_NOMEM. The columns stay after an error. */
glnn_status glnn__csv_fit_end(const glnn__csv_fit *fit, const glnn_csv_fit_desc *desc,
                              glnn_csv_columns *columns);

/* Fails with E_ARG if `rare` is not a share. `what` begins the sentence. */
glnn_status glnn__csv_check_rare(const char *what, float rare);

/* Encodes the raw values of rows by columns that were fitted. Returns the number of values whose
 * category was not kept. */
int64_t glnn__csv_encode(const glnn_csv_columns *columns, int64_t rows, const float *values,
                         float *inputs);

/* Whether each column makes one feature, so that values may be encoded in place. */
bool glnn__csv_encodes_in_place(const glnn_csv_columns *columns);

#endif
