/* Measuring and using a mixture. */
#include "mixtures/use.h"

#include "base/status.h"
#include "data/check.h"
#include "ops/softmax.h"
#include "train/confusion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static glnn_status check_parameters(const glnn_gmm *gmm, const char *what)
{
    if (gmm->has_parameters)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE, "%s: the mixture has no parameters yet", what);
}

/* Counts the classes found for a part, which stand in the statistics. */
static glnn_status count_part(void *self, const glnn__batch *part, int *confusion)
{
    glnn_gmm *gmm = self;
    const int *labels = part->data->labels + part->first;
    const glnn_rect rect = {0, 2, part->count, 1};
    GLNN__TRY(glnn__gmm_gather(gmm, &gmm->all, part));
    GLNN__TRY(glnn__gmm_expect(gmm, &gmm->all, part, gmm->desc.classes, true, NULL));
    float *found = malloc((size_t)part->count * sizeof *found);
    if (!found)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", part->count);
    glnn_status status = glnn_matrix_download(gmm->ctx, gmm->all.stats, &rect, found, 0);
    for (int i = 0; i < part->count && !status; ++i)
        confusion[labels[i] * gmm->desc.classes + (int)found[i]]++;
    free(found);
    return status;
}

static glnn_status evaluate(glnn_gmm *gmm, const glnn_dataset *data, double *log_likelihood,
                            double *accuracy, int *confusion)
{
    const glnn__learner learner = glnn__gmm_learner(gmm);
    double loss;
    GLNN__TRY(glnn__measure(&learner, data, &loss, accuracy));
    if (log_likelihood)
        *log_likelihood = -loss;
    if (!confusion)
        return GLNN_OK;
    GLNN__TRY(glnn__gmm_use_all(gmm, least(data->samples, gmm->desc.capacity)));
    return glnn__confusion_fill(data, gmm->all.rows, gmm->desc.classes, gmm, count_part, confusion);
}

glnn_status glnn_gmm_evaluate(glnn_gmm *gmm, const glnn_dataset *data, double *log_likelihood,
                              double *accuracy, int *confusion)
{
    if (!gmm || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_gmm_evaluate: an argument is null");
    GLNN__TRY(glnn__gmm_check_data(gmm, data));
    GLNN__TRY(check_parameters(gmm, __func__));
    if (confusion && !glnn__gmm_uses_labels(gmm, data))
        return glnn__fail(GLNN_E_STATE, "%s: a confusion matrix needs classes and labels",
                          data->name);
    GLNN__TRY(glnn__gl_enter(gmm->ctx));
    return glnn__gl_leave(gmm->ctx, evaluate(gmm, data, log_likelihood, accuracy, confusion));
}

/* What is wanted of samples; each may be NULL. `posteriors` are sums of responsibilities. */
typedef struct wanted {
    float *log_densities, *responsibilities, *posteriors;
    int *classes;
} wanted;

static glnn_status check_inputs(const glnn_gmm *gmm, const char *what, int samples,
                                const float *inputs)
{
    GLNN__TRY(glnn__check_use(what, "gmm", gmm, samples, inputs));
    GLNN__TRY(check_parameters(gmm, what));
    return glnn__check_finite(what, "sample", samples, gmm->desc.features, inputs);
}

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

/* `room` holds a part's responsibilities, or its statistics. */
static glnn_status predict_part(glnn_gmm *gmm, int first, int count, const float *inputs,
                                const wanted *out, float *room)
{
    const size_t features = (size_t)gmm->desc.features;
    glnn__gmm_bank *all = &gmm->all;
    GLNN__TRY(glnn__gmm_use_all(gmm, count));
    GLNN__TRY(
        glnn_matrix_upload(gmm->ctx, all->samples, NULL, inputs + (size_t)first * features, 0));
    GLNN__TRY(glnn__gmm_shift(gmm, all));
    GLNN__TRY(glnn__gmm_expect(gmm, all, &(glnn__batch){.count = count}, glnn__gmm_class_count(gmm),
                               false, NULL));
    GLNN__TRY(glnn_matrix_download(gmm->ctx, all->stats, NULL, room, 0));
    GLNN__TRY(check_densities(room, first, count));
    take_stats(room, first, count, out);
    if (out->responsibilities || out->posteriors) {
        GLNN__TRY(find_shares(gmm, count, room));
        take_shares(gmm, room, first, count, out);
    }
    return GLNN_OK;
}

static glnn_status predict(glnn_gmm *gmm, int samples, const float *inputs, const wanted *out)
{
    const int capacity = gmm->desc.capacity;
    const size_t columns = (size_t)(gmm->count > 4 ? gmm->count : 4);
    float *room = malloc((size_t)least(samples, capacity) * columns * sizeof *room);
    if (!room)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the responsibilities of %d components",
                          gmm->count);
    glnn_status status = glnn__gl_enter(gmm->ctx);
    if (!status) {
        for (int first = 0; first < samples && !status; first += capacity)
            status = predict_part(gmm, first, least(samples - first, capacity), inputs, out, room);
        status = glnn__gl_leave(gmm->ctx, status);
    }
    free(room);
    return status;
}

glnn_status glnn_gmm_predict(glnn_gmm *gmm, int samples, const float *inputs, float *log_densities,
                             float *responsibilities)
{
    GLNN__TRY(check_inputs(gmm, __func__, samples, inputs));
    const wanted out = {.log_densities = log_densities, .responsibilities = responsibilities};
    return predict(gmm, samples, inputs, &out);
}

glnn_status glnn_gmm_classify(glnn_gmm *gmm, int samples, const float *inputs, int *classes,
                              float *posteriors)
{
    GLNN__TRY(check_inputs(gmm, __func__, samples, inputs));
    if (gmm->desc.classes == 0)
        return glnn__fail(GLNN_E_STATE, "%s: the mixture has no classes", __func__);
    const wanted out = {.classes = classes, .posteriors = posteriors};
    return predict(gmm, samples, inputs, &out);
}
