/* Samples on the GPU, or on their way to it. */
#ifndef GLNN__DATA_DATASET_H
#define GLNN__DATA_DATASET_H

#include "data/collect.h"
#include "tex/matrix.h"

#include <glnn/dataset.h>

struct glnn_dataset {
    glnn_context *ctx;
    char *name;
    int samples, features, outputs;
    float greatest;              /* magnitude of an input; 0 where the set streams               */
    glnn_matrix *inputs;         /* samples x features; NULL where the set streams               */
    glnn_matrix *targets;        /* samples x glnn__target_columns (collector.h); the same       */
    int *labels;                 /* the class numbers once more; NULL without                    */
    float *weights;              /* of the samples, of which not all are 1; NULL: all are. A
                                    window of a stream has its set's, to say that there are any  */
    double *means;               /* outputs: the mean target; NULL without targets               */
    struct glnn__stream *stream; /* NULL: resident. Batches name a window of it, a resident set, */
};                               /* so that a learner that is given batches need not know        */

/* As glnn_dataset_create, with the inputs of `from`. The data set takes its file over, also if this
 * fails. `function` begins the sentence of an error. */
glnn_status glnn__dataset_create(glnn_context *ctx, const char *function,
                                 const glnn_dataset_desc *desc, const glnn__source *from,
                                 glnn_dataset **out);

/* Fails with E_ARG or E_LIMIT where no data set has such counts of samples and features. */
glnn_status glnn__dataset_check_counts(const char *subject, const glnn_dataset_desc *desc);

/* Matrices for the inputs of so many samples, and for what goes with them. */
glnn_status glnn__dataset_create_matrices(glnn_dataset *data, int samples, glnn_storage storage);

/* No input would be infinite in 16 bits. */
glnn_status glnn__dataset_check_half(const glnn_dataset *data);

#endif
