#include "learn/order.h"

#include "base/status.h"

#include <stdlib.h>

glnn_status glnn__order_create(glnn_context *ctx, int samples, uint64_t seed, glnn__order *out)
{
    *out = (glnn__order){.samples = samples};
    glnn__random_start(&out->random, seed);
    out->entries = malloc((size_t)samples * sizeof *out->entries);
    if (!out->entries)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the order of %d samples", samples);
    for (int i = 0; i < samples; ++i)
        out->entries[i] = (float)i;
    return glnn_matrix_create(ctx,
                              &(glnn_matrix_desc){.rows = samples,
                                                  .columns = 1,
                                                  .layout = GLNN_LAYOUT_PAGED,
                                                  .data = out->entries,
                                                  .name = "order"},
                              &out->matrix);
}

void glnn__order_destroy(glnn__order *order)
{
    glnn_matrix_destroy(order->matrix);
    free(order->entries);
    *order = (glnn__order){0};
}

void glnn__order_shuffle(glnn__order *order, int count)
{
    for (int i = count - 1; i > 0; --i) {
        const uint32_t j = glnn__random_below(&order->random, (uint32_t)i + 1);
        const float entry = order->entries[i];
        order->entries[i] = order->entries[j];
        order->entries[j] = entry;
    }
}

glnn_status glnn__order_upload(glnn_context *ctx, glnn__order *order)
{
    return glnn_matrix_upload(ctx, order->matrix, NULL, order->entries, 0);
}
