#include "data/batch.h"

#include "ops/gather.h"

void glnn__batch_fill(const glnn__batch *batch, glnn__batch_slots *out)
{
    out->first.i = batch->first;
    out->entry.i = batch->entry;
    out->step.i = (int)(uint32_t)batch->step;
    out->place.i = batch->place;
}

glnn__uniform glnn__batch_first(const glnn__batch *batch)
{
    return (glnn__uniform){.i = batch->first, .slot = batch->slots ? &batch->slots->first : NULL};
}

glnn__uniform glnn__batch_entry(const glnn__batch *batch)
{
    return (glnn__uniform){.i = batch->entry, .slot = batch->slots ? &batch->slots->entry : NULL};
}

glnn__uniform glnn__batch_step(const glnn__batch *batch)
{
    return (glnn__uniform){.i = (int)(uint32_t)batch->step,
                           .slot = batch->slots ? &batch->slots->step : NULL};
}

glnn__uniform glnn__batch_place(const glnn__batch *batch)
{
    return (glnn__uniform){.i = batch->place, .slot = batch->slots ? &batch->slots->place : NULL};
}

static glnn__images images_of(const glnn_dataset *data)
{
    return (glnn__images){data->inputs, data->samples, data->version};
}

glnn_status glnn__batch_prepare(const glnn__batch *batch)
{
    const glnn__images from = images_of(batch->data);
    return batch->distorter ? glnn__distorter_prepare(batch->distorter, &from, batch->step)
                            : GLNN_OK;
}

static glnn_status gather(const glnn__batch *batch, glnn_matrix *out)
{
    const glnn_dataset *data = batch->data;
    if (!batch->distorter)
        return glnn__gather(data->ctx, data->inputs, batch->order, glnn__batch_first(batch),
                            batch->count, data->samples, out);
    return glnn__distorter_gather(batch->distorter, data->samples,
                                  &(glnn__presentation){
                                      .index = batch->order,
                                      .first = glnn__batch_first(batch),
                                      .count = batch->count,
                                      .step = glnn__batch_step(batch),
                                      .place = glnn__batch_place(batch),
                                  },
                                  out);
}

glnn_status glnn__batch_gather(const glnn__batch *batch, glnn_matrix *out)
{
    glnn_context *ctx = batch->data->ctx;
    const glnn__label former = glnn__label_part(ctx, "gather a batch");
    return glnn__label_end(ctx, former, gather(batch, out));
}
