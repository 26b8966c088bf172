/* Fitting a projection to samples, for principal components and discriminants. */
#ifndef GLNN__PROJECTIONS_FIT_H
#define GLNN__PROJECTIONS_FIT_H

#include "projections/projection.h"
#include "projections/scatter.h"

/* A fit that is being computed. */
typedef struct glnn__fit {
    const glnn__samples *samples;
    int wanted;  /* components; 0: as many as there are */
    bool whiten; /* components have variance 1          */
    glnn__scatter scatter;
    int count;          /* components that were found                              */
    double *values;     /* the square roots of eigenvalues                         */
    double *directions; /* one after the other                                     */
} glnn__fit;

/* Fails with E_LIMIT if more components are wanted than `most`. This limit follows from the `count`
 * of "rows" or "classes". */
glnn_status glnn__fit_check_wanted(const glnn__fit *fit, int64_t count, const char *of, int most);

/* Multiplies a direction. */
void glnn__fit_scale(glnn__fit *fit, int index, double factor);

/* Allocates `most` values and `count` directions. Errors: E_NOMEM. */
glnn_status glnn__fit_make_room(glnn__fit *fit, int most, int count);

/* Fits a projection to at least `least_rows` samples. `find` computes count, values and directions
 * from the scatter, which it may change. */
glnn_status glnn__fit_run(glnn__fit *fit, glnn_context *ctx, int least_rows,
                          glnn_status (*find)(glnn__fit *fit), glnn_projection **out);

#endif
