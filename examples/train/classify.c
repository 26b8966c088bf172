#include "classify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "picture.h"
#include "predictions.h"

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

void classify_pictures(glnn_context *ctx, glnn_learner *of, const char *path, bool invert,
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
    float *inputs = predictions_array(images.count, glnn_learner_get_features(of), sizeof *inputs);
    if (kept)
        CHECK(glnn_preparation_apply(ctx, kept, images.count, images.pixels, inputs));
    else
        memcpy(inputs, images.pixels,
               (size_t)images.count * (size_t)glnn_learner_get_features(of) * sizeof *inputs);
    float *outputs = predictions_array(images.count, classes, sizeof *outputs);
    int *found = predictions_array(images.count, 1, sizeof *found);
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
