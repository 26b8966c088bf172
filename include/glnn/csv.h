/** @file
 *  @ingroup glnn_io
 *  @brief Tables as text: CSV files.
 *
 *  ### Roles of columns
 *
 *  Each row of a table is a sample. Each column has one of four roles:
 *  - a *feature column* is a number, a category or a date, of which a learner gets one or several
 *    *features*, which are numbers;
 *  - the *label* is a text that names the class of the sample;
 *  - a *target* is a number to predict;
 *  - a *dropped* column is ignored.
 *
 *  All columns are feature columns unless the description says otherwise, or the library leaves
 *  them out by the rules below. For example, let `trees.csv` be
 *
 *      id,width,bark,height,kind
 *      1,5.1,rough,3.5,oak
 *      2,4.9,smooth,NA,elm
 *      3,6.2,rough,2.5,oak
 *      4,5.8,smooth,3.0,elm
 *
 *  The following call reads `width`, `bark` and `height` as feature columns and `kind` as the
 *  label, and puts the mean height in the place of the missing one. It leaves out `id`, because it
 *  only numbers the rows:
 *
 *      glnn_csv csv = {.size = sizeof csv};
 *      glnn_status status = glnn_csv_read("trees.csv", &(glnn_csv_desc){
 *          .label = "kind",
 *          .missing = GLNN_CSV_MISSING_FILL,
 *      }, &csv);
 *
 *  It gives
 *
 *      csv.rows                 4
 *      csv.columns.features     4
 *      csv.inputs               5.1, 1, 0, 3.5,   4.9, 0, 1, 3.0,
 *                               6.2, 1, 0, 2.5,   5.8, 0, 1, 3.0
 *      csv.labels               1, 0, 1, 0
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
 *  2. The row is a header if it contains the names of all feature columns of `like`.
 *  3. Otherwise the fields of feature columns and targets decide. If they are numbers or missing,
 *     the row is a sample. If they are texts or missing, and at least one is a text, it is a
 *     header. If there are texts and numbers, the call fails, and the caller must set `header`.
 *
 *  So a first row that has NA among its numbers is a sample, and a header may have empty fields.
 *
 *  ### Types of columns
 *
 *  The library finds the *type* of each feature column from all fields that are not missing. The
 *  first of these rules that applies decides; `choices` in the description overrules them:
 *  1. *Empty*: all fields are missing. The column is left out.
 *  2. *Row number*: the fields of at least two rows are 0, 1, 2, ... or 1, 2, 3, ... down the
 *     table, and the name, which no other column has, says so too. Its last word is id, rowid,
 *     index, row, no, nr or number, as in PassengerId and row_number, or the name is empty or
 *     begins with Unnamed. The column is left out, because it tells a learner the place of a sample
 *     in the table, which often tells its class. If no other feature column is left, it is a
 *     number.
 *  3. *Number*: all fields are numbers.
 *  4. *Date*: all fields are dates, and are so in one order of day, month and year alone:
 *     - year first: 2024-12-31, 2024/12/31 or 2024.12.31;
 *     - day first: 31.12.2024, 31/12/2024 or 31-12-2024;
 *     - month first: 12/31/2024 or 12-31-2024.
 *     Points mean that the day is first. Elsewhere at least one field must tell day and month
 *     apart by a number above 12. A blank or T and a time may follow, as in ISO 8601: 23:59,
 *     23:59:59 or 23:59:59.5, and then Z or an offset from UTC such as +02:00, which is subtracted.
 *  5. *Date* or *number* with errors: nine of ten fields are, or would be with a decimal comma. The
 *     others are problems.
 *  6. *Category*: there are at most #GLNN_CSV_FOUND_CATEGORIES different texts, and at most half as
 *     many as fields.
 *  7. *Text*: any other. The column is left out.
 *
 *  Numbers with few different values stay numbers, unless `choices` makes them categories. Columns
 *  that are left out have the role #GLNN_CSV_ROLE_DROPPED and one of the types
 *  #GLNN_CSV_TYPE_ROW_NUMBER, #GLNN_CSV_TYPE_TEXT and #GLNN_CSV_TYPE_EMPTY in glnn_csv::columns. If
 *  most fields of a column are numbers, but it has another type, the others may mean missing
 *  values: glnn_csv_column::other_text is the most frequent of these.
 *
 *  ### Raw values, fitting and encoding
 *
 *  A *raw value* is a field as one number:
 *  - a number itself;
 *  - of a category its index among the names in `category_names`, or -1 if it is not among them;
 *  - of a date the days since 2000-01-01, with the time as a fraction of a day. A float has them to
 *    about a minute;
 *  - NaN if the value is missing.
 *
 *  The columns of a table are *fitted* to rows: means, frequent categories and features are found.
 *  Then raw values of any rows can be *encoded* as features:
 *  - A number is a feature.
 *  - A category is one feature for each category that was kept, in the order of
 *    `category_names`. It is 1 for the category of the row, and 0 for others
 *    (#GLNN_CSV_ENCODING_ONE_HOT). Or it is one feature, the number of the category from 0
 *    (#GLNN_CSV_ENCODING_ORDINAL).
 *  - A category with fewer than a share `rare` of the rows is not kept. Such categories together
 *    are the category *other*, which has the feature or number after the kept ones. Unknown
 *    categories of other tables are of this category too. If there is no category other, features
 *    of an unknown category are zeros, and its number is the one after the kept ones.
 *  - A date is five features: the days, sine and cosine of the part of the year that has passed,
 *    and sine and cosine of that of the week. If any row has a time of the day, sine and cosine of
 *    it follow (#GLNN_CSV_ENCODING_DATE_PARTS). Or the date is the days alone
 *    (#GLNN_CSV_ENCODING_AS_IS).
 *
 *  The features of a column follow each other, and columns follow each other as in `of`. A table is
 *  fitted to all of its rows when it is read, and its columns are then a part of the preparation of
 *  a learner (glnn/preparation.h).
 *
 *  Fitting must not know the samples that a learner is tested with. If they are other rows of the
 *  same table, the program reads raw values and divides their rows. It fits the columns to the rows
 *  for training, and encodes all rows. Here, the first `count` rows are those for training:
 *
 *      const glnn_csv_desc desc = {
 *          .label = "kind", .missing = GLNN_CSV_MISSING_FILL, .raw = true};
 *      const glnn_csv_fit_desc fit = {.missing = GLNN_CSV_MISSING_FILL};
 *      glnn_status status = glnn_csv_read("trees.csv", &desc, &csv);
 *      if (!status)
 *          status = glnn_csv_columns_fit(&csv.columns, &fit, count, csv.values);
 *      float *inputs = malloc((size_t)csv.rows * (size_t)csv.columns.features * sizeof *inputs);
 *      if (!status)
 *          status = glnn_csv_columns_encode(&csv.columns, csv.rows, csv.values, inputs, NULL);
 *
 *  ### Missing values
 *
 *  A value is missing if its field is empty or is `?`, `NA`, or `nan` in upper or lower case. In
 *  feature columns and targets, the other words for which pandas reads a missing value mean one
 *  too, written exactly so: `N/A`, `n/a`, `#N/A`, `#N/A N/A`, `#NA`, `<NA>`, `NULL`, `null`,
 *  `None`, `-NaN`, `-nan`, `1.#IND`, `-1.#IND`, `1.#QNAN` and `-1.#QNAN`. So do `-` and `--`
 *  among numbers and dates. In a column of categories `-` is a category, and as labels all of
 *  these words name classes. A word that is a category of `like` stays this category.
 *
 *  `missing` in the description says what happens then. Only feature columns can be filled: with
 *  the mean of a number or date, and with the most frequent category. In dropped columns, missing
 *  values do not matter.
 *
 *  ### Problems
 *
 *  A failure lists all kinds of problems of the rows at once, up to #GLNN_CSV_PROBLEMS: the missing
 *  values of a column, texts among its numbers, unknown classes, and rows of another length. Each
 *  has the line and the column of the first one, and the number of other rows that have it too.
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
 *  `like` in the description points to the columns of the *table for training*, that of the
 *  learner: glnn_csv::columns, or glnn_preparation::columns. The description names the label again:
 *  a label that it does not name is not read.
 *
 *      glnn_csv train = {.size = sizeof train}, test = {.size = sizeof test};
 *      glnn_csv_desc desc = {.label = "kind"};
 *      glnn_status status = glnn_csv_read("train.csv", &desc, &train);
 *      desc.like = &train.columns;
 *      if (!status)
 *          status = glnn_csv_read("test.csv", &desc, &test);
 *
 *  Types, categories and features are those of `like`. If both tables have a header, columns are
 *  found by name, and their order does not matter:
 *  - The table must have every feature column of `like`.
 *  - The label, the targets and the dropped columns of `like` are never feature columns. They may
 *    be missing, also if the description names them, because predicting does not need them;
 *    out->labels or out->targets is NULL then.
 *  - Any other column is an error, unless the description drops it.
 *  - A position in the description counts the columns of the table for training: "last" means the
 *    last column there. That column must have had the same role, and is found by its name in this
 *    table. In a role that no column of `like` has, positions count the columns of this table.
 *
 *  If one of the tables has no header, columns are found by position, and the number of feature
 *  columns must be the same. A table with just as many columns has no other ones, also if the
 *  description names them. If the tables have as many columns, the positions at which the library
 *  left out a column of `like` are left out here too. A description that names a column by a text
 *  other than a position takes the first row for a header (see above). If this row has a number and
 *  no feature column of `like`, the call fails with GLNN_CSV_PROBLEM_NO_HEADER.
 *
 *  In both cases, if the description and `like` both have targets, their number must be the same.
 *  The description may name them in any order; out->targets has them in the order of `like`.
 *  A column of `like` that was fitted with a treatment of missing values, other than to refuse or
 *  drop them, is treated in the same way again, whatever `missing` says.
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

/** The most categories of a column. */
#define GLNN_CSV_MAX_CATEGORIES (1 << 16)

