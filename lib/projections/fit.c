#include "projections/fit.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

glnn_status glnn__fit_make_room(glnn__fit *fit, int most, int count)
{
    const int features = fit->samples->features;
    fit->values = malloc((size_t)most * sizeof *fit->values);
    fit->directions = malloc((size_t)count * (size_t)features * sizeof *fit->directions);
    return fit->values && fit->directions
               ? GLNN_OK
               : glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d components of %d features",
                            fit->samples->what, count, features);
}

glnn_status glnn__fit_check_wanted(const glnn__fit *fit, int64_t count, const char *of, int most)
{
    if (fit->wanted <= most)
        return GLNN_OK;
    return glnn__fail(GLNN_E_LIMIT,
                      "%s: %d components; %" PRId64 " %s of %d features have at most %d",
                      fit->samples->what, fit->wanted, count, of, fit->samples->features, most);
}

void glnn__fit_scale(glnn__fit *fit, int index, double factor)
{
    const size_t features = (size_t)fit->samples->features;
    for (size_t j = 0; j < features; ++j)
        fit->directions[(size_t)index * features + j] *= factor;
}

static glnn_status check(const glnn__fit *fit, int least_rows)
{
    const glnn__samples *of = fit->samples;
    if (of->rows < least_rows || of->features < 1)
        return glnn__fail(GLNN_E_ARG,
                          "%s: %" PRId64 " rows of %d features; at least %d and 1 are needed",
                          of->what, of->rows, of->features, least_rows);
    if (fit->wanted < 0)
        return glnn__fail(GLNN_E_ARG, "%s: desc->components is %d; it must not be negative",
                          of->what, fit->wanted);
    return GLNN_OK;
}

glnn_status glnn__fit_run(glnn__fit *fit, glnn_context *ctx, int least_rows,
                          glnn_status (*find)(glnn__fit *fit), glnn_projection **out)
{
    const glnn__samples *of = fit->samples;
    GLNN__TRY(check(fit, least_rows));
    GLNN__TRY(glnn__scatter_create(ctx, of, &fit->scatter));
    glnn_status status = find(fit);
    for (int c = 0; c < fit->count && !status; ++c)
        fit->values[c] *= fit->values[c];
    if (!status)
        status = glnn__projection_fitted(ctx, of->what, of->features, fit->count, fit->scatter.mean,
                                         fit->directions, fit->values, out);
    glnn__scatter_free(&fit->scatter);
    free(fit->values);
    free(fit->directions);
    return status;
}
