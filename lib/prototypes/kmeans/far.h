/* The samples of an epoch that are farthest from their centres, as new places for centres that have
 * no samples. */
#ifndef GLNN__PROTOTYPES_KMEANS_FAR_H
#define GLNN__PROTOTYPES_KMEANS_FAR_H

#include "learn/exchange/exchange.h"
#include "learn/state.h"

#include <glnn/base.h>

#include <stdbool.h>

/* As many samples of each class as it has centres without samples, the farthest first. */
typedef struct glnn__far {
    bool is_wanted; /* an epoch is looked through for them */
    int features, classes;
    int *first;       /* classes + 1: where the places of each class begin      */
    float *distances; /* squared, of each place; 0: it is free                  */
    float *samples;   /* places x features                                      */
} glnn__far;

/* Starts to look, with wanted[c] places for class c.
 * Errors: E_NOMEM; *far is empty then. */
glnn_status glnn__far_create(glnn__far *far, int classes, int features, const int *wanted);
void glnn__far_destroy(glnn__far *far);

/* Lists them, for `classes` classes. */
void glnn__far_state(glnn__far *far, int classes, int features, int most, glnn__state *state);

/* Takes in a sample that is farther than one that has a place of its class, or than 0. Of equal
 * distances the first to come stays ahead. */
void glnn__far_offer(glnn__far *far, int class, float distance, const float *sample);

/* Sets all places free. */
void glnn__far_clear(glnn__far *far);

/* Puts the samples that all processes have taken in together. Of equal distances that of the lower
 * rank stays ahead. Errors: E_NOMEM, E_PROCESS. */
glnn_status glnn__far_merge(glnn__far *far, glnn__exchange *exchange);

#endif
