/* Measuring and using k-means. */
#include "prototypes/kmeans.h"

#include "base/status.h"
#include "data/check.h"
#include "train/evaluate.h"
#include "train/predict.h"

#include <string.h>

glnn_status glnn__kmeans_evaluate(void *self, const glnn_dataset *data, glnn_metrics *metrics,
                                  int *confusion)
{
    glnn_kmeans *kmeans = self;
    GLNN__TRY(glnn__kmeans_check_data(kmeans, data));
    GLNN__TRY(glnn__kmeans_check_set(kmeans, "glnn_kmeans_evaluate"));
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

static void copy_part(void *to, const void *from, const glnn__piece *piece, size_t size)
{
    if (to)
        memcpy((char *)to + (size_t)piece->first * size, from, (size_t)piece->count * size);
}

static glnn_status predict_piece(void *self, const glnn__piece *piece)
{
    const wanted *out = piece->user;
    glnn__winners found;
    const glnn_status status = glnn__kmeans_find_winners(self, piece->count, &found);
    if (!status) {
        copy_part(out->centres, found.indices, piece, sizeof *found.indices);
        copy_part(out->classes, found.classes, piece, sizeof *found.classes);
        copy_part(out->distances, found.distances, piece, sizeof *found.distances);
    }
    glnn__winners_free(&found);
    return status;
}

glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int samples, const float *inputs, int *centres,
                                int *classes, float *distances)
{
    wanted out = {.centres = centres, .classes = classes, .distances = distances};
    GLNN__TRY(glnn__check_use(__func__, "kmeans", kmeans, samples, inputs));
    GLNN__TRY(glnn__kmeans_check_set(kmeans, __func__));
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    return glnn__predict(&learner, __func__, samples, inputs, predict_piece, &out);
}
