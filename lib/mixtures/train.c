/* Fitting a mixture: its samples and its start, before the first iteration. */
#include "mixtures/gmm.h"

#include "base/log.h"
#include "base/status.h"
#include "gl/gl.h"
#include "gl/lifetime.h"
#include "learn/evaluate.h"
#include "learn/train/samples.h"
#include "prototypes/kmeans/kmeans.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define START_EPOCHS 20 /* of k-means */

/* The cost of a list of passes without its samples, in rows of samples. */
#define ROWS_OF_A_LIST 128

/* Rows of a batch are a multiple of this: whole blocks of all layouts. */
#define LEAST_ROWS 32

/* Lists of passes for rows of which one class after the other fills some: few lists, and few rows
 * that stay empty. */
static double cost_of(const glnn__groups *groups, double share, int rows)
{
    double lists = 0;
    for (int g = 0; g < groups->count; ++g)
        lists += ceil(share * (groups->begins[g + 1] - groups->begins[g]) / rows);
    return lists * (rows + ROWS_OF_A_LIST);
}

/* For `share` times as many samples of each class as the groups have. */
static int choose_rows(const glnn__groups *groups, double share, int most)
{
    int best = most;
    double least_cost = cost_of(groups, share, most);
    for (int rows = LEAST_ROWS; rows < most; rows += LEAST_ROWS) {
        const double cost = cost_of(groups, share, rows);
        best = cost < least_cost ? rows : best;
        least_cost = fmin(cost, least_cost);
    }
    return best;
}

/* Batches for the samples kept apart are chosen as if their classes were as frequent as in
 * training. */
static void reset_classes(glnn__gmm *gmm, const glnn__groups *groups, int validation_samples)
{
    for (int c = 0; c < groups->count; ++c) {
        gmm->classes[c] = (glnn__gmm_class){
            .samples = groups->begins[c + 1] - groups->begins[c],
            .loss = INFINITY,
        };
        glnn__gmm_settle(gmm, c, false);
    }
    gmm->training_samples = groups->begins[groups->count];
    gmm->rows = gmm->learner.rows = choose_rows(groups, 1, gmm->desc.capacity);
    gmm->learner.validation_rows =
        choose_rows(groups, (double)validation_samples / gmm->training_samples, gmm->desc.capacity);
}

/* The weight, the mean and the different numbers of the covariance. */
static int64_t count_parameters(const glnn_gmm_desc *desc)
{
    const int64_t n = desc->features;
    return 1 + n +
           (desc->covariance == GLNN_COVARIANCE_FULL       ? n * (n + 1) / 2
            : desc->covariance == GLNN_COVARIANCE_DIAGONAL ? n
                                                           : 1);
}

static void log_few(const glnn__gmm *gmm, const char *name, int worst, int few)
{
    const glnn_gmm_desc *desc = &gmm->desc;
    const int64_t parameters = count_parameters(desc);
    char class[32] = "", others[64] = "";
    if (desc->classes > 0) {
        snprintf(class, sizeof class, "class %d has ", worst);
        snprintf(others, sizeof others, " (%d of %d classes have too few)", few, desc->classes);
    }
    glnn__log(GLNN_LOG_WARNING,
              "%s: %s%d samples for %d components of %lld parameters each, %lld in all%s; fewer "
              "components%s may be better on other samples",
              name, class, gmm->classes[worst].samples, desc->components, (long long)parameters,
              (long long)(parameters * desc->components), others,
              desc->covariance == GLNN_COVARIANCE_FULL ? " or diagonal covariances" : "");
}

/* Of all classes with fewer samples than parameters it names the one with the fewest. */
static void warn_of_few(const glnn__gmm *gmm, const char *name)
{
    const int64_t parameters = count_parameters(&gmm->desc) * gmm->desc.components;
    int few = 0, worst = 0;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c) {
        const int samples = gmm->classes[c].samples;
        if (samples == 0 || samples >= parameters)
            continue;
        if (few == 0 || samples < gmm->classes[worst].samples)
            worst = c;
        few++;
    }
    if (few > 0)
        log_few(gmm, name, worst, few);
}

/* All covariances start spherical, with the variance that k-means left. */
static void set_variances(glnn__gmm *gmm, double variance)
{
    const int n = gmm->desc.features, size = gmm->parameters.covariance_size;
    const int next = gmm->desc.covariance == GLNN_COVARIANCE_FULL ? n + 1 : 1;
    float *covariances = gmm->parameters.covariances;
    for (int j = 0; j < gmm->count; ++j)
        for (int i = 0; i < size; ++i)
            covariances[(size_t)j * (size_t)size + (size_t)i] = i % next == 0 ? (float)variance : 0;
}

/* The samples that a start is found from, class by class. */
typedef struct starting {
    const glnn_dataset *data;
    const int *samples; /* their numbers */
    const glnn__groups *groups;
    int rows; /* of a batch */
} starting;

