/* The tensors of a classifier as programs and files have them, and all else that steps change. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "gl/lifetime.h"

#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

glnn_status glnn__lvq_find_precision(const glnn__lvq *lvq, double *half)
{
    const double sigma = (double)lvq->desc.sigma;
    *half = 0;
    if (lvq->desc.kind != GLNN_LVQ_RSLVQ)
        return GLNN_OK;
    if (!(sigma > 0))
        return glnn__fail(GLNN_E_STATE,
                          "sigma is not known before the first training or evaluation");
    *half = 1 / (2 * sigma * sigma);
    return GLNN_OK;
}

/* The identity, or normal numbers where Omega has fewer rows than columns. */
static glnn_status start_omega(glnn__lvq *lvq)
{
    glnn_matrix *omega = lvq->prototypes.learnt;
    if (omega->rows == omega->columns)
        GLNN__TRY(glnn_map_apply_expression(lvq->ctx, "row == column ? 1.0 : 0.0", omega, omega));
    else
        GLNN__TRY(glnn_fill_normal(lvq->ctx, lvq->desc.seed, 0, 1, omega));
    return glnn__lvq_scale_omega(lvq);
}

glnn_status glnn__lvq_reset(glnn__lvq *lvq)
{
    const float root = sqrtf(1 / (float)lvq->desc.features);
    lvq->epochs = 0;
    lvq->ends.has_gradient = false;
    glnn__prototypes_changed(&lvq->prototypes);
    if (!lvq->prototypes.learnt)
        return GLNN_OK;
    if (lvq->traits->metric == GLNN__METRIC_OMEGA)
        return start_omega(lvq);
    return glnn_fill(lvq->ctx, lvq->traits->metric == GLNN__METRIC_ROOTS ? root : 0,
                     lvq->prototypes.learnt);
}

/* ---- Tensors */

enum { PROTOTYPES, CLASSES, LEARNT };

/* The last tensor. */
static bool is_low(const glnn__prototypes *p, int number)
{
    return p->low && number == (p->learnt ? LEARNT + 1 : LEARNT);
}

glnn__tensor_place glnn__lvq_place(const void *self, int number)
{
    const glnn__prototypes *p = self;
    const glnn_matrix *const matrices[] = {p->values, p->classes, p->learnt};
    if (is_low(p, number))
        return (glnn__tensor_place){GLNN__ROLE_STATE, 0, p->low};
    return (glnn__tensor_place){GLNN__ROLE_PARAMETER, 0, matrices[number]};
}

/* GRLVQ keeps the roots of its relevances. */
static bool has_roots(const glnn__lvq *lvq, int number)
{
    return number == LEARNT && lvq->desc.kind == GLNN_LVQ_GRLVQ;
}

static glnn_status read_learnt(const glnn__lvq *lvq, float *values)
{
    GLNN__TRY(glnn_matrix_download(lvq->ctx, lvq->prototypes.learnt, NULL, values, 0));
    for (int j = 0; has_roots(lvq, LEARNT) && j < lvq->desc.features; ++j)
        values[j] *= values[j];
    return GLNN_OK;
}

glnn_status glnn__lvq_read(const void *self, int number, float *values)
{
    const glnn__lvq *lvq = self;
    if (is_low(&lvq->prototypes, number))
        return glnn_matrix_download(lvq->ctx, lvq->prototypes.low, NULL, values, 0);
    if (number == LEARNT)
        return read_learnt(lvq, values);
    GLNN__TRY(glnn__learner_check_set(&lvq->prototypes.learner));
    if (number == PROTOTYPES)
        return glnn__prototypes_download(&lvq->prototypes, values);
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        values[p] = (float)lvq->prototypes.class_numbers[p];
    return GLNN_OK;
}

glnn_status glnn__lvq_check_classes(int classes, int count, const float *values)
{
    for (int p = 0; p < count; ++p)
        if (!(values[p] >= 0 && values[p] < (float)classes) || values[p] != floorf(values[p]))
            return glnn__fail(GLNN_E_ARG, "has the class %g for prototype %d; there are %d classes",
                              (double)values[p], p, classes);
    return GLNN_OK;
}

/* RSLVQ compares a sample with the prototypes of its class. */
static glnn_status check_given_classes(const glnn__lvq *lvq, const float *values)
{
    const int count = lvq->prototypes.desc.count;
    GLNN__TRY(glnn__lvq_check_classes(lvq->desc.classes, count, values));
    for (int c = 0; lvq->desc.kind == GLNN_LVQ_RSLVQ && c < lvq->desc.classes; ++c) {
        int p = 0;
        while (p < count && values[p] != (float)c)
            ++p;
        if (p == count)
            return glnn__fail(GLNN_E_ARG, "has no prototype of class %d; rslvq needs one of each",
                              c);
    }
    return GLNN_OK;
}

static glnn_status check_rates(const glnn__lvq *lvq, const float *rates)
{
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        if (!(rates[p] >= 0 && rates[p] < 1))
            return glnn__fail(GLNN_E_ARG, "has a rate of %g for prototype %d; it is not in [0, 1)",
                              (double)rates[p], p);
    return GLNN_OK;
}

/* The sum of the relevances, or of the squares of Omega's elements. */
static double sum_of(const glnn__lvq *lvq, const float *values)
{
    const size_t size = (size_t)lvq->prototypes.learnt->rows * (size_t)lvq->desc.features;
    double sum = 0;
    for (size_t i = 0; i < size; ++i)
        sum += (double)values[i] * (has_roots(lvq, LEARNT) ? 1 : (double)values[i]);
    return sum;
}