/** The most different texts of a column that the library takes for categories by itself. */
#define GLNN_CSV_FOUND_CATEGORIES 100

/** The most kinds of problems that a sentence lists. */
#define GLNN_CSV_PROBLEMS 20

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

/** The treatment of missing values. With all but DROP, a missing label or target is an error. */
typedef enum glnn_csv_missing {
    GLNN_CSV_MISSING_REFUSE = 0, /**< the call fails                                            */
    GLNN_CSV_MISSING_DROP,       /**< the row is left out                                       */
    GLNN_CSV_MISSING_FILL,       /**< the mean or the most frequent category takes its place    */
    GLNN_CSV_MISSING_INDICATOR,  /**< a column that misses values in the rows to which it is fitted
                                      has one more feature, the last one: 1 if the value is missing,
                                      else 0. The value is filled; one-hot features become zeros  */
    GLNN_CSV_MISSING_CATEGORY,   /**< in columns of categories, missing is a category of its own
                                      after all others, if the rows to which they are fitted have
                                      missing values. Other columns are filled                    */
    GLNN_CSV_MISSING_COUNT
} glnn_csv_missing;

/** The name of a treatment: "refuse", "drop", "fill", "indicator", "category". @since 0.2 */
GLNN_API const char *glnn_csv_missing_name(glnn_csv_missing missing);

