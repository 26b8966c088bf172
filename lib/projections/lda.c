/* Linear discriminants. */
#include "projections/projection.h"

#include "base/status.h"
#include "projections/linear.h"
#include "projections/scatter.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_SHRINKAGE 1e-3f

/* Distances between means below this are rounding: against the spread of the classes, and against
 * the greatest distance. */
#define LEAST_DISTANCE 0x1p-20

static const char what[] = "glnn_lda_fit";

static glnn_status check(const glnn_context *ctx, const glnn_lda_desc *desc,
                         const glnn__samples *samples)
{
    if (!ctx || !samples->values || !samples->labels)
        return glnn__fail(GLNN_E_ARG, "%s: %s is null", what,
                          !ctx               ? "ctx"
                          : !samples->values ? "samples"
                                             : "labels");
    if (samples->rows < 1 || samples->features < 1 || samples->classes < 1)
        return glnn__fail(
            GLNN_E_ARG,
            "%s: %d rows of %d features in %d classes; there must be at least 1 of each", what,
            samples->rows, samples->features, samples->classes);
    if (desc->components < 0)
        return glnn__fail(GLNN_E_ARG, "%s: %d components", what, desc->components);
    /* So that not-a-number fails as well. */
    if (!(desc->shrinkage >= 0 && desc->shrinkage <= 1))
        return glnn__fail(GLNN_E_ARG, "%s: a shrinkage of %g, but it lies in 0 .. 1", what,
                          (double)desc->shrinkage);
    return GLNN_OK;
}

/* A fit under way. */
typedef struct fitting {
    const glnn_lda_desc *desc;
    const glnn__samples *samples;
    glnn__scatter *scatter; /* its sums become S, and then its Cholesky factor       */
    int most;               /* the directions that there can be                      */
    double *between;        /* a vector for each class: S_b is the sum of v v'       */
    double *distances;      /* the square roots of the eigenvalues                   */
    double *vectors;
    int count; /* of the vectors, those that are more than rounding     */
} fitting;

static glnn_status count_classes(fitting *in)
{
    int present = 0, last = 0;
    for (int c = 0; c < in->samples->classes; ++c) {
        present += in->scatter->counts[c] > 0;
        last = in->scatter->counts[c] > 0 ? c : last;
    }
    if (present < 2)
        return glnn__fail(GLNN_E_FORMAT, "%s: all samples are of class %d; there must be 2 classes",
                          what, last);
    if (in->scatter->unit == 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the samples of each class are all the same", what);
    int features = in->samples->features;
    in->most = present - 1 < features ? present - 1 : features;
    if (in->desc->components > in->most)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d components, but %d classes of %d features have at most %d", what,
                          in->desc->components, present, features, in->most);
    return GLNN_OK;
}

static glnn_status make_room(fitting *in)
{
    size_t features = (size_t)in->samples->features, classes = (size_t)in->samples->classes;
    size_t least = features < classes ? features : classes;
    in->between = malloc(classes * features * sizeof *in->between);
    in->distances = malloc(least * sizeof *in->distances);
    in->vectors = malloc(least * features * sizeof *in->vectors);
    if (!in->between || !in->distances || !in->vectors)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for %d classes of %d features", what,
                          in->samples->classes, in->samples->features);
    return GLNN_OK;
}

static glnn_status factor_within(fitting *in)
{
    int features = in->samples->features, broken;
    double shrinkage = (double)(in->desc->shrinkage > 0 ? in->desc->shrinkage : DEFAULT_SHRINKAGE);
    double level = shrinkage * glnn__scatter_trace(in->scatter, features) / features;
    size_t length = (size_t)features;
    for (size_t i = 0; i < length * length; ++i)
        in->scatter->sums[i] =
            (1 - shrinkage) * in->scatter->sums[i] + (i % (length + 1) ? 0 : level);
    GLNN__TRY(glnn__linear_cholesky(what, features, in->scatter->sums, &broken));
    if (broken)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the scatter within classes is singular: feature %d is constant or "
                          "follows from those before it; a shrinkage above %g helps",
                          what, broken - 1, shrinkage);
    return GLNN_OK;
}

