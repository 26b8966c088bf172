#include "show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "confusion.h"
#include "failure.h"
#include "progress.h"

void show_devices(void)
{
    enum { MOST = 64 };
    glnn_device devices[MOST] = {{.size = sizeof devices[0]}};
    int count;
    CHECK(glnn_device_list(devices, MOST, &count));
    for (int i = 0; i < count && i < MOST; ++i)
        printf("device %d: %s, OpenGL %s%s\n", devices[i].index,
               devices[i].renderer[0] ? devices[i].renderer : "no context can be made",
               devices[i].version[0] ? devices[i].version : "unknown",
               devices[i].usable ? "" : " (not usable)");
    if (count > MOST)
        printf("and %d more\n", count - MOST);
}

void show_generated(void)
{
    printf("note: these are generated digits, not MNIST; `make mnist` on a machine with a network "
           "downloads it\n");
}

void show_renderer(const glnn_context *ctx)
{
    glnn_context_info info = {.size = sizeof info};
    CHECK(glnn_context_get_info(ctx, &info));
    printf("renderer   %s, OpenGL %s, %s stage\n", info.renderer, info.version,
           glnn_stage_name(info.stage));
}

/* From here on the difference is no longer one of scheduling. */
#define FRACTION_OF_CHIP 4.0

void show_stage(glnn_context *ctx)
{
    double ratio;
    glnn_context_info info = {.size = sizeof info};
    CHECK(glnn_context_get_info(ctx, &info));
    if (info.stage != GLNN_STAGE_FRAGMENT || info.software || info.tuning == GLNN_TUNING_OFF)
        return;
    CHECK(glnn_context_compare_stages(ctx, &ratio));
    if (ratio > FRACTION_OF_CHIP)
        printf("note: this device runs fragment shaders on a fraction of its processors; --stage "
               "compute is up to %.0f times as fast\n",
               ratio);
}

void show_network(const glnn_network *network)
{
    static const char *const losses[] = {"cross-entropy", "squared error"};
    static const char *const optimizers[] = {"sgd", "nesterov", "adam"};
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    printf("network    %d", desc->features);
    for (int i = 0; i < desc->layer_count; ++i)
        if (desc->layers[i].kind == GLNN_LAYER_DENSE)
            printf("-%d", desc->layers[i].units);
        else
            printf("-%s", glnn_layer_kind_name(desc->layers[i].kind));
    printf(", %s, %s, %s, layout %s, %s\n", glnn_activation_name(desc->layers[0].activation),
           losses[desc->loss], optimizers[desc->optimizer.kind], glnn_layout_name(desc->layout),
           glnn_precision_name(desc->precision));
}

const char *loss_text(double loss, char text[LOSS_TEXT])
{
    snprintf(text, LOSS_TEXT, fabs(loss) < 1e6 ? "%.4f" : "%.4g", loss);
    return text;
}

static void show_measure(const char *what, double loss, double accuracy, bool has_classes)
{
    char text[LOSS_TEXT];
    printf("  %s%sloss %s", what ? what : "", what ? " " : "", loss_text(loss, text));
    if (has_classes)
        printf(", %.2f %%", 100.0 * accuracy);
}

void show_epoch(const glnn_report *report, const char *measured, bool has_classes)
{
    printf("epoch %*d/%d", snprintf(NULL, 0, "%d", report->epochs), report->epoch, report->epochs);
    show_measure(NULL, report->training.loss, report->training.accuracy, has_classes);
    if (measured)
        show_measure(measured, report->validation.loss, report->validation.accuracy, has_classes);
    printf("  %.0f samples/s\n", report->samples_per_second);
    fflush(stdout);
}

void show_training(const glnn_train_result *result, double samples, int batch)
{
    const char *plural = result->epochs == 1 ? "" : "s";
    if (interrupted())
        printf("interrupted after %d epoch%s; what was asked for is still written\n",
               result->epochs, plural);
    else if (result->stopped)
        printf("stopped    after %d epoch%s\n", result->epochs, plural);
    /* A run may have ended within an epoch, so samples are counted by steps of average size. */
    double per_step = samples > batch ? samples / ceil(samples / batch) : samples;
    double seconds = result->train_seconds > 0.0 ? result->train_seconds : 1e-9;
    printf("training   %.1f s, %.0f samples/s\n", result->train_seconds,
           (double)result->steps * per_step / seconds);
}

