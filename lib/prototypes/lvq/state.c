/* What a classifier has learnt, read and written from C. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "data/check.h"
#include "train/preparation.h"

#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const glnn_lvq_desc *glnn_lvq_get_desc(const glnn_lvq *lvq)
{
    return lvq ? &lvq->desc : NULL;
}

int glnn_lvq_count(const glnn_lvq *lvq)
{
    return lvq ? lvq->prototypes.desc.count : 0;
}

glnn_status glnn__lvq_check_set(const void *self, const char *function)
{
    const glnn_lvq *lvq = self;
    if (lvq->prototypes.is_set)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "%s: the prototypes were never set; glnn_lvq_initialise or "
                      "glnn_lvq_set_prototypes does that",
                      function);
}

glnn_status glnn__lvq_number_classes(glnn_lvq *lvq)
{
    const int count = lvq->prototypes.desc.count;
    int *numbers = malloc((size_t)count * sizeof *numbers);
    if (!numbers)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the classes of %d prototypes", count);
    for (int c = 0, p = 0; c < lvq->desc.classes; ++c)
        for (int i = 0; i < lvq->desc.prototypes_of[c]; ++i)
            numbers[p++] = c;
    const glnn_status status = glnn__prototypes_set_classes(&lvq->prototypes, numbers);
    free(numbers);
    return status;
}

/* The identity, or normal numbers where Omega has fewer rows than columns. */
static glnn_status start_omega(glnn_lvq *lvq)
{
    glnn_matrix *omega = lvq->learnt[GLNN__LVQ_OMEGA];
    if (omega->rows == omega->columns)
        GLNN__TRY(glnn_map_expression(lvq->ctx, "row == column ? 1.0 : 0.0", omega, omega));
    else
        GLNN__TRY(glnn_fill_normal(lvq->ctx, lvq->desc.seed, 0, 1, omega));
    return glnn__lvq_scale_omega(lvq);
}

glnn_status glnn__lvq_reset(glnn_lvq *lvq)
{
    lvq->epochs = 0;
    lvq->has_images = false;
    if (lvq->learnt[GLNN__LVQ_RATES])
        GLNN__TRY(glnn_fill(lvq->ctx, 0, lvq->learnt[GLNN__LVQ_RATES]));
    if (lvq->learnt[GLNN__LVQ_ROOTS])
        GLNN__TRY(glnn_fill(lvq->ctx, sqrtf(1 / (float)lvq->desc.features),
                            lvq->learnt[GLNN__LVQ_ROOTS]));
    return lvq->learnt[GLNN__LVQ_OMEGA] ? start_omega(lvq) : GLNN_OK;
}

glnn_status glnn_lvq_get_prototypes(const glnn_lvq *lvq, float *prototypes, int *classes)
{
    if (!lvq)
        return glnn__fail(GLNN_E_ARG, "%s: the classifier is null", __func__);
    GLNN__TRY(glnn__lvq_check_set(lvq, __func__));
    if (classes)
        memcpy(classes, lvq->prototypes.class_numbers,
               (size_t)glnn_lvq_count(lvq) * sizeof *classes);
    return prototypes ? glnn__prototypes_download(&lvq->prototypes, prototypes) : GLNN_OK;
}

static glnn_status check_classes(const glnn_lvq *lvq, const char *what, const int *classes)
{
    for (int p = 0; p < glnn_lvq_count(lvq); ++p)
        if (classes[p] < 0 || classes[p] >= lvq->desc.classes)
            return glnn__fail(GLNN_E_ARG, "%s: prototype %d has the class %d; there are %d classes",
                              what, p, classes[p], lvq->desc.classes);
    return GLNN_OK;
}

/* The description counts the prototypes of each class as they are now. */
static glnn_status set_classes(glnn_lvq *lvq, const int *classes)
{
    int *counts = (int *)lvq->desc.prototypes_of;
    memset(counts, 0, (size_t)lvq->desc.classes * sizeof *counts);
    for (int p = 0; p < glnn_lvq_count(lvq); ++p)
        counts[classes[p]]++;
    return glnn__prototypes_set_classes(&lvq->prototypes, classes);
}

