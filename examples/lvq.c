/* lvq - trains and tests classifiers made of prototypes: the LVQ family, k-means and mixtures of
 * Gaussians within each class, on MNIST or on samples of the caller's. `lvq --help` lists the
 * options. */
#include <glnn/glnn.h>

#include <stdio.h>
#include <string.h>

#include "common/check.h"
#include "common/failure.h"
#include "common/progress.h"
#include "common/show.h"
#include "train/classifier.h"
#include "train/prepare.h"
#include "train/results.h"
#include "train/watch.h"

static void check_features(const char *of, int features, const samples *data)
{
    REQUIRE(features == data->features ||
            refuse("%s is for samples of %d features, but these have %d", of, features,
                   data->features));
}

static void read_codebook(const char *path, glnn_codebook *out, class_names *classes)
{
    CHECK(glnn_codebook_read(path, out));
    REQUIRE(out->labels != NULL || refuse("%s: its vectors have no labels", path));
    for (int i = 0; i < out->classes; ++i)
        REQUIRE(classes_add(classes, out->class_names[i]) == i);
}

/* Makes a classifier for the samples that it loads, and records how they were prepared. */
static classifier make(glnn_context *ctx, const lvq_settings *with, samples *data)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    glnn_preparation preparation = {0};
    if (with->codebook_in)
        read_codebook(with->codebook_in, &codebook, &data->classes);
    REQUIRE(samples_load(&with->data.from, data));
    samples_show(data);
    prepare_fit(ctx, &with->data, data, &preparation);
    if (with->codebook_in)
        check_features(with->codebook_in, codebook.features, data);
    classifier model = classifier_create(ctx, with, data, with->codebook_in ? &codebook : NULL);
    classifier_set_preparation(&model, &preparation);
    glnn_preparation_free(&preparation);
    glnn_codebook_free(&codebook);
    return model;
}

/* Loads a classifier, and samples as it expects them. */
static classifier load(glnn_context *ctx, const lvq_settings *with, samples *data)
{
    classifier model = classifier_load(ctx, with->load, with->on.layout);
    const glnn_preparation *kept = classifier_get_preparation(&model);
    prepare_expect(kept, classifier_classes(&model), data);
    REQUIRE(samples_load(&with->data.from, data));
    samples_show(data);
    if (kept)
        prepare_apply(ctx, kept, data);
    check_features(with->load, classifier_features(&model), data);
    return model;
}

/* Says where training starts from, and returns the share that is classified right there; 0: nothing
 * is known before the training. */
static double show_start(classifier *model, const lvq_settings *with, const glnn_dataset *data,
                         const glnn_dataset *test)
{
    double loss, accuracy;
    char text[LOSS_TEXT];
    classifier_start(model, data);
    if (model->lvq == NULL && with->load == NULL)
        return 0.0;
    classifier_evaluate(model, test ? test : data, &loss, &accuracy, NULL);
    printf("start      %s loss %s, %.2f %%\n", test ? "test" : "training", loss_text(loss, text),
           100.0 * accuracy);
    return accuracy;
}

/* Says so where training ended below its start; `accuracy` is that of the same samples now. */
static void show_end(const classifier *model, const lvq_settings *with, double start,
                     double accuracy)
{
    if (accuracy >= start)
        return;
    printf("note: the accuracy is below that of the start%s%s%s\n", model->lvq ? "; " : "",
           model->lvq && !with->restore_best ? "--restore-best, " : "",
           model->lvq ? "a lower --rate or more --prototypes may help" : "");
}

/* Returns the accuracy of show_start. */
static double train(classifier *model, const lvq_settings *with, const glnn_dataset *data,
                    const glnn_dataset *test, watch *state)
{
    /* Without --batch a step is the library's default batch, or as much as one list of passes. */
    const int step = with->batch > 0 ? with->batch : model->lvq ? 128 : 1024;
    const bool split = with->data.validation > 0.0f;
    const glnn_dataset *measured = split || with->restore_best ? NULL : test;
    glnn_train_result result = {.size = sizeof result};
    const double start = show_start(model, with, data, test);
    /* Mixtures classify no sample while they are trained. */
    watch_start(state, split ? "validation" : measured ? "test" : NULL, model->gmm == NULL);
    /* k-means and mixtures end once an epoch gains little. */
    state->line.may_end_early = model->lvq == NULL;
    classifier_train(model, data,
                     &(glnn_train_desc){.epochs = with->epochs,
                                        .batch = with->batch,
                                        .schedule = {.kind = with->schedule,
                                                     .rate = with->rate,
                                                     .every = with->schedule == GLNN_SCHEDULE_STEP
                                                                  ? (with->epochs + 2) / 3
                                                                  : 0},
                                        .seed = with->seed,
                                        .validation = measured,
                                        .validation_split = with->data.validation,
                                        .restore_best = with->restore_best,
                                        .report = watch_report,
                                        .user = state,
                                        .report_every = watch_interval(step)},
                     &result);
    progress_clear(&state->line);
    show_training(&result,
                  (double)glnn_dataset_get_samples(data) * (1.0 - (double)with->data.validation),
                  step);
    return start;
}

