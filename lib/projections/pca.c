/* Principal components. */
#include "projections/fit.h"

#include "base/sized.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "projections/linear.h"

#include <math.h>

/* A smaller part of the variance is a rounding error. */
#define LEAST_PART 0x1p-20

/* Finds the eigenvectors of the scatter that are more than rounding errors. */
static glnn_status find_spectrum(glnn__fit *fit, const char *what)
{
    const int64_t rows = fit->samples->rows;
    const int features = fit->samples->features;
    const int most = rows - 1 < features ? (int)(rows - 1) : features;
    const int wanted = fit->wanted ? fit->wanted : features;
    const double least = LEAST_PART * glnn__scatter_trace(&fit->scatter, features);
    GLNN__TRY(glnn__fit_check_wanted(fit, rows, "rows", most));
    GLNN__TRY(glnn__fit_make_room(fit, features, wanted));
    GLNN__TRY(glnn__linear_eigen(what, features, wanted, fit->scatter.sums, fit->values,
                                 fit->directions));
    while (fit->count < wanted && fit->values[fit->count] > least)
        ++fit->count;
    if (fit->count < fit->wanted)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d components, but only %d direction%s more than 2^-20 of the "
                          "variance; scale features of different magnitude first",
                          what, fit->wanted, fit->count, fit->count == 1 ? " holds" : "s hold");
    return GLNN_OK;
}

static glnn_status find(glnn__fit *fit)
{
    const glnn__samples *of = fit->samples;
    if (fit->scatter.unit == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the samples are all the same", of->what);
    GLNN__TRY(find_spectrum(fit, of->what));
    for (int c = 0; c < fit->count; ++c) {
        fit->values[c] = fit->scatter.unit * sqrt(fit->values[c]);
        if (fit->whiten)
            glnn__fit_scale(fit, c, 1 / fit->values[c]);
    }
    return GLNN_OK;
}

glnn_status glnn_pca_fit(glnn_context *ctx, const glnn_pca_desc *desc, int64_t rows, int features,
                         const float *samples, glnn_projection **out)
{
    const glnn_pca_desc asked = desc ? *desc : (glnn_pca_desc){0};
    const glnn__samples of = {__func__, rows, features, samples, NULL, 1};
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(samples);
    GLNN__TRY(glnn__fail_in(__func__, GLNN__RESERVED_CHECK(glnn_pca_desc, &asked)));
    glnn__fit fit = {.samples = &of, .wanted = asked.components, .whiten = asked.whiten};
    return glnn__fit_run(&fit, ctx, 2, find, out);
}
