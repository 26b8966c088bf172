/* Reading and writing the parameters of a classifier from C. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "data/check.h"
#include "gl/lifetime.h"

#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

int glnn_lvq_get_count(const glnn_learner *learner)
{
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    return lvq ? lvq->prototypes.desc.count : 0;
}

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
    glnn__prototypes_changed(&lvq->prototypes);
    if (!lvq->prototypes.learnt)
        return GLNN_OK;
    if (lvq->traits->metric == GLNN__METRIC_OMEGA)
        return start_omega(lvq);
    return glnn_fill(lvq->ctx, lvq->traits->metric == GLNN__METRIC_ROOTS ? root : 0,
                     lvq->prototypes.learnt);
}

glnn_status glnn_lvq_get_prototypes(const glnn_learner *learner, float *prototypes, int *classes)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__TRY(glnn__fail_in(__func__, glnn__learner_check_set(learner)));
    if (classes)
        memcpy(classes, lvq->prototypes.class_numbers,
               (size_t)lvq->prototypes.desc.count * sizeof *classes);
    return prototypes ? glnn__prototypes_download(&lvq->prototypes, prototypes) : GLNN_OK;
}

static glnn_status check_classes(const glnn__lvq *lvq, const char *what, const int *classes)
{
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        if (classes[p] < 0 || classes[p] >= lvq->desc.classes)
            return glnn__fail(GLNN_E_ARG, "%s: prototype %d has the class %d; there are %d classes",
                              what, p, classes[p], lvq->desc.classes);
    return GLNN_OK;
}

/* The description counts the prototypes of each class as they are now. */
static glnn_status set_classes(glnn__lvq *lvq, const int *classes)
{
    int *counts = (int *)lvq->desc.prototypes_of;
    memset(counts, 0, (size_t)lvq->desc.classes * sizeof *counts);
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        counts[classes[p]]++;
    return glnn__prototypes_set_classes(&lvq->prototypes, classes);
}

glnn_status glnn_lvq_set_prototypes(glnn_learner *learner, const float *prototypes,
                                    const int *classes)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(prototypes);
    GLNN__TRY(glnn__check_finite("glnn_lvq_set_prototypes: prototypes", "prototype",
                                 lvq->prototypes.desc.count, lvq->desc.features, prototypes));
    if (classes) {
        GLNN__TRY(check_classes(lvq, __func__, classes));
        GLNN__TRY(set_classes(lvq, classes));
    }
    return glnn__prototypes_upload(&lvq->prototypes, prototypes);
}

/* The classifier must be of the one kind that has these parameters. */
static glnn_status check_kind(const glnn__lvq *lvq, const char *what, glnn_lvq_kind kind)
{
    if (lvq->desc.kind != kind)
        return glnn__fail(GLNN_E_ARG, "%s: is for %s; the classifier is of kind %s", what,
                          glnn_lvq_kind_name(kind), glnn_lvq_kind_name(lvq->desc.kind));
    return GLNN_OK;
}

static glnn_status get_learnt(const glnn__lvq *lvq, const char *what, glnn_lvq_kind kind,
                              float *values)
{
    GLNN__TRY(check_kind(lvq, what, kind));
    return glnn_matrix_download(lvq->ctx, lvq->prototypes.learnt, NULL, values, 0);
}

/* Numbers that sum to 1 but for rounding stay as they are, so that numbers that were read can
 * be set again without a change of a bit. */
#define UNIT_TOLERANCE 1e-4

static double divisor_of(double sum)
{
    return fabs(sum - 1) <= UNIT_TOLERANCE ? 1 : sum;
}

/* Sets the learnt numbers to the values, or to the roots of `squares`, divided so that their
 * squares sum to 1. */
static glnn_status set_metric(glnn__lvq *lvq, const char *what, size_t size, const float *values,
                              bool squares)
{
    double sum = 0;
    for (size_t i = 0; i < size; ++i)
        sum += squares ? (double)values[i] : (double)values[i] * (double)values[i];
    if (!(sum > 0) || !isfinite(sum))
        return glnn__fail(GLNN_E_ARG, "%s: the %s sum to %g%s", what,
                          squares ? "relevances" : "squares of the elements", sum,
                          sum > 0 ? "" : ": none is above 0");
    float *scaled = malloc(size * sizeof *scaled);
    if (!scaled)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu elements", size);
    for (size_t i = 0; i < size; ++i)
        scaled[i] = (float)(squares ? sqrt((double)values[i] / divisor_of(sum))
                                    : (double)values[i] / sqrt(divisor_of(sum)));
    glnn__prototypes_changed(&lvq->prototypes);
    const glnn_status status =
        glnn_matrix_upload(lvq->ctx, lvq->prototypes.learnt, NULL, scaled, 0);
    free(scaled);
    return status;
}

