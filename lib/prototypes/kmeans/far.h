/* The samples of an epoch that are farthest from their centres, as new places for centres that have
 * no samples. */
#ifndef GLNN__PROTOTYPES_KMEANS_FAR_H
#define GLNN__PROTOTYPES_KMEANS_FAR_H

#include "learn/state.h"
#include "learn/tensor.h"

#include <glnn/base.h>

#include <stdbool.h>

/* As many samples of each class as it has centres without samples, the farthest first. */
typedef struct glnn__far {
    bool is_wanted; /* an epoch is looked through for them */
    int classes;
    int *first;     /* classes + 1: where the places of each class begin      */
    size_t columns; /* of a place: 1 + features                               */
    float *rows;    /* of each place: the squared distance, 0 if it is free, and the sample */
} glnn__far;

static inline float *glnn__far_row(const glnn__far *far, int place)
{
    return far->rows + (size_t)place * far->columns;
}

/* Starts to look, with wanted[c] places for class c.
 * Errors: E_NOMEM; *far is empty then. */
glnn_status glnn__far_create(glnn__far *far, int classes, int features, const int *wanted);
void glnn__far_destroy(glnn__far *far);

/* Saves or loads how many are looked for, in `classes` classes; and lists them. */
void glnn__far_state(glnn__far *far, int classes, int features, int most, glnn__state *state);
void glnn__far_visit(const glnn__far *far, glnn__visitor *visitor);

/* Takes in a sample that is farther than one that has a place of its class, or than 0. Of equal
 * distances the first to come stays ahead. */
void glnn__far_offer(glnn__far *far, int class, float distance, const float *sample);

#endif
