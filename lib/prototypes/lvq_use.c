/* Using a classifier of prototypes: winners, short lists, scores of classes. */
#include "prototypes/lvq.h"

#include "base/status.h"
#include "data/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void glnn__winners_free(glnn__winners *winners)
{
    free(winners->indices);
    free(winners->classes);
    free(winners->distances);
    *winners = (glnn__winners){0};
}

/* Reads the first `count` rows of a matrix. */
static glnn_status take_rows(glnn_lvq *lvq, const glnn_matrix *matrix, int count, float **out)
{
    const glnn_rect rect = {0, 0, count, matrix->columns};
    *out = malloc((size_t)count * (size_t)matrix->columns * sizeof **out);
    if (!*out)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d rows of %s", count, matrix->name);
    return glnn_matrix_download(lvq->ctx, matrix, &rect, *out, 0);
}

/* E_DIVERGED where a number in one of the learnt matrices is not finite; `row` names its rows. */
static glnn_status check_learnt(glnn_lvq *lvq, const char *what, int which, const char *row)
{
    const glnn_matrix *matrix = lvq->learnt[which];
    float *values = NULL;
    if (!matrix)
        return GLNN_OK;
    glnn_status status = take_rows(lvq, matrix, matrix->rows, &values);
    if (!status && glnn__check_finite(what, row, matrix->rows, matrix->columns, values))
        status = glnn__fail(GLNN_E_DIVERGED, "%s", glnn_last_error());
    free(values);
    return status;
}

/* For results that the samples alone do not explain. */
static glnn_status check_model(glnn_lvq *lvq, const char *what)
{
    GLNN__TRY(check_learnt(lvq, what, GLNN__LVQ_PROTOTYPES, "prototype"));
    GLNN__TRY(check_learnt(lvq, what, GLNN__LVQ_ROOTS, "relevance vector"));
    return check_learnt(lvq, what, GLNN__LVQ_OMEGA, "Omega row");
}

/* From what the passes have found to numbers of prototypes, classes and distances. */
static void unpack_winners(const glnn_lvq *lvq, int count, const float *winners,
                           const float *slices, glnn__winners *out)
{
    const int columns = lvq->distances->columns;
    for (int i = 0; i < count; ++i) {
        const int index = (int)winners[4 * i];
        out->indices[i] = index;
        out->classes[i] = index >= 0 ? lvq->class_numbers[index] : -1;
        out->distances[i] = index >= 0 ? 0 : INFINITY;
        for (int s = 0; s < columns; s += 4)
            out->distances[i] += slices[(size_t)i * (size_t)columns + (size_t)s];
    }
}

glnn_status glnn__lvq_take_winners(glnn_lvq *lvq, int count, glnn__winners *out)
{
    float *winners = NULL, *slices = NULL;
    const size_t size = (size_t)count;
    *out = (glnn__winners){
        .indices = malloc(size * sizeof(int)),
        .classes = malloc(size * sizeof(int)),
        .distances = malloc(size * sizeof(float)),
    };
    glnn_status status = out->indices && out->classes && out->distances
                             ? GLNN_OK
                             : glnn__fail(GLNN_E_NOMEM, "no memory for %d winners", count);
    if (!status)
        status = glnn__lvq_search_input(lvq, count);
    if (!status)
        status = take_rows(lvq, lvq->winners, count, &winners);
    if (!status)
        status = take_rows(lvq, lvq->distances, count, &slices);
    if (!status)
        unpack_winners(lvq, count, winners, slices, out);
    free(winners);
    free(slices);
    return status;
}

static glnn_status check_use(const glnn_lvq *lvq, const char *what, int samples,
                             const float *inputs)
{
    GLNN__TRY(glnn__check_use(what, "lvq", lvq, samples, inputs));
    return glnn__lvq_check_set(lvq, what);
}

