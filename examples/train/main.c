/* train - trains any of the library's learners on samples of the user's, measures it, and predicts
 * with it. `train --help` lists the options.
 *
 * mnist_mlp.c shows the same steps with less around them. Here, samples come from tables, arrays or
 * images; features can be scaled and projected; and a saved model keeps all that its use needs. */
#include <glnn/glnn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "class_weights.h"
#include "classify.h"
#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/plot.h"
#include "learner.h"
#include "measure.h"
#include "predicted_file.h"
#include "prepare.h"
#include "report.h"

static void read_codebook(const char *path, glnn_codebook *out, class_names *classes)
{
    CHECK(glnn_codebook_read(path, out));
    REQUIRE(out->labels != NULL || refuse("%s: its vectors have no labels", path));
    for (int i = 0; i < out->classes; ++i)
        REQUIRE(classes_add(classes, out->class_names[i]) == i);
}

static void check_features(const char *of, int features, const samples *data)
{
    REQUIRE(features == data->features ||
            refuse("%s is for samples of %d features, but these have %d", of, features,
                   data->features));
}

/* The library's sentences about a single class do not have its name. */
static void check_classes(const settings *with, const samples *data)
{
    const bool tells_apart =
        with->learner == LEARNER_NETWORK || with->learner == LEARNER_SVM || with->data.lda > 0;
    REQUIRE(!tells_apart || data->classes.count != 1 ||
            refuse("%s: the data set has samples of one class only, '%s'; %s needs at least 2 "
                   "classes",
                   data->from, data->classes.names[0],
                   with->data.lda > 0 ? "--lda" : learner_name(with->learner)));
}

/* Loads the samples, scales them, and creates a learner that keeps a record of both. */
static glnn_learner *make(glnn_context *ctx, settings *with, samples *data)
{
    glnn_codebook codebook = {.size = sizeof codebook};
    glnn_preparation preparation = {0};
    if (with->codebook_in)
        read_codebook(with->codebook_in, &codebook, &data->classes);
    with->data.from.gray = with->data.features == FEATURES_GRADIENT;
    data->stays = with->data.from.budget > 0 && with->data.pca == 0 && with->data.lda == 0 &&
                  !with->data.from.gray;
    REQUIRE(samples_load(&with->data.from, data));
    samples_show(data);
    check_classes(with, data);
    if (with->learner == LEARNER_NETWORK || with->learner == LEARNER_SVM)
        prepare_advise(&with->data, data);
    prepare_fit(ctx, &with->data, data, &preparation);
    if (with->codebook_in)
        check_features(with->codebook_in, codebook.features, data);
    glnn_learner *of = learner_create(ctx, with, data, with->codebook_in ? &codebook : NULL);
    CHECK(glnn_learner_set_preparation(of, &preparation));
    glnn_preparation_free(&preparation);
    glnn_codebook_free(&codebook);
    return of;
}

/* Loads a learner, and samples as it expects them. */
static glnn_learner *load(glnn_context *ctx, settings *with, samples *data)
{
    glnn_learner *of = learner_load(ctx, with);
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    settings_complete(with, learner_get_kind(of));
    if (!with->needs_data)
        return of;
    prepare_expect(kept, glnn_learner_get_outputs(of), data);
    with->data.from.gray = kept && kept->gradients.width > 0;
    data->stays = with->data.from.budget > 0 && !with->data.from.gray;
    REQUIRE(samples_load(&with->data.from, data));
    samples_show(data);
    if (kept)
        prepare_apply(ctx, kept, data);
    check_features(with->load, glnn_learner_get_features(of), data);
    return of;
}

/* Ends the program if a call failed; a window of a stream that is too small has a sentence with the
 * option that helps. */
static void check_budget(const settings *with, glnn_status status)
{
    REQUIRE(status != GLNN_E_LIMIT || strstr(glnn_last_error(), "the data set's budget") == NULL ||
            refuse("--budget %d: %s", with->data.from.budget, glnn_last_error()));
    CHECK(status);
}

