/* Measuring and using k-means; its centres, read and written from C. */
#include "prototypes/kmeans.h"

#include "base/status.h"
#include "data/check.h"
#include "train/evaluate.h"
#include "train/predict.h"
#include "train/preparation.h"

#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static glnn_status check_centres(const glnn_kmeans *kmeans, const char *what)
{
    if (kmeans->has_centres)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE, "%s: there are no centres yet", what);
}

glnn_status glnn__kmeans_read_moves(glnn_kmeans *kmeans, int count, float *moves)
{
    const glnn_rect rect = {0, 0, count, 4};
    return glnn_matrix_download(kmeans->ctx, kmeans->moves, &rect, moves, 0);
}

int glnn__kmeans_class_of(const glnn_kmeans *kmeans, int centre)
{
    if (centre < 0)
        return -1;
    return kmeans->desc.classes > 0 ? centre / kmeans->desc.centres : 0;
}

glnn_status glnn__kmeans_evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                                  int *confusion)
{
    glnn_kmeans *kmeans = self;
    GLNN__TRY(glnn__kmeans_check_data(kmeans, data));
    GLNN__TRY(check_centres(kmeans, "glnn_kmeans_evaluate"));
    if (confusion && !glnn__kmeans_uses_labels(kmeans, data))
        return glnn__fail(GLNN_E_STATE, "%s: a confusion matrix needs classes and labels",
                          data->name);
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    return glnn__evaluate(&learner, data, metrics, confusion);
}

glnn_status glnn_kmeans_evaluate(glnn_kmeans *kmeans, const glnn_dataset *data, double *error,
                                 double *accuracy, int *confusion)
{
    glnn_metrics metrics;
    if (!kmeans || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_evaluate: an argument is null");
    GLNN__TRY(glnn__kmeans_evaluate(kmeans, data, &metrics, confusion));
    if (error)
        *error = metrics.loss;
    if (accuracy)
        *accuracy = metrics.accuracy;
    return GLNN_OK;
}

/* What is wanted of samples; each may be NULL. */
typedef struct wanted {
    int *centres, *classes;
    float *distances;
} wanted;

static glnn_status predict_piece(void *self, const glnn__piece *piece)
{
    glnn_kmeans *kmeans = self;
    const wanted *out = piece->user;
    float *moves = malloc((size_t)piece->count * 4 * sizeof *moves);
    glnn_status status =
        moves ? glnn__kmeans_assign(kmeans, &(glnn__batch){.count = piece->count}, false)
              : glnn__fail(GLNN_E_NOMEM, "no memory for %d distances", piece->count);
    if (!status)
        status = glnn__kmeans_read_moves(kmeans, piece->count, moves);
    for (int i = 0; i < piece->count && !status; ++i) {
        const int centre = (int)moves[4 * i];
        if (out->centres)
            out->centres[piece->first + i] = centre;
        if (out->classes)
            out->classes[piece->first + i] = glnn__kmeans_class_of(kmeans, centre);
        if (out->distances)
            out->distances[piece->first + i] = moves[4 * i + 3];
    }
    free(moves);
    return status;
}

glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int samples, const float *inputs, int *centres,
                                int *classes, float *distances)
{
    wanted out = {.centres = centres, .classes = classes, .distances = distances};
    GLNN__TRY(glnn__check_use(__func__, "kmeans", kmeans, samples, inputs));
    GLNN__TRY(check_centres(kmeans, __func__));
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    return glnn__predict(&learner, __func__, samples, inputs, predict_piece, &out);
}

glnn_status glnn_kmeans_get_centres(const glnn_kmeans *kmeans, float *centres)
{
    if (!kmeans || !centres)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_get_centres: an argument is null");
    GLNN__TRY(check_centres(kmeans, __func__));
    return glnn__offset_download(kmeans->ctx, &kmeans->offset, kmeans->centres, centres);
}

glnn_status glnn__kmeans_start_from(glnn_kmeans *kmeans, const float *centres)
{
    GLNN__TRY(glnn__offset_upload(kmeans->ctx, &kmeans->offset, centres, kmeans->centres));
    GLNN__TRY(glnn_fill(kmeans->ctx, 0, kmeans->sizes));
    GLNN__TRY(glnn__kmeans_refresh(kmeans));
    kmeans->has_centres = true;
    return GLNN_OK;
}

glnn_status glnn_kmeans_set_centres(glnn_kmeans *kmeans, const float *centres)
{
    if (!kmeans || !centres)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_set_centres: an argument is null");
    GLNN__TRY(
        glnn__check_finite(__func__, "centre", kmeans->count, kmeans->desc.features, centres));
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    return glnn__gl_leave(kmeans->ctx, glnn__kmeans_start_from(kmeans, centres));
}

glnn_status glnn_kmeans_get_sizes(const glnn_kmeans *kmeans, float *sizes)
{
    if (!kmeans || !sizes)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_get_sizes: an argument is null");
    GLNN__TRY(check_centres(kmeans, __func__));
    return glnn_matrix_download(kmeans->ctx, kmeans->sizes, NULL, sizes, 0);
}

glnn_status glnn_kmeans_set_sizes(glnn_kmeans *kmeans, const float *sizes)
{
    if (!kmeans || !sizes)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_set_sizes: an argument is null");
    GLNN__TRY(check_centres(kmeans, __func__));
    for (int p = 0; p < kmeans->count; ++p)
        if (!(sizes[p] >= 0) || !isfinite(sizes[p]))
            return glnn__fail(GLNN_E_ARG, "glnn_kmeans_set_sizes: centre %d stands for %g samples",
                              p, (double)sizes[p]);
    return glnn_matrix_upload(kmeans->ctx, kmeans->sizes, NULL, sizes, 0);
}

glnn_status glnn_kmeans_set_preparation(glnn_kmeans *kmeans, const glnn_preparation *preparation)
{
    if (!kmeans)
        return glnn__fail(GLNN_E_ARG, "%s: kmeans is null", __func__);
    const glnn__prepared of = {
        .function = __func__, .inputs = kmeans->desc.features, .outputs = kmeans->desc.classes};
    return glnn__preparation_set(&of, preparation, &kmeans->preparation);
}

const glnn_preparation *glnn_kmeans_get_preparation(const glnn_kmeans *kmeans)
{
    return kmeans ? glnn__preparation_get(&kmeans->preparation) : NULL;
}