/** The treatment with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_missing_from_name(const char *name, glnn_csv_missing *out);

/** The role of a column. */
typedef enum glnn_csv_role {
    GLNN_CSV_ROLE_FEATURE = 0, /**< features are made of it */
    GLNN_CSV_ROLE_LABEL,       /**< it names the class      */
    GLNN_CSV_ROLE_TARGET,      /**< a number to predict     */
    GLNN_CSV_ROLE_DROPPED,     /**< it is ignored           */
    GLNN_CSV_ROLE_COUNT
} glnn_csv_role;

/** The name of a role: "feature", "label", "target", "dropped". @since 0.2 */
GLNN_API const char *glnn_csv_role_name(glnn_csv_role role);

/** The role with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_role_from_name(const char *name, glnn_csv_role *out);

/** The type of a column. */
typedef enum glnn_csv_type {
    GLNN_CSV_TYPE_AUTO = 0,   /**< found by the rules above; of labels, and of columns that the
                                   description drops: not looked for                            */
    GLNN_CSV_TYPE_NUMBER,     /**< decimal numbers                                              */
    GLNN_CSV_TYPE_CATEGORY,   /**< texts that repeat. 1.0 and 1. are the same category as 1     */
    GLNN_CSV_TYPE_DATE,       /**< dates, with times or without                                 */
    GLNN_CSV_TYPE_TEXT,       /**< any texts; the column is left out                            */
    GLNN_CSV_TYPE_ROW_NUMBER, /**< the numbers of the rows; the column is left out              */
    GLNN_CSV_TYPE_EMPTY,      /**< no values; the column is left out                            */
    GLNN_CSV_TYPE_COUNT
} glnn_csv_type;

