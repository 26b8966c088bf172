/** @file
 *  @ingroup glnn_io
 *  @brief Tables of numbers as text: CSV files.
 *
 *  ### Roles of columns
 *
 *  Each row of a table is a sample. Each column has one of four roles:
 *  - a *feature* is a number that a learner computes with;
 *  - the *label* is a text that names the class of the sample;
 *  - a *target* is a number to predict;
 *  - a *dropped* column is ignored.
 *
 *  All columns are features unless the description says otherwise. For example, let `trees.csv` be
 *
 *      id,width,height,kind
 *      1,5.1,3.5,oak
 *      2,4.9,NA,elm
 *      3,6.2,2.5,oak
 *
 *  The following call reads `width` and `height` as features and `kind` as the label, leaves out
 *  `id`, and puts the mean height in the place of the missing one:
 *
 *      const char *dropped[] = {"id"};
 *      glnn_csv csv = {.size = sizeof csv};
 *      glnn_status status = glnn_csv_read("trees.csv", &(glnn_csv_desc){
 *          .label = "kind",
 *          .dropped = dropped, .dropped_count = 1,
 *          .missing = GLNN_CSV_MISSING_FILL,
 *      }, &csv);
 *
 *  It gives
 *
 *      csv.rows                 3
 *      csv.inputs               5.1, 3.5,   4.9, 3.0,   6.2, 2.5
 *      csv.labels               1, 0, 1
 *      csv.columns.class_names  "elm", "oak"
 *
 *  ### Names of columns
 *
 *  A description names a column by its name in the header, or by its position: "first", "last" or a
 *  number from 1. The header has precedence: in a table with a column named "3", the text "3" means
 *  this column.
 *
 *  ### Header
 *
 *  The first row is the header or the first sample. `header` in the description says which. By
 *  default the library decides, by the first of these rules that applies:
 *  1. The row is a header if the description names a column by anything but a position.
 *  2. The row is a header if it contains the names of all features of `like`.
 *  3. Otherwise the fields of features and targets decide. If they are numbers or missing, the row
 *     is a sample. If they are texts or missing, and at least one is a text, it is a header. If
 *     there are texts and numbers, the call fails, and the caller must set `header`.
 *
 *  So a first row that has NA among its numbers is a sample, and a header may have empty fields.
 *
 *  ### Missing values
 *
 *  A value is missing if its field is empty or is `?`, `NA`, or `nan` in upper or lower case.
 *  `missing` in the description says what happens then: the call fails, the row is left out, or the
 *  value becomes the mean of its column or NaN. Only features can be filled. In dropped columns,
 *  missing values do not matter.
 *
 *  The mean must not know the samples that a learner is tested with. If they are other rows of the
 *  same table, read it with GLNN_CSV_MISSING_KEEP and divide its rows. Then call
 *  glnn_csv_columns_fit_means with the rows for training, and glnn_csv_columns_fill with all rows.
 *
 *  ### Columns that number the rows
 *
 *  Many programs write the number of each row as a column. It tells a learner the place of a sample
 *  in the table, which often tells its class. The library does not drop such a column by itself.
 *  glnn_csv::row_numbers says which features are 0, 1, 2, ... or 1, 2, 3, ... down the table; a
 *  program that does not want them reads the table again with these columns in `dropped`.
 *
 *  ### Classes
 *
 *  Each different label is a class. If all labels are integers, classes ascend as numbers: 2 comes
 *  before 10. Otherwise they ascend as texts, byte by byte, so capitals come before small letters.
 *  The order of the rows does not matter. A table like another one has the classes of that table,
 *  with the same numbers.
 *
 *  ### Tables like another table
 *
 *  A learner needs the features that it was trained with, in the same order. For this purpose,
 *  `like` in the description points to the columns of the table that the learner was trained with:
 *  glnn_csv::columns, or glnn_preparation::columns. The description names the label again: a label
 *  that it does not name is not read.
 *
 *      glnn_csv train = {.size = sizeof train}, test = {.size = sizeof test};
 *      glnn_csv_desc desc = {.label = "kind"};
 *      glnn_status status = glnn_csv_read("train.csv", &desc, &train);
 *      desc.like = &train.columns;
 *      if (!status)
 *          status = glnn_csv_read("test.csv", &desc, &test);
 *
 *  If both tables have a header, columns are found by name, and their order does not matter:
 *  - The table must have every feature of `like`.
 *  - The label, the targets and the dropped columns of `like` are never features. They may be
 *    missing, also if the description names them, because predicting does not need them;
 *    out->labels or out->targets is NULL then.
 *  - Any other column is an error, unless the description drops it.
 *  - A position in the description counts the columns of the *other* table: "last" means the last
 *    column there. That column must have had the same role, and is found by its name in this table.
 *    In a role that no column of `like` has, positions count the columns of this table.
 *
 *  If one of the tables has no header, columns are found by position, and the number of features
 *  must be the same. A description that names a column by a text other than a position takes the
 *  first row for a header (see above). If this row has a number and no feature of `like`, the call
 *  fails with GLNN_CSV_PROBLEM_NO_HEADER.
 *
 *  In both cases, if the description and `like` both have targets, their number must be the same.
 *  The description may name them in any order; out->targets has them in the order of `like`.
 *  Missing values are filled with the means of `like`, and out->columns.means are those of `like`.
 *
 *  Classes have the numbers that they have in `like`, and out->columns has the classes of `like`. A
 *  label that is not among them is an error, which names the label and its line. If `like` has a
 *  number of classes but no names, the labels are the integers from 0. If `like` has no classes,
 *  this table numbers its own; a program that wants to treat unknown classes itself passes a copy
 *  of the columns with `classes` 0.
 *
 *  ### Text
 *
 *  The format is RFC 4180 with any separator. Fields may be quoted, and a quoted field means the
 *  same as a plain one. Lines end in LF, CR LF or CR. Empty lines, a byte order mark, and blanks
 *  around a field are skipped; blanks in quotes are kept. All rows have the same number of fields.
 *  The decimal mark is a point in every locale, or a comma if the description says so. Then
 *  `1,5;2,5` with the separator `;` has the numbers 1.5 and 2.5, and a number with a point is an
 *  error, because the point may separate thousands. The file may be compressed with gzip. */
