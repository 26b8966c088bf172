#include "prepare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "stored.h"

void prepare_expect(const glnn_preparation *of, int classes, samples *data)
{
    glnn_preparation copy = {0};
    if (of != NULL)
        CHECK(glnn_preparation_copy(of, &copy));
    classes_take(&copy.columns, &data->classes);
    for (int i = 0; i < data->classes.count; ++i)
        REQUIRE(classes_find(&data->classes, data->classes.names[i]) == i ||
                refuse("the model has two classes named '%s'", data->classes.names[i]));
    if (data->classes.count == 0)
        REQUIRE(classes_number(&data->classes, classes));
    data->columns = copy.columns;
    data->are_for_model = true;
    copy.columns = (glnn_csv_columns){0};
    glnn_preparation_free(&copy);
}

/* Features and components of images are not images. */
static void take_sizes(const glnn_preparation *of, samples *data)
{
    if (of->gradients.width == 0 && of->components == 0)
        return;
    data->features = of->components > 0 ? of->components : GLNN_IMAGE_GRADIENTS;
    data->shape = (glnn_shape){0};
}

static void show_preparation(const glnn_preparation *of)
{
    const int features = of->gradients.width > 0 ? GLNN_IMAGE_GRADIENTS : of->columns.features;
    if (of->gradients.width > 0)
        printf("features   %d x %d pixels to gradients in 8 directions at 8 x 8 points\n",
               of->gradients.height, of->gradients.width);
    if (of->scale.features > 0)
        printf("scale      each of %d features has mean 0, deviation 1\n", features);
    if (of->components > 0)
        printf("projection %d features to %d components\n", features, of->components);
}

static void scale_targets(const glnn_preparation *of, const samples_part *part)
{
    if (part->targets && part->samples > 0 && of->target_scale.features > 0)
        CHECK(
            glnn_scale_apply(&of->target_scale, part->samples, of->columns.targets, part->targets));
}

/* The inputs of a file are scaled when they are read. Components are computed at once. */
static void apply_to_part(glnn_context *ctx, const glnn_preparation *of, samples_part *part)
{
    const size_t inputs = (size_t)glnn_preparation_get_inputs(of);
    scale_targets(of, part);
    if (of->components > 0)
        REQUIRE(part_load(part));
    if (part->samples == 0 || part->file)
        return;
    float *made = part->inputs;
    if (of->components > 0 || of->gradients.width > 0)
        made = malloc((size_t)part->samples * inputs * sizeof *made);
    REQUIRE(made != NULL || refuse("no memory for %d samples", part->samples));
    CHECK(glnn_preparation_apply(ctx, of, part->samples, part->inputs, made));
    if (made != part->inputs)
        free(part->inputs);
    part->inputs = made;
}

static void make_scale(int features, glnn_scale *out)
{
    const size_t count = (size_t)features;
    *out = (glnn_scale){features, malloc(count * sizeof(float)), malloc(count * sizeof(float))};
    REQUIRE((out->offset && out->factor) || refuse("no memory to scale %d features", features));
}

static void copy_scale(const glnn_scale *from, glnn_scale *out)
{
    const size_t bytes = (size_t)from->features * sizeof(float);
    make_scale(from->features, out);
    memcpy(out->offset, from->offset, bytes);
    memcpy(out->factor, from->factor, bytes);
}

void prepare_apply(glnn_context *ctx, const glnn_preparation *of, samples *data)
{
    REQUIRE(data->features == of->columns.features ||
            refuse("the samples have %d features, but the model is for %d", data->features,
                   of->columns.features));
    REQUIRE(
        of->gradients.width == 0 || data->shape.width == 0 ||
        (data->shape.width == of->gradients.width && data->shape.height == of->gradients.height) ||
        refuse("the samples are %d x %d pixels, but the model is for %d x %d", data->shape.height,
               data->shape.width, of->gradients.height, of->gradients.width));
    apply_to_part(ctx, of, &data->train);
    apply_to_part(ctx, of, &data->test);
    if (of->scale.features > 0)
        copy_scale(&of->scale, &data->scale);
    take_sizes(of, data);
    if (!data->silent)
        show_preparation(of);
}

/* The features come first, because the rest is fitted to them. */
static void find_features(glnn_context *ctx, const data_options *with, samples *data,
                          glnn_preparation *out)
{
    if (with->features != FEATURES_GRADIENT)
        return;
    REQUIRE(data->shape.width > 0 ||
            refuse("--features gradient: the samples are %d features without a shape; use --shape "
                   "HxW, as in --shape 28x28",
                   data->features));
    REQUIRE(data->shape.channels == 1 ||
            refuse("--features gradient: the images have %d channels, but gradients are those of "
                   "one",
                   data->shape.channels));
    out->gradients = data->shape;
    prepare_apply(ctx,
                  &(glnn_preparation){.columns.features = data->features, .gradients = data->shape},
                  data);
}