/** The name of a type: "auto", "number", "category", "date", "text", "row_number",
 * "empty". @since 0.2 */
GLNN_API const char *glnn_csv_type_name(glnn_csv_type type);

/** The type with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_type_from_name(const char *name, glnn_csv_type *out);

/** How the raw values of a column become features. */
typedef enum glnn_csv_encoding {
    GLNN_CSV_ENCODING_AUTO = 0,   /**< AS_IS for numbers, ONE_HOT for categories, DATE_PARTS for
                                       dates                                                    */
    GLNN_CSV_ENCODING_AS_IS,      /**< numbers, and the days of dates                           */
    GLNN_CSV_ENCODING_ONE_HOT,    /**< a feature for each category                              */
    GLNN_CSV_ENCODING_ORDINAL,    /**< the number of the category                               */
    GLNN_CSV_ENCODING_DATE_PARTS, /**< days, and the cycles of year, week and day               */
    GLNN_CSV_ENCODING_COUNT
} glnn_csv_encoding;

/** The name of an encoding: "auto", "as_is", "one_hot", "ordinal", "date_parts". @since 0.2 */
GLNN_API const char *glnn_csv_encoding_name(glnn_csv_encoding encoding);

/** The encoding with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_encoding_from_name(const char *name, glnn_csv_encoding *out);

/** The order of day, month and year in a column of dates. */
typedef enum glnn_csv_date {
    GLNN_CSV_DATE_YEAR_FIRST = 0, /**< 2024-12-31 */
    GLNN_CSV_DATE_DAY_FIRST,      /**< 31.12.2024 */
    GLNN_CSV_DATE_MONTH_FIRST,    /**< 12/31/2024 */
    GLNN_CSV_DATE_COUNT
} glnn_csv_date;

/** The name of an order: "year_first", "day_first", "month_first". @since 0.2 */
GLNN_API const char *glnn_csv_date_name(glnn_csv_date date);

/** The order with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_date_from_name(const char *name, glnn_csv_date *out);

/** A column of a table. Its texts and arrays are allocated with malloc. Members after `type` are
 * those of feature columns. */
typedef struct glnn_csv_column {
    char *name;   /**< NULL: the table has no header                                             */
    int position; /**< from 1, in the table that was read; 0: not known                          */
    glnn_csv_role role;         /**< the use that is made of it                                  */
    glnn_csv_type type;         /**< of its fields                                               */
    glnn_csv_encoding encoding; /**< how they become features                                    */
    glnn_csv_date date;         /**< of dates                                                    */
    bool numbers_rows; /**< the fields number the rows from 0 or 1, but the name does not say so
                                or there is no other feature column                              */
    char *other_text;  /**< if most fields of a column are numbers, whose type was found: the most
                         frequent other one, which may mean a missing value; NULL: none          */
    int64_t other_fields;  /**< the number of fields with `other_text`                           */
    int categories;        /**< the number of `category_names`                                   */
    char **category_names; /**< all categories, in ascending order as classes are; NULL: none    */

    /* Set when the columns are fitted. */
    int features; /**< the features of the column; 0: not fitted yet                             */
    float fill; /**< raw value in the place of a missing number or date. Of a category: its code */
    glnn_csv_missing missing; /**< the treatment of missing values, as found by the fit          */
    int kept;       /**< the number of categories that were kept                                 */
    int *codes;     /**< of each category: its number among the kept ones, or -1; NULL: none     */
    bool has_other; /**< there is a category for those with few rows                             */
    bool has_time;  /**< of dates: the time of the day has features                              */
} glnn_csv_column;

