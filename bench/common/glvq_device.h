/* Training steps of GLVQ by the library. */
#ifndef BENCH_GLVQ_DEVICE_H
#define BENCH_GLVQ_DEVICE_H

#include "common/glvq.h"
#include "common/harness.h"

/* A classifier and the samples that it is trained on. */
typedef struct glvq_device {
    glnn_learner *lvq;
    glnn_dataset *data;
    int batch;
} glvq_device;

typedef struct glvq_choices {
    glnn_layout layout;
    glnn_search search;
    size_t texture_budget; /* of the samples, in bytes: more than these stream; 0: none do */
} glvq_choices;

/* The first `samples` samples; prototypes as they are in `data`. */
glvq_device glvq_device_new(glnn_context *ctx, const glvq_case *of, const glvq_data *data,
                            int samples, glvq_choices choices);
void glvq_device_free(glvq_device *d);

/* Reads the prototypes. */
void glvq_device_take(const glvq_device *d, const glvq_case *of, float *prototypes);

/* An epoch; the number of its steps. */
int glvq_device_train(const glvq_device *d);

/* Seconds of the matrix product of a batch and all prototypes by glnn_gemm, alone. It is cut into
 * slices of so many features, whose sums a reduction adds; 0: as planned. */
double glvq_device_product(bench *b, const glvq_case *of, const glvq_data *data, glnn_layout layout,
                           int slice);

/* A kernel in the passes of a step. */
typedef struct glvq_kernel {
    char name[32];
    double passes, seconds; /* in a step */
} glvq_kernel;

enum { GLVQ_MOST_KERNELS = 32 };

/* The parts of a step. */
typedef struct glvq_split {
    double seconds[GLVQ_PHASES];
    int count;
    glvq_kernel kernels[GLVQ_MOST_KERNELS];
} glvq_split;

/* Times each pass of a step alone, in a context of its own, by the library's trace: by timer
 * queries where they are right, else by waiting for it. A fused search is a distance, and the fold
 * of what it finds a minimum. */
glvq_split glvq_device_split(const bench *b, const glvq_case *of, const glvq_data *data,
                             glvq_choices choices);

#endif
