/* Measuring and using k-means; its centres, read and written from C. */
#include "prototypes/kmeans.h"

#include "base/status.h"
#include "data/check.h"
#include "train/confusion.h"
#include "train/preparation.h"

#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static glnn_status check_centres(const glnn_kmeans *kmeans, const char *what)
{
    if (kmeans->has_centres)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE, "%s: there are no centres yet", what);
}

/* Centres and distances of `count` samples in place, which stand in kmeans->moves. */
static glnn_status read_moves(glnn_kmeans *kmeans, int count, float *moves)
{
    const glnn_rect rect = {0, 0, count, 4};
    return glnn_matrix_download(kmeans->ctx, kmeans->moves, &rect, moves, 0);
}

static glnn_status fail_overflow(const glnn_dataset *data)
{
    return glnn__fail(GLNN_E_DIVERGED, "%s: a squared distance overflows", data->name);
}

/* Room for what is read of one part. */
static glnn_status allocate_moves(const glnn_kmeans *kmeans, int samples, float **moves)
{
    const int rows = least(samples, kmeans->desc.capacity);
    *moves = malloc((size_t)rows * 4 * sizeof **moves);
    return *moves ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for %d distances", rows);
}

static int class_of(const glnn_kmeans *kmeans, int centre)
{
    if (centre < 0)
        return -1;
    return kmeans->desc.classes > 0 ? centre / kmeans->desc.centres : 0;
}

/* Counts the classes of the centres nearest to a part's samples. */
static glnn_status count_part(void *self, const glnn__batch *part, int *confusion)
{
    glnn_kmeans *kmeans = self;
    const int *labels = part->data->labels + part->first;
    float *moves;
    GLNN__TRY(glnn__kmeans_gather(kmeans, part));
    GLNN__TRY(glnn__kmeans_assign(kmeans, part, false));
    GLNN__TRY(allocate_moves(kmeans, part->count, &moves));
    glnn_status status = read_moves(kmeans, part->count, moves);
    for (int i = 0; i < part->count && !status; ++i) {
        if (moves[4 * i] >= 0)
            confusion[labels[i] * kmeans->desc.classes + class_of(kmeans, (int)moves[4 * i])]++;
        else
            status = fail_overflow(part->data);
    }
    free(moves);
    return status;
}

static glnn_status evaluate(glnn_kmeans *kmeans, const glnn_dataset *data, double *error,
                            double *accuracy, int *confusion)
{
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    GLNN__TRY(glnn__measure(&learner, data, error, accuracy));
    if (!confusion)
        return GLNN_OK;
    GLNN__TRY(glnn__kmeans_prepare(kmeans, least(data->samples, kmeans->desc.capacity)));
    return glnn__confusion_fill(data, kmeans->rows, kmeans->desc.classes, kmeans, count_part,
                                confusion);
}

glnn_status glnn_kmeans_evaluate(glnn_kmeans *kmeans, const glnn_dataset *data, double *error,
                                 double *accuracy, int *confusion)
{
    if (!kmeans || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_evaluate: an argument is null");
    GLNN__TRY(glnn__kmeans_check_data(kmeans, data));
    GLNN__TRY(check_centres(kmeans, __func__));
    if (confusion && !glnn__kmeans_uses_labels(kmeans, data))
        return glnn__fail(GLNN_E_STATE, "%s: a confusion matrix needs classes and labels",
                          data->name);
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    return glnn__gl_leave(kmeans->ctx, evaluate(kmeans, data, error, accuracy, confusion));
}

/* What is wanted of samples; each may be NULL. */
typedef struct wanted {
    int *centres, *classes;
    float *distances;
} wanted;

static glnn_status predict_part(glnn_kmeans *kmeans, int first, int count, const float *inputs,
                                float *moves, const wanted *out)
{
    const size_t features = (size_t)kmeans->desc.features;
    GLNN__TRY(glnn__kmeans_prepare(kmeans, count));
    GLNN__TRY(glnn_matrix_upload(kmeans->ctx, kmeans->samples, NULL,
                                 inputs + (size_t)first * features, 0));
    GLNN__TRY(glnn__offset_shift(kmeans->ctx, &kmeans->offset, kmeans->samples));
    GLNN__TRY(glnn__kmeans_assign(kmeans, &(glnn__batch){.count = count}, false));
    GLNN__TRY(read_moves(kmeans, count, moves));
    for (int i = 0; i < count; ++i) {
        const int centre = (int)moves[4 * i];
        if (out->centres)
            out->centres[first + i] = centre;
        if (out->classes)
            out->classes[first + i] = class_of(kmeans, centre);
        if (out->distances)
            out->distances[first + i] = moves[4 * i + 3];
    }
    return GLNN_OK;
}

glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int samples, const float *inputs, int *centres,
                                int *classes, float *distances)
{
    GLNN__TRY(glnn__check_use(__func__, "kmeans", kmeans, samples, inputs));
    GLNN__TRY(check_centres(kmeans, __func__));
    GLNN__TRY(glnn__check_finite(__func__, "sample", samples, kmeans->desc.features, inputs));
    const wanted out = {.centres = centres, .classes = classes, .distances = distances};
    const int capacity = kmeans->desc.capacity;
    float *moves;
    GLNN__TRY(allocate_moves(kmeans, samples, &moves));
    glnn_status status = glnn__gl_enter(kmeans->ctx);
    if (!status) {
        for (int first = 0; first < samples && !status; first += capacity)
            status =
                predict_part(kmeans, first, least(samples - first, capacity), inputs, moves, &out);
        status = glnn__gl_leave(kmeans->ctx, status);
    }
    free(moves);
    return status;
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
