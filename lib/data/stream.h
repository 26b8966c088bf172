/* Data sets that stream: threads fill buffers with samples, which OpenGL copies to windows. */
#ifndef GLNN__DATA_STREAM_H
#define GLNN__DATA_STREAM_H

#include "data/dataset.h"
#include "data/reader.h"
#include "gl/lifetime.h"
#include "io/fields.h"
#include "tex/upload.h"

/* Of the fields `buffers` and `threads` of a description. */
extern const glnn__fields glnn__dataset_fields;

/* A small texture of samples. */
typedef struct glnn__window {
    bool is_ready;    /* passes submitted from now on find its samples */
    int first, count; /* entries of the order                          */
    glnn_dataset set; /* the data of its batches                       */
} glnn__window;

/* Samples in main memory on their way to a window. */
typedef struct glnn__buffer {
    int first, count; /* entries of the order         */
    int *labels;      /* NULL: the samples have none  */
    glnn__upload upload;
} glnn__buffer;

typedef struct glnn__stream {
    glnn__source source;
    size_t budget; /* bytes that the textures of both windows may take   */
    int rows;      /* samples that fit in a window; 0: not yet allocated */
    glnn__window windows[2];
    int present;           /* the window that batches come from                      */
    glnn__buffer *buffers; /* in the order of the reader                             */
    int count;             /* of them                                                */
    glnn__reader *reader;
    glnn__dependent threads; /* the reader's, which write into mapped buffers          */
    const int *order;        /* of the present iteration; NULL: the samples' own       */
    int at, end;             /* entries of it that no buffer has been given            */
    int most;                /* of them in a window                                    */
    uint64_t uploads;        /* windows that have been filled so far                   */
    uint64_t iterator;       /* the number of the one whose samples the windows hold   */
    uint64_t iterators;      /* numbers that have been given so far                    */
} glnn__stream;

/* Whether PAGED textures for `samples` samples fit the device and the budget. */
bool glnn__stream_fits(const glnn_context *ctx, const glnn__source *source, int samples,
                       size_t budget);

/* Copies the source, whose name stays the data set's, and takes its file over on success. The
 * description has its budget, buffers and threads. */
glnn_status glnn__stream_create(const glnn__source *source, const glnn_dataset_desc *desc,
                                glnn__stream **out);

/* NULL does nothing. */
void glnn__stream_destroy(glnn__stream *stream);

/* Whether a window can hold `unit` samples. The second one fails with E_LIMIT if not. */
bool glnn__stream_holds(const glnn_dataset *data, int unit);
glnn_status glnn__stream_check(const glnn_dataset *data, int unit);

/* Begins an iteration over the entries `first` to `end` - 1 of an order, which stays until it is
 * dropped. Windows hold whole units of them. */
glnn_status glnn__stream_begin(const glnn_dataset *data, const int *order, int first, int end,
                               int unit);

/* The window that batches come from. */
const glnn__window *glnn__stream_window(const glnn__stream *stream);

/* Steps into the next window. Waits if its samples have not been read. */
glnn_status glnn__stream_step(glnn__stream *stream);

/* Prepares the next window and fills buffers as far as this needs no wait. A flaw in the samples
 * becomes an error when they are needed. */
glnn_status glnn__stream_look_ahead(glnn__stream *stream);

/* Ends the iteration and empties all. */
glnn_status glnn__stream_drop(glnn__stream *stream);

#endif
