/* Using a mixture on samples of the program's own. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "learn/predict.h"
#include "mixtures/expect.h"
#include "ops/softmax.h"
#include "pass/list.h"

#include <glnn/reduce.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The results wanted of a piece's samples; each may be NULL. */
typedef struct wanted {
    float *log_densities, *responsibilities, *posteriors;
    int *classes, *components;
} wanted;

/* Without a finite density a sample has neither responsibilities nor a class. */
static glnn_status check_densities(const glnn__piece *piece, const float *stats)
{
    for (int i = 0; i < piece->count; ++i, stats += 4)
        if (!isfinite(stats[0] + stats[1]))
            return glnn__fail(GLNN_E_DIVERGED,
                              "the logarithm of the density of sample %lld is %g, not finite",
                              (long long)piece->first + i, (double)(stats[0] + stats[1]));
    return GLNN_OK;
}

static void take_stats(const float *stats, int count, const wanted *out)
{
    for (int i = 0; i < count; ++i, stats += 4) {
        if (out->log_densities)
            out->log_densities[i] = stats[0] + stats[1];
        if (out->classes)
            out->classes[i] = (int)stats[2];
    }
}

/* Sums of responsibilities over the components of each class. */
static void take_posteriors(const glnn__gmm *gmm, const float *shares, int count, float *posteriors)
{
    const size_t all = (size_t)gmm->count, size = (size_t)gmm->desc.components;
    const size_t classes = (size_t)gmm->desc.classes;
    for (size_t i = 0; i < (size_t)count; ++i)
        for (size_t c = 0; c < classes; ++c) {
            double sum = 0;
            for (size_t j = c * size; j < (c + 1) * size; ++j)
                sum += (double)shares[i * all + j];
            posteriors[i * classes + c] = (float)sum;
        }
}

/* The component of the greatest responsibility. */
static void take_components(const glnn__gmm *gmm, const float *shares, int count, int *components)
{
    for (int i = 0; i < count; ++i, shares += gmm->count) {
        components[i] = 0;
        for (int j = 1; j < gmm->count; ++j)
            components[i] = shares[j] > shares[components[i]] ? j : components[i];
    }
}

static void take_shares(const glnn__gmm *gmm, const float *shares, int count, const wanted *out)
{
    if (out->responsibilities)
        memcpy(out->responsibilities, shares, (size_t)count * (size_t)gmm->count * sizeof *shares);
    if (out->posteriors)
        take_posteriors(gmm, shares, count, out->posteriors);
    if (out->components)
        take_components(gmm, shares, count, out->components);
}

static glnn_status expect(glnn__gmm *gmm, const glnn__piece *piece)
{
    GLNN__TRY(glnn__piece_copy(piece, gmm->all.samples));
    GLNN__TRY(glnn__gmm_shift(&gmm->all));
    return glnn__gmm_expect(&gmm->all, &(glnn__batch){.count = piece->count},
                            glnn__gmm_class_count(gmm), false, NULL);
}

/* The responsibilities of all components for the samples that were expected, in a matrix that the
 * caller destroys, whatever is returned. */
static glnn_status find_responsibilities(glnn__gmm *gmm, int count, glnn_matrix **out)
{
    *out = NULL;
    GLNN__TRY(glnn__matrix_create_scratch(gmm->ctx, gmm->all.densities->layout, count, gmm->count,
                                          "responsibilities", out));
    return glnn__softmax_rows(gmm->ctx, gmm->all.densities, gmm->all.stats, count, *out);
}

static glnn_status find_shares(glnn__gmm *gmm, int count, float *shares)
{
    glnn_matrix *responsibilities;
    glnn_status status = find_responsibilities(gmm, count, &responsibilities);
    if (!status)
        status = glnn_matrix_download(gmm->ctx, responsibilities, NULL, shares, 0);
    glnn__scratch_destroy(responsibilities);
    return status;
}

/* `room` holds a piece's responsibilities, or its statistics. */
static glnn_status find_wanted(glnn__gmm *gmm, const glnn__piece *piece, const wanted *out,
                               float *room)
{
    const int count = piece->count;
    GLNN__TRY(expect(gmm, piece));
    GLNN__TRY(glnn__take_outputs(gmm->all.stats, count, room));
    GLNN__TRY(check_densities(piece, room));
    take_stats(room, count, out);
    if (out->responsibilities || out->posteriors || out->components) {
        GLNN__TRY(find_shares(gmm, count, room));
        take_shares(gmm, room, count, out);
    }
    return GLNN_OK;
}

static glnn_status find(glnn__gmm *gmm, const glnn__piece *piece, const wanted *out)
{
    const size_t columns = (size_t)(gmm->count > 4 ? gmm->count : 4);
    float *room = malloc((size_t)piece->count * columns * sizeof *room);
    if (!room)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the responsibilities of %d components",
                          gmm->count);
    const glnn_status status = find_wanted(gmm, piece, out, room);
    free(room);
    return status;
}

glnn_status glnn__gmm_predict(void *self, const glnn__piece *piece, float *outputs, int *classes)
{
    glnn__gmm *gmm = self;
    const wanted out = gmm->desc.classes > 0
                           ? (wanted){.posteriors = outputs, .classes = classes}
                           : (wanted){.responsibilities = outputs, .components = classes};
    return find(gmm, piece, &out);
}

/* The components of the greatest responsibilities. */
static glnn_status store_components(glnn__gmm *gmm, const glnn__piece *piece, glnn_matrix *out)
{
    glnn_matrix *responsibilities, *column = NULL;
    glnn_status status = find_responsibilities(gmm, piece->count, &responsibilities);
    if (!status)
        status = glnn__matrix_create_scratch(gmm->ctx, GLNN_LAYOUT_PACKED, piece->count, 1,
                                             "predicted components", &column);
    if (!status)
        status =
            glnn_reduce(gmm->ctx, GLNN_REDUCTION_ARGMAX, GLNN_AXIS_ROWS, responsibilities, column);
    if (!status)
        status = glnn__piece_store(piece, column, 0, 1, out);
    glnn__scratch_destroy(responsibilities);
    glnn__scratch_destroy(column);
    return status;
}

/* Column 2 of the statistics is the class. */
glnn_status glnn__gmm_store(void *self, const glnn__piece *piece, glnn_matrix *out)
{
    glnn__gmm *gmm = self;
    GLNN__TRY(expect(gmm, piece));
    return gmm->desc.classes > 0 ? glnn__piece_store(piece, gmm->all.stats, 2, 1, out)
                                 : store_components(gmm, piece, out);
}

static glnn_status find_densities(void *self, const glnn__piece *piece)
{
    const glnn__gmm *gmm = self;
    const wanted *all = piece->user;
    const size_t first = (size_t)piece->first, count = (size_t)gmm->count;
    const wanted here = {.log_densities = all->log_densities ? all->log_densities + first : NULL,
                         .responsibilities =
                             all->responsibilities ? all->responsibilities + first * count : NULL};
    return find(self, piece, &here);
}

glnn_status glnn_gmm_compute_densities(glnn_learner *learner, int64_t samples, const float *inputs,
                                       float *log_densities, float *responsibilities)
{
    wanted out = {.log_densities = log_densities, .responsibilities = responsibilities};
    GLNN__OF_KIND(learner, GLNN_LEARNER_GMM);
    if (!log_densities && !responsibilities)
        return glnn__fail(GLNN_E_ARG, "%s: `log_densities` and `responsibilities` are both null",
                          __func__);
    return glnn__take_pieces(learner, __func__, samples, inputs, find_densities, &out);
}
