/* The columns of a table: the types that the user chooses, and how they become inputs. */
#ifndef TRAIN_COLUMNS_H
#define TRAIN_COLUMNS_H

#include <glnn/csv.h>

#include <stdbool.h>
#include <stdint.h>

/* The choices of a list such as "class=category,city=ordinal". */
typedef struct column_choices {
    int count;
    char *copy; /* of the list */
    glnn_csv_choice *of;
} column_choices;

/* Reads a list; NULL has no choices. A type that names an encoding chooses both. False with
 * a failure: an entry is not NAME=TYPE. The caller frees the choices in both cases. */
bool column_choices_read(const char *list, column_choices *out);
void column_choices_free(column_choices *of);

/* The names of the targets, which stay those of the columns; the caller frees the array. NULL: they
 * have no names. */
char **columns_list_targets(const glnn_csv_columns *of);

/* Prints a line for each column of a table: its name, its type and how it becomes inputs. If there
 * are very many, plain numbers have one line together. `rows` is the length of the table. Names the
 * options that change the use of columns if `may_change` is set. */
void columns_show(const glnn_csv_columns *of, int rows, bool may_change);

/* The raw values of a feature column. */
typedef struct column_counts {
    int64_t missing; /* of all samples                                                  */
    int64_t unknown; /* of the test: categories that the column does not keep           */
    int64_t trained; /* values of the samples for training that are not missing         */
    float value;     /* one of these                                                    */
    bool varies;     /* these differ                                                    */
} column_counts;

/* Raw values of some feature columns: rows of `count` values, of the columns from `first` on. */
typedef struct column_range {
    int first, count, rows;
    const float *values;
} column_range;

/* Counts values of the test, by columns that are fitted, or of the samples for training. `counts`
 * has an entry for each feature column. */
void columns_count(const glnn_csv_columns *of, bool is_test, const column_range *range,
                   column_counts *counts);

/* Prints a note about each column of numbers and other texts, which may mean missing values. */
void columns_note_others(const glnn_csv_columns *of);

/* Print notes about the columns whose values were counted: what missing values became; the columns
 * with unknown categories; columns that tell nothing about the samples for training. */
void columns_note_missing(const glnn_csv_columns *of, const column_counts *counts);
void columns_note_unknown(const glnn_csv_columns *of, const column_counts *counts);
void columns_note_useless(const glnn_csv_columns *of, const column_counts *counts);

#endif