enum {
    CONFUSION_WIDTH = 6,
    NAME_WIDTH_MAX = 16,
    PAIRS_SHOWN = 20,
    UNTESTED_SHOWN = 20,
    RECALL_LINE = 100
};

static const char *class_name(char *const *names, int class, char number[16])
{
    if (names)
        return names[class];
    snprintf(number, 16, "%d", class);
    return number;
}

/* Columns that a name may fill, of classes in a matrix or a list. */
static int name_width(char *const *names, int classes)
{
    int width = CONFUSION_WIDTH;
    for (int i = 0; names && i < classes; ++i)
        width = (int)strlen(names[i]) >= width ? (int)strlen(names[i]) + 1 : width;
    return width > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : width;
}

static void show_matrix(const int64_t *confusion, int classes, char *const *names)
{
    char number[16];
    const int width = name_width(names, classes);
    printf("\nconfusion matrix: a row per class of the labels, a column per predicted class\n%*s",
           width - 1, "");
    for (int j = 0; j < classes; ++j)
        printf(" %*.*s", width - 1, width - 1, class_name(names, j, number));
    for (int i = 0; i < classes; ++i) {
        printf("\n%*.*s", width - 1, width - 1, class_name(names, i, number));
        for (int j = 0; j < classes; ++j)
            printf("%*lld", width, (long long)confusion[i * classes + j]);
    }
    printf("\n\n");
}

static void show_pairs(const confusion_summary *of, char *const *names)
{
    char number[16];
    const int width = name_width(names, of->class_count);
    int shown = of->pair_count < PAIRS_SHOWN ? of->pair_count : PAIRS_SHOWN;
    printf("\nconfusions of %d classes: %d of %d, the most frequent first\n", of->class_count,
           shown, of->pair_count);
    printf("%*s  %*s  samples\n", width, "label", width > 9 ? width : 9, "predicted");
    for (const confusion_pair *pair = of->pairs; pair < of->pairs + shown; ++pair) {
        printf("%*.*s", width, width, class_name(names, pair->label, number));
        printf("  %*.*s  %7d\n", width > 9 ? width : 9, width,
               class_name(names, pair->predicted, number), pair->samples);
    }
}

/* Classes that are always right are only counted. */
static void show_recalls(const confusion_summary *of, char *const *names)
{
    char number[16];
    const int width = name_width(names, of->class_count), columns = RECALL_LINE / (width + 19);
    int i = 0;
    printf("\nrecall of each class, the lowest first: its test samples that are classified right");
    for (; i < of->tested && of->classes[i].right < of->classes[i].samples; ++i) {
        const confusion_class *class = &of->classes[i];
        printf("%s%*.*s %5.1f %% of %5d", i % columns ? "  " : "\n", width, width,
               class_name(names, class->class, number), 100.0 * confusion_recall(class),
               class->samples);
    }
    printf("\n%d%s class%s: 100 %%\n\n", of->tested - i, i > 0 ? " other" : "",
           of->tested - i == 1 ? "" : "es");
}

static void show_untested(const confusion_summary *of, char *const *names)
{
    char number[16];
    const int untested = of->class_count - of->tested;
    if (untested == 0)
        return;
    printf("note: %d class%s without a test sample:", untested, untested == 1 ? "" : "es");
    for (int i = 0; i < untested && i < UNTESTED_SHOWN; ++i)
        printf("%s '%s'", i > 0 ? "," : "",
               class_name(names, of->classes[of->tested + i].class, number));
    if (untested > UNTESTED_SHOWN)
        printf(" and %d more", untested - UNTESTED_SHOWN);
    printf("\n");
}

void show_confusion(const int64_t *confusion, int classes, char *const *names)
{
    confusion_summary summary;
    REQUIRE(confusion_summarise(confusion, classes, &summary));
    if (classes <= CONFUSION_CLASSES_MAX) {
        show_matrix(confusion, classes, names);
    } else {
        show_pairs(&summary, names);
        show_recalls(&summary, names);
    }
    show_untested(&summary, names);
    confusion_free(&summary);
}
