/* Progress on standard output, and a way to stop it. Progress is one line rewritten in place
 * on a terminal, else a plain line every ten seconds. */
#ifndef TRAIN_PROGRESS_H
#define TRAIN_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

typedef struct progress {
    FILE *out;
    bool terminal;
    int columns;        /* of the line that stands there now             */
    bool may_end_early; /* set after the start: `done` is a lower bound  */
    double started, shown;
} progress;

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

void progress_start(progress *line, FILE *out);

/* Shows a share done in [0, 1], the text and the time that is left, unless the last time was just
 * now. Of what may end early only the most time that can be left is known, so that alone is
 * shown. */
__attribute__((format(printf, 3, 4))) void progress_show(progress *line, double done,
                                                         const char *format, ...);

/* From the first call on, Ctrl-C is only noted; a second one ends the program. */
void interrupt_watch(void);
bool interrupted(void);

/* The status of main() at its end: output_status, or 130 after Ctrl-C. */
int program_status(void);

/* Removes the line; what is printed next begins where it began. */
void progress_clear(progress *line);

#endif
