#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common/check.h"
#include "common/failure.h"
#include "common/whole_file.h"
#include "confusion.h"
#include "json.h"
#include "report.h"

/* ---- Classes */

static void write_class(FILE *file, const glnn_class_metrics *of, int class, const char *name)
{
    fputs(class > 0 ? ",\n    {" : "    {", file);
    json_name(file, "class");
    json_text(file, name);
    fputs(", ", file);
    JSON_MEMBERS(file, ", ", {"support", of->support[class]}, {"precision", of->precision[class]},
                 {"recall", of->recall[class]}, {"f1", of->f1[class]},
                 {"roc_auc", of->class_roc_auc[class]},
                 {"average_precision", of->class_average_precision[class]});
    fputc('}', file);
}

static void write_confusion(FILE *file, const glnn_class_metrics *of)
{
    const size_t classes = (size_t)of->classes;
    for (size_t i = 0; i < classes * classes; ++i) {
        if (i % classes == 0)
            fputs(i > 0 ? ",\n    [" : "    [", file);
        fprintf(file, "%s%lld", i % classes > 0 ? ", " : "", (long long)of->confusion[i]);
        fputs(i % classes == classes - 1 ? "]" : "", file);
    }
}

static void write_classes(const char *path, const glnn_class_metrics *of, const predictions *from,
                          const samples *data, const settings *with, double loss)
{
    whole_file to;
    REQUIRE(whole_file_open(path, &to));
    FILE *file = to.stream;
    fputs("{\n  ", file);
    JSON_MEMBERS(file, ",\n  ", {"samples", from->samples}, {"unknown_samples", data->unknown},
                 {"loss", loss}, {"accuracy", of->accuracy},
                 {"balanced_accuracy", of->balanced_accuracy}, {"log_loss", of->log_loss},
                 {"roc_auc", of->roc_auc}, {"average_precision", of->average_precision},
                 {"top_k", with->top_k > 0 ? (double)with->top_k : NAN},
                 {"top_k_accuracy", of->top_k_accuracy});
    fputs(",\n  \"macro\": {", file);
    JSON_MEMBERS(file, ", ", {"precision", of->macro_precision}, {"recall", of->macro_recall},
                 {"f1", of->macro_f1}, {"roc_auc", of->macro_roc_auc},
                 {"average_precision", of->macro_average_precision});
    fputs("},\n  \"weighted\": {", file);
    JSON_MEMBERS(file, ", ", {"precision", of->weighted_precision}, {"recall", of->weighted_recall},
                 {"f1", of->weighted_f1}, {"roc_auc", of->weighted_roc_auc},
                 {"average_precision", of->weighted_average_precision});
    fputs("},\n  \"classes\": [\n", file);
    for (int c = 0; c < of->classes; ++c)
        write_class(file, of, c, data->classes.names[c]);
    fputs("\n  ],\n  \"confusion\": [\n", file);
    write_confusion(file, of);
    fputs("\n  ]\n}\n", file);
    REQUIRE(whole_file_close(&to));
    printf("metrics    %s\n", path);
}

double measure_roc_auc(const glnn_class_metrics *of)
{
    return of->classes == 2 ? of->roc_auc : of->macro_roc_auc;
}

static void show_classes(const glnn_class_metrics *of, const settings *with, double loss)
{
    const double area = measure_roc_auc(of);
    char text[LOSS_TEXT];
    printf("test loss %s, test accuracy %.2f %%\n", loss_text(loss, text), 100.0 * of->accuracy);
    if (!isnan(of->balanced_accuracy))
        printf("balanced accuracy %.2f %%, ", 100.0 * of->balanced_accuracy);
    printf("macro F1 %.4f", of->macro_f1);
    if (!isnan(area))
        printf(", %sROC AUC %.4f", of->classes == 2 ? "" : "macro ", area);
    if (!isnan(of->macro_average_precision))
        printf(", macro average precision %.4f", of->macro_average_precision);
    if (with->top_k > 0)
        printf(", top-%d accuracy %.2f %%", with->top_k, 100.0 * of->top_k_accuracy);
    printf("\n");
}

