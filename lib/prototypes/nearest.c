/* The nearest prototypes of samples, and their distances. */
#include "prototypes/use.h"

#include "base/status.h"
#include "data/check.h"
#include "gl/lifetime.h"
#include "ops/distances.h"
#include "prototypes/moves.h"

#include <glnn/copy.h>

#include <math.h>
#include <stdlib.h>

/* The index and the squared distance of each winner. Without slices its score is the distance. The
 * search by scores also finds a winner where all distances overflow. */
static void unpack_winners(const glnn__prototypes *p, int count, const float *winners,
                           const float *slices, glnn__winners *out)
{
    const int columns = slices ? p->distances->columns : 0;
    for (int i = 0; i < count; ++i) {
        int index = (int)winners[4 * i];
        float distance = slices ? 0 : winners[4 * i + 1];
        for (int s = 0; s < columns; s += 4)
            distance += slices[(size_t)i * (size_t)columns + (size_t)s];
        if (index < 0 || !isfinite(distance)) {
            index = -1;
            distance = INFINITY;
        }
        if (out->indices)
            out->indices[i] = index;
        if (out->classes)
            out->classes[i] = index >= 0 ? glnn__prototypes_class_of(p, index) : -1;
        if (out->distances)
            out->distances[i] = distance;
        out->missing += index < 0;
    }
}

glnn_status glnn__prototypes_take_winners(const glnn__prototypes *p, int count, glnn__winners *out)
{
    float *winners = NULL, *slices = NULL;
    glnn_status status = glnn__take_rows(p->ctx, p->winners, count, &winners);
    if (!status && !glnn__prototypes_know_distances(p, p->rows))
        status = glnn__take_rows(p->ctx, p->distances, count, &slices);
    if (!status)
        unpack_winners(p, count, winners, slices, out);
    free(winners);
    free(slices);
    return status;
}

static glnn_status check_rows(const glnn__prototypes *p, const glnn_matrix *matrix, const char *row)
{
    float *values = NULL;
    glnn_status status = glnn__take_rows(p->ctx, matrix, matrix->rows, &values);
    if (!status && glnn__check_finite(matrix->name, row, matrix->rows, matrix->columns, values))
        status = glnn__fail(GLNN_E_DIVERGED, "%s", glnn_last_error());
    free(values);
    return status;
}

glnn_status glnn__prototypes_check_finite(const glnn__prototypes *p)
{
    GLNN__TRY(check_rows(p, p->values, p->desc.name));
    if (p->desc.metric == GLNN__METRIC_PLAIN)
        return GLNN_OK;
    return check_rows(p, p->learnt,
                      p->desc.metric == GLNN__METRIC_ROOTS ? "relevance vector" : "Omega row");
}

/* The caller's lists. */
typedef struct lists {
    int k;
    int *prototypes;  /* NULL: not wanted */
    float *distances; /* NULL: not wanted */
} lists;

/* One sample's list while it is made. */
typedef struct neighbour {
    int index;
    float distance;
} neighbour;

static bool comes_before(const neighbour *a, const neighbour *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->index < b->index);
}

/* By insertion, since the list is already sorted but for rounding. Places without a prototype are
 * the last ones. */
static void sort(neighbour *of, int count)
{
    for (int i = 1; i < count && of[i].index >= 0; ++i) {
        const neighbour moved = of[i];
        int to = i;
        for (; to > 0 && comes_before(&moved, &of[to - 1]); --to)
            of[to] = of[to - 1];
        of[to] = moved;
    }
}

static glnn_status check_list(const glnn__prototypes *p, const glnn__piece *piece, int sample,
                              const neighbour *list, int k)
{
    for (int j = 0; j < k; ++j) {
        if (list[j].index >= 0 && isfinite(list[j].distance))
            continue;
        GLNN__TRY(glnn__prototypes_check_finite(p));
        if (list[j].index >= 0)
            return glnn__fail(GLNN_E_DIVERGED, "a distance of sample %lld is not finite",
                              (long long)piece->first + sample);
    }
    return GLNN_OK;
}

static glnn_status take_lists(const glnn__prototypes *p, const glnn__piece *piece, neighbour *found,
                              int width)
{
    const lists *to = piece->user;
    for (int i = 0; i < piece->count; ++i) {
        neighbour *list = found + (size_t)i * (size_t)width;
        GLNN__TRY(check_list(p, piece, i, list, to->k));
        sort(list, to->k);
        for (int j = 0; j < to->k; ++j) {
            const size_t place = ((size_t)piece->first + (size_t)i) * (size_t)to->k + (size_t)j;
            if (to->prototypes)
                to->prototypes[place] = list[j].index;
            if (to->distances)
                to->distances[place] = list[j].distance;
        }
    }
    return GLNN_OK;
}

