#include "learn/order.h"

#include "base/status.h"

#include <stdlib.h>

glnn_status glnn__order_create(int samples, uint64_t seed, glnn__order *out)
{
    *out = (glnn__order){.samples = samples};
    glnn__random_start(&out->random, seed);
    out->entries = malloc((size_t)samples * sizeof *out->entries);
    if (!out->entries)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the order of %d samples", samples);
    for (int i = 0; i < samples; ++i)
        out->entries[i] = i;
    return GLNN_OK;
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
        const int entry = order->entries[i];
        order->entries[i] = order->entries[j];
        order->entries[j] = entry;
    }
}

glnn_status glnn__order_upload(glnn_context *ctx, glnn__order *order)
{
    if (!order->matrix)
        GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PAGED, order->samples, 1, "order",
                                              &order->matrix));
    float *column = malloc((size_t)order->samples * sizeof *column);
    if (!column)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the order of %d samples", order->samples);
    for (int i = 0; i < order->samples; ++i)
        column[i] = (float)order->entries[i];
    const glnn_status status = glnn_matrix_upload(ctx, order->matrix, NULL, column, 0);
    free(column);
    return status;
}
