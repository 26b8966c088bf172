#include "data/batch.h"

#include "ops/gather.h"

static glnn_status gather(const glnn__batch *batch, glnn_matrix *out)
{
    const glnn_dataset *data = batch->data;
    if (!batch->distorter)
        return glnn__gather(data->ctx, data->inputs, batch->order, batch->first, batch->count,
                            data->samples, out);
    const glnn__images from = {data->inputs, data->samples, data->version};
    return glnn__distorter_gather(batch->distorter, &from,
                                  &(glnn__presentation){
                                      .index = batch->order,
                                      .first = batch->first,
                                      .count = batch->count,
                                      .step = batch->step,
                                      .place = batch->place,
                                  },
                                  out);
}

glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out)
{
    glnn_context *ctx = batch->data->ctx;
    const glnn__label former = glnn__label_part(ctx, "gather a batch");
    return glnn__label_end(ctx, former, gather(batch, out));
}
