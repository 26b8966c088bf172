#include "data/batch.h"

#include "ops/gather.h"

glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out)
{
    return glnn__gather(batch->data->ctx, batch->data->inputs, batch->order, batch->first,
                        batch->count, batch->data->samples, out);
}