static void fill_between(fitting *in)
{
    size_t features = (size_t)in->samples->features;
    const glnn__scatter *scatter = in->scatter;
    for (size_t c = 0; c < (size_t)in->samples->classes; ++c) {
        double weight = sqrt((double)scatter->counts[c] / in->samples->rows) / scatter->unit;
        for (size_t j = 0; j < features; ++j)
            in->between[c * features + j] =
                weight * (scatter->means[c * features + j] - scatter->mean[j]);
    }
}

/* With S = L L', the eigenvectors w of S_b w = e S w are L'^-1 u, where the u are those of
 * L^-1 S_b L'^-1: the left singular vectors of L^-1 times what S_b is the square of. There are but
 * few of them, so this costs far less than all eigenvectors. */
static glnn_status find_vectors(fitting *in)
{
    const double *l = in->scatter->sums;
    int features = in->samples->features, classes = in->samples->classes;
    fill_between(in);
    GLNN__TRY(glnn__linear_solve(what, GLNN__TRIANGLE_LOWER, features, l, classes, in->between));
    GLNN__TRY(
        glnn__linear_singular(what, features, classes, in->between, in->distances, in->vectors));
    if (in->distances[0] <= LEAST_DISTANCE)
        return glnn__fail(GLNN_E_FORMAT, "%s: the means of all classes are the same", what);
    int wanted = in->desc->components ? in->desc->components : in->most;
    while (in->count < wanted && in->distances[in->count] > LEAST_DISTANCE * in->distances[0])
        ++in->count;
    if (in->count < in->desc->components)
        return glnn__fail(GLNN_E_LIMIT,
                          "%s: %d components, but the means of the classes differ in %d directions "
                          "only",
                          what, in->desc->components, in->count);
    return glnn__linear_solve(what, GLNN__TRIANGLE_TRANSPOSED, features, l, in->count, in->vectors);
}

static double length_of(size_t features, const double *vector)
{
    double squares = 0;
    for (size_t j = 0; j < features; ++j)
        squares += vector[j] * vector[j];
    return sqrt(squares);
}

static glnn_status make_projection(const fitting *in, glnn_context *ctx, glnn_projection **out)
{
    const int features = in->samples->features;
    for (int c = 0; c < in->count; ++c) {
        double *vector = in->vectors + (size_t)c * (size_t)features;
        in->distances[c] *= in->distances[c];
        glnn__linear_scale(
            features,
            1 / (in->desc->whiten ? in->scatter->unit : length_of((size_t)features, vector)),
            vector);
    }
    return glnn__projection_fitted(ctx, what, features, in->count, in->scatter->mean, in->vectors,
                                   in->distances, out);
}

static glnn_status fit(fitting *in, glnn_context *ctx, glnn_projection **out)
{
    GLNN__TRY(count_classes(in));
    GLNN__TRY(make_room(in));
    GLNN__TRY(factor_within(in));
    GLNN__TRY(find_vectors(in));
    return make_projection(in, ctx, out);
}

glnn_status glnn_lda_fit(glnn_context *ctx, const glnn_lda_desc *desc, int rows, int features,
                         const float *samples, const int *labels, int classes,
                         glnn_projection **out)
{
    if (!out)
        return glnn__fail(GLNN_E_ARG, "%s: out is null", what);
    *out = NULL;
    const glnn_lda_desc asked = desc ? *desc : (glnn_lda_desc){0};
    const glnn__samples of = {what, rows, features, samples, labels, classes};
    GLNN__TRY(check(ctx, &asked, &of));
    glnn__scatter scatter;
    GLNN__TRY(glnn__scatter_create(ctx, &of, &scatter));
    fitting in = {.desc = &asked, .samples = &of, .scatter = &scatter};
    glnn_status status = fit(&in, ctx, out);
    free(in.between);
    free(in.distances);
    free(in.vectors);
    glnn__scatter_free(&scatter);
    return status;
}
