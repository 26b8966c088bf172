/* lvq - trains and tests classifiers made of prototypes: the LVQ family, k-means and mixtures of
 * Gaussians within each class, on MNIST or on samples of the caller's. `lvq --help` lists the
 * options. */
#include <glnn/glnn.h>

#include <stdio.h>

#include "common/check.h"
#include "common/classifier.h"
#include "common/companions.h"
#include "common/components.h"
#include "common/failure.h"
#include "common/results.h"
#include "common/show.h"
#include "common/watch.h"

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
    /* Without --batch a step is the library's default batch, or as much as one list of passes. */
    const int step = with->batch > 0 ? with->batch : model->lvq ? 128 : 1024;
    glnn_train_result result;
    watch_start(state, test ? "test" : NULL);
    /* k-means and mixtures end once an epoch gains little. */
    state->line.may_end_early = model->lvq == NULL;
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
                                        .report_every = watch_interval(step)},
                     &result);
    progress_clear(&state->line);
    show_training(&result, glnn_dataset_samples(data), step);
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

static void run(glnn_context *ctx, const lvq_settings *with, samples *data)
{
    glnn_codebook codebook = {0};
    glnn_projection *projection = NULL;
    classifier model = {0};
    watch state = {0};
    if (with->load)
        projection = companions_load(ctx, with->load, with->on.layout, &model, &data->classes);
    if (with->codebook_in)
        companions_read_codebook(with->codebook_in, &codebook, &data->classes);
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
        companions_save(&model, projection, &data->classes, with->save);
    if (with->predict)
        results_predictions(&model, data, with->predict);
    if (with->codebook_out || with->picture)
        results_prototypes(&model, data, with->codebook_out, with->picture);
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

int main(int argc, char **argv)
{
    lvq_settings with;
    samples data = {0};
    lvq_settings_read(argc, argv, &with);
    glnn_context *ctx = device_open(&with.on);
    run(ctx, &with, &data);
    if (data.generated)
        show_generated();
    samples_free(&data);
    glnn_context_destroy(ctx);
    return EXIT_SUCCESS;
}
