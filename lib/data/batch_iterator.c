#include "data/batch_iterator.h"

#include "base/integers.h"
#include "base/status.h"
#include "data/stream.h"

glnn_status glnn__batch_iterator_check(const glnn_dataset *data, int unit)
{
    return data->stream ? glnn__stream_check(data, glnn__least(unit, data->samples)) : GLNN_OK;
}

static glnn__window *window_of(const glnn__batch_iterator *batches, bool the_other)
{
    return &batches->data->stream->windows[the_other ? 1 - batches->window : batches->window];
}

/* The entry after those of the present window. */
static int window_end(const glnn__batch_iterator *batches)
{
    const glnn__window *window = window_of(batches, false);
    return window->state == GLNN__WINDOW_READY ? window->first + window->count : batches->at;
}

/* Collects the samples after the present window into the other one. */
static glnn_status collect_next(const glnn__batch_iterator *batches)
{
    glnn__stream *stream = batches->data->stream;
    const int first = window_end(batches);
    const int whole = stream->rows / batches->unit * batches->unit;
    return glnn__stream_collect(stream, window_of(batches, true),
                                batches->order ? batches->order->entries : NULL, first,
                                glnn__least(batches->end - first, whole));
}

/* Takes the stream over, from the next sample on. */
static glnn_status take_over(glnn__batch_iterator *batches)
{
    glnn__stream *stream = batches->data->stream;
    batches->number = stream->iterator = ++stream->iterators;
    GLNN__TRY(glnn__stream_prepare(batches->data, batches->unit));
    return collect_next(batches);
}

glnn_status glnn__batch_iterator_begin(const glnn_dataset *data, const glnn__order *order,
                                       int first, int count, int unit, glnn__batch_iterator *out)
{
    *out = (glnn__batch_iterator){
        .data = data,
        .order = order,
        .at = first,
        .end = first + count,
        .unit = unit < 1 ? 1 : glnn__least(unit, count),
    };
    return data->stream ? take_over(out) : GLNN_OK;
}

/* Steps into the next window. Waits if the GPU has not yet copied the samples of the window before
 * the present one. */
static glnn_status change_window(glnn__batch_iterator *batches)
{
    glnn__window *next = window_of(batches, true);
    if (next->state == GLNN__WINDOW_EMPTY)
        GLNN__TRY(collect_next(batches));
    if (next->state == GLNN__WINDOW_COLLECTING)
        GLNN__TRY(glnn__stream_upload(batches->data->stream, next));
    window_of(batches, false)->state = GLNN__WINDOW_EMPTY;
    batches->window = 1 - batches->window;
    return GLNN_OK;
}

/* Prepares the other window as far as this needs no wait. A flaw in its samples becomes an error
 * when they are needed. */
static glnn_status look_ahead(glnn__batch_iterator *batches)
{
    glnn__stream *stream = batches->data->stream;
    glnn__window *next = window_of(batches, true);
    if (next->state == GLNN__WINDOW_EMPTY && window_end(batches) < batches->end &&
        glnn__upload_is_free(&next->upload))
        return collect_next(batches);
    if (next->state == GLNN__WINDOW_COLLECTING && glnn__collector_is_sound(stream->collector))
        return glnn__stream_upload(stream, next);
    return GLNN_OK;
}

static glnn_status next_of_stream(glnn__batch_iterator *batches, int most, glnn__batch *out)
{
    if (batches->number != batches->data->stream->iterator)
        GLNN__TRY(take_over(batches));
    if (batches->at == window_end(batches))
        GLNN__TRY(change_window(batches));
    GLNN__TRY(look_ahead(batches));
    const glnn__window *window = window_of(batches, false);
    *out = (glnn__batch){
        .data = &window->set,
        .first = batches->at - window->first,
        .count = glnn__least(most, window_end(batches) - batches->at),
    };
    return GLNN_OK;
}

static glnn_status check_size(const glnn_dataset *data, const char *role, const glnn_matrix *matrix,
                              int columns)
{
    if (matrix->rows == data->samples && matrix->columns == columns)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_STATE, "%s: `%s` (%s) is %d x %d, but was %d x %d when the data set was created",
        data->name, role, matrix->name, matrix->rows, matrix->columns, data->samples, columns);
}

/* Matrices of a network can change their sizes. */
static glnn_status check_matrices(const glnn_dataset *data)
{
    GLNN__TRY(check_size(data, "inputs", data->inputs, data->features));
    return data->targets && !data->labels
               ? check_size(data, "targets", data->targets, data->outputs)
               : GLNN_OK;
}

glnn_status glnn__batch_iterator_next(glnn__batch_iterator *batches, int most, glnn__batch *out)
{
    if (batches->data->may_change)
        GLNN__TRY(check_matrices(batches->data));
    if (batches->data->stream)
        GLNN__TRY(next_of_stream(batches, most, out));
    else
        *out = (glnn__batch){
            .data = batches->data,
            .order = batches->order ? batches->order->matrix : NULL,
            .first = batches->at,
            .count = glnn__least(most, batches->end - batches->at),
        };
    out->entry = batches->at;
    batches->at += out->count;
    return GLNN_OK;
}

int glnn__batch_iterator_left(const glnn__batch_iterator *batches)
{
    return batches->end - batches->at;
}

void glnn__batch_iterator_end(glnn__batch_iterator *batches)
{
    if (batches->data && batches->data->stream &&
        batches->number == batches->data->stream->iterator)
        glnn__stream_drop(batches->data->stream);
    *batches = (glnn__batch_iterator){0};
}
