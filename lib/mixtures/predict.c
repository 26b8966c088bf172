/* Using a mixture on samples of the program's own. */
#include "mixtures/gmm.h"

#include "base/status.h"
#include "mixtures/expect.h"
#include "ops/softmax.h"
#include "train/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The results wanted of samples; each may be NULL. `posteriors` are sums of responsibilities. */
typedef struct wanted {
    float *log_densities, *responsibilities, *posteriors;
    int *classes;
} wanted;

/* Without a finite density a sample has neither responsibilities nor a class. */
static glnn_status check_densities(const float *stats, int first, int count)
{
    for (int i = 0; i < count; ++i, stats += 4)
        if (!isfinite(stats[0] + stats[1]))
            return glnn__fail(GLNN_E_DIVERGED,
                              "a mixture: the logarithm of the density of sample %d is %g, not "
                              "finite",
                              first + i, (double)(stats[0] + stats[1]));
    return GLNN_OK;
}

static void take_stats(const float *stats, int first, int count, const wanted *out)
{
    for (int i = 0; i < count; ++i, stats += 4) {
        if (out->log_densities)
            out->log_densities[first + i] = stats[0] + stats[1];
        if (out->classes)
            out->classes[first + i] = (int)stats[2];
    }
}

static void take_shares(const glnn_gmm *gmm, const float *shares, int first, int count,
                        const wanted *out)
{
    const size_t all = (size_t)gmm->count, size = (size_t)gmm->desc.components;
    if (out->responsibilities)
        memcpy(out->responsibilities + (size_t)first * all, shares,
               (size_t)count * all * sizeof *shares);
    const size_t classes = (size_t)gmm->desc.classes;
    for (size_t i = 0; out->posteriors && i < (size_t)count; ++i)
        for (size_t c = 0; c < classes; ++c) {
            double sum = 0;
            for (size_t j = c * size; j < (c + 1) * size; ++j)
                sum += (double)shares[i * all + j];
            out->posteriors[((size_t)first + i) * classes + c] = (float)sum;
        }
}

/* The responsibilities of all components for the samples that were expected. */
static glnn_status find_shares(glnn_gmm *gmm, int count, float *shares)
{
    glnn_matrix *responsibilities;
    GLNN__TRY(glnn__matrix_create_scratch(gmm->ctx, gmm->all.densities->layout, count, gmm->count,
                                          "responsibilities", &responsibilities));
    glnn_status status =
        glnn__softmax_rows(gmm->ctx, gmm->all.densities, gmm->all.stats, count, responsibilities);
    if (!status)
        status = glnn_matrix_download(gmm->ctx, responsibilities, NULL, shares, 0);
    glnn_matrix_destroy(responsibilities);
    return status;
}

/* `room` holds a piece's responsibilities, or its statistics. */
static glnn_status take_piece(glnn_gmm *gmm, const glnn__piece *piece, float *room)
{
    const int first = piece->first, count = piece->count;
    const wanted *out = piece->user;
    GLNN__TRY(glnn__gmm_expect(&gmm->all, &(glnn__batch){.count = count},
                               glnn__gmm_class_count(gmm), false, NULL));
    GLNN__TRY(glnn_matrix_download(gmm->ctx, gmm->all.stats, NULL, room, 0));
    GLNN__TRY(check_densities(room, first, count));
    take_stats(room, first, count, out);
    if (out->responsibilities || out->posteriors) {
        GLNN__TRY(find_shares(gmm, count, room));
        take_shares(gmm, room, first, count, out);
    }
    return GLNN_OK;
}

static glnn_status predict_piece(void *self, const glnn__piece *piece)
{
    const glnn_gmm *gmm = self;
    const size_t columns = (size_t)(gmm->count > 4 ? gmm->count : 4);
    float *room = malloc((size_t)piece->count * columns * sizeof *room);
    if (!room)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the responsibilities of %d components",
                          gmm->count);
    const glnn_status status = take_piece(self, piece, room);
    free(room);
    return status;
}

static glnn_status predict(glnn_gmm *gmm, const char *what, int samples, const float *inputs,
                           wanted *out)
{
    const glnn__learner learner = glnn__gmm_learner(gmm);
    return glnn__predict(&learner, what, samples, inputs, predict_piece, out);
}

glnn_status glnn_gmm_predict(glnn_gmm *gmm, int samples, const float *inputs, float *log_densities,
                             float *responsibilities)
{
    wanted out = {.log_densities = log_densities, .responsibilities = responsibilities};
    return predict(gmm, __func__, samples, inputs, &out);
}

glnn_status glnn_gmm_classify(glnn_gmm *gmm, int samples, const float *inputs, int *classes,
                              float *posteriors)
{
    wanted out = {.classes = classes, .posteriors = posteriors};
    if (gmm && gmm->desc.classes == 0)
        return glnn__fail(GLNN_E_STATE, "%s: the mixture has no classes", __func__);
    return predict(gmm, __func__, samples, inputs, &out);
}