/* Measures the state before the training, if there is one. Returns the accuracy, else 0. */
static double show_start(glnn_learner *of, const settings *with, const samples *data,
                         const glnn_dataset *training, const glnn_dataset *test)
{
    const glnn_learner_kind kind = glnn_learner_get_kind(of);
    glnn_metrics metrics;
    char text[LOSS_TEXT];
    learner_start(of, training);
    if (kind == GLNN_LEARNER_NETWORK || (kind != GLNN_LEARNER_LVQ && with->load == NULL))
        return 0.0;
    check_budget(with, glnn_learner_evaluate(of, test ? test : training, &metrics, NULL));
    const double accuracy = metrics.accuracy * (test ? samples_known_share(data) : 1.0);
    printf("start      %s loss %s, %.2f %% correct\n", test ? "test" : "training",
           loss_text(metrics.loss, text), 100.0 * accuracy);
    return accuracy;
}

/* Prints a note if the accuracy of the same samples is now below that of the start. */
static void show_end(glnn_learner *of, const settings *with, double start, double accuracy)
{
    const bool is_lvq = glnn_learner_get_kind(of) == GLNN_LEARNER_LVQ;
    if (accuracy >= start)
        return;
    printf("note: the accuracy is below that of the start%s%s%s\n", is_lvq ? "; " : "",
           is_lvq && !with->restore_best ? "--restore-best, " : "",
           is_lvq ? "a lower --rate or more --prototypes may help" : "");
}

static glnn_schedule schedule_of(const settings *with)
{
    const bool stepwise = with->schedule == GLNN_SCHEDULE_STEP;
    return (glnn_schedule){
        .kind = with->schedule, .rate = with->rate, .every = stepwise ? (with->epochs + 2) / 3 : 0};
}

static glnn_distortion distortion_of(const settings *with, const samples *data)
{
    glnn_distortion of = with->distortion;
    if (with->distort)
        of.shape = data->shape;
    return of;
}

/* Ends the program if the training failed, with a sentence that names the options that help. */
static void check_trained(glnn_learner *of, const settings *with, const samples *data,
                          glnn_status status)
{
    REQUIRE(status != GLNN_E_DIVERGED || with->load ||
            glnn_learner_get_kind(of) != GLNN_LEARNER_NETWORK ||
            !prepare_is_unscaled(&with->data, data) ||
            refuse("%s; --standardise usually helps", glnn_last_error()));
    const char *epochs =
        with->schedule == GLNN_SCHEDULE_STEP ? ", with --schedule step also --epochs" : "";
    REQUIRE(status != GLNN_E_ARG || strstr(glnn_last_error(), "checkpoint belongs to") == NULL ||
            refuse("%s; --resume needs the samples and options of the former run%s, and "
                   "--overwrite in its place begins anew",
                   glnn_last_error(), epochs));
    check_budget(with, status);
}

