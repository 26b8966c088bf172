#include "mixtures/start.h"

#include "base/status.h"
#include "prototypes/kmeans.h"

#include <math.h>

#define EPOCHS 20

/* All covariances start spherical, with the variance that k-means left. */
static void set_variances(glnn_gmm *gmm, double variance)
{
    const int n = gmm->desc.features, size = glnn__gmm_covariance_size(&gmm->parameters);
    const int next = gmm->desc.covariance == GLNN_COVARIANCE_FULL ? n + 1 : 1;
    float *covariances = gmm->parameters.covariances;
    for (int j = 0; j < gmm->count; ++j)
        for (int i = 0; i < size; ++i)
            covariances[(size_t)j * (size_t)size + (size_t)i] = i % next == 0 ? (float)variance : 0;
}

/* Centres and sizes of class c become means and weights; *error grows by that of its samples. */
static glnn_status start_class(glnn_gmm *gmm, glnn_kmeans *kmeans, const glnn_dataset *data,
                               const int *chosen, int c, double *error)
{
    const int first = c * gmm->desc.components, samples = gmm->classes[c].samples;
    float *weights = gmm->parameters.weights + first;
    float *means = gmm->parameters.means + (size_t)first * (size_t)gmm->desc.features;
    const glnn_train_desc training = {.epochs = EPOCHS};
    const glnn__chosen of_class = {
        .samples = chosen, .count = samples, .class = gmm->desc.classes > 0 ? c : -1};
    glnn_train_result result;
    GLNN__TRY(glnn__kmeans_train_chosen(kmeans, data, &of_class, &training, &result));
    GLNN__TRY(glnn_kmeans_get_centres(kmeans, means));
    GLNN__TRY(glnn_kmeans_get_sizes(kmeans, weights));
    for (int i = 0; i < gmm->desc.components; ++i)
        weights[i] = (float)((double)weights[i] / gmm->training_samples);
    *error += result.loss * samples / gmm->training_samples;
    return GLNN_OK;
}

glnn_status glnn__gmm_start(glnn_gmm *gmm, const glnn_dataset *data, const int *chosen)
{
    const glnn_kmeans_desc of_kmeans = {
        .features = gmm->desc.features,
        .centres = gmm->desc.components,
        .layout = gmm->desc.layout,
        .capacity = gmm->rows,
        .seed = gmm->desc.seed,
    };
    glnn_kmeans *kmeans;
    double error = 0;
    GLNN__TRY(glnn_kmeans_create(gmm->ctx, &of_kmeans, &kmeans));
    glnn_status status = GLNN_OK;
    for (int c = 0, first = 0; c < glnn__gmm_class_count(gmm) && !status; ++c) {
        status = start_class(gmm, kmeans, data, chosen + first, c, &error);
        first += gmm->classes[c].samples;
    }
    glnn_kmeans_destroy(kmeans);
    GLNN__TRY(status);
    const double variance = error / gmm->desc.features;
    set_variances(gmm, variance);
    /* Training's floor will count these variances in: at most a half, it stays below twice this one. */
    set_variances(gmm,
                  fmax(variance, 2 * glnn__gmm_floor(&gmm->parameters, gmm->desc.variance_floor)));
    glnn__gmm_parameters_changed(gmm);
    gmm->has_parameters = true;
    return GLNN_OK;
}
