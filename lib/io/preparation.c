#include "io/preparation.h"

#include "base/status.h"
#include "io/table/columns.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int glnn__preparation_features(const glnn_preparation *of)
{
    return of->gradients.width > 0 ? GLNN_IMAGE_GRADIENTS : of->columns.features;
}

/* Checks of the parts of a preparation. `function` begins the sentence of an error, and `what` is
 * the part in the caller's words. */
static glnn_status check_numbers(const char *function, const char *what, const float *numbers,
                                 size_t count)
{
    if (!numbers)
        return glnn__fail(GLNN_E_ARG, "%s: %s is null", function, what);
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(numbers[i]))
            return glnn__fail(GLNN_E_ARG, "%s: %s[%zu] is %g; it must be finite", function, what, i,
                              (double)numbers[i]);
    return GLNN_OK;
}

static glnn_status check_scale(const char *function, const char *what, const char *offset,
                               const char *factor, const glnn_scale *scale, int count)
{
    if (scale->features == 0)
        return GLNN_OK;
    if (scale->features != count)
        return glnn__fail(GLNN_E_ARG, "%s: %s.features is %d, but the %s are %d", function, what,
                          scale->features, count == GLNN_IMAGE_GRADIENTS ? "features" : "columns",
                          count);
    GLNN__TRY(check_numbers(function, offset, scale->offset, (size_t)count));
    GLNN__TRY(check_numbers(function, factor, scale->factor, (size_t)count));
    for (int i = 0; i < count; ++i)
        if (scale->factor[i] == 0)
            return glnn__fail(GLNN_E_ARG, "%s: %s[%d] is 0", function, factor, i);
    return GLNN_OK;
}

static glnn_status check_projection(const char *function, const glnn_preparation *of)
{
    const size_t features = (size_t)glnn__preparation_features(of);
    const size_t components = (size_t)of->components;
    if (of->components == 0)
        return GLNN_OK;
    GLNN__TRY(check_numbers(function, "mean", of->mean, features));
    GLNN__TRY(check_numbers(function, "directions", of->directions, components * features));
    return check_numbers(function, "eigenvalues", of->eigenvalues, components);
}

static glnn_status check_counts(const char *function, const glnn_preparation *of)
{
    const int targets = of->columns.targets, classes = of->columns.classes;
    if (of->components < 0)
        return glnn__fail(GLNN_E_ARG, "%s: `components` is %d; it must not be negative", function,
                          of->components);
    if (of->columns.features == 0 &&
        (of->components > 0 || classes > 0 || targets > 0 || of->columns.count > 0))
        return glnn__fail(GLNN_E_ARG,
                          "%s: columns.features is 0, but there are %d columns, %d targets, %d "
                          "components and %d classes",
                          function, of->columns.count, targets, of->components, classes);
    if (classes > 0 && targets > 0)
        return glnn__fail(GLNN_E_ARG,
                          "%s: columns.classes is %d and columns.targets is %d; a learner has "
                          "classes or targets",
                          function, classes, targets);
    return GLNN_OK;
}

static glnn_status check_gradients(const char *function, const glnn_preparation *of)
{
    const glnn_shape *s = &of->gradients;
    if (s->channels == 0 && s->height == 0 && s->width == 0)
        return GLNN_OK;
    if (s->channels != 1 || s->height < 1 || s->width < 1 ||
        s->height > GLNN_IMAGE_GRADIENTS_SIDE || s->width > GLNN_IMAGE_GRADIENTS_SIDE)
        return glnn__fail(
            GLNN_E_ARG,
            "%s: `gradients` is %d channels of %d x %d pixels; it must be one channel "
            "of at most %d x %d",
            function, s->channels, s->height, s->width, GLNN_IMAGE_GRADIENTS_SIDE,
            GLNN_IMAGE_GRADIENTS_SIDE);
    if (s->height * s->width != of->columns.features)
        return glnn__fail(GLNN_E_ARG,
                          "%s: `gradients` is %d x %d pixels, but columns.features is %d", function,
                          s->height, s->width, of->columns.features);
    return GLNN_OK;
}

