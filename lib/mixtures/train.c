/* Fitting a mixture: its start, the iterations, and what the training loop sees of them. */
#include "mixtures/gmm.h"

#include "base/log.h"
#include "base/status.h"
#include "mixtures/use.h"
#include "train/train_desc.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_EPOCHS 100

/* From this floor on, full covariances of few samples still classify. */
#define SAFE_FLOOR 0.1f

/* What a list of passes costs beside its samples, in rows of samples. */
#define ROWS_OF_A_LIST 128

/* Rows of a batch are a multiple of this: whole blocks of all layouts. */
#define LEAST_ROWS 32

static int least(int a, int b)
{
    return a < b ? a : b;
}

bool glnn__gmm_uses_labels(const glnn_gmm *gmm, const glnn_dataset *data)
{
    return gmm->desc.classes > 0 && data->labels;
}

/* ---- What the training loop calls */

/* The components of a batch's class, and room for its samples. */
static glnn_status use_own(glnn_gmm *gmm, const glnn__batch *batch, int rows)
{
    const int class = batch->group > 0 ? batch->group - 1 : 0;
    if (gmm->own_class != class)
        GLNN__TRY(glnn__gmm_bank_load(gmm, class * gmm->desc.components, &gmm->own));
    gmm->own_class = class;
    return glnn__gmm_bank_prepare(gmm, &gmm->own, rows);
}

/* Expects the samples of a batch of one class. */
static glnn_status expect_own(glnn_gmm *gmm, const glnn__batch *part, const glnn__scores *scores)
{
    GLNN__TRY(glnn__gmm_gather(gmm, &gmm->own, part));
    return glnn__gmm_expect(gmm, &gmm->own, part, 1, false, scores);
}

/* Starts to read the sums of a class, all of whose samples are in. */
static glnn_status request_sums(glnn_gmm *gmm, glnn__gmm_class *class)
{
    if (gmm->first)
        GLNN__TRY(glnn_download_begin(gmm->ctx, gmm->first, NULL, &class->first));
    return glnn_download_begin(gmm->ctx, gmm->second, NULL, &class->second);
}

/* A batch has at most gmm->rows samples. */
static glnn_status step(void *self, const glnn__batch *batch, float rate)
{
    glnn_gmm *gmm = self;
    (void)rate;
    GLNN__TRY(use_own(gmm, batch, gmm->rows));
    glnn__gmm_class *class = &gmm->classes[gmm->own_class];
    GLNN__TRY(expect_own(gmm, batch, &gmm->scores));
    GLNN__TRY(glnn__gmm_accumulate(gmm, batch->count, class->seen == 0));
    class->seen += batch->count;
    return class->seen == class->samples ? request_sums(gmm, class) : GLNN_OK;
}

static glnn_status end_epoch(void *self, double loss, bool *is_done)
{
    glnn_gmm *gmm = self;
    (void)loss;
    GLNN__TRY(glnn__gmm_maximise(gmm));
    *is_done = true;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c) {
        gmm->classes[c].seen = 0;
        *is_done = *is_done && (gmm->classes[c].is_settled || gmm->classes[c].samples == 0);
    }
    return GLNN_OK;
}

static bool is_settled(const void *self, int class)
{
    const glnn_gmm *gmm = self;
    return gmm->classes[class].is_settled;
}

static void add_settled(const void *self, glnn__totals *totals)
{
    const glnn_gmm *gmm = self;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c) {
        const glnn__gmm_class *class = &gmm->classes[c];
        const float samples = class->is_settled ? (float)class->samples : 0;
        totals->loss += samples > 0 ? samples * (float)class->loss : 0;
        totals->finite += samples;
        totals->samples += samples;
    }
}

/* All components meet samples that do not come class by class, so that they are classified too. */
static glnn_status measure_all(glnn_gmm *gmm, const glnn__batch *batch)
{
    const bool uses_labels = glnn__gmm_uses_labels(gmm, batch->data);
    GLNN__TRY(glnn__gmm_use_all(gmm, least(batch->full, gmm->desc.capacity)));
    for (int offset = 0; offset < batch->count; offset += gmm->all.rows) {
        const glnn__batch part = glnn__batch_part(batch, offset, gmm->all.rows);
        GLNN__TRY(glnn__gmm_gather(gmm, &gmm->all, &part));
        GLNN__TRY(glnn__gmm_expect(gmm, &gmm->all, &part, glnn__gmm_class_count(gmm), uses_labels,
                                   &gmm->measured));
    }
    return GLNN_OK;
}

static glnn_status measure(void *self, const glnn__batch *batch)
{
    glnn_gmm *gmm = self;
    if (batch->group == 0)
        return measure_all(gmm, batch);
    GLNN__TRY(use_own(gmm, batch, gmm->validation_rows));
    for (int offset = 0; offset < batch->count; offset += gmm->own.rows) {
        const glnn__batch part = glnn__batch_part(batch, offset, gmm->own.rows);
        GLNN__TRY(expect_own(gmm, &part, &gmm->measured));
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
    glnn__gmm_parameters_changed(gmm);
    return GLNN_OK;
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
        .class_piece = gmm->validation_rows,
        .groups_classes = gmm->desc.classes > 0,
        .is_settled = is_settled,
        .add_settled = add_settled,
    };
}

/* ---- Training */

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

