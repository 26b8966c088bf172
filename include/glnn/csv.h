/* glnn/csv.h - tables of numbers as text
 *
 * Format   RFC 4180 with a separator of choice. Fields may be quoted, and quotes change nothing but
 *          what a field may hold. Lines may end in LF, CR LF or CR. A byte order mark, empty lines
 *          and blanks around a field are skipped; blanks within quotes are kept. Every row has as
 *          many fields as the first. Decimal points are points in every locale. A file may be
 *          compressed with gzip.
 * Roles    A column is a feature unless the description names it as the label, as a target or as
 *          dropped. Features and targets are numbers. A label is a text that names a class.
 * Columns  The description names a column by a text: a name in the header; else "first", "last" or
 *          a number from 1. A name in the header comes first, so that a column called "3" can be
 *          named.
 * Header   Without GLNN_CSV_HEADER_YES or NO the first row is
 *          - a header, where the description names a column by anything but "first", "last" or a
 *            number, or where the row has the names of all features of `like`;
 *          - else a header, where every field of features and targets is a text or missing, and at
 *            least one is a text;
 *          - else data, where every such field is a number or missing;
 *          - else an error, because names stand next to numbers: the caller has to say.
 *          So a first row with NA among numbers is data, and a header may have empty fields.
 * Missing  A value is missing where its field is empty, `?`, `NA`, or `nan` in upper or lower case.
 *          Missing values in dropped columns do not matter. */
#ifndef GLNN_CSV_H
#define GLNN_CSV_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GLNN_CSV_MAX_COLUMNS (1 << 20)
#define GLNN_CSV_MAX_LINE    (1 << 26) /* bytes between two line ends, unpacked */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum glnn_csv_header {
    GLNN_CSV_HEADER_AUTO = 0, /* found by the rules above */
    GLNN_CSV_HEADER_YES,
    GLNN_CSV_HEADER_NO,
    GLNN_CSV_HEADER_COUNT
} glnn_csv_header;

GLNN_API const char *glnn_csv_header_name(glnn_csv_header header);
GLNN_API glnn_status glnn_csv_header_from_name(const char *name, glnn_csv_header *out);

/* The treatment of missing values. */
typedef enum glnn_csv_missing {
    GLNN_CSV_MISSING_REFUSE = 0, /* the first one is an error                                   */
    GLNN_CSV_MISSING_DROP,       /* a row that misses a feature, target or label is left out    */
    GLNN_CSV_MISSING_FILL,       /* a feature becomes its column's mean; a missing label or target
                                    is still an error                                           */
    GLNN_CSV_MISSING_COUNT
} glnn_csv_missing;

GLNN_API const char *glnn_csv_missing_name(glnn_csv_missing missing);
GLNN_API glnn_status glnn_csv_missing_from_name(const char *name, glnn_csv_missing *out);

/* The columns of a table. All memory is from malloc. */
typedef struct glnn_csv_columns {
    int features;         /* columns of features                                          */
    int targets;          /* columns of targets                                           */
    int dropped;          /* columns that were dropped                                    */
    char **feature_names; /* from the header, as the next three; NULL without one         */
    char **target_names;
    char **dropped_names;
    char *label_name; /* NULL also without a label                                    */
    int *places;      /* where the label stood (0: there was none), then each target and
                         each dropped column, counted from 1; NULL: not known         */
    float *means;     /* mean of each feature over the values that are there          */
} glnn_csv_columns;

/* How to read a table. Zeros mean the defaults: all columns are features, so that no column is
 * taken for the label unasked. */
typedef struct glnn_csv_desc {
    char separator; /* 0: ','                                            */
    glnn_csv_header header;
    glnn_csv_missing missing;
    const char *label;          /* the column of class labels; NULL: no labels       */
    const char *const *targets; /* columns of numbers to predict                     */
    int target_count;
    const char *const *dropped; /* columns to leave out                              */
    int dropped_count;
    const glnn_csv_columns *like; /* columns of another table that this one has to agree
                                     with, see glnn_csv_read; NULL: none               */
} glnn_csv_desc;

/* Why a table was refused, where the caller can choose to read it in another way. */
typedef enum glnn_csv_problem {
    GLNN_CSV_PROBLEM_NONE = 0,   /* it was read, or is damaged                                   */
    GLNN_CSV_PROBLEM_HEADER,     /* names and numbers in the first row: say yes or no            */
    GLNN_CSV_PROBLEM_MISSING,    /* a missing feature: drop or fill                              */
    GLNN_CSV_PROBLEM_UNLABELLED, /* a missing label or target: drop                              */
    GLNN_CSV_PROBLEM_REAL_LABEL, /* the labels measure something: read the column as a target    */
    GLNN_CSV_PROBLEM_SEPARATOR,  /* one column with another separator in it: say this one        */
    GLNN_CSV_PROBLEM_TEXT,       /* a feature is a text: drop its column                         */
    GLNN_CSV_PROBLEM_ADDITIONAL, /* columns that `like` does not have, and all that it has: drop
                                    them                                                         */
    GLNN_CSV_PROBLEM_COUNT
} glnn_csv_problem;

