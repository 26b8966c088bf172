/* Fitting a mixture: its start, the iterations, and what the training loop sees of them. */
#include "learn/gmm.h"

#include "base/status.h"
#include "learn/gmm_use.h"

#include <glnn/kmeans.h>
#include <glnn/map.h>

#include <math.h>
#include <stdlib.h>

#define DEFAULT_EPOCHS 100
#define START_EPOCHS   20

static int least(int a, int b)
{
    return a < b ? a : b;
}

bool glnn__gmm_uses_labels(const glnn_gmm *gmm, const glnn_dataset *data)
{
    return gmm->desc.classes > 0 && data->labels;
}

static glnn_status step(void *self, const glnn__batch *batch, float rate)
{
    glnn_gmm *gmm = self;
    (void)rate;
    GLNN__TRY(glnn__gmm_prepare(gmm, least(batch->full, gmm->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += gmm->rows) {
        const glnn__batch part = glnn__batch_part(batch, offset, gmm->rows);
        GLNN__TRY(glnn__gmm_gather(gmm, &part));
        GLNN__TRY(glnn__gmm_expect(gmm, &part, glnn__gmm_uses_labels(gmm, batch->data)));
        GLNN__TRY(glnn__gmm_score(gmm, part.count, &gmm->scores));
        GLNN__TRY(glnn__gmm_share(gmm, part.count));
        GLNN__TRY(glnn__gmm_accumulate(gmm));
    }
    return GLNN_OK;
}

static glnn_status clear_sums(glnn_gmm *gmm)
{
    GLNN__TRY(glnn_fill(gmm->ctx, 0, gmm->first));
    return glnn_fill(gmm->ctx, 0, gmm->second);
}

static glnn_status end_epoch(void *self, double loss, bool *is_done)
{
    glnn_gmm *gmm = self;
    GLNN__TRY(glnn__gmm_maximise(gmm));
    *is_done = gmm->desc.tolerance >= 0 && gmm->last_loss - loss < (double)gmm->desc.tolerance;
    gmm->last_loss = loss;
    return clear_sums(gmm);
}

static glnn_status measure(void *self, const glnn__batch *batch)
{
    glnn_gmm *gmm = self;
    GLNN__TRY(glnn__gmm_prepare(gmm, least(batch->full, gmm->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += gmm->rows) {
        const glnn__batch part = glnn__batch_part(batch, offset, gmm->rows);
        GLNN__TRY(glnn__gmm_gather(gmm, &part));
        GLNN__TRY(glnn__gmm_expect(gmm, &part, glnn__gmm_uses_labels(gmm, batch->data)));
        GLNN__TRY(glnn__gmm_score(gmm, part.count, &gmm->measured));
    }
    return GLNN_OK;
}

static glnn_status keep(void *self)
{
    glnn_gmm *gmm = self;
    glnn__gmm_parameters_copy(gmm, &gmm->parameters, &gmm->kept);
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_gmm *gmm = self;
    glnn__gmm_parameters_copy(gmm, &gmm->kept, &gmm->parameters);
    return glnn__gmm_refresh(gmm);
}

glnn__learner glnn__gmm_learner(glnn_gmm *gmm)
{
    return (glnn__learner){
        .ctx = gmm->ctx,
        .self = gmm,
        .scores = &gmm->scores,
        .measured = &gmm->measured,
        .piece = gmm->desc.capacity,
        .step = step,
        .end_epoch = end_epoch,
        .measure = measure,
        .keep = keep,
        .restore = restore,
    };
}

/* All covariances start spherical, with the variance that k-means left. */
static void set_variances(glnn_gmm *gmm, double variance)
{
    const int n = gmm->desc.features, size = glnn_gmm_covariance_size(gmm);
    const int next = gmm->desc.covariance == GLNN_COVARIANCE_FULL ? n + 1 : 1;
    float *covariances = gmm->parameters.covariances;
    for (int j = 0; j < gmm->count; ++j)
        for (int i = 0; i < size; ++i)
            covariances[(size_t)j * (size_t)size + (size_t)i] = i % next == 0 ? (float)variance : 0;
}

static glnn_status take_start(glnn_gmm *gmm, const glnn_kmeans *kmeans, double error)
{
    glnn__gmm_parameters *p = &gmm->parameters;
    double samples = 0;
    GLNN__TRY(glnn_kmeans_get_centres(kmeans, p->means));
    GLNN__TRY(glnn_kmeans_get_sizes(kmeans, p->weights));
    for (int j = 0; j < gmm->count; ++j)
        samples += (double)p->weights[j];
    for (int j = 0; j < gmm->count; ++j)
        p->weights[j] = (float)((double)p->weights[j] / samples);
    const double variance = error / gmm->desc.features;
    set_variances(gmm, variance);
    /* Training's floor will count these variances in: at most a half, it stays below twice this one. */
    const double floor = glnn__gmm_floor(gmm);
    set_variances(gmm, fmax(variance, 2 * floor));
    GLNN__TRY(glnn__gl_enter(gmm->ctx));
    glnn_status status = glnn__gl_leave(gmm->ctx, glnn__gmm_refresh(gmm));
    gmm->has_parameters = status == GLNN_OK;
    return status;
}

/* Clusters what will be trained on: the same samples are kept apart for validation. */
static glnn_status start(glnn_gmm *gmm, const glnn_dataset *data, const glnn_train_desc *desc)
{
    const glnn_kmeans_desc of_kmeans = {
        .features = gmm->desc.features,
        .centres = gmm->desc.components,
        .classes = gmm->desc.classes,
        .layout = gmm->desc.layout,
        .capacity = gmm->desc.capacity,
        .seed = gmm->desc.seed,
    };
    const glnn_train_desc training = {
        .epochs = START_EPOCHS,
        .validation_split = desc->validation_split,
        .seed = desc->seed,
    };
    glnn_train_result result;
    glnn_kmeans *kmeans;
    GLNN__TRY(glnn_kmeans_create(gmm->ctx, &of_kmeans, &kmeans));
    glnn_status status = glnn_kmeans_train(kmeans, data, &training, &result);
    if (!status)
        status = take_start(gmm, kmeans, result.loss);
    glnn_kmeans_destroy(kmeans);
    return status;
}

glnn_status glnn__gmm_check_data(const glnn_gmm *gmm, const glnn_dataset *data)
{
    if (data->ctx != gmm->ctx)
        return glnn__fail(GLNN_E_ARG, "%s: belongs to another context than the mixture",
                          data->name);
    if (data->features != gmm->desc.features)
        return glnn__fail(GLNN_E_SHAPE, "%s: %d features; the mixture has %d", data->name,
                          data->features, gmm->desc.features);
    if (glnn__gmm_uses_labels(gmm, data) && data->outputs != gmm->desc.classes)
        return glnn__fail(GLNN_E_SHAPE, "%s: %d classes; the mixture has %d", data->name,
                          data->outputs, gmm->desc.classes);
    return GLNN_OK;
}

static glnn_status check_training(const glnn_gmm *gmm, const glnn_dataset *data)
{
    GLNN__TRY(glnn__gmm_check_data(gmm, data));
    if (gmm->desc.classes > 0 && !data->labels)
        return glnn__fail(GLNN_E_STATE, "%s: a mixture for each class needs labels", data->name);
    return GLNN_OK;
}

static glnn_status prepare_training(glnn_gmm *gmm)
{
    gmm->last_loss = INFINITY;
    /* One floor for all iterations: if it rose with the variances that it raises, the likelihood
     * could fall. */
    gmm->floor = glnn__gmm_floor(gmm);
    GLNN__TRY(glnn__gl_enter(gmm->ctx));
    return glnn__gl_leave(gmm->ctx, clear_sums(gmm));
}

glnn_status glnn_gmm_train(glnn_gmm *gmm, const glnn_dataset *data, const glnn_train_desc *desc,
                           glnn_train_result *result)
{
    static const glnn_train_desc defaults;
    if (!gmm || !data)
        return glnn__fail(GLNN_E_ARG, "glnn_gmm_train: an argument is null");
    glnn_train_desc training = desc ? *desc : defaults;
    GLNN__TRY(check_training(gmm, data));
    if (training.validation)
        GLNN__TRY(check_training(gmm, training.validation));
    /* The order of samples says nothing to sums over all of them. */
    training.keep_order = true;
    training.batch = gmm->desc.capacity;
    if (training.epochs == 0)
        training.epochs = DEFAULT_EPOCHS;
    if (!gmm->has_parameters)
        GLNN__TRY(start(gmm, data, &training));
    GLNN__TRY(prepare_training(gmm));
    const glnn__learner learner = glnn__gmm_learner(gmm);
    return glnn__train(&learner, data, &training, result);
}
