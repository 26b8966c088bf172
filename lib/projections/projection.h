/* The inside of a projection. */
#ifndef GLNN__PROJECTIONS_PROJECTION_H
#define GLNN__PROJECTIONS_PROJECTION_H

#include <glnn/projection.h>

struct glnn_projection {
    glnn_context *ctx;
    int features, components;
    float *mean;          /* features                                       */
    float *directions;    /* components x features                          */
    float *eigenvalues;   /* components                                     */
    glnn_matrix *shift;   /* the mean on the GPU, 1 x features              */
    glnn_matrix *weights; /* the directions on the GPU                      */
};

/* Creates a projection whose arrays the caller fills in before glnn__projection_finish, which
 * checks that they are finite and copies them to the GPU; on failure it destroys the projection, and
 * *out is NULL. `what` begins the sentence of an error.
 * Errors: E_FORMAT a number is not finite; E_LIMIT, E_NOMEM, E_GL. */
glnn_status glnn__projection_create(glnn_context *ctx, const char *what, int features,
                                    int components, glnn_projection **out);
glnn_status glnn__projection_finish(const char *what, glnn_projection **out);

/* A projection of copies of such arrays, finished. Errors: both. */
glnn_status glnn__projection_from(glnn_context *ctx, const char *what, int features, int components,
                                  const float *mean, const float *directions,
                                  const float *eigenvalues, glnn_projection **out);

/* Sets row `index` of the directions to `factor` times a vector, and to the sign that makes its
 * element of the greatest magnitude positive. */
void glnn__projection_set(glnn_projection *projection, int index, double factor,
                          const double *direction);

#endif
