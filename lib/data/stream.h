/* Data sets that stream: the samples of one window are collected while the GPU uses the other. */
#ifndef GLNN__DATA_STREAM_H
#define GLNN__DATA_STREAM_H

#include "data/collector.h"
#include "data/dataset.h"
#include "gl/lifetime.h"
#include "tex/upload.h"

typedef enum glnn__window_state {
    GLNN__WINDOW_EMPTY,
    GLNN__WINDOW_COLLECTING,
    GLNN__WINDOW_READY /* passes submitted from now on find its samples */
} glnn__window_state;

typedef struct glnn__window {
    glnn__window_state state;
    int first, count; /* entries of the order      */
    glnn_dataset set; /* the data of its batches   */
    glnn__upload upload;
} glnn__window;

typedef struct glnn__stream {
    glnn__source source;
    size_t budget; /* bytes that the textures of both windows may take   */
    int rows;      /* samples that fit in a window; 0: not yet allocated */
    glnn__window windows[2];
    glnn__collector *collector; /* NULL before the first iterator                     */
    glnn__dependent threads;    /* the collector's, which write into mapped buffers     */
    uint64_t uploads;           /* windows that have been filled so far               */
    uint64_t iterator;          /* the number of the one whose samples the windows hold */
    uint64_t iterators;         /* numbers that have been given so far                 */
} glnn__stream;

/* Whether PAGED textures for `samples` samples fit the device and the budget. */
bool glnn__stream_fits(const glnn_context *ctx, const glnn__source *source, int samples,
                       size_t budget);

/* Copies the source, whose name stays the data set's, and takes its file over on success. */
glnn_status glnn__stream_create(const glnn__source *source, size_t budget, glnn__stream **out);

/* NULL does nothing. */
void glnn__stream_destroy(glnn__stream *stream);

/* Whether a window can hold `unit` samples. The second one fails with E_LIMIT if not. */
bool glnn__stream_holds(const glnn_dataset *data, int unit);
glnn_status glnn__stream_check(const glnn_dataset *data, int unit);

/* Empties the windows, and replaces them if they cannot hold `unit` samples. */
glnn_status glnn__stream_prepare(const glnn_dataset *data, int unit);

/* Starts to collect `count` samples from entry `first` of an order into an empty window. */
glnn_status glnn__stream_collect(glnn__stream *stream, glnn__window *window, const int *order,
                                 int first, int count);

/* Waits until the samples are collected, and submits their copy to the window's textures. */
glnn_status glnn__stream_upload(glnn__stream *stream, glnn__window *window);

/* Cancels collecting and empties both windows. */
glnn_status glnn__stream_drop(glnn__stream *stream);

#endif
