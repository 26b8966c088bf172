#include "classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/failure.h"

int classes_find(const class_names *classes, const char *name)
{
    for (int i = 0; i < classes->count; ++i)
        if (strcmp(classes->names[i], name) == 0)
            return i;
    return -1;
}

static bool make_room(class_names *classes)
{
    if (classes->count < classes->capacity)
        return true;
    int capacity = classes->capacity ? 2 * classes->capacity : 16;
    char **names = realloc(classes->names, (size_t)capacity * sizeof *names);
    if (names == NULL)
        return refuse("no memory for the names of %d classes", capacity);
    classes->names = names;
    classes->capacity = capacity;
    return true;
}

int classes_add(class_names *classes, const char *name)
{
    int found = classes_find(classes, name);
    if (found >= 0)
        return found;
    char *copy = make_room(classes) ? strdup(name) : NULL;
    if (copy == NULL) {
        refuse("no memory for the names of %d classes", classes->count + 1);
        return -1;
    }
    classes->names[classes->count] = copy;
    return classes->count++;
}

void classes_take(glnn_csv_columns *from, class_names *out)
{
    const int count = from->class_names ? from->classes : 0;
    *out = (class_names){count, count, from->class_names};
    from->classes = 0;
    from->class_names = NULL;
}

bool classes_number(class_names *classes, int count)
{
    char name[16];
    for (int i = 0; i < count; ++i) {
        snprintf(name, sizeof name, "%d", i);
        if (classes_add(classes, name) < 0)
            return false;
    }
    return true;
}

void classes_free(class_names *classes)
{
    for (int i = 0; i < classes->count; ++i)
        free(classes->names[i]);
    free(classes->names);
    *classes = (class_names){0};
}