/* Two places of each list, from the winners and distances of the learner's matrices. */
static glnn_status take_pair(const glnn__prototypes *p, int count, neighbour *found, int width)
{
    const int columns = p->distances->columns;
    float *winners = NULL, *slices = NULL;
    glnn_status status = glnn__take_rows(p->ctx, p->winners, count, &winners);
    if (!status)
        status = glnn__take_rows(p->ctx, p->distances, count, &slices);
    for (int i = 0; i < 2 * count && !status; ++i) {
        neighbour *to = &found[(size_t)(i / 2) * (size_t)width + (size_t)(i % 2)];
        *to = (neighbour){.index = (int)winners[2 * i]};
        to->distance = to->index >= 0 ? 0 : INFINITY;
        for (int s = i % 2; s < columns; s += 4)
            to->distance += slices[(size_t)(i / 2) * (size_t)columns + (size_t)s];
    }
    free(winners);
    free(slices);
    return status;
}

/* Lists by scores, whose rounding errors grow with the norms, get distances from differences. */
static glnn_status find_lists(glnn__prototypes *p, int count, glnn_matrix *by_score,
                              neighbour *found)
{
    const int width = by_score->columns / 2;
    glnn__nearest nearest = glnn__prototypes_nearest(p);
    nearest.count = count;
    GLNN__TRY(glnn__nearest_list(p->ctx, &nearest, width, by_score));
    for (int j = 0; j < width; j += 2) {
        const glnn_rect pair = {0, 2 * j, by_score->rows, 4};
        GLNN__TRY(glnn_copy_rect(p->ctx, by_score, &pair, p->winners, 0, 0));
        GLNN__TRY(glnn__pair_distances(p->ctx, nearest.samples, nearest.prototypes, p->winners,
                                       count, p->distances));
        GLNN__TRY(take_pair(p, count, found + j, width));
    }
    return GLNN_OK;
}

/* Prototypes are found in pairs: where k is odd, the last of a pair is left over. */
static glnn_status list_piece(void *self, const glnn__piece *piece)
{
    glnn__prototypes *p = self;
    const int k = ((const lists *)piece->user)->k, width = k + k % 2;
    glnn_matrix *by_score = NULL;
    neighbour *found = malloc((size_t)piece->count * (size_t)width * sizeof *found);
    glnn_status status = found ? glnn__prototypes_place(p, piece)
                               : glnn__fail(GLNN_E_NOMEM, "no memory for %d lists", piece->count);
    if (!status)
        status = glnn__matrix_create_scratch(p->ctx, GLNN_LAYOUT_PACKED, piece->count, 2 * width,
                                             "lists of prototypes", &by_score);
    if (!status)
        status = find_lists(p, piece->count, by_score, found);
    if (!status)
        status = take_lists(p, piece, found, width);
    glnn_matrix_destroy(by_score);
    free(found);
    return status;
}

/* The nearest prototype alone, by the search that the learner's description names. A sample has
 * none where it is far away, or where nothing learnt is finite. */
static glnn_status find_piece(void *self, const glnn__piece *piece)
{
    const lists *to = piece->user;
    const size_t first = (size_t)piece->first;
    glnn__winners winners = {.indices = to->prototypes ? to->prototypes + first : NULL,
                             .distances = to->distances ? to->distances + first : NULL};
    GLNN__TRY(glnn__prototypes_place(self, piece));
    GLNN__TRY(glnn__prototypes_search(self, piece->count));
    GLNN__TRY(glnn__prototypes_take_winners(self, piece->count, &winners));
    return winners.missing > 0 ? glnn__prototypes_check_finite(self) : GLNN_OK;
}

glnn_status glnn_learner_find_nearest(glnn_learner *learner, int64_t samples, const float *inputs,
                                      int k, int *prototypes, float *distances)
{
    GLNN__HELD(learner);
    if (learner->type->kind != GLNN_LEARNER_LVQ && learner->type->kind != GLNN_LEARNER_KMEANS)
        return glnn__fail(GLNN_E_ARG, "%s: a %s has neither prototypes nor centres", __func__,
                          learner->type->name);
    const glnn__prototypes *p = (const glnn__prototypes *)learner;
    lists to = {k, prototypes, distances};
    if (!prototypes && !distances)
        return glnn__fail(GLNN_E_ARG, "%s: `prototypes` and `distances` are both null", __func__);
    if (k < 1 || k > p->desc.count)
        return glnn__fail(GLNN_E_ARG, "%s: the %d nearest of %d %ss; k has to be in 1 .. %d",
                          __func__, k, p->desc.count, p->desc.name, p->desc.count);
    return glnn__take_pieces(learner, __func__, samples, inputs, k == 1 ? find_piece : list_piece,
                             &to);
}
