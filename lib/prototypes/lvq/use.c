/* Using a classifier of prototypes: winners, short lists, scores of classes. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "data/check.h"

#include <math.h>
#include <stdlib.h>

/* E_DIVERGED if a number that was learnt is not finite; `row` names the rows of the matrix. */
static glnn_status check_learnt(glnn_lvq *lvq, const char *what, const glnn_matrix *matrix,
                                const char *row)
{
    float *values = NULL;
    glnn_status status = glnn__take_rows(lvq->ctx, matrix, matrix->rows, &values);
    if (!status && glnn__check_finite(what, row, matrix->rows, matrix->columns, values))
        status = glnn__fail(GLNN_E_DIVERGED, "%s", glnn_last_error());
    free(values);
    return status;
}

/* For results that the samples alone do not explain. */
static glnn_status check_model(glnn_lvq *lvq, const char *what)
{
    GLNN__TRY(check_learnt(lvq, what, lvq->prototypes.values, "prototype"));
    if (lvq->traits->metric == GLNN__METRIC_PLAIN)
        return GLNN_OK;
    return check_learnt(lvq, what, lvq->prototypes.learnt,
                        lvq->traits->metric == GLNN__METRIC_ROOTS ? "relevance vector"
                                                                  : "Omega row");
}

static glnn_status take_pieces(glnn_lvq *lvq, const char *what, int samples, const float *inputs,
                               glnn__predict_fn take, void *user)
{
    const glnn__learner learner = glnn__lvq_learner(lvq);
    return glnn__predict(&learner, what, samples, inputs, take, user);
}

/* A sample has no winner where it is far away, or where nothing learnt is finite. */
static glnn_status predict_piece(void *self, const glnn__piece *samples)
{
    const glnn__winners *out = samples->user;
    GLNN__TRY(glnn__prototypes_predict(self, samples));
    return out->missing > 0 ? check_model(self, "glnn_lvq_predict") : GLNN_OK;
}

glnn_status glnn_lvq_predict(glnn_lvq *lvq, int samples, const float *inputs, int *winners,
                             int *classes, float *distances)
{
    glnn__winners out = {winners, classes, distances, 0};
    return take_pieces(lvq, __func__, samples, inputs, predict_piece, &out);
}

/* |x|^2 of the samples of a piece, relative to the offset and in the learnt metric, which scores of
 * prototypes lack. Owner: the caller, who frees *out, whatever is returned. */
static glnn_status find_norms(glnn_lvq *lvq, const glnn__piece *samples, double **out)
{
    const glnn__prototypes *p = &lvq->prototypes;
    const glnn_matrix *points = p->points ? p->points : p->input;
    const int columns = points->columns;
    float *changed = NULL;
    double *norms = *out = calloc((size_t)samples->count, sizeof *norms);
    if (!norms)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d norms", samples->count);
    if (p->points || p->uses_offset)
        GLNN__TRY(glnn__take_rows(lvq->ctx, points, samples->count, &changed));
    const float *rows = changed ? changed : samples->inputs;
    for (int i = 0; i < samples->count; ++i) {
        const float *x = rows + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; ++j)
            norms[i] += (double)x[j] * (double)x[j];
    }
    free(changed);
    return GLNN_OK;
}

/* A squared distance, which rounding may have taken below 0. */
static float distance_of(double norm, float score)
{
    return (float)fmax(norm + (double)score, 0);
}

/* The caller's short lists. */
typedef struct short_lists {
    int k;
    int *prototypes;
    float *distances;
} short_lists;

static void unpack_lists(const glnn__piece *samples, const float *lists, const double *norms)
{
    const short_lists *out = samples->user;
    for (int i = 0; i < samples->count; ++i)
        for (int j = 0; j < out->k; ++j) {
            const float *entry = lists + 2 * ((size_t)i * (size_t)out->k + (size_t)j);
            const size_t place = (size_t)(samples->first + i) * (size_t)out->k + (size_t)j;
            if (out->prototypes)
                out->prototypes[place] = (int)entry[0];
            if (out->distances)
                out->distances[place] = distance_of(norms[i], entry[1]);
        }
}

/* Entries that are there have finite scores; some are not there where inner products overflow. */
static glnn_status check_lists(glnn_lvq *lvq, const glnn__piece *samples, const float *lists)
{
    static const char what[] = "glnn_lvq_find_nearest";
    const int k = ((const short_lists *)samples->user)->k;
    for (int i = 0; i < samples->count * k; ++i) {
        const float *entry = lists + 2 * (size_t)i;
        if (entry[0] >= 0 && isfinite(entry[1]))
            continue;
        GLNN__TRY(check_model(lvq, what));
        if (entry[0] >= 0)
            return glnn__fail(GLNN_E_DIVERGED, "%s: a distance of sample %d is not finite", what,
                              samples->first + i / k);
    }
    return GLNN_OK;
}

