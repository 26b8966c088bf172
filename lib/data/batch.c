#include "data/batch.h"

#include "ops/gather.h"

glnn__batch glnn__batch_part(const glnn__batch *batch, int offset, int capacity)
{
    const int left = batch->count - offset;
    glnn__batch part = *batch;
    part.first += offset;
    part.count = left < capacity ? left : capacity;
    return part;
}

glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out)
{
    return glnn__gather(batch->data->ctx, batch->data->inputs, batch->order, batch->first,
                        batch->count, batch->data->samples, out);
}