static glnn_status take_pieces(glnn_lvq *lvq, const char *what, int samples, const float *inputs,
                               glnn__predict_fn take, void *user)
{
    const glnn__learner learner = glnn__lvq_learner(lvq);
    return glnn__predict(&learner, what, samples, inputs, take, user);
}

/* The caller's arrays; each may be NULL. */
typedef struct predictions {
    int *winners, *classes;
    float *distances;
} predictions;

static void copy_part(void *to, const void *from, const glnn__piece *samples, size_t size)
{
    if (to)
        memcpy((char *)to + (size_t)samples->first * size, from, (size_t)samples->count * size);
}

/* A sample has no winner where it is far away, or where nothing learnt is finite. */
static glnn_status check_winners(glnn_lvq *lvq, const glnn__piece *samples,
                                 const glnn__winners *found)
{
    for (int i = 0; i < samples->count; ++i)
        if (found->indices[i] < 0)
            return check_model(lvq, "glnn_lvq_predict");
    return GLNN_OK;
}

static glnn_status predict_piece(void *self, const glnn__piece *samples)
{
    glnn_lvq *lvq = self;
    const predictions *out = samples->user;
    glnn__winners found;
    glnn_status status = glnn__lvq_take_winners(lvq, samples->count, &found);
    if (!status)
        status = check_winners(lvq, samples, &found);
    if (!status) {
        copy_part(out->winners, found.indices, samples, sizeof *found.indices);
        copy_part(out->classes, found.classes, samples, sizeof *found.classes);
        copy_part(out->distances, found.distances, samples, sizeof *found.distances);
    }
    glnn__winners_free(&found);
    return status;
}

glnn_status glnn_lvq_predict(glnn_lvq *lvq, int samples, const float *inputs, int *winners,
                             int *classes, float *distances)
{
    predictions out = {winners, classes, distances};
    GLNN__TRY(check_use(lvq, __func__, samples, inputs));
    return take_pieces(lvq, __func__, samples, inputs, predict_piece, &out);
}

/* |x|^2 of the samples of a piece, relative to the offset and in the learnt metric, which scores of
 * prototypes lack. */
