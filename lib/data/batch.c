#include "data/batch.h"

#include "pass/pass.h"

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
    return glnn__pass_run(
        batch->data->ctx,
        &(glnn__pass){
            .kernel = GLNN__KERNEL_GATHER,
            .operands = {{.matrix = batch->data->inputs}, {.matrix = batch->order}},
            .output = out,
            .integers = {batch->first, batch->count, batch->data->samples},
        });
}