/* The diagonal of Omega' Omega. */
static glnn_status take_diagonal(const glnn__lvq *lvq, float *diagonal)
{
    const size_t rank = (size_t)lvq->desc.rank, features = (size_t)lvq->desc.features;
    float *omega = malloc(rank * features * sizeof *omega);
    glnn_status status =
        omega ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu elements", rank * features);
    if (!status)
        status = glnn_matrix_download(lvq->ctx, lvq->prototypes.learnt, NULL, omega, 0);
    for (size_t j = 0; j < features && !status; ++j) {
        double sum = 0;
        for (size_t i = 0; i < rank; ++i)
            sum += (double)omega[i * features + j] * (double)omega[i * features + j];
        diagonal[j] = (float)sum;
    }
    free(omega);
    return status;
}

glnn_status glnn_lvq_get_relevances(const glnn_learner *learner, float *relevances)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(relevances);
    if (lvq->desc.kind == GLNN_LVQ_GMLVQ)
        return take_diagonal(lvq, relevances);
    const bool has_roots = lvq->desc.kind == GLNN_LVQ_GRLVQ;
    if (has_roots)
        GLNN__TRY(get_learnt(lvq, __func__, GLNN_LVQ_GRLVQ, relevances));
    for (int j = 0; j < lvq->desc.features; ++j)
        relevances[j] = has_roots ? relevances[j] * relevances[j] : 1;
    return GLNN_OK;
}

glnn_status glnn_lvq_set_relevances(glnn_learner *learner, const float *relevances)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(relevances);
    GLNN__TRY(check_kind(lvq, __func__, GLNN_LVQ_GRLVQ));
    for (int j = 0; j < lvq->desc.features; ++j)
        if (!(relevances[j] >= 0) || !isfinite(relevances[j]))
            return glnn__fail(GLNN_E_ARG, "%s: feature %d has %g", __func__, j,
                              (double)relevances[j]);
    return set_metric(lvq, __func__, (size_t)lvq->desc.features, relevances, true);
}

glnn_status glnn_lvq_get_omega(const glnn_learner *learner, float *omega)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(omega);
    return get_learnt(lvq, __func__, GLNN_LVQ_GMLVQ, omega);
}

glnn_status glnn_lvq_set_omega(glnn_learner *learner, const float *omega)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(omega);
    GLNN__TRY(check_kind(lvq, __func__, GLNN_LVQ_GMLVQ));
    return set_metric(lvq, __func__, (size_t)lvq->desc.rank * (size_t)lvq->desc.features, omega,
                      false);
}

glnn_status glnn_lvq_get_rates(const glnn_learner *learner, float *rates)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    const glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(rates);
    return get_learnt(lvq, __func__, GLNN_LVQ_OLVQ1, rates);
}

glnn_status glnn_lvq_set_rates(glnn_learner *learner, const float *rates)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__NOT_NULL(rates);
    GLNN__TRY(check_kind(lvq, __func__, GLNN_LVQ_OLVQ1));
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        if (!(rates[p] >= 0 && rates[p] < 1))
            return glnn__fail(GLNN_E_ARG, "%s: prototype %d has a rate of %g; it is not in [0, 1)",
                              __func__, p, (double)rates[p]);
    return glnn_matrix_upload(lvq->ctx, lvq->prototypes.learnt, NULL, rates, 0);
}

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
static glnn_status list_classes(glnn__lvq *lvq, glnn__state *state, float *numbers, int *classes)
{
    const int count = lvq->prototypes.desc.count;
    for (int p = 0; p < count; ++p)
        numbers[p] = (float)lvq->prototypes.class_numbers[p];
    glnn__state_floats(state, numbers, (size_t)count, "classes");
    if (!glnn__state_loads(state))
        return state->status;
    for (int p = 0; p < count; ++p)
        classes[p] = numbers[p] >= 0 && numbers[p] < (float)lvq->desc.classes ? (int)numbers[p] : 0;
    return set_classes(lvq, classes);
}

void glnn__lvq_state(void *self, glnn__state *state)
{
    glnn__lvq *lvq = self;
    const size_t count = (size_t)lvq->prototypes.desc.count;
    float *numbers = malloc(count * sizeof *numbers);
    int *classes = malloc(count * sizeof *classes);
    glnn__state_bool(state, &lvq->prototypes.is_set, "is_set");
    if (!state->status)
        state->status = numbers && classes
                            ? list_classes(lvq, state, numbers, classes)
                            : glnn__fail(GLNN_E_NOMEM, "no memory for %zu classes", count);
    glnn__state_double(state, &lvq->epochs, "epochs");
    glnn__state_floats(state, &lvq->desc.scale, 1, "scale");
    glnn__state_floats(state, &lvq->desc.sigma, 1, "sigma");
    glnn__state_double(state, &lvq->reach.square, "reach.square");
    glnn__state_double(state, &lvq->reach.limit, "reach.limit");
    glnn__state_int(state, &lvq->reach.epochs, "reach.epochs");
    free(numbers);
    free(classes);
}