static glnn_status find_norms(glnn_lvq *lvq, const glnn__piece *samples, double *norms)
{
    const glnn_matrix *points = lvq->points ? lvq->points : lvq->input;
    const int columns = points->columns;
    float *changed = NULL;
    if (lvq->points || lvq->offset.is_used)
        GLNN__TRY(take_rows(lvq, points, samples->count, &changed));
    const float *rows = changed ? changed : samples->inputs;
    for (int i = 0; i < samples->count; ++i) {
        const float *x = rows + (size_t)i * (size_t)columns;
        norms[i] = 0;
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
    static const char what[] = "glnn_lvq_nearest";
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
    double *norms = malloc((size_t)samples->count * sizeof *norms);
    glnn_status status =
        norms ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d norms", samples->count);
    if (!status)
        status = glnn__matrix_create_scratch(lvq->ctx, GLNN_LAYOUT_PACKED, samples->count,
                                             2 * out->k, "short lists", &lists);
    if (!status)
        status = glnn__lvq_find_images(lvq);
    if (!status) {
        glnn__nearest nearest = glnn__lvq_nearest_of(lvq);
        nearest.count = samples->count;
        status = glnn__nearest_list(lvq->ctx, &nearest, out->k, lists);
    }
    if (!status)
        status = take_rows(lvq, lists, samples->count, &rows);
    if (!status)
        status = check_lists(lvq, samples, rows);
    if (!status)
        status = find_norms(lvq, samples, norms);
    if (!status)
        unpack_lists(samples, rows, norms);
    glnn_matrix_destroy(lists);
    free(rows);
    free(norms);
    return status;
}

glnn_status glnn_lvq_nearest(glnn_lvq *lvq, int samples, const float *inputs, int k,
                             int *prototypes, float *distances)
{
    short_lists out = {k, prototypes, distances};
    GLNN__TRY(check_use(lvq, __func__, samples, inputs));
    if (k < 1 || k > lvq->count)
        return glnn__fail(GLNN_E_ARG, "%s: the %d nearest of %d prototypes", __func__, k,
                          lvq->count);
    return take_pieces(lvq, __func__, samples, inputs, list_piece, &out);
}

/* Minus the least distance of each class. */
static void score_by_distance(const glnn_lvq *lvq, const float *row, double norm, float *scores)
{
    for (int c = 0; c < lvq->desc.classes; ++c)
        scores[c] = -INFINITY;
    for (int p = 0; p < lvq->count; ++p) {
        const int class = lvq->class_numbers[p];
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
    for (int p = 0; p < lvq->count; ++p)
        least_score = fminf(least_score, row[p]);
    for (int p = 0; p < lvq->count; ++p) {
        const double density = exp(-precision * ((double)row[p] - (double)least_score));
        scores[lvq->class_numbers[p]] += (float)density;
        sum += density;
    }
    for (int c = 0; c < lvq->desc.classes; ++c)
        scores[c] = (float)((double)scores[c] / sum);
}

/* Each prototype has a finite score and each class that has prototypes a finite one. */
static glnn_status check_scores(glnn_lvq *lvq, const float *row, const float *scores, int sample)
{
    static const char what[] = "glnn_lvq_scores";
    for (int p = 0; p < lvq->count; ++p) {
        const float score = scores[lvq->class_numbers[p]];
        if (isfinite(row[p]) && isfinite(score))
            continue;
        GLNN__TRY(check_model(lvq, what));
        return glnn__fail(GLNN_E_DIVERGED, "%s: the score of class %d for sample %d is not finite",
                          what, lvq->class_numbers[p], sample);
    }
    return GLNN_OK;
}

static glnn_status score_rows(glnn_lvq *lvq, const glnn__piece *samples, const glnn_matrix *scores,
                              double *norms)
{
    float *rows = NULL, *out = samples->user;
    glnn_status status = take_rows(lvq, scores, samples->count, &rows);
    if (!status)
        status = find_norms(lvq, samples, norms);
    for (int i = 0; i < samples->count && !status; ++i) {
        const float *row = rows + (size_t)i * (size_t)lvq->count;
        float *to = out + (size_t)(samples->first + i) * (size_t)lvq->desc.classes;
        if (lvq->desc.kind == GLNN_LVQ_RSLVQ)
            score_by_posterior(lvq, row, to);
        else
            score_by_distance(lvq, row, norms[i], to);
        status = check_scores(lvq, row, to, samples->first + i);
    }
    free(rows);
    return status;
}

static glnn_status score_piece(void *self, const glnn__piece *samples)
{
    glnn_lvq *lvq = self;
    glnn_matrix *scores = NULL;
    double *norms = malloc((size_t)samples->count * sizeof *norms);
    glnn_status status =
        norms ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d norms", samples->count);
    if (!status)
        status = glnn__matrix_create_scratch(lvq->ctx, lvq->desc.layout, samples->count, lvq->count,
                                             "scores of prototypes", &scores);
    if (!status)
        status = glnn__lvq_find_images(lvq);
    if (!status)
        status = glnn__lvq_find_scores(lvq, scores);
    if (!status)
        status = score_rows(lvq, samples, scores, norms);
    glnn_matrix_destroy(scores);
    free(norms);
    return status;
}

glnn_status glnn_lvq_scores(glnn_lvq *lvq, int samples, const float *inputs, float *scores)
{
    GLNN__TRY(check_use(lvq, __func__, samples, inputs));
    if (!scores)
        return glnn__fail(GLNN_E_ARG, "%s: the scores are null", __func__);
    if (lvq->desc.kind == GLNN_LVQ_RSLVQ && !(lvq->desc.sigma > 0))
        return glnn__fail(GLNN_E_STATE, "%s: sigma is not known before a training", __func__);
    return take_pieces(lvq, __func__, samples, inputs, score_piece, scores);
}
