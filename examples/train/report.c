#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "common/check.h"
#include "common/failure.h"

const char *loss_text(double loss, char text[LOSS_TEXT])
{
    snprintf(text, LOSS_TEXT, fabs(loss) < 1e6 ? "%.4f" : "%.4g", loss);
    return text;
}

void report_start(report *of, const char *measured, double share, bool has_accuracy)
{
    of->measured = measured;
    of->share = share;
    of->has_accuracy = has_accuracy;
    progress_start(&of->line, stdout);
    interrupt_watch();
}

static void show_batch(report *of, const glnn_report *now)
{
    const double done = (now->epoch - 1 + (double)now->batch / now->batches) / now->epochs;
    char correct[32] = "", loss[LOSS_TEXT];
    if (of->has_accuracy)
        snprintf(correct, sizeof correct, ", %.2f %% correct", 100.0 * now->training.accuracy);
    progress_show(&of->line, done, "%s%sepoch %d/%d  loss %s%s  %.0f samples/s",
                  of->round ? of->round : "", of->round ? "  " : "", now->epoch, now->epochs,
                  loss_text(now->training.loss, loss), correct, now->samples_per_second);
}

static void show_metrics(const char *of, const glnn_metrics *metrics, bool has_accuracy)
{
    char text[LOSS_TEXT];
    printf("  %s%sloss %s", of ? of : "", of ? " " : "", loss_text(metrics->loss, text));
    if (has_accuracy)
        printf(", %.2f %% correct", 100.0 * metrics->accuracy);
}

static void show_epoch(const report *of, const glnn_report *now)
{
    printf("epoch %*d/%d", snprintf(NULL, 0, "%d", now->epochs), now->epoch, now->epochs);
    show_metrics(NULL, &now->training, of->has_accuracy);
    if (of->measured)
        show_metrics(of->measured, &now->validation, of->has_accuracy);
    printf("  %.0f samples/s\n", now->samples_per_second);
    fflush(stdout);
}

/* The accuracy is that of all samples, also in the curve. */
static void end_epoch(const report *of, const glnn_report *now)
{
    glnn_report all = *now;
    all.validation.accuracy *= of->share;
    if (of->round)
        return;
    CHECK(glnn_curve_add(of->curve, &all));
    show_epoch(of, &all);
}

bool report_receive(void *user, const glnn_report *now)
{
    report *of = user;
    if (now->event == GLNN_EVENT_BATCH) {
        show_batch(of, now);
    } else {
        progress_clear(&of->line);
        end_epoch(of, now);
        /* The first epoch also compiles the programs of its end. */
        if (!of->has_epoch)
            progress_restart(&of->line);
        of->has_epoch = true;
        if (of->curve_path)
            CHECK(glnn_curve_write_csv(of->curve, of->curve_path));
    }
    return !interrupted();
}

int report_interval(int batch)
{
    return 1 + 1024 / batch;
}

void report_end(const glnn_train_result *result, double samples, int batch)
{
    const char *plural = result->epochs == 1 ? "" : "s";
    if (interrupted())
        printf("interrupted after %d epoch%s; the files are still written\n", result->epochs,
               plural);
    else if (result->stopped)
        printf("stopped    after %d epoch%s\n", result->epochs, plural);
    /* Training may end within an epoch, so samples are counted by steps of average size. */
    const double per_step = samples > batch ? samples / ceil(samples / batch) : samples;
    const double seconds = result->train_seconds > 0.0 ? result->train_seconds : 1e-9;
    printf("training   %.1f s, %.0f samples/s\n", result->train_seconds,
           (double)result->steps * per_step / seconds);
}

void report_stream(const glnn_dataset *data)
{
    glnn_stream_figures of = {.size = sizeof of};
    CHECK(glnn_dataset_get_stream_figures(data, &of));
    if (of.windows == 0)
        return;
    printf("stream     %" PRIu64 " reads of %.1f KiB on average by %d threads, into %d buffer%s\n",
           of.reads, (double)of.bytes / (double)of.reads / 1024.0, of.threads, of.buffers,
           of.buffers == 1 ? "" : "s");
    printf("           %.1f %% of %" PRIu64 " windows were ready when needed; waited %.2f s\n",
           100.0 * (double)of.hits / (double)of.windows, of.windows, of.wait_seconds);
}