static void train(glnn_learner *of, const settings *with, const samples *data,
                  const glnn_dataset *training, const glnn_dataset *test, report *state,
                  glnn_curve *curve)
{
    const glnn_learner_kind kind = glnn_learner_get_kind(of);
    /* Unless --batch is given, k-means and mixtures take all samples in lists of passes. */
    const int step = with->batch > 0                                           ? with->batch
                     : kind == GLNN_LEARNER_KMEANS || kind == GLNN_LEARNER_GMM ? 1024
                                                                               : 128;
    const int count = (int)glnn_dataset_get_samples(training);
    const bool split = with->data.validation > 0.0f;
    const bool has_aim = with->desired_loss != 0 || with->desired_error > 0;
    const glnn_dataset *measured = split || with->restore_best || has_aim ? NULL : test;
    const glnn_train_desc desc = {.epochs = with->epochs,
                                  .batch = with->batch,
                                  .batch_schedule = with->batch_schedule,
                                  .schedule = schedule_of(with),
                                  .seed = with->seed,
                                  .validation = measured,
                                  .validation_split = with->data.validation,
                                  .patience = with->patience,
                                  .desired_loss = with->desired_loss,
                                  .desired_error = with->desired_error,
                                  .restore_best = with->restore_best,
                                  .emphasis = with->emphasis,
                                  .emphasis_kind = with->emphasis_by,
                                  .distortion = distortion_of(with, data),
                                  .checkpoint = with->checkpoint,
                                  .checkpoint_every = with->every,
                                  .resume = with->resume,
                                  .overwrite = with->overwrite,
                                  .report = report_receive,
                                  .user = state,
                                  .curve = curve,
                                  .report_every = report_interval(step),
                                  .exchange = distributed_exchange(with->processes)};
    glnn_train_result result = {.size = sizeof result};
    if (distributed_is_first(with->processes))
        advice_show(of, with, with->batch < 0 || step > count ? count : step);
    /* Mixtures do not classify samples while they are trained. */
    report_start(state,
                 split      ? "validation"
                 : measured ? "test"
                            : NULL,
                 split ? 1.0 : samples_known_share(data),
                 kind != GLNN_LEARNER_GMM && data->columns.targets == 0);
    state->line.may_end_early =
        with->patience > 0 || has_aim || kind == GLNN_LEARNER_KMEANS || kind == GLNN_LEARNER_GMM;
    const glnn_status status = learner_train(of, training, &desc, &result);
    progress_clear(&state->line);
    check_trained(of, with, data, status);
    distributed_show(with->processes, training, &result);
    report_end(&result,
               (double)glnn_dataset_get_samples(training) * (1.0 - (double)with->data.validation),
               step);
    report_stream(training);
}

/* Returns the accuracy; 0 for targets. The first evaluation may compile programs, so the second one
 * is timed. */
static double measure(glnn_learner *of, const settings *with, const samples *data,
                      const glnn_dataset *test, const predictions *predicted)
{
    glnn_metrics metrics;
    check_budget(with, glnn_learner_evaluate(of, test, NULL, NULL));
    const double started = seconds_now();
    CHECK(glnn_learner_evaluate(of, test, &metrics, NULL));
    printf("evaluation %.0f samples/s\n",
           (double)glnn_dataset_get_samples(test) / (seconds_now() - started));
    if (predicted->targets > 0)
        measure_targets(of, predicted, with, data);
    else
        measure_classes(predicted, with, data, metrics.loss);
    return predicted->targets > 0 ? 0.0 : metrics.accuracy * samples_known_share(data);
}

static double training_accuracy(glnn_learner *of, const glnn_dataset *training)
{
    glnn_metrics metrics;
    CHECK(glnn_learner_evaluate(of, training, &metrics, NULL));
    return metrics.accuracy;
}

/* The format of LVQ_PAK separates words by blanks. This is checked before the training. */
static void check_codebook_out(const char *path, const class_names *classes)
{
    for (int i = 0; path && i < classes->count; ++i)
        REQUIRE(
            (classes->names[i][0] && strpbrk(classes->names[i], " \t\r\n\v\f") == NULL) ||
            refuse("--codebook-out %s: the class '%s' is not one word, but the format separates "
                   "words by blanks",
                   path, classes->names[i]));
}

static void write_results(glnn_learner *of, const settings *with, const samples *data,
                          const predictions *predicted)
{
    if (with->save)
        learner_save(of, with->save);
    if (with->export_c)
        learner_export(of, with->export_c);
    if (with->predict)
        predicted_file_write(with, data, predicted);
    if (with->codebook_out)
        learner_write_codebook(of, &data->classes, with->codebook_out);
    if (with->plot && data->shape.width > 0)
        learner_plot(of, data, with->plot);
    if (with->export_glsl)
        learner_export_glsl(of, with->export_glsl);
}

/* The curve of a training that is resumed begins with the epochs before. It is written after each
 * epoch, because the training may be interrupted again. */
