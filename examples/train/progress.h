/* Progress of a training, and Ctrl-C to end it. On a terminal, progress is one line that is written
 * over; elsewhere a line every ten seconds. */
#ifndef TRAIN_PROGRESS_H
#define TRAIN_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct progress {
    FILE *out;
    bool terminal;
    int columns;        /* of the line on the terminal                   */
    bool may_end_early; /* set after the start: `done` is a lower bound  */
    double shown;
    bool is_steady;        /* the time left follows from what came since then: */
    double since, done_by; /* that moment, and the share that was done         */
} progress;

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

void progress_start(progress *line, FILE *out);

/* Shows the share done in [0, 1], the time left and the text, unless it did so a moment ago. If the
 * training may end early, it shows only the most time that can be left. The time up to the first
 * call counts nothing, because programs are compiled and the device is measured in it. */
__attribute__((format(printf, 3, 4))) void progress_show(progress *line, double done,
                                                         const char *format, ...);

/* From now on the time left follows from the calls of progress_show to come. */
void progress_restart(progress *line);

/* From now on the first Ctrl-C sets a flag, and a second one ends the program. */
void interrupt_watch(void);
bool interrupted(void);

/* The status for the end of main(): that of output_status, or 130 after Ctrl-C. */
int program_status(void);

/* Removes the line, so that the next text begins in its place. */
void progress_clear(progress *line);

#endif
