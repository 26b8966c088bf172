/* What is seen of a training while it runs: progress within an epoch, a line at its end, and its
 * curve. */
#ifndef EXAMPLES_WATCH_H
#define EXAMPLES_WATCH_H

#include "common/options.h"
#include "common/plot.h"
#include "common/progress.h"

typedef struct watch {
    progress line;
    plot_curve curve;
    const char *measured; /* the samples that each epoch is measured on; NULL: none */
    bool has_classes;     /* a share of samples is classified right */
} watch;

/* The words of --schedule. */
extern const option_choice schedule_choices[];

/* Begins the progress on standard output, and notes Ctrl-C from now on. */
void watch_start(watch *state, const char *measured, bool has_classes);

/* Called by the training loop, with a watch as its user: after some batches, and after each epoch.
 * False after Ctrl-C. */
bool watch_report(void *user, const glnn_report *now);

/* How many batches of such a size may pass between two calls: often enough for Ctrl-C, seldom
 * enough to cost nothing. */
int watch_interval(int batch);

#endif
