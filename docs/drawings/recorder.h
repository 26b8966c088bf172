/* The passes of lists that the library has recorded. */
#ifndef DRAWINGS_RECORDER_H
#define DRAWINGS_RECORDER_H

#include "pass/list.h"

#include <glnn/network.h>

#define MAX_PASSES  64
#define MAX_WRITTEN (1 + GLNN__MAX_SIDE_OUTPUTS)

/* A matrix as it was when a pass used it. Names are those that the library gives. */
typedef struct used_matrix {
    const glnn_matrix *matrix;
    char name[40];
    int rows, columns;
    glnn_layout layout;
} used_matrix;

typedef struct recorded_pass {
    char kernel[32]; /* without its folder */
    char part[32];   /* of the call that it belongs to: "forward"; "": none */
    int layer;       /* of a network; -1: none */
    bool blends;
    int read_count, written_count;
    used_matrix read[GLNN__MAX_OPERANDS], written[MAX_WRITTEN];
} recorded_pass;

typedef struct passes {
    int count;
    recorded_pass passes[MAX_PASSES];
} passes;

/* Adds the passes of a list, which may be NULL. */
void recorder_add(const glnn__list *list, passes *to);

/* Ends the program with a message if a call of the library has failed. */
void require(glnn_status status);

/* A data set of zeros. */
glnn_dataset *recorder_data(glnn_context *ctx, int samples, int features, int classes);

/* Records the second step of a training: the first one also clears the metrics. */
void record_step(glnn_learner *network, const glnn_dataset *data, int batch, passes *out);

/* A context whose plans are the same on every machine: the built-in ones of a GPU, in the fragment
 * stage, with render targets. */
glnn_context *recorder_context(void);

/* The same in a stage. */
glnn_context *recorder_context_of(glnn_stage stage);

#endif
