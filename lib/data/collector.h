/* Threads that collect samples while the GPU works. */
#ifndef GLNN__DATA_COLLECTOR_H
#define GLNN__DATA_COLLECTOR_H

#include "data/collect.h"

typedef struct glnn__collector glnn__collector;

/* `source` has to outlive the collector. */
glnn_status glnn__collector_create(const glnn__source *source, glnn__collector **out);

/* Cancels the collection under way. NULL does nothing. */
void glnn__collector_destroy(glnn__collector *collector);

/* Starts a collection and returns at once. No other one may be under way. */
void glnn__collector_start(glnn__collector *collector, const glnn__collection *what);

/* Whether glnn__collector_finish would neither wait nor fail. */
bool glnn__collector_is_sound(glnn__collector *collector);

/* Waits until all is collected. Errors: as glnn__flaws_check. */
glnn_status glnn__collector_finish(glnn__collector *collector);

/* Waits for the threads to drop the collection under way. */
void glnn__collector_cancel(glnn__collector *collector);

#endif