static glnn_status check_metric(const glnn__lvq *lvq, const float *values)
{
    for (int j = 0; has_roots(lvq, LEARNT) && j < lvq->desc.features; ++j)
        if (values[j] < 0)
            return glnn__fail(GLNN_E_ARG, "has %g for feature %d; it may not be negative",
                              (double)values[j], j);
    const double sum = sum_of(lvq, values);
    if (!(sum > 0) || !isfinite(sum))
        return glnn__fail(GLNN_E_ARG, "has %s that sum to %g%s",
                          has_roots(lvq, LEARNT) ? "numbers" : "squares of elements", sum,
                          sum > 0 ? "" : ": none is above 0");
    return GLNN_OK;
}

glnn_status glnn__lvq_check(const void *self, int number, const float *values)
{
    const glnn__lvq *lvq = self;
    if (number == CLASSES)
        return check_given_classes(lvq, values);
    if (number == PROTOTYPES || is_low(&lvq->prototypes, number))
        return GLNN_OK;
    return lvq->desc.kind == GLNN_LVQ_OLVQ1 ? check_rates(lvq, values) : check_metric(lvq, values);
}

/* The description counts the prototypes of each class as they are now. */
static glnn_status set_classes(glnn__lvq *lvq, const float *values)
{
    int *counts = (int *)lvq->desc.prototypes_of;
    memset(counts, 0, (size_t)lvq->desc.classes * sizeof *counts);
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        counts[(int)values[p]]++;
    return glnn__prototypes_set_classes(&lvq->prototypes, values);
}

/* Numbers that sum to 1 but for rounding stay as they are, so that numbers that were read can
 * be set again without a change of a bit. */
#define UNIT_TOLERANCE 1e-4

/* Sets the learnt numbers to the values, or to their roots, divided so that their squares sum to
 * 1. */
static glnn_status set_metric(glnn__lvq *lvq, const float *values)
{
    glnn_matrix *learnt = lvq->prototypes.learnt;
    const size_t size = (size_t)learnt->rows * (size_t)learnt->columns;
    const double sum = sum_of(lvq, values), divisor = fabs(sum - 1) <= UNIT_TOLERANCE ? 1 : sum;
    float *scaled = malloc(size * sizeof *scaled);
    if (!scaled)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu elements", size);
    for (size_t i = 0; i < size; ++i)
        scaled[i] = (float)(has_roots(lvq, LEARNT) ? sqrt((double)values[i] / divisor)
                                                   : (double)values[i] / sqrt(divisor));
    const glnn_status status = glnn_matrix_upload(lvq->ctx, learnt, NULL, scaled, 0);
    free(scaled);
    return status;
}

glnn_status glnn__lvq_write(void *self, int number, const float *values)
{
    glnn__lvq *lvq = self;
    if (number == PROTOTYPES)
        return glnn__prototypes_upload(&lvq->prototypes, values);
    if (number == CLASSES)
        return set_classes(lvq, values);
    if (is_low(&lvq->prototypes, number))
        return values ? glnn_matrix_upload(lvq->ctx, lvq->prototypes.low, NULL, values, 0)
                      : glnn_fill(lvq->ctx, 0, lvq->prototypes.low);
    if (lvq->desc.kind == GLNN_LVQ_OLVQ1)
        return glnn_matrix_upload(lvq->ctx, lvq->prototypes.learnt, NULL, values, 0);
    return set_metric(lvq, values);
}

/* ---- Other state */

double glnn_lvq_get_epochs(const glnn_learner *learner)
{
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    return lvq ? lvq->epochs : 0;
}

glnn_status glnn_lvq_set_epochs(glnn_learner *learner, double epochs)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    if (!(epochs >= 0) || !isfinite(epochs))
        return glnn__fail(GLNN_E_ARG, "%s: %g epochs; they are not negative, and finite", __func__,
                          epochs);
    lvq->epochs = epochs;
    return GLNN_OK;
}

/* The classes of the prototypes, which the program can set, as floats of the state. */
static glnn_status list_classes(glnn__lvq *lvq, glnn__state *state, float *numbers)
{
    const int count = lvq->prototypes.desc.count;
    for (int p = 0; p < count; ++p)
        numbers[p] = (float)lvq->prototypes.class_numbers[p];
    glnn__state_floats(state, numbers, (size_t)count, "classes");
    if (!glnn__state_loads(state))
        return state->status;
    GLNN__TRY(glnn__lvq_check_classes(lvq->desc.classes, count, numbers));
    return set_classes(lvq, numbers);
}

void glnn__lvq_state(void *self, glnn__state *state)
{
    glnn__lvq *lvq = self;
    const size_t count = (size_t)lvq->prototypes.desc.count;
    float *numbers = malloc(count * sizeof *numbers);
    glnn__state_bool(state, &lvq->prototypes.is_set, "is_set");
    if (!state->status)
        state->status = numbers ? list_classes(lvq, state, numbers)
                                : glnn__fail(GLNN_E_NOMEM, "no memory for %zu classes", count);
    glnn__state_double(state, &lvq->epochs, "epochs");
    glnn__state_floats(state, &lvq->desc.scale, 1, "scale");
    glnn__state_floats(state, &lvq->desc.sigma, 1, "sigma");
    glnn__state_double(state, &lvq->reach.square, "reach.square");
    glnn__state_double(state, &lvq->reach.limit, "reach.limit");
    glnn__state_int(state, &lvq->reach.epochs, "reach.epochs");
    free(numbers);
}