/* Centres and sizes of class c become means and weights; *error grows by that of its samples. */
static glnn_status start_class(glnn__gmm *gmm, glnn_learner *kmeans, const starting *from, int c,
                               double *error)
{
    const int *begins = from->groups->begins, first = c * gmm->desc.components;
    const int samples = begins[c + 1] - begins[c], all = begins[from->groups->count];
    float *weights = gmm->parameters.weights + first;
    float *means = gmm->parameters.means + (size_t)first * (size_t)gmm->desc.features;
    const glnn_train_desc training = {.epochs = START_EPOCHS};
    const glnn__chosen of_class = {.samples = from->samples + begins[c],
                                   .count = samples,
                                   .class = gmm->desc.classes > 0 ? c : -1};
    glnn_train_result result = {.size = sizeof result};
    GLNN__TRY(glnn__kmeans_train_chosen(kmeans, from->data, &of_class, &training, &result));
    GLNN__TRY(glnn_learner_get_tensor(
        kmeans, "centres", glnn__gmm_size(gmm->desc.components, gmm->desc.features), means));
    GLNN__TRY(glnn_learner_get_tensor(kmeans, "sizes", (size_t)gmm->desc.components, weights));
    for (int i = 0; i < gmm->desc.components; ++i)
        weights[i] = (float)((double)weights[i] / all);
    *error += result.training.loss * samples / all;
    return GLNN_OK;
}

static glnn_status start_classes(glnn__gmm *gmm, const starting *from, double *error)
{
    const glnn_kmeans_desc of_kmeans = {
        .features = gmm->desc.features,
        .centres = gmm->desc.components,
        .layout = gmm->desc.layout,
        .capacity = from->rows,
        .seed = gmm->desc.seed,
    };
    glnn_learner *kmeans;
    GLNN__TRY(glnn_kmeans_create(gmm->ctx, &of_kmeans, &kmeans));
    glnn_status status = GLNN_OK;
    for (int c = 0; c < glnn__gmm_class_count(gmm) && !status; ++c)
        status = start_class(gmm, kmeans, from, c, error);
    glnn_learner_destroy(kmeans);
    return status;
}

/* The parameters become those of k-means within each class. */
static glnn_status start(glnn__gmm *gmm, const void *user)
{
    double error = 0;
    GLNN__TRY(start_classes(gmm, user, &error));
    const double variance = error / gmm->desc.features;
    set_variances(gmm, variance);
    /* Training's floor will count these variances in: at most a half, it stays below twice this
     * one. */
    set_variances(gmm,
                  fmax(variance, 2 * glnn__gmm_floor(&gmm->parameters, gmm->desc.variance_floor)));
    glnn__gmm_parameters_changed(gmm);
    gmm->has_parameters = true;
    return GLNN_OK;
}

glnn_status glnn__gmm_initialise(void *self, const glnn_dataset *data)
{
    glnn__gmm *gmm = self;
    glnn__order order;
    glnn__groups groups;
    GLNN__TRY(glnn__check_data(&gmm->learner, data, true));
    GLNN__TRY(
        glnn__train_order(&(glnn_train_desc){0}, data, gmm->desc.classes > 0, &order, &groups));
    const starting from = {data, order.entries, &groups,
                           choose_rows(&groups, 1, gmm->desc.capacity)};
    const glnn_status status = glnn__gmm_change(gmm, start, &from);
    glnn__order_destroy(&order);
    glnn__groups_destroy(&groups);
    return status;
}

static glnn_status begin(glnn__gmm *gmm, const starting *from)
{
    if (!gmm->has_parameters)
        GLNN__TRY(glnn__gmm_change(gmm, start, from));
    /* One floor for all iterations: if it rose with the variances that it raises, the likelihood
     * could fall. */
    gmm->floor = glnn__gmm_floor(&gmm->parameters, gmm->desc.variance_floor);
    GLNN__TRY(glnn__gmm_bank_prepare(&gmm->own, gmm->rows));
    return glnn__gmm_sums_prepare(&gmm->own, &gmm->sums);
}

glnn_status glnn__gmm_begin(void *self, const glnn_dataset *data, glnn_train_desc *desc)
{
    glnn__gmm *gmm = self;
    glnn__order order;
    glnn__groups groups;
    GLNN__TRY(glnn__train_order(desc, data, gmm->desc.classes > 0, &order, &groups));
    reset_classes(gmm, &groups,
                  desc->validation ? desc->validation->samples
                                   : data->samples - groups.begins[groups.count]);
    desc->batch = gmm->rows;
    warn_of_few(gmm, data->name);
    const glnn_status status = begin(gmm, &(starting){data, order.entries, &groups, gmm->rows});
    glnn__order_destroy(&order);
    glnn__groups_destroy(&groups);
    return status;
}