/* Samples of unknown classes are all classified wrong. Returns the accuracy without them. */
static double measure(classifier *model, const lvq_settings *with, const samples *data,
                      const glnn_dataset *test)
{
    const int classes = data->classes.count;
    int64_t *confusion = calloc((size_t)classes * (size_t)classes, sizeof *confusion);
    double loss, accuracy;
    REQUIRE(confusion != NULL || refuse("no memory for a confusion matrix of %d classes", classes));
    classifier_evaluate(model, test, &loss, &accuracy, confusion);
    show_confusion(confusion, classes, data->classes.names);
    char text[LOSS_TEXT];
    printf("test loss %s, test accuracy %.2f %%\n", loss_text(loss, text),
           100.0 * accuracy * (double)glnn_dataset_get_samples(test) / data->test.samples);
    if (with->plot)
        REQUIRE(plot_confusion(with->plot, confusion, classes, data->classes.names));
    free(confusion);
    return accuracy;
}

/* The accuracy of the training samples, where there is no test. */
static double measure_training(classifier *model, const glnn_dataset *data)
{
    double loss, accuracy;
    classifier_evaluate(model, data, &loss, &accuracy, NULL);
    return accuracy;
}

static void predict(classifier *model, const samples *data, const char *path)
{
    const int count = data->test.samples;
    REQUIRE(count > 0 || refuse("--predict %s: there are no test samples", path));
    int *classes = malloc((size_t)count * sizeof *classes);
    REQUIRE(classes != NULL || refuse("no memory for the classes of %d samples", count));
    classifier_predict(model, count, data->test.inputs, classes);
    results_write_classes(path, count, classes, data->classes.names);
    free(classes);
}

/* What the format of LVQ_PAK cannot hold is said before the training. */
static void check_codebook_out(const lvq_settings *with, const class_names *classes)
{
    for (int i = 0; with->codebook_out && i < classes->count; ++i)
        REQUIRE(
            (classes->names[i][0] != '\0' && strpbrk(classes->names[i], " \t\r\n\v\f") == NULL) ||
            refuse("--codebook-out %s: the class '%s' is not one word, but the format separates "
                   "words by blanks",
                   with->codebook_out, classes->names[i]));
}

/* All but what the test finds. */
static void write_results(classifier *model, const lvq_settings *with, const samples *data)
{
    if (with->save) {
        classifier_save(model, with->save);
        printf("saved      %s\n", with->save);
    }
    if (with->predict)
        predict(model, data, with->predict);
    if (with->codebook_out)
        classifier_write_codebook(model, &data->classes, with->codebook_out);
    if (with->plot && data->width > 0)
        classifier_plot(model, data, with->plot);
}

static void run(glnn_context *ctx, const lvq_settings *with, samples *data)
{
    watch state = {0};
    classifier model = with->load ? load(ctx, with, data) : make(ctx, with, data);
    check_codebook_out(with, &data->classes);
    classifier_show(&model);
    glnn_dataset *test =
        samples_upload(ctx, data, &data->test, GLNN_STORAGE_FLOAT32, "test samples");
    glnn_dataset *training =
        samples_upload(ctx, data, &data->train, GLNN_STORAGE_FLOAT32, "training samples");

    const double start = training ? train(&model, with, training, test, &state) : 0.0;
    double accuracy = start;
    write_results(&model, with, data);
    if (test)
        accuracy = measure(&model, with, data, test);
    else
        show_no_test(data);
    if (!test && start > 0.0)
        accuracy = measure_training(&model, training);
    show_end(&model, with, start, accuracy);
    if (with->plot && training)
        REQUIRE(plot_training(with->plot, &state.curve, state.measured, state.has_classes));

    plot_curve_free(&state.curve);
    glnn_dataset_destroy(training);
    glnn_dataset_destroy(test);
    classifier_destroy(&model);
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
    return program_status();
}