/** The columns of a table, and its classes. Its arrays and texts are allocated with malloc. The
 * structure is a part of others, so it has no member `size`. It changes only with the minor version
 * of the library. */
typedef struct glnn_csv_columns {
    int count;           /**< the number of columns; 0: they are not known, and only the numbers of
                              features and targets are                                          */
    glnn_csv_column *of; /**< feature columns, then the label if there is one, then targets, then
                              dropped columns                                                   */
    int feature_columns; /**< the number of feature columns                                     */
    int features;        /**< the number of features, which learners get; 0: the columns are not
                              fitted yet                                                        */
    int targets;         /**< the number of targets                                             */
    int dropped;         /**< the number of dropped columns                                     */
    bool has_commas;     /**< numbers of the table have decimal commas, not points              */
    int classes;         /**< the number of classes; 0: no label, or not known                  */
    char **class_names;  /**< the label of each class, in ascending order; NULL: no names       */
} glnn_csv_columns;

/** The first column with a role, or NULL if there is none. Those with the same role follow it in
 * the array `of`, whose counts must be right. NULL for NULL. @owner the columns. @thread any.
 * @since 0.2 */
GLNN_API const glnn_csv_column *glnn_csv_columns_find(const glnn_csv_columns *columns,
                                                      glnn_csv_role role);

/** The type and the encoding that a description chooses for a feature column. */
typedef struct glnn_csv_choice {
    const char *column;         /**< its name or position                         */
    glnn_csv_type type;         /**< AUTO: the library finds it                   */
    glnn_csv_encoding encoding; /**< AUTO: that of the description or of the type */
} glnn_csv_choice;

/** How to read a table. Zeros mean the defaults: all columns are feature columns, unless they are
 * texts or number the rows. */
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
    const glnn_csv_choice *choices; /**< types and encodings of feature columns; not with `like`  */
    int choice_count;               /**< the number of `choices`                                  */
    glnn_csv_encoding encoding;     /**< of categories: ONE_HOT or ORDINAL; AUTO: ONE_HOT         */
    float rare; /**< the share of rows below which a category is not kept, below 1; 0: 0.005      */
    bool raw;   /**< values stay raw, in glnn_csv::values, and the columns are not fitted. Missing
                   values that are neither refused nor dropped are NaN                          */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_csv_desc;

/** Why glnn_csv_read refused a table, if another description can read it. If there are several
 * problems, it is the first one. */
typedef enum glnn_csv_problem {
    GLNN_CSV_PROBLEM_NONE = 0,   /**< the table was read, or no description can read it         */
    GLNN_CSV_PROBLEM_HEADER,     /**< the first row has texts and numbers: set `header`         */
    GLNN_CSV_PROBLEM_MISSING,    /**< a value is missing: choose another treatment              */
    GLNN_CSV_PROBLEM_UNLABELLED, /**< a label or target is missing: choose DROP                 */
    GLNN_CSV_PROBLEM_REAL_LABEL, /**< the label is a measurement: make the column a target      */
    GLNN_CSV_PROBLEM_SEPARATOR,  /**< the only column contains tabs, semicolons, vertical bars or
                                      commas: set `separator`                                   */
    GLNN_CSV_PROBLEM_TEXT,       /**< a number is another text: drop its column, or choose another
                                      type                                                      */
    GLNN_CSV_PROBLEM_DATE,       /**< a date is another text or has another order: the same     */
    GLNN_CSV_PROBLEM_ADDITIONAL, /**< the table has more columns than `like`: drop them         */
    GLNN_CSV_PROBLEM_CLASS,      /**< `like` does not have the class of a row                   */
    GLNN_CSV_PROBLEM_NO_HEADER,  /**< the header that `like` has is missing: name columns by
                                      position, and do not set `header` to YES                  */
    GLNN_CSV_PROBLEM_NO_FEATURE, /**< all columns are left out: choose types                     */
    GLNN_CSV_PROBLEM_COUNT
} glnn_csv_problem;

