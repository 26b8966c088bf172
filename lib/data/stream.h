/* Data sets larger than their share of texture memory: two windows of samples, of which one is
 * collected while the GPU works on the other. */
#ifndef GLNN__DATA_STREAM_H
#define GLNN__DATA_STREAM_H

#include "data/collector.h"
#include "data/dataset.h"
#include "gl/lifetime.h"
#include "tex/upload.h"

typedef enum glnn__window_state {
    GLNN__WINDOW_EMPTY,
    GLNN__WINDOW_COLLECTING,
    GLNN__WINDOW_READY /* passes asked for from now on find its samples */
} glnn__window_state;

typedef struct glnn__window {
    glnn__window_state state;
    int first, count; /* entries of the order      */
    glnn_dataset set; /* what its batches name     */
    glnn__upload upload;
} glnn__window;

typedef struct glnn__stream {
    glnn__source source;
    size_t budget; /* bytes that the textures of both windows may take   */
    int rows;      /* samples that a window has room for; 0: none as yet */
    glnn__window windows[2];
    glnn__collector *collector; /* NULL before the first iterator                     */
    glnn__dependent threads;    /* the collector's, which write into mapped buffers     */
    uint64_t iterator;          /* the one whose samples the windows hold             */
    uint64_t iterators;         /* that have begun or begun again                     */
} glnn__stream;

/* Whether the device has PAGED textures for `samples` of them within the budget. */
bool glnn__stream_fits(const glnn_context *ctx, const glnn__source *source, int samples,
                       size_t budget);

/* Copies the source, whose name is the data set's, and takes its file over on success. */
glnn_status glnn__stream_create(const glnn__source *source, size_t budget, glnn__stream **out);

/* NULL does nothing. */
void glnn__stream_destroy(glnn__stream *stream);

/* Fails with E_LIMIT, and the numbers, where no window holds `unit` samples. */
glnn_status glnn__stream_check(const glnn_dataset *data, int unit);

/* Makes windows that hold `unit` samples, and drops what they hold. */
glnn_status glnn__stream_prepare(const glnn_dataset *data, int unit);

/* Starts to collect `count` samples from entry `first` of an order into an empty window. */
glnn_status glnn__stream_collect(glnn__stream *stream, glnn__window *window, const int *order,
                                 int first, int count);

/* Waits until they are collected, and has them copied into the window's textures. */
glnn_status glnn__stream_upload(glnn__stream *stream, glnn__window *window);

/* Drops what is under way; both windows are empty then. */
glnn_status glnn__stream_drop(glnn__stream *stream);

#endif
