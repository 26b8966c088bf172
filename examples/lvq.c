/* lvq - trains and tests classifiers made of prototypes: the LVQ family, k-means and mixtures of
 * Gaussians within each class, on MNIST or on samples of the caller's. `lvq --help` lists the
 * options. */
#include <glnn/glnn.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/check.h"
#include "common/classifier.h"
#include "common/components.h"
#include "common/failure.h"
#include "common/folder.h"
#include "common/show.h"
#include "common/watch.h"

/* What a classifier is saved with: the names of its classes, and what its features are made by. */
typedef struct companions {
    char classes[PATH_CAPACITY], projection[PATH_CAPACITY];
} companions;

static companions companions_of(const char *path)
{
    companions out;
    snprintf(out.classes, sizeof out.classes, "%s.classes", path);
    snprintf(out.projection, sizeof out.projection, "%s.projection", path);
    return out;
}

static void save(const classifier *model, const glnn_projection *projection,
                 const class_names *classes, const char *path)
{
    const companions beside = companions_of(path);
    classifier_save(model, path);
    REQUIRE(classes_write(classes, beside.classes));
    if (projection)
        CHECK(glnn_projection_save(projection, beside.projection));
    /* One of an earlier classifier would be taken for this one's. */
    else
        REQUIRE(unlink(beside.projection) == 0 || errno == ENOENT ||
                refuse("cannot remove %s: %s", beside.projection, strerror(errno)));
    printf("saved      %s\n", path);
}

/* A classifier without names beside it numbers its classes. */
static glnn_projection *load(glnn_context *ctx, const lvq_settings *with, classifier *model,
                             class_names *classes)
{
    const companions beside = companions_of(with->load);
    glnn_projection *projection = NULL;
    *model = classifier_load(ctx, with->load, with->on.layout);
    const int count = classifier_classes(model);
    REQUIRE(access(beside.classes, F_OK) == 0 ? classes_read(classes, beside.classes)
                                              : classes_number(classes, count));
    REQUIRE(classes->count == count || refuse("%s has %d classes, but the classifier %d",
                                              beside.classes, classes->count, count));
    if (access(beside.projection, F_OK) == 0)
        CHECK(glnn_projection_load(ctx, beside.projection, &projection));
    return projection;
}

static void read_codebook(const char *path, glnn_codebook *out, class_names *classes)
{
    CHECK(glnn_codebook_read(path, out));
    REQUIRE(out->labels != NULL || refuse("%s: its vectors have no labels", path));
    for (int i = 0; i < out->classes; ++i)
        REQUIRE(classes_add(classes, out->class_names[i]) == i);
}

/* `of` says what brings the size that samples must have. */
static void check_features(const char *of, int features, const samples *data)
{
    REQUIRE(features == data->features ||
            refuse("%s is for samples of %d features, but these have %d", of, features,
                   data->features));
}

static void train(classifier *model, const lvq_settings *with, const glnn_dataset *data,
                  const glnn_dataset *test, watch *state)
{
    const int count = glnn_dataset_samples(data);
    const int batch = with->batch > 0 ? with->batch : model->lvq ? 128 : count;
    glnn_train_result result;
    watch_start(state, test ? "test" : NULL);
    classifier_train(model, data,
                     &(glnn_train_desc){.epochs = with->epochs,
                                        .batch = with->batch,
                                        .schedule = {.kind = with->schedule,
                                                     .rate = with->rate,
                                                     .every = (with->epochs + 2) / 3},
                                        .seed = with->seed,
                                        .validation = test,
                                        .report = watch_report,
                                        .user = state,
                                        .report_every = watch_interval(batch)},
                     &result);
    progress_clear(&state->line);
    if (result.stopped)
        printf("stopped    after %d epochs\n", result.epochs);
    show_training(&result, count, 0.0f, batch);
}

