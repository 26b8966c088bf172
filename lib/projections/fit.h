/* What principal components and discriminants do alike: from samples to a projection. */
#ifndef GLNN__PROJECTIONS_FIT_H
#define GLNN__PROJECTIONS_FIT_H

#include "projections/projection.h"
#include "projections/scatter.h"

/* A fit under way. */
typedef struct glnn__fit {
    const glnn__samples *samples;
    int wanted;  /* components; 0: as many as there are */
    bool whiten; /* components get the variance 1       */
    glnn__scatter scatter;
    int count;          /* of the components that were found                       */
    double *values;     /* the square roots of eigenvalues                         */
    double *directions; /* one after the other                                     */
} glnn__fit;

/* E_LIMIT if more components are wanted than `most`, which follows from `count` "rows" or
 * "classes". */
glnn_status glnn__fit_check_wanted(const glnn__fit *fit, int64_t count, const char *of, int most);

/* Multiplies a direction. */
void glnn__fit_scale(glnn__fit *fit, int index, double factor);

/* Makes room for `most` values, and for `count` directions. Errors: E_NOMEM. */
glnn_status glnn__fit_make_room(glnn__fit *fit, int most, int count);

/* Fits a projection: `find` finds count, values and directions from the scatter, which may change.
 * There have to be `least_rows` samples. */
glnn_status glnn__fit_run(glnn__fit *fit, glnn_context *ctx, int least_rows,
                          glnn_status (*find)(glnn__fit *fit), glnn_projection **out);

#endif