GLNN_API const char *glnn_csv_problem_name(glnn_csv_problem problem);
GLNN_API glnn_status glnn_csv_problem_from_name(const char *name, glnn_csv_problem *out);

/* A table in main memory. */
typedef struct glnn_csv {
    size_t size; /* sizeof(glnn_csv), set by the caller */
    int64_t rows;
    float *inputs;      /* rows x columns.features, row-major                            */
    float *targets;     /* rows x columns.targets, row-major; NULL without targets       */
    int *labels;        /* a class per row; NULL without labels                          */
    int classes;        /* distinct labels                                               */
    char **class_names; /* the labels' texts: integers ascending where all are integers,
                           else in order of first appearance                             */
    glnn_csv_columns columns;
    int64_t dropped_rows;     /* rows left out because of missing values                       */
    int64_t filled_values;    /* missing values that were filled                               */
    glnn_csv_problem problem; /* why reading failed                                            */
} glnn_csv;

/* Reads a table; `desc` may be NULL, which means all defaults.
 *
 * Labels   A column whose labels are all numbers is refused as a target where
 *          - some of them are not integers, or
 *          - without `like`: they are of more than 100 classes, and of more classes than half of
 *            the rows.
 *          A decimal number with only zeros after its point is the same label as the integer: 1.0
 *          and 1. are of class "1".
 * Means    out->columns.means are the means of this table, by which FILL fills. With `like`, FILL
 *          takes like->means, and the table has these means.
 * Like     With `like` the features are those of like->features, in the same order.
 *          - Where like->feature_names is set and the table has a header, columns are found by
 *            name, in any order. The columns of like's label, targets and dropped columns are never
 *            features. Label and targets may be absent, since predicting needs none: then
 *            out->labels or out->targets is NULL. Dropped columns may be absent. Another missing or
 *            additional column is an error that names it.
 *          - Positions in the description then count the columns of the other table. The column
 *            must have had the same role there, as like->places says, and is found by its name. In
 *            a role that no column of `like` has, positions count the columns of this table.
 *          - Else columns are found by their place, and only their number is compared.
 *          - Targets are as many as those of like, if it has any. The names of like's targets may
 *            come in any order; out->targets has them in the order of like.
 *
 * Errors   E_ARG     a null argument or an empty path; a separator that is a quote or line break;
 *                    an unknown choice;
 *                    a count below 0 or a null text; a column named by its header with HEADER_NO;
 *                    `like` without features; FILL with `like` that has no means; targets that
 *                    are not as many as those of `like`
 *          E_IO      the file cannot be opened or read
 *          E_FORMAT  no rows or no features; rows of different lengths; an unclear header; a field
 *                    that is no finite decimal number; a missing value; labels that measure
 *                    something; an open quote or text after a closed one; a zero byte; gzip data
 *                    that are cut off, damaged or followed by something else; no such column,
 *                    two of that name, or one that is named twice; columns that are not like those
 *                    of `like`, or a position that had another role there; names of which only
 *                    some are targets of `like`. The sentence has path, line and column; the line
 *                    is that where the row starts, or where a damaged quote does.
 *          E_LIMIT   more than GLNN_CSV_MAX_COLUMNS columns, a line of more than
 *                    GLNN_CSV_MAX_LINE bytes
 *          E_NOMEM   no memory
 * Owner    the caller, who passes *out to glnn_csv_free; on failure *out is empty but for
 *          out->problem. `desc` and its memory are only read.
 * Thread   any.   Since 0.1 */
GLNN_API glnn_status glnn_csv_read(const char *path, const glnn_csv_desc *desc, glnn_csv *out);

/* Frees what glnn_csv_read allocated and empties *csv. NULL does nothing. Thread: any. Since 0.1 */
GLNN_API void glnn_csv_free(glnn_csv *csv);

/* Frees the columns of a table that the caller took out of it, or made by malloc, and empties
 * *columns. NULL does nothing. Thread: any. Since 0.1 */
GLNN_API void glnn_csv_columns_free(glnn_csv_columns *columns);

#ifdef __cplusplus
}
#endif
#endif
