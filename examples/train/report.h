/* The reports of a training: progress within an epoch, and a line at its end.
 * Failures end the program, as with CHECK. */
#ifndef TRAIN_REPORT_H
#define TRAIN_REPORT_H

#include <glnn/curve.h>
#include <glnn/dataset.h>

#include "progress.h"

typedef struct report {
    progress line;
    const char *round;    /* set before the start: one of several trainings, of which only the
                          progress is shown, with this name; NULL: the only one              */
    const char *measured; /* name of the samples that are measured after each epoch; NULL: none */
    double share; /* of them all that the library measures; it knows no class of the others      */
    bool has_accuracy;      /* training counts the samples that are classified correctly          */
    bool has_epoch;         /* an epoch has ended                                                 */
    glnn_curve *curve;      /* the reports of the epochs                                       */
    const char *curve_path; /* where the curve is written after each epoch; NULL: it is not    */
} report;

/* Begins the progress on standard output. From now on Ctrl-C ends the training, not the program. */
void report_start(report *of, const char *measured, double share, bool has_accuracy);

/* For glnn_train_desc.report, with a report as its user. False after Ctrl-C. */
bool report_receive(void *user, const glnn_report *now);

/* For glnn_train_desc.report_every: often enough to react to Ctrl-C, seldom enough to cost no time.
 */
int report_interval(int batch);

/* Prints how long the training took, and why it ended if it ended early. `samples` are those of an
 * epoch. */
void report_end(const glnn_train_result *result, double samples, int batch);

/* Prints how the samples of a stream were read. */
void report_stream(const glnn_dataset *data);

enum { LOSS_TEXT = 32 };

/* A loss with four decimals, or from a million on with four digits; returns `text`. */
const char *loss_text(double loss, char text[LOSS_TEXT]);

#endif
