/* Samples on the GPU. */
#ifndef GLNN__LEARN_DATASET_H
#define GLNN__LEARN_DATASET_H

#include "tex/matrix.h"

#include <glnn/dataset.h>

struct glnn_dataset {
    glnn_context *ctx;
    char *name;
    int samples, features, outputs;
    float greatest;       /* magnitude of an input                           */
    glnn_matrix *inputs;  /* samples x features                              */
    glnn_matrix *targets; /* samples x 1 class numbers, or samples x outputs */
    int *labels;          /* the class numbers once more; NULL without       */
};

/* No input would be infinite in 16 bits. */
glnn_status glnn__dataset_check_half(const glnn_dataset *data);

#endif
