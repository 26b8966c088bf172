/* Means of classes and the scatter of samples around them. */
#ifndef GLNN__PROJECTIONS_SCATTER_H
#define GLNN__PROJECTIONS_SCATTER_H

#include <glnn/context.h>

#include <stdint.h>

/* Samples in main memory. With `labels` NULL there is one class. */
typedef struct glnn__samples {
    const char *what; /* begins the sentence of an error         */
    int64_t rows;
    int features;
    const float *values;
    const int *labels;
    int classes;
} glnn__samples;

typedef struct glnn__scatter {
    int64_t *counts; /* samples of each class                                                    */
    double *means;   /* of each class, classes x features                                        */
    double *mean;    /* of all samples                                                           */
    double unit;     /* a power of two above the greatest deviation; 0: all deviations are 0      */
    double *sums;    /* features x features: the mean over the samples of (x - m) (x - m)' in
                        squared units, with m the mean of the sample's class                     */
} glnn__scatter;

/* Sums the scatter of samples. Errors: E_FORMAT a value is not finite, or a label is not in
 * 0 .. classes - 1; E_LIMIT, E_NOMEM, E_GL. On failure there is nothing to free. */
glnn_status glnn__scatter_create(glnn_context *ctx, const glnn__samples *samples,
                                 glnn__scatter *out);
void glnn__scatter_free(glnn__scatter *scatter);

/* The sum of the variances of all features, in squared units. */
double glnn__scatter_trace(const glnn__scatter *scatter, int features);

#endif
