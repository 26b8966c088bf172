#include "data/order.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

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
    glnn__random_shuffle(&order->random, order->entries, count);
}

/* A counting sort. `places` has room for the classes, and `sorted` for the entries. */
static void sort_by_label(int *entries, int count, const int *labels, const glnn__groups *groups,
                          int *places, int *sorted)
{
    int *begins = groups->begins;
    for (int i = 0; i < count; ++i)
        begins[labels[entries[i]] + 1]++;
    for (int g = 0, place = 0; g < groups->count; ++g) {
        places[g] = place;
        place += begins[g + 1];
        begins[g + 1] = begins[0] + place;
    }
    for (int i = 0; i < count; ++i)
        sorted[places[labels[entries[i]]]++] = entries[i];
    memcpy(entries, sorted, (size_t)count * sizeof *entries);
}

glnn_status glnn__order_group(glnn__order *order, int first, int count, const int *labels,
                              int classes, glnn__groups *out)
{
    *out = (glnn__groups){.count = labels ? classes : 1};
    out->begins = calloc((size_t)out->count + 1, sizeof *out->begins);
    int *room = malloc(((size_t)count + (size_t)out->count) * sizeof *room);
    const bool has_all = out->begins && room;
    if (has_all) {
        out->begins[0] = first;
        if (labels)
            sort_by_label(order->entries + first, count, labels, out, room, room + out->count);
        else
            out->begins[1] = first + count;
    }
    free(room);
    return has_all ? GLNN_OK
                   : glnn__fail(GLNN_E_NOMEM, "no memory to sort %d samples by %d classes", count,
                                out->count);
}

void glnn__groups_destroy(glnn__groups *groups)
{
    free(groups->begins);
    *groups = (glnn__groups){0};
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

glnn_status glnn__order_download(glnn_context *ctx, glnn__order *order, int count)
{
    const glnn_rect rect = {0, 0, count, 1};
    float *column = malloc((size_t)count * sizeof *column);
    if (!column)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the order of %d samples", count);
    const glnn_status status = glnn_matrix_download(ctx, order->matrix, &rect, column, 0);
    for (int i = 0; i < count && !status; ++i)
        order->entries[i] = (int)column[i];
    free(column);
    return status;
}