glnn_status glnn_lvq_set_prototypes(glnn_lvq *lvq, const float *prototypes, const int *classes)
{
    if (!lvq || !prototypes)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    GLNN__TRY(glnn__check_finite(__func__, "prototype", glnn_lvq_count(lvq), lvq->desc.features,
                                 prototypes));
    if (classes) {
        GLNN__TRY(check_classes(lvq, __func__, classes));
        GLNN__TRY(set_classes(lvq, classes));
    }
    lvq->has_images = false;
    return glnn__prototypes_upload(&lvq->prototypes, prototypes);
}

/* The kind has such a matrix, and the values are there. */
static glnn_status check_learnt(const glnn_lvq *lvq, const char *what, int which,
                                const float *values)
{
    static const char *const owners[GLNN__LVQ_LEARNT] = {
        [GLNN__LVQ_ROOTS] = "grlvq",
        [GLNN__LVQ_OMEGA] = "gmlvq",
        [GLNN__LVQ_RATES] = "olvq1",
    };
    if (!lvq || !values)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", what);
    if (!lvq->learnt[which])
        return glnn__fail(GLNN_E_ARG, "%s: is for %s; the classifier is of kind %s", what,
                          owners[which], glnn_lvq_kind_name(lvq->desc.kind));
    return GLNN_OK;
}

/* The diagonal of Omega' Omega. */
static glnn_status take_diagonal(const glnn_lvq *lvq, float *diagonal)
{
    const size_t rank = (size_t)lvq->desc.rank, features = (size_t)lvq->desc.features;
    float *omega = malloc(rank * features * sizeof *omega);
    glnn_status status =
        omega ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %zu elements", rank * features);
    if (!status)
        status = glnn_lvq_get_omega(lvq, omega);
    for (size_t j = 0; j < features && !status; ++j) {
        double sum = 0;
        for (size_t i = 0; i < rank; ++i)
            sum += (double)omega[i * features + j] * (double)omega[i * features + j];
        diagonal[j] = (float)sum;
    }
    free(omega);
    return status;
}

glnn_status glnn_lvq_get_relevances(const glnn_lvq *lvq, float *relevances)
{
    if (!lvq || !relevances)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", __func__);
    if (lvq->desc.kind == GLNN_LVQ_GMLVQ)
        return take_diagonal(lvq, relevances);
    const glnn_matrix *roots = lvq->learnt[GLNN__LVQ_ROOTS];
    if (roots)
        GLNN__TRY(glnn_matrix_download(lvq->ctx, roots, NULL, relevances, 0));
    for (int j = 0; j < lvq->desc.features; ++j)
        relevances[j] = roots ? relevances[j] * relevances[j] : 1;
    return GLNN_OK;
}

/* Numbers that sum to 1 but for rounding stay as they are, so that what was read can be written back
 * without a change of a bit. */
#define UNIT_TOLERANCE 1e-4

static double divisor_of(double sum)
{
    return fabs(sum - 1) <= UNIT_TOLERANCE ? 1 : sum;
}

/* Images of prototypes under another metric are others. */
static glnn_status set_metric(glnn_lvq *lvq, int which, const float *values)
{
    lvq->has_images = false;
    return glnn_matrix_upload(lvq->ctx, lvq->learnt[which], NULL, values, 0);
}

/* Roots of the relevances, such that their squares sum to 1. */
static glnn_status find_roots(const float *relevances, int features, float *roots)
{
    double sum = 0;
    for (int j = 0; j < features; ++j) {
        if (!(relevances[j] >= 0) || !isfinite(relevances[j]))
            return glnn__fail(GLNN_E_ARG, "glnn_lvq_set_relevances: feature %d has %g", j,
                              (double)relevances[j]);
        sum += (double)relevances[j];
    }
    if (!(sum > 0))
        return glnn__fail(GLNN_E_ARG, "glnn_lvq_set_relevances: none is above 0");
    for (int j = 0; j < features; ++j)
        roots[j] = (float)sqrt((double)relevances[j] / divisor_of(sum));
    return GLNN_OK;
}

