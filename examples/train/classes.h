/* The names of classes: a class is the place of its name. */
#ifndef EXAMPLES_CLASSES_H
#define EXAMPLES_CLASSES_H

#include <stdbool.h>

typedef struct class_names {
    int count, capacity;
    char **names;
} class_names;

/* The class of that name; -1: there is none. */
int classes_find(const class_names *classes, const char *name);

/* The class of that name, which is new where there was none; -1: no memory, and a failure says
 * so. */
int classes_add(class_names *classes, const char *name);

/* Classes 0, 1, ... named by their numbers. */
bool classes_number(class_names *classes, int count);

/* A file with a name a line. Reading one adds to classes that are empty before. */
bool classes_write(const class_names *classes, const char *path);
bool classes_read(class_names *classes, const char *path);

void classes_free(class_names *classes);

#endif
