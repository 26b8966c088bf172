#include "data/batch.h"

#include "ops/gather.h"

glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out)
{
    glnn_context *ctx = batch->data->ctx;
    const glnn__label former = glnn__label_part(ctx, "gather a batch");
    return glnn__label_end(ctx, former,
                           glnn__gather(ctx, batch->data->inputs, batch->order, batch->first,
                                        batch->count, batch->data->samples, out));
}
