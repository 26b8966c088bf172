/* glnn/csv.h - tables of numbers as text
 *
 * Format   RFC 4180 with a separator of choice: fields may be quoted, lines may end in CR LF, a
 *          byte order mark is skipped, empty lines are skipped, and so are blanks around a field
 *          but not within its quotes. Every row has as many fields as the first. Decimal points
 *          are points in every locale. */
#ifndef GLNN_CSV_H
#define GLNN_CSV_H

#include <glnn/base.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum glnn_csv_header {
    GLNN_CSV_HEADER_AUTO = 0, /* a header where some feature field of the first row is no number */
    GLNN_CSV_HEADER_YES,
    GLNN_CSV_HEADER_NO
} glnn_csv_header;

#define GLNN_CSV_NO_LABEL    (-1) /* `label_column`: all columns are features   */
#define GLNN_CSV_LAST_COLUMN (-2) /* `label_column`: the last column            */

/* How to read a table. Zeros mean the defaults. */
typedef struct glnn_csv_desc {
    char separator; /* 0: ','                                                          */
    glnn_csv_header header;
    int label_column;       /* column of the class label, from 0, the first; or
                               GLNN_CSV_NO_LABEL, GLNN_CSV_LAST_COLUMN                         */
    const char *label_name; /* the label's column by its header, which there then is;
                               NULL: by `label_column`                                         */
} glnn_csv_desc;

/* A table in main memory. */
typedef struct glnn_csv {
    int rows, features;
    float *inputs;        /* rows x features, row-major                                         */
    int *labels;          /* a class per row; NULL without labels                               */
    int classes;          /* distinct labels                                                    */
    char **class_names;   /* the labels' texts: integers ascending where all are integers, else
                           in order of first appearance                                       */
    char **feature_names; /* `features` texts from the header; NULL without one               */
} glnn_csv;

/* Reads a table; `desc` may be NULL, which means all defaults.
 *
 * Errors   E_ARG     a null argument, a separator that is a quote or line break, no such choice for
 *                    the header, a label_column below GLNN_CSV_LAST_COLUMN, a label_name without a
 *                    header
 *          E_IO      the file cannot be opened or read
 *          E_FORMAT  no rows, no features, rows of different lengths, a field that is no finite
 *                    decimal number, an open quote or text behind a closed one, a zero byte, no
 *                    such label column or two: the sentence has path, line and column
 *          E_LIMIT   more rows or columns than an int counts
 *          E_NOMEM   no memory
 * Owner    the caller, who passes *out to glnn_csv_free; on failure *out is empty.
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_csv_read(const char *path, const glnn_csv_desc *desc, glnn_csv *out);

/* Frees what glnn_csv_read allocated and empties *csv. NULL does nothing. Thread: any. Since 0.1 */
GLNN_API void glnn_csv_free(glnn_csv *csv);

#ifdef __cplusplus
}
#endif
#endif
