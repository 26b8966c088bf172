#include "learn/metrics.h"

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

glnn_metrics glnn__totals_summary(const glnn__totals *totals, glnn__fit fit, int targets)
{
    const double samples = fmax((double)totals->samples, 1);
    const double share = (double)totals->correct / samples / (targets > 0 ? targets : 1);
    glnn_metrics m = {
        .loss = (double)totals->loss / samples, .squared_error = NAN, .r_squared = NAN};
    if (targets == 0 || fit == GLNN__FIT_RIGHT) {
        m.accuracy = share;
    } else if (fit == GLNN__FIT_ERRORS) {
        m.squared_error = share;
    } else {
        m.squared_error = 2 * m.loss / targets;
        if (totals->correct > 0)
            m.r_squared = 1 - 2 * (double)totals->loss / (double)totals->correct;
    }
    return m;
}

glnn_status glnn__metrics_create(glnn_context *ctx, int capacity, int columns, glnn__metrics *out)
{
    *out = (glnn__metrics){0};
    glnn_status status =
        glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, capacity, columns, "metrics", &out->rows);
    if (!status)
        status = glnn__matrix_create_zero(ctx, GLNN_LAYOUT_PACKED, 1, columns, "total metrics",
                                          &out->total);
    if (status)
        glnn__metrics_destroy(out);
    return status;
}

void glnn__metrics_drop(glnn__metrics *metrics)
{
    glnn_download_end(metrics->pending, NULL, 0);
    metrics->pending = NULL;
}

void glnn__metrics_destroy(glnn__metrics *metrics)
{
    glnn__metrics_drop(metrics);
    glnn_matrix_destroy(metrics->rows);
    glnn_matrix_destroy(metrics->total);
    *metrics = (glnn__metrics){0};
}

glnn_status glnn__metrics_clear(glnn_context *ctx, glnn__metrics *metrics)
{
    glnn__metrics_drop(metrics);
    const glnn__label former = glnn__label_part(ctx, "metrics");
    return glnn__label_end(ctx, former, glnn_fill(ctx, 0, metrics->rows));
}

glnn_status glnn__metrics_sum(glnn_context *ctx, const glnn__metrics *metrics)
{
    const glnn__label former = glnn__label_part(ctx, "metrics");
    return glnn__label_end(
        ctx, former,
        glnn_reduce(ctx, GLNN_REDUCTION_SUM, GLNN_AXIS_COLUMNS, metrics->rows, metrics->total));
}

glnn_status glnn__metrics_request(glnn_context *ctx, glnn__metrics *metrics)
{
    if (metrics->pending)
        return GLNN_OK;
    GLNN__TRY(glnn__metrics_sum(ctx, metrics));
    const glnn_rect sums = {0, metrics->total->columns - 4, 1, 4};
    return glnn_download_begin(ctx, metrics->total, &sums, &metrics->pending);
}

bool glnn__metrics_ready(const glnn__metrics *metrics)
{
    return glnn_download_is_ready(metrics->pending);
}

glnn_status glnn__metrics_take(glnn_context *ctx, glnn__metrics *metrics, glnn__totals *out)
{
    GLNN__TRY(glnn__metrics_request(ctx, metrics));
    glnn_download *download = metrics->pending;
    metrics->pending = NULL;
    return glnn_download_end(download, &out->loss, 0);
}