static glnn_status list_piece(void *self, const glnn__piece *samples)
{
    glnn_lvq *lvq = self;
    const short_lists *out = samples->user;
    glnn_matrix *lists = NULL;
    float *rows = NULL;
    double *norms = NULL;
    glnn_status status = glnn__matrix_create_scratch(lvq->ctx, GLNN_LAYOUT_PACKED, samples->count,
                                                     2 * out->k, "short lists", &lists);
    if (!status) {
        glnn__nearest nearest = glnn__prototypes_nearest(&lvq->prototypes);
        nearest.count = samples->count;
        status = glnn__nearest_list(lvq->ctx, &nearest, out->k, lists);
    }
    if (!status)
        status = glnn__take_rows(lvq->ctx, lists, samples->count, &rows);
    if (!status)
        status = check_lists(lvq, samples, rows);
    if (!status)
        status = find_norms(lvq, samples, &norms);
    if (!status)
        unpack_lists(samples, rows, norms);
    glnn_matrix_destroy(lists);
    free(rows);
    free(norms);
    return status;
}

glnn_status glnn_lvq_find_nearest(glnn_lvq *lvq, int samples, const float *inputs, int k,
                                  int *prototypes, float *distances)
{
    short_lists out = {k, prototypes, distances};
    if (lvq && (k < 1 || k > glnn_lvq_get_count(lvq)))
        return glnn__fail(GLNN_E_ARG, "%s: the %d nearest of %d prototypes", __func__, k,
                          glnn_lvq_get_count(lvq));
    return take_pieces(lvq, __func__, samples, inputs, list_piece, &out);
}

/* Minus the least distance of each class. */
static void score_by_distance(const glnn_lvq *lvq, const float *row, double norm, float *scores)
{
    for (int c = 0; c < lvq->desc.classes; ++c)
        scores[c] = -INFINITY;
    for (int p = 0; p < lvq->prototypes.desc.count; ++p) {
        const int class = lvq->prototypes.class_numbers[p];
        scores[class] = fmaxf(scores[class], -distance_of(norm, row[p]));
    }
}

/* Each class' share of the density; NaN where the nearest prototype is infinitely far away. */
static void score_by_posterior(const glnn_lvq *lvq, const float *row, float *scores)
{
    const double precision = 1 / (2 * (double)lvq->desc.sigma * (double)lvq->desc.sigma);
    double sum = 0;
    float least_score = INFINITY;
    for (int c = 0; c < lvq->desc.classes; ++c)
        scores[c] = 0;
    for (int p = 0; p < lvq->prototypes.desc.count; ++p)
        least_score = fminf(least_score, row[p]);
    for (int p = 0; p < lvq->prototypes.desc.count; ++p) {
        const double density = exp(-precision * ((double)row[p] - (double)least_score));
        scores[lvq->prototypes.class_numbers[p]] += (float)density;
        sum += density;
    }
    for (int c = 0; c < lvq->desc.classes; ++c)
        scores[c] = (float)((double)scores[c] / sum);
}

/* Each prototype has a finite score and each class that has prototypes a finite one. */
static glnn_status check_scores(glnn_lvq *lvq, const float *row, const float *scores, int sample)
{
    static const char what[] = "glnn_lvq_scores";
    for (int p = 0; p < lvq->prototypes.desc.count; ++p) {
        const float score = scores[lvq->prototypes.class_numbers[p]];
        if (isfinite(row[p]) && isfinite(score))
            continue;
        GLNN__TRY(check_model(lvq, what));
        return glnn__fail(GLNN_E_DIVERGED, "%s: the score of class %d for sample %d is not finite",
                          what, lvq->prototypes.class_numbers[p], sample);
    }
    return GLNN_OK;
}

static glnn_status score_rows(glnn_lvq *lvq, const glnn__piece *samples, const glnn_matrix *scores)
{
    float *rows = NULL, *out = samples->user;
    double *norms = NULL;
    glnn_status status = glnn__take_rows(lvq->ctx, scores, samples->count, &rows);
    if (!status)
        status = find_norms(lvq, samples, &norms);
    for (int i = 0; i < samples->count && !status; ++i) {
        const float *row = rows + (size_t)i * (size_t)lvq->prototypes.desc.count;
        float *to = out + (size_t)(samples->first + i) * (size_t)lvq->desc.classes;
        if (lvq->desc.kind == GLNN_LVQ_RSLVQ)
            score_by_posterior(lvq, row, to);
        else
            score_by_distance(lvq, row, norms[i], to);
        status = check_scores(lvq, row, to, samples->first + i);
    }
    free(rows);
    free(norms);
    return status;
}

static glnn_status score_piece(void *self, const glnn__piece *samples)
{
    glnn_lvq *lvq = self;
    glnn_matrix *scores = NULL;
    glnn_status status =
        glnn__matrix_create_scratch(lvq->ctx, lvq->desc.layout, samples->count,
                                    lvq->prototypes.desc.count, "scores of prototypes", &scores);
    if (!status)
        status = glnn__lvq_find_scores(lvq, scores);
    if (!status)
        status = score_rows(lvq, samples, scores);
    glnn_matrix_destroy(scores);
    return status;
}

glnn_status glnn_lvq_scores(glnn_lvq *lvq, int samples, const float *inputs, float *scores)
{
    if (!scores)
        return glnn__fail(GLNN_E_ARG, "%s: the scores are null", __func__);
    if (lvq && lvq->desc.kind == GLNN_LVQ_RSLVQ && !(lvq->desc.sigma > 0))
        return glnn__fail(GLNN_E_STATE, "%s: sigma is not known before a training", __func__);
    return take_pieces(lvq, __func__, samples, inputs, score_piece, scores);
}