/* The projection is fitted to the scaled samples. */
static void fit_projection(glnn_context *ctx, const data_options *with, const samples *data,
                           glnn_preparation *out)
{
    const samples_part *train = &data->train;
    const size_t count = (size_t)train->samples * (size_t)data->features;
    glnn_projection *projection = NULL;
    float *scaled = malloc(count * sizeof *scaled);
    REQUIRE(scaled != NULL || refuse("no memory for %d samples", train->samples));
    memcpy(scaled, train->inputs, count * sizeof *scaled);
    if (out->scale.features > 0)
        CHECK(glnn_scale_apply(&out->scale, train->samples, data->features, scaled));
    if (with->pca > 0) {
        glnn_status status =
            glnn_pca_fit(ctx, &(glnn_pca_desc){.components = with->pca, .whiten = with->whiten},
                         train->samples, data->features, scaled, &projection);
        const bool may_scale = !with->standardise && with->pca <= data->features;
        REQUIRE(status != GLNN_E_LIMIT || refuse("%s; use %sfewer components", glnn_last_error(),
                                                 may_scale ? "--standardise or " : ""));
        CHECK(status);
    } else
        CHECK(glnn_lda_fit(ctx, &(glnn_lda_desc){.components = with->lda, .whiten = with->whiten},
                           train->samples, data->features, scaled, train->labels,
                           data->classes.count, &projection));
    CHECK(glnn_preparation_set_projection(out, projection));
    glnn_projection_destroy(projection);
    free(scaled);
}

bool prepare_is_unscaled(const data_options *with, const samples *data)
{
    return !with->standardise && !with->whiten && !data->has_unit_range &&
           with->features == FEATURES_RAW;
}

/* The range of all features of the training samples, and the extremes of their deviations (but for
 * those that are 0) and of their magnitudes. */
typedef struct spread {
    double low, high, least, greatest, largest;
} spread;

static void add_feature(int rows, int features, int feature, const float *inputs, spread *out)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < rows; ++i) {
        const double value = (double)inputs[(size_t)i * (size_t)features + (size_t)feature];
        sum += value / rows;
        out->low = fmin(out->low, value);
        out->high = fmax(out->high, value);
    }
    for (int i = 0; i < rows; ++i) {
        const double value = (double)inputs[(size_t)i * (size_t)features + (size_t)feature] - sum;
        squares += value * value / rows;
    }
    const double deviation = sqrt(squares);
    out->largest = fmax(out->largest, fmax(fabs(sum), deviation));
    out->greatest = fmax(out->greatest, deviation);
    if (deviation > 0.0)
        out->least = fmin(out->least, deviation);
}

static bool add_features(void *user, const samples_part *part, int first, int count,
                         const float *inputs)
{
    (void)first;
    for (int j = 0; j < count; ++j)
        add_feature(part->samples, count, j, inputs, user);
    return true;
}

void prepare_advise(const data_options *with, const samples *data)
{
    static const double largest = 10.0, ratio = 100.0;
    spread all = {.low = INFINITY, .high = -INFINITY, .least = INFINITY};
    if (!prepare_is_unscaled(with, data))
        return;
    REQUIRE(part_visit(&data->train, add_features, &all));
    if (all.largest > largest)
        printf("note: features range from %.4g to %.4g; --standardise usually helps\n", all.low,
               all.high);
    else if (data->shape.width == 0 && all.greatest > ratio * all.least)
        printf(
            "note: deviations of features range from %.4g to %.4g; --standardise usually helps\n",
            all.least, all.greatest);
}

static bool fit_scale(void *user, const samples_part *part, int first, int count,
                      const float *inputs)
{
    glnn_scale *out = user, some;
    CHECK(glnn_scale_fit(GLNN_SCALE_STANDARD, part->samples, count, inputs, &some));
    memcpy(out->offset + first, some.offset, (size_t)count * sizeof(float));
    memcpy(out->factor + first, some.factor, (size_t)count * sizeof(float));
    glnn_scale_free(&some);
    return true;
}

void prepare_fit(glnn_context *ctx, const data_options *with, samples *data, glnn_preparation *out)
{
    const samples_part *train = &data->train;
    const int targets = data->columns.targets;
    glnn_csv_columns columns = data->columns;
    columns.classes = targets > 0 ? 0 : data->classes.count;
    columns.class_names = data->classes.names;
    CHECK(glnn_preparation_copy(&(glnn_preparation){.columns = columns}, out));
    find_features(ctx, with, data, out);
    if (with->standardise) {
        make_scale(data->features, &out->scale);
        REQUIRE(part_visit(train, fit_scale, &out->scale));
    }
    if (targets > 0)
        CHECK(glnn_scale_fit(GLNN_SCALE_STANDARD, train->samples, targets, train->targets,
                             &out->target_scale));
    if (with->pca > 0 || with->lda > 0)
        fit_projection(ctx, with, data, out);
    glnn_preparation rest = *out;
    rest.gradients = (glnn_shape){0};
    rest.columns.features = data->features;
    prepare_apply(ctx, &rest, data);
}
