#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "picture.h"
#include "report.h"
#include "stored.h"

static FILE *open_results(const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL || refuse("cannot write %s: %s", path, strerror(errno)));
    return file;
}

static void close_results(FILE *file, const char *path, const char *what, int count)
{
    const bool written = ferror(file) == 0;
    REQUIRE((fclose(file) == 0 && written) || refuse("cannot write %s: %s", path, strerror(errno)));
    printf("predicted  %s: the %s of %d sample%s\n", path, what, count, count == 1 ? "" : "s");
}

static void write_classes(const char *path, int count, const int *classes, char *const *names)
{
    FILE *file = open_results(path);
    for (int i = 0; i < count; ++i)
        fprintf(file, "%s\n", names[classes[i]]);
    close_results(file, path, "classes", count);
}

static void write_targets(const char *path, int count, int targets, const float *values)
{
    FILE *file = open_results(path);
    for (int i = 0; i < count * targets; ++i)
        fprintf(file, "%.9g%c", (double)values[i], (i + 1) % targets == 0 ? '\n' : ',');
    close_results(file, path, "targets", count);
}

/* An array of `each` elements for each sample; the caller frees it. */
static void *make_array(int count, int each, size_t size)
{
    void *array = malloc((size_t)count * (size_t)each * size);
    REQUIRE(array != NULL || refuse("no memory for the outputs of %d samples", count));
    return array;
}

static void undo_scale(glnn_learner *of, int count, float *targets)
{
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    if (kept && kept->target_scale.features > 0)
        CHECK(glnn_scale_undo(&kept->target_scale, count, kept->target_scale.features, targets));
}

void results_predict(glnn_learner *of, const samples *data, const char *path)
{
    const int count = data->test.samples, targets = data->columns.targets;
    REQUIRE(count > 0 || refuse("--predict %s: there are no test samples", path));
    float *made;
    const float *inputs = part_inputs(&data->test, &made);
    REQUIRE(inputs != NULL);
    if (targets > 0) {
        float *values = make_array(count, targets, sizeof *values);
        CHECK(glnn_learner_predict(of, count, inputs, values, NULL));
        undo_scale(of, count, values);
        write_targets(path, count, targets, values);
        free(values);
    } else {
        int *classes = make_array(count, 1, sizeof *classes);
        CHECK(glnn_learner_predict(of, count, inputs, NULL, classes));
        write_classes(path, count, classes, data->classes.names);
        free(classes);
    }
    free(made);
}

/* Of one target: mean squared error and mean squared deviation from the mean. */
typedef struct errors {
    double error, deviation;
} errors;

static errors find_errors(int count, int targets, int target, const float *wanted, const float *got)
{
    errors of = {0};
    double mean = 0.0;
    for (int i = 0; i < count; ++i)
        mean += (double)wanted[i * targets + target] / count;
    for (int i = 0; i < count; ++i) {
        const double value = (double)wanted[i * targets + target];
        const double error = (double)got[i * targets + target] - value;
        of.error += error * error / count;
        of.deviation += (value - mean) * (value - mean) / count;
    }
    return of;
}

static void show_errors(const char *what, const char *name, errors of)
{
    printf("%s%s%s%smean squared error %.6g, ", what, name ? " '" : "", name ? name : "",
           name ? "': " : " ", of.error);
    char text[LOSS_TEXT];
    if (of.deviation > 0.0)
        printf("R^2 %s\n", loss_text(1.0 - of.error / of.deviation, text));
    else
        printf("no R^2, as all targets are equal\n");
}

void results_show_errors(glnn_learner *of, const samples *data)
{
    const int count = data->test.samples, targets = data->columns.targets;
    float *got = make_array(count, targets, sizeof *got);
    float *wanted = make_array(count, targets, sizeof *wanted);
    const glnn_csv_column *columns = glnn_csv_columns_find(&data->columns, GLNN_CSV_ROLE_TARGET);
    float *made;
    const float *inputs = part_inputs(&data->test, &made);
    REQUIRE(inputs != NULL);
    CHECK(glnn_learner_predict(of, count, inputs, got, NULL));
    free(made);
    memcpy(wanted, data->test.targets, (size_t)count * (size_t)targets * sizeof *wanted);
    undo_scale(of, count, got);
    undo_scale(of, count, wanted);
    for (int t = 0; t < targets; ++t)
        show_errors("test", columns ? columns[t].name : NULL,
                    find_errors(count, targets, t, wanted, got));
    free(got);
    free(wanted);
}

static void show_class(int number, char *const *names)
{
    if (names)
        printf("%s", names[number]);
    else
        printf("%d", number);
}

static void show_outputs(int image, int class, int classes, char *const *names,
                         const float *outputs)
{
    printf("image %d: class ", image);
    show_class(class, names);
    printf("  ");
    for (int j = 0; j < classes; ++j) {
        printf(" ");
        show_class(j, names);
        printf(": %.4f", (double)outputs[j]);
    }
    printf("\n");
}

void results_classify(glnn_context *ctx, glnn_learner *of, const char *path, bool invert,
                      glnn_shape image)
{
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    const int classes = glnn_learner_get_outputs(of);
    const glnn_shape own = learner_get_image(of);
    pictures images;
    REQUIRE(kept == NULL || kept->columns.targets == 0 ||
            refuse("--classify %s: the model predicts targets, not classes", path));
    const bool has_gradients = kept && kept->gradients.width > 0;
    REQUIRE(kept == NULL || kept->components == 0 || has_gradients ||
            refuse("--classify %s: the inputs of the model are components of images, not pixels",
                   path));
    if (has_gradients)
        image = kept->gradients;
    else if (own.width > 0)
        image = own;
    if (!has_gradients)
        REQUIRE(picture_find_shape(glnn_learner_get_features(of), &image));
    REQUIRE(pictures_read(path, image, invert, &images));
    float *inputs = make_array(images.count, glnn_learner_get_features(of), sizeof *inputs);
    if (kept)
        CHECK(glnn_preparation_apply(ctx, kept, images.count, images.pixels, inputs));
    else
        memcpy(inputs, images.pixels,
               (size_t)images.count * (size_t)glnn_learner_get_features(of) * sizeof *inputs);
    float *outputs = make_array(images.count, classes, sizeof *outputs);
    int *found = make_array(images.count, 1, sizeof *found);
    CHECK(glnn_learner_predict(of, images.count, inputs, outputs, found));
    printf("%s: %s; classes and outputs\n", path, images.note);
    for (int i = 0; i < images.count; ++i)
        show_outputs(i, found[i], classes, kept ? kept->columns.class_names : NULL,
                     outputs + (size_t)i * (size_t)classes);
    free(inputs);
    free(found);
    free(outputs);
    pictures_free(&images);
}
