/* The inside of a data set. */
#ifndef GLNN__DATA_DATASET_H
#define GLNN__DATA_DATASET_H

#include "data/collect.h"
#include "tex/matrix.h"

#include <glnn/dataset.h>

struct glnn_dataset {
    glnn_context *ctx;
    int owners; /* the caller, and trainers that share the data set with it */
    char *name;
    int samples, features, outputs;
    float greatest;       /* the greatest magnitude of an input; 0 for a stream                  */
    uint64_t inputs_sum;  /* checksum of all inputs that were copied to textures; 0: the samples
                             stream, or are in matrices of the program                           */
    uint64_t targets_sum; /* the same of all targets                                             */
    glnn_matrix *inputs;  /* samples x features; NULL for a stream                               */
    uint64_t version;     /* of the inputs; each filling of a window has another one             */
    glnn_matrix *targets; /* samples x glnn__target_columns, or samples x outputs of the program;
                             NULL for a stream, or without labels and targets                    */
    bool may_change;      /* the samples are in matrices that are shared with the program, which
                             may write other numbers to them at any time                         */
    int *labels;          /* the labels in main memory; NULL without labels                      */
    float *weights;       /* of the samples; NULL: all are 1. A window has those of its set, to
                             show that there are any                                             */
    double *means;        /* outputs: the mean target; NULL without targets                      */
    float odd_target; /* the first target outside of [0, 1]; 0: there is none, or it is not known */
    struct glnn__stream *stream; /* NULL: resident. The batches of a stream name a window, which is
                                    a resident set, so learners treat both in the same way       */
    glnn__dependent object;
};

/* As glnn_dataset_create, with the inputs of `from`. The data set takes its file over, also if this
 * fails. `function` begins the sentence of an error. */
glnn_status glnn__dataset_create(glnn_context *ctx, const char *function,
                                 const glnn_dataset_desc *desc, const glnn__source *from,
                                 glnn_dataset **out);

/* Fails with E_ARG or E_LIMIT if no data set can have these numbers of samples and features. */
glnn_status glnn__dataset_check_counts(const char *subject, const glnn_dataset_desc *desc);

/* Creates the matrices for the inputs and the targets of `samples` samples. */
glnn_status glnn__dataset_create_matrices(glnn_dataset *data, int samples, glnn_storage storage);

/* Creates the matrix for the targets of `samples` samples. */
glnn_status glnn__dataset_create_targets(glnn_dataset *data, int samples);

/* Fails with E_ARG if `values` are given without their count, or a count without them. */
glnn_status glnn__dataset_check_pair(const char *subject, const char *values, bool are_given,
                                     const char *counted, int count);

/* Copies the labels of the samples, which have data->outputs classes. E_FORMAT: one is of none of
 * them. */
glnn_status glnn__dataset_take_labels(const char *subject, const int *labels, glnn_dataset *data);

/* Makes the calling object an owner too, which passes the data set to glnn__dataset_release. The
 * last owner destroys it. */
glnn_dataset *glnn__dataset_share(const glnn_dataset *data);
void glnn__dataset_release(glnn_dataset *data);

/* Adds a data set to the objects of the program. */
void glnn__dataset_add_object(glnn_dataset *data);

/* Fails with E_FORMAT if an input is too large for float16. */
glnn_status glnn__dataset_check_half(const glnn_dataset *data);

#endif