#ifndef GLNN_CSV_H
#define GLNN_CSV_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @addtogroup glnn_io
 *  @{ */

/** The most columns of a table. */
#define GLNN_CSV_MAX_COLUMNS (1 << 20)

/** The most bytes between two line ends, unpacked. */
#define GLNN_CSV_MAX_LINE (1 << 26)

/** Whether the first row is a header. */
typedef enum glnn_csv_header {
    GLNN_CSV_HEADER_AUTO = 0, /**< the rules above decide */
    GLNN_CSV_HEADER_YES,      /**< it is a header         */
    GLNN_CSV_HEADER_NO,       /**< it is a sample         */
    GLNN_CSV_HEADER_COUNT
} glnn_csv_header;

/** The name of a choice: "auto", "yes", "no". @since 0.2 */
GLNN_API const char *glnn_csv_header_name(glnn_csv_header header);

/** The choice with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_header_from_name(const char *name, glnn_csv_header *out);

/** The treatment of missing values. */
typedef enum glnn_csv_missing {
    GLNN_CSV_MISSING_REFUSE = 0, /**< the call fails                                            */
    GLNN_CSV_MISSING_DROP,       /**< the row is left out                                       */
    GLNN_CSV_MISSING_FILL,       /**< a feature becomes the mean of its column; a missing label or
                                      target is still an error                                  */
    GLNN_CSV_MISSING_KEEP,       /**< a feature becomes NaN, for glnn_csv_columns_fill; a missing
                                      label or target is still an error                         */
    GLNN_CSV_MISSING_COUNT
} glnn_csv_missing;

/** The name of a treatment: "refuse", "drop", "fill", "keep". @since 0.2 */
GLNN_API const char *glnn_csv_missing_name(glnn_csv_missing missing);

/** The treatment with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_missing_from_name(const char *name, glnn_csv_missing *out);

/** The columns of a table, and its classes. Its arrays and texts are allocated with malloc. The
 * structure is a part of others, so it has no member `size`. It changes only with the minor version
 * of the library. */
typedef struct glnn_csv_columns {
    int features;         /**< the number of features                                            */
    int targets;          /**< the number of targets                                             */
    int dropped;          /**< the number of dropped columns                                     */
    char **feature_names; /**< the names of the features; this and the next three members are NULL
                               if the table has no header                                        */
    char **target_names;  /**< the names of the targets                                          */
    char **dropped_names; /**< the names of the dropped columns                                  */
    char *label_name;     /**< the name of the label; NULL also without a label                  */
    int *places;          /**< positions from 1: of the label (0: none), then of each target, then
                               of each dropped column; NULL: not known                           */
    float *means;         /**< the mean of each feature                                          */
    int classes;          /**< the number of classes; 0: no label, or not known                  */
    char **class_names;   /**< the label of each class, in ascending order; NULL: no names       */
} glnn_csv_columns;

/** How to read a table. Zeros mean the defaults: all columns are features. */
typedef struct glnn_csv_desc {
    char separator;               /**< between fields; 0: ','                                     */
    char decimal;                 /**< the decimal mark, '.' or ','; 0: '.'                       */
    glnn_csv_header header;       /**< whether the first row is a header                          */
    glnn_csv_missing missing;     /**< the treatment of missing values                            */
    const char *label;            /**< the column of the labels; NULL: none                       */
    const char *const *targets;   /**< the columns of the targets                                 */
    int target_count;             /**< the number of `targets`                                    */
    const char *const *dropped;   /**< the columns to leave out                                   */
    int dropped_count;            /**< the number of `dropped`                                    */
    const glnn_csv_columns *like; /**< the columns that this table must have; NULL: any         */
    uint64_t reserved[4];         /**< zeros; room for later versions */
} glnn_csv_desc;

/** Why glnn_csv_read refused a table, if another description can read it. */
typedef enum glnn_csv_problem {
    GLNN_CSV_PROBLEM_NONE = 0,   /**< the table was read, or no description can read it         */
    GLNN_CSV_PROBLEM_HEADER,     /**< the first row has texts and numbers: set `header`         */
    GLNN_CSV_PROBLEM_MISSING,    /**< a feature is missing: choose DROP or FILL                 */
    GLNN_CSV_PROBLEM_UNLABELLED, /**< a label or target is missing: choose DROP                 */
    GLNN_CSV_PROBLEM_REAL_LABEL, /**< the label is a measurement: make the column a target      */
    GLNN_CSV_PROBLEM_SEPARATOR,  /**< the only column contains tabs, semicolons, vertical bars or
                                      commas: set `separator`                                   */
    GLNN_CSV_PROBLEM_TEXT,       /**< features are texts: drop their columns                    */
    GLNN_CSV_PROBLEM_ADDITIONAL, /**< the table has more columns than `like`: drop them         */
    GLNN_CSV_PROBLEM_CLASS,      /**< `like` does not have the class of a row                   */
    GLNN_CSV_PROBLEM_NO_HEADER,  /**< the header that `like` has is missing: name columns by
                                      position, and do not set `header` to YES                  */
    GLNN_CSV_PROBLEM_COUNT
} glnn_csv_problem;

/** The name of a problem: "none", "header", "missing", "unlabelled", "real_label", "separator",
 * "text", "additional", "class", "no_header". @since 0.2 */
GLNN_API const char *glnn_csv_problem_name(glnn_csv_problem problem);

/** The problem with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_problem_from_name(const char *name, glnn_csv_problem *out);

/** A table in main memory. */
typedef struct glnn_csv {
    size_t size;    /**< sizeof(glnn_csv), set by the caller before the call                 */
    int64_t rows;   /**< samples that were read                                              */
    float *inputs;  /**< rows x columns.features, row after row                              */
    float *targets; /**< rows x columns.targets, row after row; NULL without targets         */
    int *labels;    /**< the class of each row, from 0; NULL without a label                 */
    glnn_csv_columns columns; /**< names, positions and means of the columns, and the classes    */
    int64_t dropped_rows;     /**< rows left out because of missing values                       */
    int64_t missing_values;   /**< missing features that were filled, or are NaN with KEEP       */
    bool *row_numbers;        /**< for each feature, whether it numbers the rows from 0 or 1; rows
                                   left out are counted                                          */
    glnn_csv_problem problem; /**< why the call failed                                           */
} glnn_csv;

/** Reads a table. `desc` NULL means all defaults.
 *
 * Labels that are numbers must be integers; 1.0 and 1. are the same class as 1. The call refuses a
 * column of numbers as the label, because it is a measurement, if some numbers are not integers.
 * Without `like`, it also refuses a column of numbers that has more than 100 classes and more
 * classes than half of the rows.
 *
 * out->columns.means holds the means over the values that are not missing, or those of `like`. If
 * features are texts, the sentence names all columns with texts in the table.
 *
 * @errors
 *   - GLNN_E_ARG: path or out is null, the path is empty, or out->size is not set. The separator is
 *     a quote or a line break. `decimal` is neither a point nor a comma, or is the separator.
 *     `header` or `missing` is not in its enumeration. A count is
 *     negative, or the name of a column is null. A column is named by its header, but `header` is
 *     NO. `like` has no features, another number of targets, no means to fill with, or a class
 *     whose name is null or that of another one.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: there are no rows or no features, or rows differ in length. The header is
 *     unclear. A feature or target is not a finite decimal number. A number has a point, but
 *     `decimal` is a comma. A value is missing. The label is
 *     a measurement, or a class that `like` does not have. A quote is not closed, or text follows
 *     it. The file has a zero byte, or its gzip data are damaged. A column of the description does
 *     not exist and is not one that `like` has either, has the same name as another one, or is
 *     named twice. The columns differ from those
 *     of `like`. The sentence has path, line and column; the line is the one where the row or the
 *     damaged quote begins. It suggests a similar name in place of one that does not exist.
 *   - GLNN_E_LIMIT: a row has more than GLNN_CSV_MAX_COLUMNS columns, or a line more than
 *     GLNN_CSV_MAX_LINE bytes.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @owner   the caller, who passes *out to glnn_csv_free. After a failure *out is empty, except for
 *          out->problem. The call only reads `desc`.
 * @thread  any.
 * @since   0.1 */
GLNN_API glnn_status glnn_csv_read(const char *path, const glnn_csv_desc *desc, glnn_csv *out);

/** A CSV file whose features are read while a data set uses them. */
typedef struct glnn_csv_file glnn_csv_file;

/** Opens a table whose features a data set reads while it is used.
 *
 * The same as glnn_csv_read(), but out->inputs is NULL. The file is read once, a part at a time:
 * labels, targets, means, and where each row starts are kept, the features are not. So a table may
 * be larger than main memory. Each row takes 24 bytes of it.
 *
 *     glnn_csv table = {.size = sizeof table};
 *     glnn_csv_file *file;
 *     glnn_status status = glnn_csv_file_open("trees.csv", &desc, &table, &file);
 *     if (!status)
 *         status = glnn_dataset_create(ctx, &(glnn_dataset_desc){
 *             .samples = table.rows, .features = table.columns.features,
 *             .read = glnn_csv_file_read_samples, .user = file,
 *             .labels = table.labels, .classes = table.columns.classes,
 *             .texture_budget = 256 << 20,
 *         }, &data);
 *
 * @errors  as glnn_csv_read(); also
 *   - GLNN_E_ARG: `file` is null.
 *   - GLNN_E_FORMAT: the file is compressed.
 * @owner   the caller, who passes *out to glnn_csv_free() and *file to glnn_csv_file_close(), in
 *          any order. After a failure both are empty, except for out->problem.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_file_open(const char *path, const glnn_csv_desc *desc, glnn_csv *out,
                                        glnn_csv_file **file);

/** Reads features of rows: a glnn_dataset_reader (glnn/dataset.h).
 *
 * Missing features become the means if the table was opened with GLNN_CSV_MISSING_FILL, and NaN
 * with GLNN_CSV_MISSING_KEEP.
 *
 * @param file     a glnn_csv_file
 * @param samples  the numbers of `count` rows, each from 0 to glnn_csv::rows - 1
 * @shapes  inputs has `count` rows of the features of the table.
 * @errors
 *   - GLNN_E_ARG: a pointer is null, or a number is not that of a row.
 *   - GLNN_E_IO: the file cannot be read or has become shorter.
 *   - GLNN_E_FORMAT: a row has changed since the file was opened, and cannot be read any more.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread  any, several at a time.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_file_read_samples(void *file, const int *samples, int count,
                                                float *inputs);

/** Closes a file. NULL does nothing. @thread any. @since 0.2 */
GLNN_API void glnn_csv_file_close(glnn_csv_file *file);

/** Frees the memory of a table and empties it; its size stays. NULL does nothing. @thread any.
 * @since 0.1 */
GLNN_API void glnn_csv_free(glnn_csv *csv);

/** Sets the means of features to those of some rows, such as the rows for training.
 *
 *     columns->means[j] = mean of the inputs[i * features + j] that are not NaN
 *
 * @shapes  inputs is rows x columns.features, row after row.
 * @numbers Sums are computed in double precision.
 * @errors
 *   - GLNN_E_ARG: an argument or columns->means is null; there are no rows or no features.
 *   - GLNN_E_FORMAT: a feature is NaN in all rows. The sentence names it; the means stay.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_columns_fit_means(glnn_csv_columns *columns, int64_t rows,
                                                const float *inputs);

/** Replaces each feature that is NaN by its mean in columns->means.
 *
 * @shapes  inputs is rows x columns.features, row after row.
 * @errors
 *   - GLNN_E_ARG: an argument or columns->means is null; there are no rows or no features.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_columns_fill(const glnn_csv_columns *columns, int64_t rows,
                                           float *inputs);

/** Frees the memory of columns that the caller took out of a table, or allocated with malloc, and
 * empties them. NULL does nothing. @thread any. @since 0.1 */
GLNN_API void glnn_csv_columns_free(glnn_csv_columns *columns);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
