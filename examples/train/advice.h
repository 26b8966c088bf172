/* The note that a CPU should be faster than the device. */
#ifndef TRAIN_ADVICE_H
#define TRAIN_ADVICE_H

#include <glnn/advice.h>

#include "settings.h"

enum { ADVICE_TEXT = 1024 };

/* Writes the note about a step of so many samples, with both times and the command that exports C;
 * "" if the device should be faster. `save` and `export_c` are the files of these options, or
 * NULL. */
void advice_write(const glnn_advice *of, int count, const char *save, const char *export_c,
                  char text[ADVICE_TEXT]);

/* Prints the note before a training, if there is something to say. Unless --advise was given, the
 * device is not measured for it. */
void advice_show(const glnn_learner *of, const settings *with, int count);

#endif
