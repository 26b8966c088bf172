/* The columns of a table: the types that the user chooses, and how they become inputs. */
#ifndef TRAIN_COLUMNS_H
#define TRAIN_COLUMNS_H

#include <glnn/csv.h>

#include <stdbool.h>

/* The choices of a list such as "class=category,city=ordinal". */
typedef struct column_choices {
    int count;
    char *copy; /* of the list */
    glnn_csv_choice *of;
} column_choices;

/* Reads a list; NULL has no choices. A type that is an encoding of categories chooses both. False
 * with a failure: an entry is not NAME=TYPE. The caller frees the choices in both cases. */
bool column_choices_read(const char *list, column_choices *out);
void column_choices_free(column_choices *of);

/* The names of the targets, which stay those of the columns; the caller frees the array. NULL: they
 * have no names. */
char **columns_list_targets(const glnn_csv_columns *of);

/* Prints a line for each column of a table: its name, its type and how it becomes inputs. If there
 * are very many, plain numbers have one line together. `rows` is the length of the table. Names the
 * options that change the use of columns if `may_change` is set. */
void columns_show(const glnn_csv_columns *of, int rows, bool may_change);

#endif
