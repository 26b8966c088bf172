#include <glnn/preparation.h>

#include "base/status.h"
#include "io/table/names.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static glnn_status check_names(const char *what, char *const *names, int count)
{
    for (int i = 0; names && i < count; ++i)
        if (!names[i])
            return glnn__fail(GLNN_E_ARG, "glnn_preparation_copy: the name of %s %d is null", what,
                              i);
    return GLNN_OK;
}

static glnn_status check_numbers(const char *what, const float *numbers, size_t count)
{
    if (!numbers)
        return glnn__fail(GLNN_E_ARG, "glnn_preparation_copy: %s is null", what);
    for (size_t i = 0; i < count; ++i)
        if (!isfinite(numbers[i]))
            return glnn__fail(GLNN_E_ARG, "glnn_preparation_copy: number %zu of %s is %g", i, what,
                              (double)numbers[i]);
    return GLNN_OK;
}

static glnn_status check_scale(const char *what, const glnn_scale *scale, int count)
{
    if (scale->features == 0)
        return GLNN_OK;
    if (scale->features != count)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_preparation_copy: %s is for %d numbers, but there are %d", what,
                          scale->features, count);
    GLNN__TRY(check_numbers(what, scale->offset, (size_t)count));
    GLNN__TRY(check_numbers(what, scale->factor, (size_t)count));
    for (int i = 0; i < count; ++i)
        if (scale->factor[i] == 0)
            return glnn__fail(GLNN_E_ARG, "glnn_preparation_copy: factor %d of %s is 0", i, what);
    return GLNN_OK;
}

static glnn_status check_projection(const glnn_preparation *of)
{
    const size_t features = (size_t)of->columns.features, components = (size_t)of->components;
    if (of->components == 0)
        return GLNN_OK;
    GLNN__TRY(check_numbers("the projection's mean", of->mean, features));
    GLNN__TRY(check_numbers("the projection's directions", of->directions, components * features));
    return check_numbers("the projection's eigenvalues", of->eigenvalues, components);
}

static glnn_status check_columns(const glnn_csv_columns *of)
{
    if (of->features < 0 || of->targets < 0 || of->dropped < 0)
        return glnn__fail(GLNN_E_ARG,
                          "glnn_preparation_copy: there are %d features, %d targets and %d dropped "
                          "columns, but no count may be negative",
                          of->features, of->targets, of->dropped);
    GLNN__TRY(check_names("feature", of->feature_names, of->features));
    GLNN__TRY(check_names("target", of->target_names, of->targets));
    GLNN__TRY(check_names("dropped column", of->dropped_names, of->dropped));
    for (size_t i = 0; of->places && i < 1 + (size_t)of->targets + (size_t)of->dropped; ++i)
        if (of->places[i] < 0)
            return glnn__fail(GLNN_E_ARG, "glnn_preparation_copy: number %zu of the places is %d",
                              i, of->places[i]);
    return of->means ? check_numbers("the means", of->means, (size_t)of->features) : GLNN_OK;
}

static glnn_status check(const glnn_preparation *of)
{
    const int features = of->columns.features, targets = of->columns.targets;
    GLNN__TRY(check_columns(&of->columns));
    if (of->components < 0 || of->classes < 0)
        return glnn__fail(
            GLNN_E_ARG,
            "glnn_preparation_copy: there are %d components and %d classes, but no count may "
            "be negative",
            of->components, of->classes);
    if (features == 0 && (of->components > 0 || of->classes > 0 || targets > 0))
        return glnn__fail(
            GLNN_E_ARG,
            "glnn_preparation_copy: columns.features is 0, but there are %d targets, %d "
            "components and %d classes",
            targets, of->components, of->classes);
    if (of->classes > 0 && targets > 0)
        return glnn__fail(
            GLNN_E_ARG,
            "glnn_preparation_copy: classes is %d and columns.targets is %d, but a learner "
            "has only one of both",
            of->classes, targets);
    GLNN__TRY(check_names("class", of->class_names, of->classes));
    GLNN__TRY(check_scale("the scale", &of->scale, features));
    GLNN__TRY(check_scale("the scale of targets", &of->target_scale, targets));
    return check_projection(of);
}

static void free_projection(glnn_preparation *of)
{
    free(of->mean);
    free(of->directions);
    free(of->eigenvalues);
    of->mean = of->directions = of->eigenvalues = NULL;
    of->components = 0;
}

void glnn_preparation_free(glnn_preparation *of)
{
    if (!of)
        return;
    glnn_csv_columns_free(&of->columns);
    glnn__names_free(of->class_names, of->classes);
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

static bool copy_places(const glnn_csv_columns *from, int **out)
{
    const size_t size = (1 + (size_t)from->targets + (size_t)from->dropped) * sizeof **out;
    *out = malloc(size);
    if (*out)
        memcpy(*out, from->places, size);
    return *out != NULL;
}

static bool copy_names(char *const *from, int count, char ***out)
{
    if (!from || count == 0)
        return true;
    *out = calloc((size_t)count, sizeof **out);
    bool done = *out != NULL;
    for (int i = 0; done && i < count; ++i)
        done = ((*out)[i] = strdup(from[i])) != NULL;
    return done;
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

static bool copy_columns(const glnn_csv_columns *from, glnn_csv_columns *out)
{
    *out = (glnn_csv_columns){
        .features = from->features, .targets = from->targets, .dropped = from->dropped};
    if (from->label_name && !(out->label_name = strdup(from->label_name)))
        return false;
    return copy_names(from->feature_names, from->features, &out->feature_names) &&
           copy_names(from->target_names, from->targets, &out->target_names) &&
           copy_names(from->dropped_names, from->dropped, &out->dropped_names) &&
           (!from->places || copy_places(from, &out->places)) &&
           (!from->means || copy_floats(from->means, (size_t)from->features, &out->means));
}

static bool copy_all(const glnn_preparation *from, glnn_preparation *out)
{
    *out = (glnn_preparation){.classes = from->classes};
    return copy_columns(&from->columns, &out->columns) &&
           copy_names(from->class_names, from->classes, &out->class_names) &&
           copy_scale(&from->scale, &out->scale) &&
           copy_scale(&from->target_scale, &out->target_scale) &&
           (from->components == 0 ||
            copy_projection(from->columns.features, from->components, from->mean, from->directions,
                            from->eigenvalues, out));
}

glnn_status glnn_preparation_copy(const glnn_preparation *preparation, glnn_preparation *out)
{
    GLNN__NOT_NULL(out);
    if (out == preparation)
        return glnn__fail(GLNN_E_ARG, "%s: `preparation` and `out` are the same", __func__);
    *out = (glnn_preparation){0};
    GLNN__NOT_NULL(preparation);
    GLNN__TRY(check(preparation));
    if (copy_all(preparation, out))
        return GLNN_OK;
    glnn_preparation_free(out);
    return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a preparation of %d features", __func__,
                      preparation->columns.features);
}

int glnn_preparation_get_inputs(const glnn_preparation *preparation)
{
    if (!preparation)
        return 0;
    return preparation->components > 0 ? preparation->components : preparation->columns.features;
}

glnn_status glnn_preparation_set_projection(glnn_preparation *preparation,
                                            const glnn_projection *projection)
{
    glnn_preparation made = {0};
    GLNN__NOT_NULL(preparation);
    const int features = glnn_projection_get_features(projection);
    if (projection && features != preparation->columns.features)
        return glnn__fail(GLNN_E_SHAPE,
                          "%s: the projection has %d features, the preparation has %d", __func__,
                          features, preparation->columns.features);
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
