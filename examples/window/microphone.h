/* The microphone of the machine, by SDL2. */
#ifndef EXAMPLES_MICROPHONE_H
#define EXAMPLES_MICROPHONE_H

#include <stdbool.h>

typedef struct microphone microphone;

/* Begins to record. False with a failure: there is no microphone, or the program was built without
 * SDL2. */
bool microphone_open(int rate, microphone **out);

/* The samples since the last call, at most so many; returns their number. */
int microphone_take(microphone *of, float *samples, int capacity);

/* NULL is ignored. */
void microphone_close(microphone *of);

#endif
