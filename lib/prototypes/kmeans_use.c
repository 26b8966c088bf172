/* Measuring and using k-means. */
#include "prototypes/kmeans.h"

#include "base/status.h"
#include "data/check.h"
#include "train/confusion.h"

#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static glnn_status fail_overflow(const glnn_dataset *data)
{
    return glnn__fail(GLNN_E_DIVERGED, "%s: a squared distance overflows", data->name);
}

/* Finds the nearest centres of `count` samples in place. The caller passes *out to
 * glnn__winners_free, whatever is returned. */
static glnn_status find_winners(glnn_kmeans *kmeans, int count, glnn__winners *out)
{
    *out = (glnn__winners){0};
    GLNN__TRY(glnn__prototypes_search(&kmeans->prototypes, count));
    return glnn__prototypes_take_winners(&kmeans->prototypes, count, out);
}

/* Counts the classes of the centres nearest to a part's samples. */
static glnn_status count_part(void *self, const glnn__batch *part, int *confusion)
{
    glnn_kmeans *kmeans = self;
    const int *labels = part->data->labels + part->first;
    glnn__winners found;
    GLNN__TRY(glnn__prototypes_gather(&kmeans->prototypes, part));
    glnn_status status = find_winners(kmeans, part->count, &found);
    for (int i = 0; i < part->count && !status; ++i) {
        if (found.classes[i] >= 0)
            confusion[labels[i] * kmeans->desc.classes + found.classes[i]]++;
        else
            status = fail_overflow(part->data);
    }
    glnn__winners_free(&found);
    return status;
}

static glnn_status evaluate(glnn_kmeans *kmeans, const glnn_dataset *data, double *error,
                            double *accuracy, int *confusion)
{
    const glnn__learner learner = glnn__kmeans_learner(kmeans);
    GLNN__TRY(glnn__measure(&learner, data, error, accuracy));
    if (!confusion)
        return GLNN_OK;
    glnn__prototypes *p = &kmeans->prototypes;
    GLNN__TRY(glnn__prototypes_prepare(p, least(data->samples, kmeans->desc.capacity)));
    return glnn__confusion_fill(data, p->rows, kmeans->desc.classes, kmeans, count_part, confusion);
}

glnn_status glnn_kmeans_evaluate(glnn_kmeans *kmeans, const glnn_dataset *data, double *error,
                                 double *accuracy, int *confusion)
{
    if (!kmeans || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_kmeans_evaluate: an argument is null");
    GLNN__TRY(glnn__kmeans_check_data(kmeans, data));
    GLNN__TRY(glnn__kmeans_check_set(kmeans, __func__));
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

static void copy_part(void *to, const void *from, int first, int count, size_t size)
{
    if (to)
        memcpy((char *)to + (size_t)first * size, from, (size_t)count * size);
}

static glnn_status predict_part(glnn_kmeans *kmeans, int first, int count, const float *inputs,
                                const wanted *out)
{
    glnn__prototypes *p = &kmeans->prototypes;
    glnn__winners found;
    GLNN__TRY(glnn__prototypes_prepare(p, count));
    GLNN__TRY(glnn__prototypes_place(p, inputs + (size_t)first * (size_t)p->desc.features));
    const glnn_status status = find_winners(kmeans, count, &found);
    if (!status) {
        copy_part(out->centres, found.indices, first, count, sizeof *found.indices);
        copy_part(out->classes, found.classes, first, count, sizeof *found.classes);
        copy_part(out->distances, found.distances, first, count, sizeof *found.distances);
    }
    glnn__winners_free(&found);
    return status;
}

glnn_status glnn_kmeans_predict(glnn_kmeans *kmeans, int samples, const float *inputs, int *centres,
                                int *classes, float *distances)
{
    GLNN__TRY(glnn__check_use(__func__, "kmeans", kmeans, samples, inputs));
    GLNN__TRY(glnn__kmeans_check_set(kmeans, __func__));
    GLNN__TRY(glnn__check_finite(__func__, "sample", samples, kmeans->desc.features, inputs));
    const wanted out = {.centres = centres, .classes = classes, .distances = distances};
    const int capacity = kmeans->desc.capacity;
    glnn_status status = GLNN_OK;
    GLNN__TRY(glnn__gl_enter(kmeans->ctx));
    for (int first = 0; first < samples && !status; first += capacity)
        status = predict_part(kmeans, first, least(samples - first, capacity), inputs, &out);
    return glnn__gl_leave(kmeans->ctx, status);
}
