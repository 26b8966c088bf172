/* Collects samples, in any order, as the texels of PAGED matrices. */
#ifndef GLNN__DATA_COLLECT_H
#define GLNN__DATA_COLLECT_H

#include "data/sample_file.h"

#include <glnn/dataset.h>

/* Where the samples of a data set are. */
typedef struct glnn__source {
    const char *name;            /* of the data set                                      */
    const unsigned char *inputs; /* samples x features float32 in memory, at any address;
                                    NULL: they are read                                  */
    glnn_dataset_reader read;    /* NULL: they are read from the file                    */
    void *user;                  /* of `read`                                            */
    glnn__sample_file file;      /* empty: the inputs are the program's own              */
    const float *targets;        /* samples x outputs; NULL: labels                      */
    const int *labels;           /* NULL: targets, or neither                            */
    const float *weights;        /* of the samples; NULL: all are 1                      */
    const double *means;         /* outputs: the mean target; NULL without targets       */
    int features, outputs;       /* with labels, outputs are the classes                  */
} glnn__source;

/* The samples to collect, and the arrays to fill. */
typedef struct glnn__collection {
    const int *order; /* numbers of samples; NULL: the samples' own order         */
    int first, count; /* entries of it                                            */
    float *inputs;    /* count rows of whole texels                               */
    float *targets;   /* the same, of glnn__target_columns                        */
    int *labels;      /* count numbers; NULL: not wanted                          */
} glnn__collection;

/* Columns of the targets matrix. They hold the label and the weight of a sample; or its target, its
 * weight, and the squared distance of the target from the mean target; or one zero. */
int glnn__target_columns(int outputs, const int *labels);

/* Floats that a row takes in whole texels. */
size_t glnn__texel_floats(int columns);

/* Rows that are collected at a time, and the bytes of room that they take. */
int glnn__collect_rows(const glnn__source *source);
size_t glnn__collect_room(const glnn__source *source);

/* Calls that fetched samples, and the bytes of these. */
typedef struct glnn__tally {
    uint64_t reads, bytes;
} glnn__tally;

/* Collects rows `begin` to `end` - 1, at most glnn__collect_rows of them, in any thread, and adds
 * to the tally. Errors: E_IO the file cannot be read; E_FORMAT a value is not finite; those of
 * source->read. */
glnn_status glnn__collect_piece(const glnn__source *source, const glnn__collection *what, int begin,
                                int end, void *room, glnn__tally *tally);

/* Collects in the calling thread. Errors: as glnn__collect_piece; E_NOMEM. */
glnn_status glnn__collect(const glnn__source *source, const glnn__collection *what);

#endif
