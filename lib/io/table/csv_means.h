/* Means of features, and values that are filled with them. */
#ifndef GLNN__IO_TABLE_CSV_MEANS_H
#define GLNN__IO_TABLE_CSV_MEANS_H

#include <glnn/csv.h>

/* Sets columns->means, an array of columns->features numbers, to the means of the values that are
 * not NaN. Fails with E_FORMAT if a feature is NaN in all rows; `where` begins the sentence. */
glnn_status glnn__csv_fit_means(const char *where, int64_t rows, const float *inputs,
                                glnn_csv_columns *columns);

/* Replaces each NaN by the mean of its feature. */
void glnn__csv_fill(const glnn_csv_columns *columns, int64_t rows, float *inputs);

#endif
