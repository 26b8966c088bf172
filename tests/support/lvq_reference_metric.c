#include "lvq_reference.h"

/* How far the metric goes: the rate is in the factors already. */
static double metric_factor(const lvq_reference *lvq, int count)
{
    const double features = lvq->desc.features;
    return (double)lvq->desc.metric_rate /
           ((double)lvq->desc.scale *
            (lvq->desc.kind == GLNN_LVQ_GRLVQ ? 2 * features : sqrt(features))) *
           fmin(1, 128.0 / count);
}

static void step_relevances(lvq_reference *lvq, expected metric, double factor)
{
    const array w = lvq->relevances.value, bound = lvq->relevances.bound;
    double sum = 0, spread = 0;
    for (int j = 0; j < w.columns; ++j) {
        const double step = factor * metric.value.data[j];
        bound.data[j] = factor * metric.bound.data[j] + 8 * EPS * (w.data[j] + fabs(step));
        w.data[j] = fmax(w.data[j] - step, 0);
        sum += w.data[j];
        spread += bound.data[j];
    }
    for (int j = 0; j < w.columns; ++j) {
        w.data[j] = sum > 0 ? w.data[j] / sum : 1.0 / w.columns;
        bound.data[j] = sum > 0 ? (bound.data[j] + w.data[j] * spread) / sum : 0;
        bound.data[j] += (w.columns + 24) * EPS * w.data[j];
    }
}

static void step_omega(lvq_reference *lvq, expected metric, double factor)
{
    const array omega = lvq->omega.value, bound = lvq->omega.bound;
    double squares = 0, spread = 0;
    for (size_t i = 0; i < length_of(omega); ++i) {
        const double step = factor * metric.value.data[i];
        bound.data[i] =
            factor * metric.bound.data[i] + 8 * EPS * (fabs(omega.data[i]) + fabs(step));
        omega.data[i] -= step;
        squares += omega.data[i] * omega.data[i];
        spread += fabs(omega.data[i]) * bound.data[i];
    }
    const double norm = sqrt(squares);
    for (size_t i = 0; i < length_of(omega); ++i) {
        omega.data[i] /= norm;
        bound.data[i] = bound.data[i] / norm + fabs(omega.data[i]) * (spread / squares + 128 * EPS);
    }
}

void lvq_reference_step_metric(lvq_reference *lvq, expected metric, int count)
{
    const double factor = metric_factor(lvq, count);
    if (lvq->desc.kind == GLNN_LVQ_GRLVQ)
        step_relevances(lvq, metric, factor);
    if (lvq->desc.kind == GLNN_LVQ_GMLVQ)
        step_omega(lvq, metric, factor);
}
