#include "data/batch_iterator.h"

#include "base/status.h"
#include "data/stream.h"

glnn__batch glnn__batch_part(const glnn__batch *batch, int offset, int capacity)
{
    const int left = batch->count - offset;
    glnn__batch part = *batch;
    part.first += offset;
    part.count = left < capacity ? left : capacity;
    return part;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

glnn_status glnn__walk_check(const glnn_dataset *data, int unit)
{
    return data->stream ? glnn__stream_check(data, least(unit, data->samples)) : GLNN_OK;
}

static glnn__window *window_of(const glnn__walk *walk, bool the_other)
{
    return &walk->data->stream->windows[the_other ? 1 - walk->window : walk->window];
}

/* The entry behind those that the present window has. */
static int window_end(const glnn__walk *walk)
{
    const glnn__window *window = window_of(walk, false);
    return window->state == GLNN__WINDOW_READY ? window->first + window->count : walk->at;
}

/* Collects what follows the present window into the other one. */
static glnn_status collect_next(const glnn__walk *walk)
{
    glnn__stream *stream = walk->data->stream;
    const int first = window_end(walk);
    const int whole = stream->rows / walk->unit * walk->unit;
    return glnn__stream_collect(stream, window_of(walk, true),
                                walk->order ? walk->order->entries : NULL, first,
                                least(walk->end - first, whole));
}

/* Takes the stream over, from walk->at on. */
static glnn_status take_over(glnn__walk *walk)
{
    glnn__stream *stream = walk->data->stream;
    walk->number = stream->walk = ++stream->walks;
    GLNN__TRY(glnn__stream_prepare(walk->data, walk->unit));
    return collect_next(walk);
}

glnn_status glnn__walk_begin(const glnn_dataset *data, const glnn__order *order, int first,
                             int count, int unit, glnn__walk *out)
{
    *out = (glnn__walk){
        .data = data,
        .order = order,
        .at = first,
        .end = first + count,
        .unit = unit < 1 ? 1 : least(unit, count),
    };
    return data->stream ? take_over(out) : GLNN_OK;
}

/* Steps into the next window. Where the GPU lags so far behind that it has not even copied the
 * samples of the window before last, this waits until it has. */
static glnn_status change_window(glnn__walk *walk)
{
    glnn__window *next = window_of(walk, true);
    if (next->state == GLNN__WINDOW_EMPTY)
        GLNN__TRY(collect_next(walk));
    if (next->state == GLNN__WINDOW_COLLECTING)
        GLNN__TRY(glnn__stream_upload(walk->data->stream, next));
    window_of(walk, false)->state = GLNN__WINDOW_EMPTY;
    walk->window = 1 - walk->window;
    return GLNN_OK;
}

/* Does for the other window what can be done without a wait. What is wrong with its samples is
 * said when they are needed. */
static glnn_status look_ahead(glnn__walk *walk)
{
    glnn__stream *stream = walk->data->stream;
    glnn__window *next = window_of(walk, true);
    if (next->state == GLNN__WINDOW_EMPTY && window_end(walk) < walk->end &&
        glnn__upload_is_free(&next->upload))
        return collect_next(walk);
    if (next->state == GLNN__WINDOW_COLLECTING && glnn__collector_is_sound(stream->collector))
        return glnn__stream_upload(stream, next);
    return GLNN_OK;
}

static glnn_status next_of_stream(glnn__walk *walk, int most, glnn__batch *out)
{
    if (walk->number != walk->data->stream->walk)
        GLNN__TRY(take_over(walk));
    if (walk->at == window_end(walk))
        GLNN__TRY(change_window(walk));
    GLNN__TRY(look_ahead(walk));
    const glnn__window *window = window_of(walk, false);
    *out = (glnn__batch){
        .data = &window->set,
        .first = walk->at - window->first,
        .count = least(most, window_end(walk) - walk->at),
    };
    return GLNN_OK;
}

glnn_status glnn__walk_next(glnn__walk *walk, int most, glnn__batch *out)
{
    if (walk->data->stream)
        GLNN__TRY(next_of_stream(walk, most, out));
    else
        *out = (glnn__batch){
            .data = walk->data,
            .order = walk->order ? walk->order->matrix : NULL,
            .first = walk->at,
            .count = least(most, walk->end - walk->at),
        };
    walk->at += out->count;
    return GLNN_OK;
}

bool glnn__walk_is_over(const glnn__walk *walk)
{
    return walk->at == walk->end;
}

void glnn__walk_end(glnn__walk *walk)
{
    if (walk->data && walk->data->stream && walk->number == walk->data->stream->walk)
        glnn__stream_drop(walk->data->stream);
}
