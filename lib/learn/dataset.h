/* Samples on the GPU. */
#ifndef GLNN__LEARN_DATASET_H
#define GLNN__LEARN_DATASET_H

#include "tex/matrix.h"

#include <glnn/dataset.h>

struct glnn_dataset {
    glnn_context *ctx;
    char *name;
    int samples, features, outputs;
    glnn_matrix *inputs;  /* samples x features                              */
    glnn_matrix *targets; /* samples x 1 class numbers, or samples x outputs; NULL without either */
    int *labels;          /* the class numbers once more; NULL without       */
};

#endif
