#include "train/curve.h"

#include "base/memory.h"
#include "base/status.h"

#include <limits.h>
#include <stdlib.h>

glnn_status glnn_curve_create(glnn_curve **out)
{
    GLNN__NOT_NULL(out);
    *out = calloc(1, sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "glnn_curve_create: no memory for a learning curve");
    (*out)->owners = 1;
    return GLNN_OK;
}

glnn_curve *glnn__curve_share(glnn_curve *curve)
{
    ++curve->owners;
    return curve;
}

void glnn_curve_destroy(glnn_curve *curve)
{
    if (!curve || --curve->owners > 0)
        return;
    free(curve->reports);
    free(curve);
}

glnn_status glnn__curve_append(glnn_curve *curve, const glnn_report *report)
{
    size_t kept = curve->count;
    while (kept > 0 && curve->reports[kept - 1].epoch >= report->epoch)
        --kept;
    if (kept == curve->capacity &&
        !glnn__memory_grow(&curve->reports, kept, &curve->capacity, sizeof *curve->reports))
        return glnn__fail(GLNN_E_NOMEM, "no memory for the learning curve of %zu epochs", kept + 1);
    curve->reports[kept] = *report;
    curve->count = kept + 1;
    return GLNN_OK;
}

glnn_status glnn_curve_add(glnn_curve *curve, const glnn_report *report)
{
    GLNN__NOT_NULL(curve);
    GLNN__NOT_NULL(report);
    if (report->epoch < 1)
        return glnn__fail(GLNN_E_ARG, "glnn_curve_add: the report is of epoch %d; the first is 1",
                          report->epoch);
    if (report->epoch > INT_MAX - curve->start.epoch)
        return glnn__fail(GLNN_E_LIMIT,
                          "glnn_curve_add: epoch %d after %d epochs of former trainings; a curve "
                          "counts to %d",
                          report->epoch, curve->start.epoch, INT_MAX);
    glnn_report moved = *report;
    moved.epoch += curve->start.epoch;
    moved.step += curve->start.step;
    moved.seconds += curve->start.seconds;
    return glnn__fail_in(__func__, glnn__curve_append(curve, &moved));
}

glnn_status glnn_curve_continue(glnn_curve *curve)
{
    GLNN__NOT_NULL(curve);
    if (curve->count > 0)
        curve->start = curve->reports[curve->count - 1];
    return GLNN_OK;
}

int glnn_curve_get_count(const glnn_curve *curve)
{
    return curve ? (int)curve->count : 0;
}

const glnn_report *glnn_curve_get_report(const glnn_curve *curve, int number)
{
    const bool exists = curve && number >= 0 && (size_t)number < curve->count;
    return exists ? &curve->reports[number] : NULL;
}
