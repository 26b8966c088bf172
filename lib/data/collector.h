/* Threads that collect samples, in any order, as the texels of PAGED matrices. */
#ifndef GLNN__DATA_COLLECTOR_H
#define GLNN__DATA_COLLECTOR_H

#include "base/mapping.h"

/* Where samples lie in main memory. */
typedef struct glnn__source {
    const char *name;            /* of the data set                                   */
    const unsigned char *inputs; /* samples x features float32, at any address        */
    const float *targets;        /* samples x outputs; NULL: labels                   */
    const int *labels;           /* NULL: targets, or neither, which zeros stand for  */
    const float *weights;        /* of the samples; NULL: all are 1                   */
    const double *means;         /* outputs: the mean target; NULL without targets    */
    int features, outputs;       /* classes where there are labels                    */
    glnn__mapping file;          /* that the inputs are in; empty: the program's own  */
} glnn__source;

/* The samples to collect, and the arrays to fill. */
typedef struct glnn__collection {
    const int *order; /* numbers of samples; NULL: the samples' own order         */
    int first, count; /* entries of it                                            */
    float *inputs;    /* count rows of whole texels                               */
    float *targets;   /* the same, of glnn__target_columns                        */
    int *labels;      /* count numbers; NULL: not wanted                          */
} glnn__collection;

/* Columns of what goes with the inputs: the label and the weight of a sample; or its target, its
 * weight and the squared distance of its target from the mean one; or without either a zero. */
int glnn__target_columns(int outputs, const int *labels);

/* Floats that a row takes in whole texels. */
size_t glnn__texel_floats(int columns);

/* Collects in the calling thread. Errors: E_FORMAT a value is no finite number, the first such one
 * of the order; E_IO the file has become shorter. */
glnn_status glnn__collect(const glnn__source *source, const glnn__collection *what);

typedef struct glnn__collector glnn__collector;

/* `source` has to outlive the collector. */
glnn_status glnn__collector_create(const glnn__source *source, glnn__collector **out);

/* Cancels what is under way. NULL does nothing. */
void glnn__collector_destroy(glnn__collector *collector);

/* Starts to collect, and returns at once; nothing else is under way. */
void glnn__collector_start(glnn__collector *collector, const glnn__collection *what);

/* True where glnn__collector_finish would neither wait nor fail. */
bool glnn__collector_is_sound(glnn__collector *collector);

/* Waits until all is collected. Errors: as glnn__collect. */
glnn_status glnn__collector_finish(glnn__collector *collector);

/* Waits for the threads to drop what is under way. */
void glnn__collector_cancel(glnn__collector *collector);

#endif
