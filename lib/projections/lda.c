/* Linear discriminants. */
#include "projections/fit.h"

#include "base/integers.h"
#include "base/sized.h"
#include "base/status.h"
#include "gl/lifetime.h"
#include "projections/linear.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_SHRINKAGE 1e-3f

/* Smaller distances between means are rounding errors, relative to the spread of the classes and to
 * the greatest distance. */
#define LEAST_DISTANCE 0x1p-20

static const char what[] = "glnn_lda_fit";

static glnn_status check(const glnn_lda_desc *desc, const glnn__samples *samples)
{
    GLNN__TRY(glnn__fail_in(what, GLNN__RESERVED_CHECK(glnn_lda_desc, desc)));
    if (samples->classes < 1)
        return glnn__fail(GLNN_E_ARG, "%s: `classes` is %d; it must be at least 1", what,
                          samples->classes);
    /* This form also refuses NaN. */
    if (!(desc->shrinkage >= 0 && desc->shrinkage <= 1))
        return glnn__fail(GLNN_E_ARG, "%s: desc->shrinkage is %g; it must be in 0 .. 1", what,
                          (double)desc->shrinkage);
    return GLNN_OK;
}

/* A fit that is being computed. */
typedef struct fitting {
    glnn__fit fit; /* the sums of its scatter become S */
    double shrinkage;
    double *between; /* a vector for each class: S_b is the sum of v v' */
} fitting;

/* Sets *most to the greatest possible number of directions. */
static glnn_status count_classes(const glnn__fit *fit, int *most)
{
    int present = 0, last = 0;
    for (int c = 0; c < fit->samples->classes; ++c) {
        present += fit->scatter.counts[c] > 0;
        last = fit->scatter.counts[c] > 0 ? c : last;
    }
    if (present < 2)
        return glnn__fail(
            GLNN_E_FORMAT,
            "%s: the samples are of one class only, %d; discriminants need at least 2", what, last);
    if (fit->scatter.unit == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the samples of each class are all the same", what);
    *most = glnn__least(present - 1, fit->samples->features);
    return glnn__fit_check_wanted(fit, present, "classes", *most);
}

static void shrink(const fitting *in)
{
    const glnn__scatter *scatter = &in->fit.scatter;
    const size_t features = (size_t)in->fit.samples->features;
    const double level =
        in->shrinkage * glnn__scatter_trace(scatter, in->fit.samples->features) / (double)features;
    for (size_t i = 0; i < features * features; ++i)
        scatter->sums[i] =
            (1 - in->shrinkage) * scatter->sums[i] + (i % (features + 1) ? 0 : level);
}

static glnn_status find_between(fitting *in)
{
    const glnn__samples *of = in->fit.samples;
    const glnn__scatter *scatter = &in->fit.scatter;
    const size_t features = (size_t)of->features, classes = (size_t)of->classes;
    in->between = malloc(classes * features * sizeof *in->between);
    if (!in->between)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d classes of %d features", what,
                          of->classes, of->features);
    for (size_t c = 0; c < classes; ++c) {
        double weight = sqrt((double)scatter->counts[c] / (double)of->rows) / scatter->unit;
        for (size_t j = 0; j < features; ++j)
            in->between[c * features + j] =
                weight * (scatter->means[c * features + j] - scatter->mean[j]);
    }
    return GLNN_OK;
}

/* Counts the vectors that are more than rounding errors. */
static glnn_status choose(glnn__fit *fit, int most)
{
    const double *distances = fit->values;
    if (distances[0] <= LEAST_DISTANCE)
        return glnn__fail(GLNN_E_FORMAT, "%s: the means of all classes are the same", what);
    const int wanted = fit->wanted ? fit->wanted : most;
    while (fit->count < wanted && distances[fit->count] > LEAST_DISTANCE * distances[0])
        ++fit->count;
    if (fit->count < fit->wanted)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d components; the means of the classes differ only in %d "
                          "directions",
                          what, fit->wanted, fit->count);
    return GLNN_OK;
}

static glnn_status find_vectors(fitting *in, int most)
{
    glnn__fit *fit = &in->fit;
    const int features = fit->samples->features, classes = fit->samples->classes;
    const int vectors = glnn__least(features, classes);
    int broken;
    GLNN__TRY(glnn__fit_make_room(fit, vectors, vectors));
    GLNN__TRY(find_between(in));
    shrink(in);
    GLNN__TRY(glnn__linear_discriminants(what, features, classes, fit->scatter.sums, in->between,
                                         fit->values, fit->directions, &broken));
    if (broken)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the scatter within classes is singular: feature %d is constant or a "
                          "combination of those before it; choose a shrinkage above %g",
                          what, broken - 1, in->shrinkage);
    return choose(fit, most);
}

static double length_of(const glnn__fit *fit, int index)
{
    const size_t features = (size_t)fit->samples->features;
    const double *vector = fit->directions + (size_t)index * features;
    double squares = 0;
    for (size_t j = 0; j < features; ++j)
        squares += vector[j] * vector[j];
    return sqrt(squares);
}

/* The fit is the first member of a fitting. */
static glnn_status find(glnn__fit *fit)
{
    int most = 0;
    GLNN__TRY(count_classes(fit, &most));
    GLNN__TRY(find_vectors((fitting *)fit, most));
    for (int c = 0; c < fit->count; ++c)
        glnn__fit_scale(fit, c, 1 / (fit->whiten ? fit->scatter.unit : length_of(fit, c)));
    return GLNN_OK;
}

glnn_status glnn_lda_fit(glnn_context *ctx, const glnn_lda_desc *desc, int64_t rows, int features,
                         const float *samples, const int *labels, int classes,
                         glnn_projection **out)
{
    const glnn_lda_desc asked = desc ? *desc : (glnn_lda_desc){0};
    const glnn__samples of = {what, rows, features, samples, labels, classes};
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__CONTEXT(ctx);
    GLNN__NOT_NULL(samples);
    GLNN__NOT_NULL(labels);
    GLNN__TRY(check(&asked, &of));
    fitting in = {
        .fit = {.samples = &of, .wanted = asked.components, .whiten = asked.whiten},
        .shrinkage = (double)(asked.shrinkage > 0 ? asked.shrinkage : DEFAULT_SHRINKAGE),
    };
    const glnn_status status = glnn__fit_run(&in.fit, ctx, 1, find, out);
    free(in.between);
    return status;
}