static glnn_status check(const char *function, const glnn_preparation *of)
{
    const glnn_status status = glnn__csv_columns_check(&of->columns);
    if (status)
        return glnn__fail(status, "%s: %s", function, glnn_last_error());
    GLNN__TRY(check_counts(function, of));
    GLNN__TRY(check_gradients(function, of));
    GLNN__TRY(check_scale(function, "scale", "scale.offset", "scale.factor", &of->scale,
                          glnn__preparation_features(of)));
    GLNN__TRY(check_scale(function, "target_scale", "target_scale.offset", "target_scale.factor",
                          &of->target_scale, of->columns.targets));
    return check_projection(function, of);
}

static void free_projection(const glnn_preparation *of)
{
    free(of->mean);
    free(of->directions);
    free(of->eigenvalues);
}

void glnn_preparation_free(glnn_preparation *of)
{
    if (!of)
        return;
    glnn_csv_columns_free(&of->columns);
    free_projection(of);
    glnn_scale_free(&of->scale);
    glnn_scale_free(&of->target_scale);
    *of = (glnn_preparation){0};
}

static bool copy_floats(const float *from, size_t count, float **out)
{
    *out = malloc(count * sizeof **out);
    if (*out)
        memcpy(*out, from, count * sizeof **out);
    return *out != NULL;
}

static bool copy_scale(const glnn_scale *from, glnn_scale *out)
{
    const size_t count = (size_t)from->features;
    if (count == 0)
        return true;
    out->features = from->features;
    return copy_floats(from->offset, count, &out->offset) &&
           copy_floats(from->factor, count, &out->factor);
}

static bool copy_projection(int features, int components, const float *mean,
                            const float *directions, const float *eigenvalues,
                            glnn_preparation *out)
{
    out->components = components;
    return copy_floats(mean, (size_t)features, &out->mean) &&
           copy_floats(directions, (size_t)components * (size_t)features, &out->directions) &&
           copy_floats(eigenvalues, (size_t)components, &out->eigenvalues);
}

static bool copy_all(const glnn_preparation *from, glnn_preparation *out)
{
    *out = (glnn_preparation){.gradients = from->gradients};
    return glnn__csv_columns_copy(&from->columns, &out->columns) &&
           copy_scale(&from->scale, &out->scale) &&
           copy_scale(&from->target_scale, &out->target_scale) &&
           (from->components == 0 ||
            copy_projection(glnn__preparation_features(from), from->components, from->mean,
                            from->directions, from->eigenvalues, out));
}

glnn_status glnn__preparation_copy(const char *function, const glnn_preparation *preparation,
                                   glnn_preparation *out)
{
    *out = (glnn_preparation){0};
    GLNN__TRY(check(function, preparation));
    if (copy_all(preparation, out))
        return GLNN_OK;
    glnn_preparation_free(out);
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a preparation of %d features", function,
                      preparation->columns.features);
}

glnn_status glnn_preparation_copy(const glnn_preparation *preparation, glnn_preparation *out)
{
    GLNN__NOT_NULL(out);
    if (out == preparation)
        return glnn__fail(GLNN_E_ARG, "%s: `preparation` and `out` are the same", __func__);
    *out = (glnn_preparation){0};
    GLNN__NOT_NULL(preparation);
    return glnn__preparation_copy(__func__, preparation, out);
}

int glnn_preparation_get_inputs(const glnn_preparation *preparation)
{
    if (!preparation)
        return 0;
    return preparation->components > 0 ? preparation->components
                                       : glnn__preparation_features(preparation);
}

glnn_status glnn_preparation_set_projection(glnn_preparation *preparation,
                                            const glnn_projection *projection)
{
    glnn_preparation made = {0};
    GLNN__NOT_NULL(preparation);
    const int features = glnn_projection_get_features(projection);
    if (projection && features != glnn__preparation_features(preparation))
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the projection has %d features, the preparation has %d", __func__,
                          features, glnn__preparation_features(preparation));
    if (projection && !copy_projection(features, glnn_projection_get_components(projection),
                                       glnn_projection_get_mean(projection),
                                       glnn_projection_get_directions(projection),
                                       glnn_projection_get_eigenvalues(projection), &made)) {
        free_projection(&made);
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a projection of %d features", __func__,
                          features);
    }
    free_projection(preparation);
    preparation->components = made.components;
    preparation->mean = made.mean;
    preparation->directions = made.directions;
    preparation->eigenvalues = made.eigenvalues;
    return GLNN_OK;
}