/* The share of samples of unknown classes that are classified right is none. */
static void measure(classifier *model, const lvq_settings *with, const samples *data,
                    const glnn_dataset *test)
{
    const int classes = data->classes.count;
    int *confusion = calloc((size_t)classes * (size_t)classes, sizeof *confusion);
    double loss, accuracy;
    REQUIRE(confusion != NULL || refuse("no memory for a confusion matrix of %d classes", classes));
    classifier_evaluate(model, test, &loss, &accuracy, confusion);
    show_confusion(confusion, classes, data->classes.names);
    printf("test loss %.4f, test accuracy %.2f %%\n", loss,
           100.0 * accuracy * glnn_dataset_samples(test) / data->test.samples);
    if (with->picture)
        REQUIRE(plot_confusion(with->picture, confusion, classes, data->classes.names));
    free(confusion);
}

static void write_predictions(classifier *model, const samples *data, const char *path)
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

/* What is left of a training beside its figures: the prototypes, as text and as images. */
static void write_prototypes(const classifier *model, const lvq_settings *with, const samples *data)
{
    const int count = classifier_count(model), each = count / data->classes.count;
    float *vectors = malloc((size_t)count * (size_t)data->features * sizeof *vectors);
    int *labels = malloc((size_t)count * sizeof *labels);
    REQUIRE((vectors && labels) || refuse("no memory for %d prototypes", count));
    classifier_prototypes(model, vectors, labels);
    if (with->codebook_out)
        write_codebook(data, count, vectors, labels, with->codebook_out);
    if (with->picture && data->width > 0)
        REQUIRE(plot_prototypes(with->picture, vectors, count, each > 1 && each <= 32 ? each : 0,
                                data->width, data->height));
    free(vectors);
    free(labels);
}

static void run(glnn_context *ctx, const lvq_settings *with, samples *data)
{
    glnn_codebook codebook = {0};
    glnn_projection *projection = NULL;
    classifier model = {0};
    watch state = {0};
    if (with->load)
        projection = load(ctx, with, &model, &data->classes);
    if (with->codebook_in)
        read_codebook(with->codebook_in, &codebook, &data->classes);
    REQUIRE(samples_load(&with->from, data));
    samples_show(data);
    if (!with->load)
        projection = components_fit(ctx, with, data);
    if (projection)
        components_apply(projection, data);
    if (with->load)
        check_features(with->load, classifier_features(&model), data);
    else if (with->codebook_in)
        check_features(with->codebook_in, codebook.features, data);
    if (!with->load)
        model = classifier_create(ctx, with, data, with->codebook_in ? &codebook : NULL);
    classifier_show(&model);

    glnn_dataset *test = samples_upload(ctx, data, &data->test, "test samples");
    glnn_dataset *training = samples_upload(ctx, data, &data->train, "training samples");
    if (training)
        train(&model, with, training, test, &state);
    if (with->save)
        save(&model, projection, &data->classes, with->save);
    if (with->predict)
        write_predictions(&model, data, with->predict);
    if (with->codebook_out || with->picture)
        write_prototypes(&model, with, data);
    if (test)
        measure(&model, with, data, test);
    else
        printf("no samples with known classes to test with\n");
    if (with->picture && training)
        REQUIRE(plot_training(with->picture, &state.curve, state.measured));

    plot_curve_free(&state.curve);
    glnn_dataset_destroy(training);
    glnn_dataset_destroy(test);
    classifier_destroy(&model);
    glnn_projection_destroy(projection);
    glnn_codebook_free(&codebook);
}

/* What would fail after the training shall fail before it. */
static void check_paths(const lvq_settings *with)
{
    const char *const written[] = {with->save, with->codebook_out, with->predict};
    for (int i = 0; i < 3; ++i)
        REQUIRE(written[i] == NULL || path_writable(written[i]));
    REQUIRE(with->picture == NULL || folder_create(with->picture));
    REQUIRE(with->load == NULL || path_readable(with->load));
    REQUIRE(with->codebook_in == NULL || path_readable(with->codebook_in));
}

int main(int argc, char **argv)
{
    lvq_settings with;
    samples data = {0};
    option_table options = lvq_settings_table(argv[0]);
    options_read(&options, argc, argv, &with);
    if (with.on.list) {
        show_devices();
        return EXIT_SUCCESS;
    }
    check_paths(&with);
    glnn_context *ctx = device_open(&with.on);
    run(ctx, &with, &data);
    if (data.generated)
        show_generated();
    samples_free(&data);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
