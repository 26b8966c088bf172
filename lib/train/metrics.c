#include "train/metrics.h"

#include "base/status.h"
#include "tex/matrix.h"

#include <glnn/map.h>
#include <glnn/reduce.h>

#include <math.h>

_Static_assert(sizeof(glnn__totals) == 4 * sizeof(float), "totals are downloaded as one row");

bool glnn__totals_are_finite(const glnn__totals *totals)
{
    return isfinite(totals->loss) && totals->finite == totals->samples;
}

glnn_status glnn__scores_create(glnn_context *ctx, int capacity, int columns, glnn__scores *out)
{
    *out = (glnn__scores){0};
    glnn_status status =
        glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, capacity, columns, "scores", &out->rows);
    if (!status)
        status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, columns, "total scores",
                                          &out->total);
    if (status)
        glnn__scores_destroy(out);
    return status;
}

void glnn__scores_destroy(glnn__scores *scores)
{
    glnn_download_end(scores->pending, NULL, 0);
    glnn_matrix_destroy(scores->rows);
    glnn_matrix_destroy(scores->total);
    *scores = (glnn__scores){0};
}

glnn_status glnn__scores_clear(glnn_context *ctx, glnn__scores *scores)
{
    glnn_download_end(scores->pending, NULL, 0);
    scores->pending = NULL;
    return glnn_fill(ctx, 0, scores->rows);
}

glnn_status glnn__scores_request(glnn_context *ctx, glnn__scores *scores)
{
    if (scores->pending)
        return GLNN_OK;
    GLNN__TRY(glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, scores->rows, scores->total));
    const glnn_rect sums = {0, scores->total->columns - 4, 1, 4};
    return glnn_download_begin(ctx, scores->total, &sums, &scores->pending);
}

bool glnn__scores_ready(const glnn__scores *scores)
{
    return glnn_download_ready(scores->pending);
}

glnn_status glnn__scores_take(glnn_context *ctx, glnn__scores *scores, glnn__totals *out)
{
    GLNN__TRY(glnn__scores_request(ctx, scores));
    glnn_download *download = scores->pending;
    scores->pending = NULL;
    return glnn_download_end(download, &out->loss, 0);
}