static glnn_curve *begin_curve(const settings *with, report *state)
{
    glnn_curve *curve;
    const bool is_table = with->curve && !plot_is_picture(with->curve);
    if (is_table && with->resume && access(with->curve, F_OK) == 0)
        CHECK(glnn_curve_read_csv(with->curve, &curve));
    else
        CHECK(glnn_curve_create(&curve));
    state->curve = curve;
    state->curve_path = is_table && with->checkpoint ? with->curve : NULL;
    return curve;
}

static void end_curve(glnn_curve *curve, const settings *with, const report *state)
{
    if (with->plot)
        REQUIRE(plot_curve(with->plot, curve, state->measured));
    if (with->curve && plot_is_picture(with->curve))
        REQUIRE(plot_curve_picture(with->curve, curve, state->measured));
    else if (with->curve)
        CHECK(glnn_curve_write_csv(curve, with->curve));
    glnn_curve_destroy(curve);
}

static void run(glnn_context *ctx, settings *with, samples *data)
{
    report state = {0};
    predictions predicted = {0};
    glnn_curve *curve = begin_curve(with, &state);
    glnn_learner *of = with->load ? load(ctx, with, data) : make(ctx, with, data);
    /* Mixed precision rounds the inputs of a batch to 16 bits. If they are stored in 16 bits, they
     * take half the memory, and the results are the same. */
    const glnn_storage storage =
        with->precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
    const glnn_preparation *kept = glnn_learner_get_preparation(of);
    check_codebook_out(with->codebook_out, &data->classes);
    if (with->export_glsl)
        learner_check_glsl(of, with->export_glsl);
    REQUIRE(with->distort == NULL || data->shape.width > 0 ||
            refuse("--distort %s: %s", with->distort,
                   kept && kept->gradients.width > 0
                       ? "the model learns from gradients, which are computed once, not from images"
                       : "the samples are not images"));
    learner_show(of);
    predictions_check(of, with, data);
    if (with->class_weights)
        REQUIRE(class_weights_set(with->class_weights, data));
    glnn_dataset *test = samples_upload(ctx, data, &data->test, storage, "test samples");
    glnn_dataset *training = samples_upload(ctx, data, &data->train, storage, "training samples");

    const double start = training ? show_start(of, with, data, training, test) : 0.0;
    if (training && with->contact_sheet)
        distort_draw(ctx, &with->distortion, with->seed, data, with->contact_sheet);
    if (training)
        train(of, with, data, training, test, &state, curve);
    if (test || with->predict)
        predictions_make(of, with, data, &predicted);
    write_results(of, with, data, &predicted);
    double accuracy = start;
    if (test)
        accuracy = measure(of, with, data, test, &predicted);
    else if (with->needs_data)
        samples_show_no_test(data);
    if (!test && start > 0.0)
        accuracy = training_accuracy(of, training);
    show_end(of, with, start, accuracy);
    if (with->classify)
        classify_pictures(ctx, of, with->classify, with->invert, data->shape);

    if (training)
        end_curve(curve, with, &state);
    else
        glnn_curve_destroy(curve);
    predictions_free(&predicted);
    glnn_dataset_destroy(training);
    glnn_dataset_destroy(test);
    glnn_learner_destroy(of);
}

int main(int argc, char **argv)
{
    settings with;
    samples data = {0};
    glnn_context *ctx;
    settings_read(argc, argv, &with);
    glnn_log_set(distributed_is_first(with.processes) ? device_print_message : NULL, NULL);
    const glnn_context_desc device = {.platform = with.platform,
                                      .device = distributed_device(with.processes, with.device),
                                      .stage = with.stage};
    CHECK(glnn_context_create(&device, &ctx));
    device_show(ctx);
    run(ctx, &with, &data);
    samples_free(&data);
    glnn_context_destroy(ctx);
    distributed_end(with.processes);
    return program_status();
}