void measure_class_metrics(const predictions *of, const settings *with, const samples *data,
                           glnn_class_metrics *out)
{
    *out = (glnn_class_metrics){.size = sizeof *out};
    CHECK(glnn_class_metrics_compute(
        &(glnn_class_metrics_desc){.classes = of->classes,
                                   .samples = of->samples,
                                   .labels = data->test.labels,
                                   .predicted = of->predicted,
                                   .scores = of->outputs,
                                   .are_probabilities = of->are_probabilities,
                                   .top_k = with->top_k},
        out));
}

void measure_classes(const predictions *of, const settings *with, const samples *data, double loss)
{
    glnn_class_metrics metrics;
    measure_class_metrics(of, with, data, &metrics);
    confusion_show(&metrics, data->classes.names);
    show_classes(&metrics, with, loss);
    if (with->plot)
        REQUIRE(confusion_plot(with->plot, &metrics, data->classes.names));
    if (with->metrics)
        write_classes(with->metrics, &metrics, of, data, with, loss);
    glnn_class_metrics_free(&metrics);
}

/* ---- Targets */

static void write_target(FILE *file, const glnn_target_metrics *of, int target, const char *name)
{
    fputs(target > 0 ? ",\n    {" : "    {", file);
    json_name(file, "target");
    json_text(file, name);
    fputs(", ", file);
    JSON_MEMBERS(file, ", ", {"mean_absolute_error", of->mean_absolute_errors[target]},
                 {"root_mean_squared_error", of->root_mean_squared_errors[target]},
                 {"max_error", of->max_errors[target]}, {"r_squared", of->r_squareds[target]});
    fputc('}', file);
}

static void write_targets(const char *path, const glnn_target_metrics *of, int count,
                          char *const *names)
{
    char number[32];
    whole_file to;
    REQUIRE(whole_file_open(path, &to));
    FILE *file = to.stream;
    fputs("{\n  ", file);
    JSON_MEMBERS(
        file, ",\n  ", {"samples", count}, {"mean_absolute_error", of->mean_absolute_error},
        {"root_mean_squared_error", of->root_mean_squared_error}, {"r_squared", of->r_squared});
    fputs(",\n  \"targets\": [\n", file);
    for (int t = 0; t < of->targets; ++t) {
        snprintf(number, sizeof number, "target_%d", t + 1);
        write_target(file, of, t, names ? names[t] : number);
    }
    fputs("\n  ]\n}\n", file);
    REQUIRE(whole_file_close(&to));
    printf("metrics    %s\n", path);
}

static void show_target(const glnn_target_metrics *of, int target, const char *name)
{
    char text[LOSS_TEXT];
    printf("test%s%s%s mean absolute error %.6g, root mean squared error %.6g, ", name ? " '" : "",
           name ? name : "", name ? "':" : "", of->mean_absolute_errors[target],
           of->root_mean_squared_errors[target]);
    if (isnan(of->r_squareds[target]))
        printf("no R^2, as all targets are equal\n");
    else
        printf("R^2 %s\n", loss_text(of->r_squareds[target], text));
}

/* The targets of the test samples, in their own units. The caller frees them. */
static float *take_wanted(const glnn_learner *learner, const samples *data)
{
    const int count = data->test.samples;
    const size_t bytes = (size_t)count * (size_t)data->columns.targets * sizeof(float);
    float *wanted = malloc(bytes);
    REQUIRE(wanted != NULL || refuse("no memory for the targets of %d samples", count));
    memcpy(wanted, data->test.targets, bytes);
    predictions_undo_scale(learner, count, wanted);
    return wanted;
}

void measure_target_metrics(const glnn_learner *learner, const predictions *of, const samples *data,
                            glnn_target_metrics *out)
{
    float *wanted = take_wanted(learner, data);
    *out = (glnn_target_metrics){.size = sizeof *out};
    CHECK(glnn_target_metrics_compute(&(glnn_target_metrics_desc){.samples = of->samples,
                                                                  .targets = of->targets,
                                                                  .wanted = wanted,
                                                                  .predicted = of->outputs},
                                      out));
    free(wanted);
}

void measure_targets(const glnn_learner *learner, const predictions *of, const settings *with,
                     const samples *data)
{
    char **names = columns_list_targets(&data->columns);
    glnn_target_metrics metrics;
    measure_target_metrics(learner, of, data, &metrics);
    for (int t = 0; t < metrics.targets; ++t)
        show_target(&metrics, t, names ? names[t] : NULL);
    if (with->metrics)
        write_targets(with->metrics, &metrics, of->samples, names);
    free(names);
    glnn_target_metrics_free(&metrics);
}