/** The name of a problem: "none", "header", "missing", "unlabelled", "real_label", "separator",
 * "text", "date", "additional", "class", "no_header", "no_feature". @since 0.2 */
GLNN_API const char *glnn_csv_problem_name(glnn_csv_problem problem);

/** The problem with a name. @since 0.2 */
GLNN_API glnn_status glnn_csv_problem_from_name(const char *name, glnn_csv_problem *out);

/** A table in main memory. */
typedef struct glnn_csv {
    size_t size;    /**< sizeof(glnn_csv), set by the caller before the call                 */
    int64_t rows;   /**< samples that were read                                              */
    float *inputs;  /**< rows x columns.features, row after row; NULL if raw                */
    float *values;  /**< if raw: rows x columns.feature_columns raw values; else NULL    */
    float *targets; /**< rows x columns.targets, row after row; NULL without targets         */
    int *labels;    /**< the class of each row, from 0; NULL without a label                 */
    glnn_csv_columns columns; /**< the columns, and the classes                                  */
    int64_t dropped_rows;     /**< rows left out because of missing values                       */
    int64_t missing_values;   /**< missing values of feature columns that were filled, or are NaN
                                   if raw                                                        */
    int64_t unknown_values;   /**< fields whose category `like` does not have                    */
    glnn_csv_problem problem; /**< why the call failed                                           */
} glnn_csv;

/** Reads a table. `desc` NULL means all defaults.
 *
 * Labels that are numbers must be integers; 1.0 and 1. are the same class as 1. The call refuses a
 * column of numbers as the label, because it is a measurement, if some numbers are not integers.
 * Without `like`, it also refuses a label that has more than 100 classes and more classes than half
 * of the rows.
 *
 * The file is read twice if there is no `like`: first for the types of columns.
 *
 * @errors
 *   - GLNN_E_ARG: path or out is null, the path is empty, or out->size is not set. The separator is
 *     a quote or a line break. `decimal` is neither a point nor a comma, or is the separator.
 *     `header`, `missing` or a choice is not in its enumeration. `rare` is not a share. A count is
 *     negative, or the name of a column is null. A column is named by its header, but `header` is
 *     NO. There are choices and `like`. `like` contradicts itself, has no features, another number
 *     of targets, no columns but missing values are to be filled, or a class whose name is null or
 *     that of another one. An encoding does not fit its type.
 *   - GLNN_E_IO: the file cannot be opened or read.
 *   - GLNN_E_FORMAT: there are no rows or no features, or rows differ in length. The header is
 *     unclear. A number or target is not a finite decimal number, or a date no date. A number has a
 *     point, but `decimal` is a comma. A value is missing, or all values of a column are. A choice
 *     names a column that is not a feature column, or dates whose day and month can be swapped. The
 *     label is
 *     a measurement, or a class that `like` does not have. A quote is not closed, or text follows
 *     it. The file has a zero byte, or its gzip data are damaged. A column of the description does
 *     not exist and is not one that `like` has either, has the same name as another one, or is
 *     named twice. The columns differ from those
 *     of `like`. The sentence has path, line and column; the line is the one where the row or the
 *     damaged quote begins. It suggests a similar name in place of one that does not exist.
 *   - GLNN_E_LIMIT: a row has more than GLNN_CSV_MAX_COLUMNS columns, a line more than
 *     GLNN_CSV_MAX_LINE bytes, or a column more than GLNN_CSV_MAX_CATEGORIES categories. There are
 *     2^31 features or more.
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
 * The same as glnn_csv_read(), but out->inputs and out->values are NULL. The file is read a part at
 * a time, once for types and once more: labels, targets, columns, and where each row starts are
 * kept, the features are not. So a table may be larger than main memory. Each row takes 24 bytes of
 * it.
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
 * If the table was opened as raw, the numbers are raw values.
 *
 * @param file     a glnn_csv_file
 * @param samples  the numbers of `count` rows, each from 0 to glnn_csv::rows - 1
 * @shapes  inputs has `count` rows of the features of the table, or of its feature columns if it
 *          is raw.
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

/** How columns are fitted. */
typedef struct glnn_csv_fit_desc {
    /** The treatment of missing values: FILL, INDICATOR or CATEGORY. With others, tables like this
     * one refuse them, unless their description treats them, and encoding fills them. */
    glnn_csv_missing missing;
    float rare; /**< the share of rows below which a category is not kept, below 1; 0: 0.005    */
    uint64_t reserved[4]; /**< zeros; room for later versions */
} glnn_csv_fit_desc;

