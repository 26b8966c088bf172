/* Texts numbered as classes. */
#ifndef GLNN__IO_TABLE_LABELS_H
#define GLNN__IO_TABLE_LABELS_H

#include <glnn/base.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct glnn__labels {
    char **names; /* distinct, in order of first appearance until sorted, each on the heap */
    int count;
    int *slots; /* hash table of 1 + index into `names`; 0: free             */
    size_t slot_count;
} glnn__labels;

/* The index of a text among those seen so far, to which it is added if it is new. */
glnn_status glnn__labels_index(glnn__labels *labels, const char *text, int *index);

/* The index of a text; -1: it was not seen. */
int glnn__labels_find(const glnn__labels *labels, const char *text);

/* Sorts the names in ascending order, as integers if all are, otherwise byte by byte, and renumbers
 * `classes`. */
glnn_status glnn__labels_sort(glnn__labels *labels, int *classes, size_t count);

/* Hands the names over to the caller, who frees them, and forgets all texts. */
void glnn__labels_take(glnn__labels *labels, int *count, char ***names);

void glnn__labels_free(glnn__labels *labels);

#endif