glnn_status glnn_lvq_set_relevances(glnn_lvq *lvq, const float *relevances)
{
    GLNN__TRY(check_learnt(lvq, __func__, GLNN__LVQ_ROOTS, relevances));
    float *roots = malloc((size_t)lvq->desc.features * sizeof *roots);
    if (!roots)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d relevances", lvq->desc.features);
    glnn_status status = find_roots(relevances, lvq->desc.features, roots);
    if (!status)
        status = set_metric(lvq, GLNN__LVQ_ROOTS, roots);
    free(roots);
    return status;
}

glnn_status glnn_lvq_get_omega(const glnn_lvq *lvq, float *omega)
{
    GLNN__TRY(check_learnt(lvq, __func__, GLNN__LVQ_OMEGA, omega));
    return glnn_matrix_download(lvq->ctx, lvq->learnt[GLNN__LVQ_OMEGA], NULL, omega, 0);
}

glnn_status glnn_lvq_set_omega(glnn_lvq *lvq, const float *omega)
{
    GLNN__TRY(check_learnt(lvq, __func__, GLNN__LVQ_OMEGA, omega));
    const size_t size = (size_t)lvq->desc.rank * (size_t)lvq->desc.features;
    double sum = 0;
    for (size_t i = 0; i < size; ++i)
        sum += (double)omega[i] * (double)omega[i];
    if (!(sum > 0) || !isfinite(sum))
        return glnn__fail(GLNN_E_ARG, "%s: the squares of the elements sum to %g", __func__, sum);
    float *scaled = malloc(size * sizeof *scaled);
    if (!scaled)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %zu elements", size);
    for (size_t i = 0; i < size; ++i)
        scaled[i] = (float)((double)omega[i] / sqrt(divisor_of(sum)));
    const glnn_status status = set_metric(lvq, GLNN__LVQ_OMEGA, scaled);
    free(scaled);
    return status;
}

glnn_status glnn_lvq_get_rates(const glnn_lvq *lvq, float *rates)
{
    GLNN__TRY(check_learnt(lvq, __func__, GLNN__LVQ_RATES, rates));
    return glnn_matrix_download(lvq->ctx, lvq->learnt[GLNN__LVQ_RATES], NULL, rates, 0);
}

glnn_status glnn_lvq_set_rates(glnn_lvq *lvq, const float *rates)
{
    GLNN__TRY(check_learnt(lvq, __func__, GLNN__LVQ_RATES, rates));
    for (int p = 0; p < glnn_lvq_count(lvq); ++p)
        if (!(rates[p] >= 0 && rates[p] < 1))
            return glnn__fail(GLNN_E_ARG, "%s: prototype %d has a rate of %g; it is not in [0, 1)",
                              __func__, p, (double)rates[p]);
    return glnn_matrix_upload(lvq->ctx, lvq->learnt[GLNN__LVQ_RATES], NULL, rates, 0);
}

double glnn_lvq_get_epochs(const glnn_lvq *lvq)
{
    return lvq ? lvq->epochs : 0;
}

glnn_status glnn_lvq_set_epochs(glnn_lvq *lvq, double epochs)
{
    if (!lvq)
        return glnn__fail(GLNN_E_ARG, "%s: the classifier is null", __func__);
    if (!(epochs >= 0) || !isfinite(epochs))
        return glnn__fail(GLNN_E_ARG, "%s: %g epochs; they are not negative, and finite", __func__,
                          epochs);
    lvq->epochs = epochs;
    return GLNN_OK;
}

glnn_status glnn_lvq_set_preparation(glnn_lvq *lvq, const glnn_preparation *preparation)
{
    const glnn__learner learner = glnn__lvq_learner(lvq);
    return glnn__preparation_set(&learner, __func__, preparation);
}

const glnn_preparation *glnn_lvq_get_preparation(const glnn_lvq *lvq)
{
    return lvq ? glnn__preparation_get(&lvq->prototypes.trained) : NULL;
}