/** Fits columns to rows, such as the rows for training: finds the means and the most frequent
 * categories, which fill missing values, the categories to keep, and the features.
 *
 *     fill of a number or date = mean of the raw values that are not NaN
 *     a category is kept       if it has at least one row and at least rare * rows of them
 *
 * Of two categories that are equally frequent, the first one fills. The columns may have been
 * fitted before. `desc` NULL means the defaults.
 *
 * @shapes  values is rows x columns.feature_columns, row after row.
 * @numbers Sums are computed in double precision.
 * @errors
 *   - GLNN_E_ARG: columns or values is null; there are no rows or no feature columns; the columns
 *     contradict themselves; `missing` is not in its enumeration; `rare` is not a share below 1.
 *   - GLNN_E_FORMAT: a column is NaN in all rows. The sentence names it; the columns stay as they
 *     are.
 *   - GLNN_E_LIMIT: there are 2^31 features or more; the columns are then not fitted.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_columns_fit(glnn_csv_columns *columns, const glnn_csv_fit_desc *desc,
                                          int64_t rows, const float *values);

/** Encodes raw values as features, by columns that were fitted. Missing values are filled.
 *
 * @param unknown  set to the number of values whose category was not kept; NULL: not counted
 * @shapes  values is rows x columns.feature_columns, inputs is rows x columns.features, row after
 *          row. If the two are the same number, inputs may be values.
 * @numbers The cycles of dates are computed in double precision and rounded once.
 * @errors
 *   - GLNN_E_ARG: columns, values or inputs is null; there are no rows; the columns are not known,
 *     contradict themselves or are not fitted.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_columns_encode(const glnn_csv_columns *columns, int64_t rows,
                                             const float *values, float *inputs, int64_t *unknown);

/** The most bytes of the name of a feature, with its zero byte. */
#define GLNN_CSV_FEATURE_NAME 160

/** Writes a name of a feature into `text`: the name of its column, or "column 3" without one, and
 * its part, as in "width", "bark=rough", "bark=other", "bark=missing", "height missing",
 * "day days", "day year sine" and "day year cosine". Long names are cut.
 *
 * @param feature  from 0 to columns->features - 1
 * @errors
 *   - GLNN_E_ARG: columns or text is null; the columns are not known, contradict themselves or are
 *     not fitted; `feature` is out of its range.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_columns_name_feature(const glnn_csv_columns *columns, int feature,
                                                   char text[GLNN_CSV_FEATURE_NAME]);

/** Makes raw values of the texts of one row, for programs that do not read it from a file. The
 * texts are read as those of the table were: blanks and tabs around them are skipped, and the
 * decimal mark is that of the table. If it is a comma, a number with a point is an error.
 *
 * A text is read as a category with blanks around it if the table had this one in quotes. A number
 * or date, and a category with blanks or a decimal comma, has at most 255 bytes in between.
 *
 * @param fields  a text for each feature column, in their order; NULL or an empty text: missing
 * @shapes  fields and values have columns.feature_columns elements.
 * @errors
 *   - GLNN_E_ARG: an argument is null; the columns are not known or contradict themselves.
 *   - GLNN_E_FORMAT: the text of a number is not a finite decimal number, or that of a date no
 *     date in the order of its column. The sentence names the column.
 *   - GLNN_E_NOMEM: main memory ran out.
 * @thread  any.
 * @since   0.2 */
GLNN_API glnn_status glnn_csv_columns_parse(const glnn_csv_columns *columns,
                                            const char *const *fields, float *values);

/** Frees the memory of columns that the caller took out of a table, or allocated with malloc, and
 * empties them. NULL does nothing. @thread any. @since 0.1 */
GLNN_API void glnn_csv_columns_free(glnn_csv_columns *columns);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
