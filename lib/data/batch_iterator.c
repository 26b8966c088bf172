#include "data/batch_iterator.h"

#include "base/integers.h"
#include "base/status.h"
#include "data/stream.h"

glnn_status glnn__batch_iterator_check(const glnn_dataset *data, int unit)
{
    return data->stream ? glnn__stream_check(data, glnn__least(unit, data->samples)) : GLNN_OK;
}

/* Takes the stream over, from the next sample on. */
static glnn_status take_over(glnn__batch_iterator *batches)
{
    glnn__stream *stream = batches->data->stream;
    batches->number = stream->iterator = ++stream->iterators;
    return glnn__stream_begin(batches->data, batches->order ? batches->order->entries : NULL,
                              batches->at, batches->end, batches->unit);
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

static glnn_status next_of_stream(glnn__batch_iterator *batches, int most, glnn__batch *out)
{
    glnn__stream *stream = batches->data->stream;
    if (batches->number != stream->iterator)
        GLNN__TRY(take_over(batches));
    const glnn__window *window = glnn__stream_window(stream);
    if (!window->is_ready || batches->at == window->first + window->count)
        GLNN__TRY(glnn__stream_step(stream));
    GLNN__TRY(glnn__stream_look_ahead(stream));
    window = glnn__stream_window(stream);
    *out = (glnn__batch){
        .data = &window->set,
        .first = batches->at - window->first,
        .count = glnn__least(most, window->first + window->count - batches->at),
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
