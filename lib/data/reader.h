/* Buffers that threads fill with samples ahead of their use, in the order of their use. Without
 * threads, which browsers do not have, the caller fills a buffer when it takes it. */
#ifndef GLNN__DATA_READER_H
#define GLNN__DATA_READER_H

#include "data/collect.h"

typedef struct glnn__reader glnn__reader;

/* `source` has to outlive the reader. It has no threads yet. */
glnn_status glnn__reader_create(const glnn__source *source, int buffers, int threads,
                                glnn__reader **out);

/* Starts the threads, unless they run: as many as the system allows. */
void glnn__reader_start(glnn__reader *reader);

/* Drops all buffers and ends the threads. */
void glnn__reader_stop(glnn__reader *reader);

/* Stops it. NULL does nothing. */
void glnn__reader_destroy(glnn__reader *reader);

/* The number of the next buffer to be given to the threads, and of the next one to be taken from
 * them; -1: none is left. */
int glnn__reader_next_free(const glnn__reader *reader);
int glnn__reader_next_taken(const glnn__reader *reader);

/* Lets the threads fill the next free buffer, and returns at once. */
void glnn__reader_fill(glnn__reader *reader, const glnn__collection *what);

/* Whether glnn__reader_take would neither wait nor fail. */
bool glnn__reader_is_ready(glnn__reader *reader);

/* Waits until the next buffer is filled, or fills it if no thread runs, and takes it. Errors: as
 * glnn__collect; the buffer is then not taken. */
glnn_status glnn__reader_take(glnn__reader *reader);

/* Drops all buffers. Waits for threads that are reading. */
void glnn__reader_drop(glnn__reader *reader);

/* The figures of its life. */
void glnn__reader_get_figures(glnn__reader *reader, glnn_stream_figures *out);

#endif
