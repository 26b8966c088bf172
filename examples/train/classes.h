/* The names of classes. The number of a class is the place of its name. */
#ifndef TRAIN_CLASSES_H
#define TRAIN_CLASSES_H

#include <glnn/csv.h>

#include <stdbool.h>

typedef struct class_names {
    int count, capacity;
    char **names;
} class_names;

/* The class of that name; -1: not found. */
int classes_find(const class_names *classes, const char *name);

/* The class of that name, which is added if it is not there; -1 with a failure: no memory. */
int classes_add(class_names *classes, const char *name);

/* Moves the names of a table's classes into an empty list. */
void classes_take(glnn_csv_columns *from, class_names *out);

/* Adds classes named "0", "1", and so on. */
bool classes_number(class_names *classes, int count);

void classes_free(class_names *classes);

#endif