static glnn_status create_scratch(glnn_gmm *gmm, glnn_layout layout, int columns, const char *name,
                                  glnn_matrix **out)
{
    return glnn__matrix_create_scratch(gmm->ctx, layout, gmm->rows, columns, name, out);
}

static glnn_status training_create(glnn_gmm *gmm)
{
    const int columns = gmm->desc.components + 1;
    GLNN__TRY(glnn__gmm_bank_prepare(gmm, &gmm->own, gmm->rows));
    GLNN__TRY(create_scratch(gmm, gmm->own.densities->layout, columns, "responsibilities",
                             &gmm->responsibilities));
    return gmm->desc.covariance == GLNN_COVARIANCE_FULL
               ? create_scratch(gmm, gmm->desc.layout, gmm->second->columns, "weighted deviations",
                                &gmm->weighted)
               : GLNN_OK;
}

/* Batches for the samples kept apart are chosen as if their classes were as frequent as in training. */
static void reset_classes(glnn_gmm *gmm, const glnn__groups *groups, int validation_samples)
{
    for (int c = 0; c < groups->count; ++c)
        gmm->classes[c] = (glnn__gmm_class){
            .samples = groups->begins[c + 1] - groups->begins[c],
            .loss = INFINITY,
        };
    gmm->training_samples = groups->begins[groups->count];
    gmm->rows = choose_rows(groups, 1, gmm->desc.capacity);
    gmm->validation_rows =
        choose_rows(groups, (double)validation_samples / gmm->training_samples, gmm->desc.capacity);
    gmm->own_class = -1;
}

/* A covariance of as many samples as features or fewer is singular: the floor alone keeps the density
 * at the component's own samples from growing without limit. */
static bool is_few(const glnn_gmm *gmm, int samples)
{
    return samples > 0 && samples <= (int64_t)gmm->desc.components * gmm->desc.features;
}

static void log_few(const glnn_gmm *gmm, const char *name, int worst, int few)
{
    const glnn_gmm_desc *desc = &gmm->desc;
    char class[32] = "", others[64] = "";
    if (desc->classes > 0) {
        snprintf(class, sizeof class, "class %d has ", worst);
        snprintf(others, sizeof others, " (%d of %d classes have too few)", few, desc->classes);
    }
    glnn__log(GLNN_LOG_WARNING,
              "%s: %s%d samples for %d components with full covariances of %d features, which need "
              "more than %lld%s; use diagonal covariances or a variance_floor of %g or more",
              name, class, gmm->classes[worst].samples, desc->components, desc->features,
              (long long)desc->components * desc->features, others, (double)SAFE_FLOOR);
}

/* Of all classes with too few samples it names the one with the fewest. */
static void warn_of_few(const glnn_gmm *gmm, const char *name)
{
    int few = 0, worst = 0;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c) {
        const int samples = gmm->classes[c].samples;
        if (!is_few(gmm, samples))
            continue;
        if (few == 0 || samples < gmm->classes[worst].samples)
            worst = c;
        few++;
    }
    if (few > 0 && gmm->desc.covariance == GLNN_COVARIANCE_FULL &&
        gmm->desc.variance_floor < SAFE_FLOOR)
        log_few(gmm, name, worst, few);
}

void glnn__gmm_training_end(glnn_gmm *gmm)
{
    for (int c = 0; gmm->classes && c < glnn__gmm_class_count(gmm); ++c) {
        glnn_download_end(gmm->classes[c].first, NULL, 0);
        glnn_download_end(gmm->classes[c].second, NULL, 0);
        gmm->classes[c].first = gmm->classes[c].second = NULL;
    }
    glnn_matrix_destroy(gmm->responsibilities);
    glnn_matrix_destroy(gmm->weighted);
    gmm->responsibilities = gmm->weighted = NULL;
}

/* `chosen` are the samples that are trained on, class by class. */
static glnn_status train(glnn_gmm *gmm, const glnn_dataset *data, const int *chosen,
                         glnn_train_desc *desc, glnn_train_result *result)
{
    desc->batch = gmm->rows;
    if (!gmm->has_parameters)
        GLNN__TRY(glnn__gmm_start(gmm, data, chosen));
    /* One floor for all iterations: if it rose with the variances that it raises, the likelihood
     * could fall. */
    gmm->floor = glnn__gmm_floor(gmm);
    GLNN__TRY(glnn__gl_enter(gmm->ctx));
    GLNN__TRY(glnn__gl_leave(gmm->ctx, training_create(gmm)));
    const glnn__learner learner = glnn__gmm_learner(gmm);
    return glnn__train(&learner, data, desc, result);
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
    GLNN__TRY(glnn__train_desc_check(&training, data, 0));
    /* The order of samples says nothing to sums over all of them. */
    training.keep_order = true;
    if (training.epochs == 0)
        training.epochs = DEFAULT_EPOCHS;
    glnn__order order;
    glnn__groups groups;
    GLNN__TRY(glnn__train_order(&training, data, gmm->desc.classes > 0, &order, &groups));
    reset_classes(gmm, &groups,
                  training.validation ? training.validation->samples
                                      : data->samples - groups.begins[groups.count]);
    warn_of_few(gmm, data->name);
    glnn_status status = train(gmm, data, order.entries, &training, result);
    glnn__gmm_training_end(gmm);
    glnn__order_destroy(&order);
    glnn__groups_destroy(&groups);
    return status;
}
