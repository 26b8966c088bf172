#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failure.h"
#include "plot.h"

void results_predictions(classifier *model, const samples *data, const char *path)
{
    const mnist_part *test = &data->test;
    int *classes = malloc(((size_t)test->samples + 1) * sizeof *classes);
    REQUIRE(classes != NULL || refuse("no memory for the classes of %d samples", test->samples));
    if (test->samples > 0)
        classifier_predict(model, test->samples, test->inputs, classes);
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < test->samples; ++i)
        fprintf(file, "%s\n", data->classes.names[classes[i]]);
    bool written = file && ferror(file) == 0;
    REQUIRE((file && fclose(file) == 0 && written) ||
            refuse("cannot write %s: %s", path, strerror(errno)));
    printf("predicted  %s: the classes of %d samples\n", path, test->samples);
    free(classes);
}

static void write_codebook(const samples *data, int count, float *vectors, int *labels,
                           const char *path)
{
    CHECK(glnn_codebook_write(path, &(glnn_codebook){.count = count,
                                                     .features = data->features,
                                                     .vectors = vectors,
                                                     .labels = labels,
                                                     .classes = data->classes.count,
                                                     .class_names = data->classes.names}));
    printf("codebook   %s\n", path);
}

void results_prototypes(const classifier *model, const samples *data, const char *codebook,
                        const char *picture)
{
    const int count = classifier_count(model), each = count / data->classes.count;
    float *vectors = malloc((size_t)count * (size_t)data->features * sizeof *vectors);
    int *labels = malloc((size_t)count * sizeof *labels);
    REQUIRE((vectors && labels) || refuse("no memory for %d prototypes", count));
    classifier_prototypes(model, vectors, labels);
    if (codebook)
        write_codebook(data, count, vectors, labels, codebook);
    if (picture && data->width > 0)
        REQUIRE(plot_prototypes(picture, vectors, count, each > 1 && each <= 32 ? each : 0,
                                data->width, data->height));
    free(vectors);
    free(labels);
}
