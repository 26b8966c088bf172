#include "classes.h"

#include <errno.h>
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

bool classes_write(const class_names *classes, const char *path)
{
    for (int i = 0; i < classes->count; ++i)
        if (strpbrk(classes->names[i], "\r\n") != NULL)
            return refuse("cannot write the classes to %s: the name of class %d has a line break",
                          path, i);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return refuse("cannot write the classes to %s: %s", path, strerror(errno));
    for (int i = 0; i < classes->count; ++i)
        fprintf(file, "%s\n", classes->names[i]);
    bool written = ferror(file) == 0;
    return (fclose(file) == 0 && written) ||
           refuse("cannot write the classes to %s: %s", path, strerror(errno));
}

bool classes_read(class_names *classes, const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    bool done = true;
    if (file == NULL)
        return refuse("cannot read the classes in %s: %s", path, strerror(errno));
    while (done && getline(&line, &size, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        int known = classes->count;
        done = classes_add(classes, line) >= 0;
        if (done && classes->count == known)
            done = refuse("%s: the class '%s' is there twice", path, line);
    }
    free(line);
    fclose(file);
    return done;
}

void classes_free(class_names *classes)
{
    for (int i = 0; i < classes->count; ++i)
        free(classes->names[i]);
    free(classes->names);
    *classes = (class_names){0};
}
