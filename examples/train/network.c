#include "network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/picture.h"
#include "common/show.h"
#include "results.h"

static int count_outputs(const glnn_network *network)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    return desc->layers[desc->layer_count - 1].units;
}

/* The outputs for some samples, at least one; the caller frees them. */
static float *predict(glnn_network *network, int count, const float *inputs)
{
    float *outputs = malloc((size_t)count * (size_t)count_outputs(network) * sizeof *outputs);
    REQUIRE(outputs != NULL || refuse("no memory for the outputs of %d samples", count));
    CHECK(glnn_network_predict(network, count, inputs, outputs, NULL));
    return outputs;
}

static int greatest(const float *outputs, int count)
{
    int best = 0;
    for (int j = 1; j < count; ++j)
        best = outputs[j] > outputs[best] ? j : best;
    return best;
}

static void undo_scale(const glnn_network *network, int count, float *targets)
{
    const glnn_preparation *of = glnn_network_get_preparation(network);
    if (of && of->target_scale.features > 0)
        CHECK(glnn_scale_undo(&of->target_scale, count, of->target_scale.features, targets));
}

static void write_classes(const samples *data, int outputs, const float *values, const char *path)
{
    const int count = data->test.samples;
    int *classes = malloc((size_t)count * sizeof *classes);
    REQUIRE(classes != NULL || refuse("no memory for the classes of %d samples", count));
    for (int i = 0; i < count; ++i)
        classes[i] = greatest(values + (size_t)i * (size_t)outputs, outputs);
    results_write_classes(path, count, classes, data->classes.names);
    free(classes);
}

void network_predict(glnn_network *network, const samples *data, const char *path)
{
    const int count = data->test.samples, outputs = count_outputs(network);
    REQUIRE(count > 0 || refuse("--predict %s: there are no test samples", path));
    float *values = predict(network, count, data->test.inputs);
    if (data->columns.targets > 0) {
        undo_scale(network, count, values);
        results_write_targets(path, count, outputs, values);
    } else {
        write_classes(data, outputs, values, path);
    }
    free(values);
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

void network_show_errors(glnn_network *network, const samples *data)
{
    const int count = data->test.samples, targets = data->columns.targets;
    const size_t size = (size_t)count * (size_t)targets;
    float *got = predict(network, count, data->test.inputs),
          *wanted = malloc(size * sizeof *wanted);
    REQUIRE(wanted != NULL || refuse("no memory for the targets of %d samples", count));
    memcpy(wanted, data->test.targets, size * sizeof *wanted);
    undo_scale(network, count, got);
    undo_scale(network, count, wanted);
    for (int t = 0; t < targets; ++t)
        show_errors("test", data->columns.target_names ? data->columns.target_names[t] : NULL,
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

static void show_outputs(int image, int classes, char *const *names, const float *outputs)
{
    printf("image %d: class ", image);
    show_class(greatest(outputs, classes), names);
    printf("  ");
    for (int j = 0; j < classes; ++j) {
        printf(" ");
        show_class(j, names);
        printf(": %.4f", (double)outputs[j]);
    }
    printf("\n");
}

void network_classify(glnn_context *ctx, glnn_network *network, const char *path, int width)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    const glnn_preparation *of = glnn_network_get_preparation(network);
    const int classes = count_outputs(network);
    int height;
    pictures images;
    REQUIRE(of == NULL || of->columns.targets == 0 ||
            refuse("--classify %s: the network predicts targets, not classes", path));
    REQUIRE(of == NULL || of->components == 0 ||
            refuse("--classify %s: the network sees components of images, not pixels", path));
    REQUIRE(picture_size(desc->features, &width, &height));
    REQUIRE(pictures_read(path, width, height, &images));
    if (of)
        CHECK(glnn_preparation_apply(ctx, of, images.count, images.pixels, images.pixels));
    float *outputs = predict(network, images.count, images.pixels);
    printf("%s: %s; %s\n", path, images.note,
           desc->loss == GLNN_LOSS_CROSS_ENTROPY ? "classes and their probabilities"
                                                 : "classes and outputs");
    for (int i = 0; i < images.count; ++i)
        show_outputs(i, classes, of ? of->class_names : NULL,
                     outputs + (size_t)i * (size_t)classes);
    free(outputs);
    pictures_free(&images);
}
