/* Fitting a mixture: its start, the iterations, and what trainers see of them. */
#include "mixtures/gmm.h"

#include "base/log.h"
#include "base/status.h"
#include "mixtures/use.h"
#include "train/samples.h"
#include "train/trainer.h"

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

bool glnn__gmm_uses_labels(const glnn_gmm *gmm, const glnn_dataset *data)
{
    return gmm->desc.classes > 0 && data->labels;
}

/* ---- What trainers call */

/* Training meets a class with its own components; samples of no group meet all of them. */
static glnn_status prepare(void *self, int rows, int group)
{
    glnn_gmm *gmm = self;
    if (group == 0)
        return glnn__gmm_use_all(gmm, rows);
    const int class = group - 1;
    if (gmm->own_class != class)
        GLNN__TRY(glnn__gmm_bank_load(gmm, class * gmm->desc.components, &gmm->own));
    gmm->own_class = class;
    return glnn__gmm_bank_prepare(gmm, &gmm->own, rows);
}

/* Expects the samples of a part of one class. */
static glnn_status expect_own(glnn_gmm *gmm, const glnn__batch *part, const glnn__metrics *metrics)
{
    GLNN__TRY(glnn__gmm_gather(gmm, &gmm->own, part));
    return glnn__gmm_expect(gmm, &gmm->own, part, 1, false, metrics);
}

/* Starts to read the sums of a class, all of whose samples are in. */
static glnn_status request_sums(glnn_gmm *gmm, glnn__gmm_class *class)
{
    if (gmm->first)
        GLNN__TRY(glnn_download_begin(gmm->ctx, gmm->first, NULL, &class->first));
    return glnn_download_begin(gmm->ctx, gmm->second, NULL, &class->second);
}

/* The sums over a class make one update, at the end of the epoch. */
static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    glnn_gmm *gmm = self;
    glnn__gmm_class *class = &gmm->classes[gmm->own_class];
    (void)step;
    GLNN__TRY(expect_own(gmm, part, &gmm->trained.metrics));
    GLNN__TRY(glnn__gmm_accumulate(gmm, part->count, class->seen == 0));
    class->seen += part->count;
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
static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn_gmm *gmm = self;
    if (part->group > 0)
        return expect_own(gmm, part, &gmm->trained.measured);
    GLNN__TRY(glnn__gmm_gather(gmm, &gmm->all, part));
    return glnn__gmm_expect(gmm, &gmm->all, part, glnn__gmm_class_count(gmm),
                            glnn__gmm_uses_labels(gmm, part->data), &gmm->trained.measured);
}

/* The classes stand in the statistics. */
static glnn_status classify(void *self, const glnn__batch *part, int *classes)
{
    glnn_gmm *gmm = self;
    const glnn_rect rect = {0, 2, part->count, 1};
    GLNN__TRY(glnn__gmm_gather(gmm, &gmm->all, part));
    GLNN__TRY(glnn__gmm_expect(gmm, &gmm->all, part, gmm->desc.classes, true, NULL));
    float *found = malloc((size_t)part->count * sizeof *found);
    if (!found)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d classes", part->count);
    const glnn_status status = glnn_matrix_download(gmm->ctx, gmm->all.stats, &rect, found, 0);
    for (int i = 0; i < part->count && !status; ++i)
        classes[i] = (int)found[i];
    free(found);
    return status;
}

static glnn_status place(void *self, const float *inputs)
{
    glnn_gmm *gmm = self;
    GLNN__TRY(glnn_matrix_upload(gmm->ctx, gmm->all.samples, NULL, inputs, 0));
    return glnn__gmm_shift(gmm, &gmm->all);
}

static glnn_status snapshot(void *self)
{
    glnn_gmm *gmm = self;
    glnn__gmm_parameters_copy(gmm, &gmm->parameters, &gmm->snapshot);
    return GLNN_OK;
}

static glnn_status restore(void *self)
{
    glnn_gmm *gmm = self;
    glnn__gmm_parameters_copy(gmm, &gmm->snapshot, &gmm->parameters);
    glnn__gmm_parameters_changed(gmm);
    return GLNN_OK;
}

static glnn_status save(const void *self, const char *path)
{
    return glnn_gmm_save(self, path);
}

static void end_training(void *self)
{
    glnn__gmm_training_end(self);
}

glnn__learner glnn__gmm_learner(glnn_gmm *gmm)
{
    static const glnn__learner_type type = {
        .name = "mixture",
        .prepare = prepare,
        .gradient = gradient,
        .measure = measure,
        .classify = classify,
        .place = place,
        .snapshot = snapshot,
        .restore = restore,
        .evaluate = glnn__gmm_evaluate,
        .save = save,
        .end_epoch = end_epoch,
        .end_training = end_training,
        .is_settled = is_settled,
        .add_settled = add_settled,
    };
    return (glnn__learner){
        .type = &type,
        .ctx = gmm->ctx,
        .self = gmm,
        .trained = &gmm->trained,
        .features = gmm->desc.features,
        .capacity = gmm->desc.capacity,
        .updates_by_epoch = true,
        .groups_classes = gmm->desc.classes > 0,
        .rows = gmm->rows,
        .validation_rows = gmm->validation_rows,
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
static glnn_status begin(glnn_gmm *gmm, const glnn_dataset *data, const int *chosen,
                         glnn_train_desc *desc, glnn_trainer **out)
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
    return glnn__trainer_create(&learner, data, desc, out);
}

static glnn_status create_trainer(glnn_gmm *gmm, const char *function, const glnn_dataset *data,
                                  const glnn_train_desc *desc, glnn_trainer **out)
{
    static const glnn_train_desc defaults;
    if (!gmm || !data)
        return glnn__fail(GLNN_E_ARG, "%s: an argument is null", function);
    glnn_train_desc training = desc ? *desc : defaults;
    GLNN__TRY(check_training(gmm, data));
    if (training.validation)
        GLNN__TRY(check_training(gmm, training.validation));
    const glnn__learner learner = glnn__gmm_learner(gmm);
    GLNN__TRY(glnn__trainer_check(&learner, data, &training));
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
    glnn_status status = begin(gmm, data, order.entries, &training, out);
    if (status)
        glnn__gmm_training_end(gmm);
    glnn__order_destroy(&order);
    glnn__groups_destroy(&groups);
    return status;
}

glnn_status glnn_gmm_trainer_create(glnn_gmm *gmm, const glnn_dataset *data,
                                    const glnn_train_desc *desc, glnn_trainer **out)
{
    if (!out)
        return glnn__fail(GLNN_E_ARG, "%s: out is null", __func__);
    *out = NULL;
    return create_trainer(gmm, __func__, data, desc, out);
}

glnn_status glnn_gmm_train(glnn_gmm *gmm, const glnn_dataset *data, const glnn_train_desc *desc,
                           glnn_train_result *result)
{
    glnn_trainer *trainer = NULL;
    const glnn_status created = create_trainer(gmm, __func__, data, desc, &trainer);
    return glnn__train(created, trainer, result);
}
