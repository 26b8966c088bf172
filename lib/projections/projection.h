/* The inside of a projection. */
#ifndef GLNN__PROJECTIONS_PROJECTION_H
#define GLNN__PROJECTIONS_PROJECTION_H

#include "gl/lifetime.h"

#include <glnn/projection.h>

struct glnn_projection {
    glnn_context *ctx;
    int features, components;
    float *mean;          /* features                                       */
    float *directions;    /* components x features                          */
    float *eigenvalues;   /* components                                     */
    glnn_matrix *shift;   /* the mean on the GPU, 1 x features              */
    glnn_matrix *weights; /* the directions on the GPU                      */
    glnn__dependent object;
};

/* Creates a projection with copies of the arrays, which must be finite. `what` begins the sentence
 * of an error. Errors: E_FORMAT a number is not finite; E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__projection_from(glnn_context *ctx, const char *what, int features, int components,
                                  const float *mean, const float *directions,
                                  const float *eigenvalues, glnn_projection **out);

/* The same from double precision. Each direction gets the sign that makes its element of the
 * greatest magnitude positive. */
glnn_status glnn__projection_fitted(glnn_context *ctx, const char *what, int features,
                                    int components, const double *mean, const double *directions,
                                    const double *eigenvalues, glnn_projection **out);

#endif
