/* train - trains any of the library's learners on samples of the user's, measures it, and predicts
 * with it. `train --help` lists the options.
 *
 * mnist_mlp.c shows the same steps with less around them. Here, samples come from tables, arrays or
 * images; features can be scaled and projected; and a saved model keeps all that its use needs. */
#include <glnn/glnn.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classify.h"
#include "common/check.h"
#include "common/device.h"
#include "common/failure.h"
#include "common/plot.h"
#include "learner.h"
#include "measure.h"
#include "predicted_file.h"
#include "report.h"
#include "rounds.h"
#include "search.h"
#include "session.h"
#include "training.h"

/* Measures the state before the training, if there is one. Returns the accuracy, else 0. */
static double show_start(const session *on, const settings *with)
{
    glnn_learner *of = on->learner;
    const glnn_learner_kind kind = glnn_learner_get_kind(of);
    glnn_metrics metrics;
    char text[LOSS_TEXT];
    learner_start(of, on->training);
    if (kind == GLNN_LEARNER_NETWORK || (kind != GLNN_LEARNER_LVQ && with->load == NULL))
        return 0.0;
    training_check_budget(
        with, glnn_learner_evaluate(of, on->test ? on->test : on->training, &metrics, NULL));
    const double accuracy = metrics.accuracy * (on->test ? samples_known_share(&on->data) : 1.0);
    printf("start      %s loss %s, %.2f %% correct\n", on->test ? "test" : "training",
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

/* Returns the accuracy; 0 for targets. The first evaluation may compile programs, so the second one
 * is timed. */
static double measure(const session *on, const settings *with, const predictions *predicted)
{
    glnn_metrics metrics;
    training_check_budget(with, glnn_learner_evaluate(on->learner, on->test, NULL, NULL));
    const double started = seconds_now();
    CHECK(glnn_learner_evaluate(on->learner, on->test, &metrics, NULL));
    printf("evaluation %.0f samples/s\n",
           (double)glnn_dataset_get_samples(on->test) / (seconds_now() - started));
    if (predicted->targets > 0)
        measure_targets(on->learner, predicted, with, &on->data);
    else
        measure_classes(predicted, with, &on->data, metrics.loss);
    return predicted->targets > 0 ? 0.0 : metrics.accuracy * samples_known_share(&on->data);
}

static double training_accuracy(const session *on)
{
    glnn_metrics metrics;
    CHECK(glnn_learner_evaluate(on->learner, on->training, &metrics, NULL));
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

/* Ends the program if the model or the samples do not suit an option. */
static void check_options(const session *on, const settings *with)
{
    const glnn_preparation *kept = glnn_learner_get_preparation(on->learner);
    check_codebook_out(with->codebook_out, &on->data.classes);
    if (with->export_glsl)
        learner_check_glsl(on->learner, with->export_glsl);
    REQUIRE(with->distort == NULL || on->data.shape.width > 0 ||
            refuse("--distort %s: %s", with->distort,
                   kept && kept->gradients.width > 0
                       ? "the model learns from gradients, which are computed once, not from images"
                       : "the samples are not images"));
}

/* Trains and measures. The training may make all of the session anew. */
static void use(session *on, settings *with)
{
    report state = {0};
    predictions predicted = {0};
    const samples *data = &on->data;
    glnn_curve *curve = begin_curve(with, &state);
    const bool trains = on->training != NULL;
    const double start = trains ? show_start(on, with) : 0.0;
    if (trains && with->contact_sheet)
        distort_draw(on->ctx, &with->distortion, with->seed, data, with->contact_sheet);
    if (trains)
        training_run(on, with, &state, curve);
    if (on->test || with->predict)
        predictions_make(on->learner, with, data, &predicted);
    write_results(on->learner, with, data, &predicted);
    double accuracy = start;
    if (on->test)
        accuracy = measure(on, with, &predicted);
    else if (with->needs_data)
        samples_show_no_test(data);
    if (!on->test && start > 0.0)
        accuracy = training_accuracy(on);
    show_end(on->learner, with, start, accuracy);
    if (with->classify)
        classify_pictures(on->ctx, on->learner, with->classify, with->invert, data->shape);
    if (trains)
        end_curve(curve, with, &state);
    else
        glnn_curve_destroy(curve);
    predictions_free(&predicted);
}

static void run(settings *with)
{
    session on = {0};
    session_open(&on, with);
    check_options(&on, with);
    use(&on, with);
    session_close(&on);
}

static void compare(const settings *with)
{
    glnn_context *ctx = settings_open_device(with);
    device_show(ctx);
    rounds_compare(ctx, with);
    glnn_context_destroy(ctx);
}

int main(int argc, char **argv)
{
    settings with;
    /* A write beyond the limit of the shell for files then fails with an error. */
    signal(SIGXFSZ, SIG_IGN);
    settings_read(argc, argv, &with);
    if (with.search)
        return search_run(argv[0], &with);
    if (with.folds > 0 || with.seeds > 1)
        compare(&with);
    else
        run(&with);
    distributed_end(with.processes);
    return program_status();
}
