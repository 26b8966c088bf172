#include "mixtures/gmm.h"

#include "base/status.h"
#include "learner/predict.h"
#include "mixtures/expect.h"
#include "pass/list.h"
#include "train/functions.h"

#define DEFAULT_EPOCHS 100

glnn_status glnn__gmm_check_set(const void *self)
{
    const glnn_gmm *gmm = self;
    if (gmm->has_parameters)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "the mixture has no parameters yet; glnn_gmm_initialise, glnn_gmm_train "
                      "and glnn_gmm_set_parameters set them");
}

static glnn_status use(glnn__gmm_bank *bank, int first, int rows)
{
    GLNN__TRY(glnn__gmm_bank_load(bank, first));
    return glnn__gmm_bank_prepare(bank, rows);
}

/* Training meets a class with its own components; samples of no group meet all of them. */
static glnn_status prepare(void *self, int rows, int group)
{
    glnn_gmm *gmm = self;
    if (group == 0)
        return use(&gmm->all, 0, rows);
    return use(&gmm->own, (group - 1) * gmm->desc.components, rows);
}

/* Finds the responsibilities for the samples of a part, which are all of one class. */
static glnn_status expect_own(glnn_gmm *gmm, const glnn__batch *part, const glnn__metrics *metrics)
{
    GLNN__TRY(glnn__gmm_gather(&gmm->own, part));
    return glnn__gmm_expect(&gmm->own, part, 1, false, metrics);
}

static glnn_status add(glnn_gmm *gmm, const glnn__batch *part, bool is_first)
{
    GLNN__TRY(expect_own(gmm, part, &gmm->trained.metrics));
    return glnn__gmm_accumulate(&gmm->own, part->count, is_first, &gmm->sums);
}

/* The flag of a class that some samples of the epoch were added to. */
enum { HAS_SUMS = 1 };

static glnn__gmm_class *class_under_way(glnn_gmm *gmm)
{
    return &gmm->classes[gmm->own.first / gmm->desc.components];
}

static void begin_step(void *self, const glnn__step *step)
{
    glnn_gmm *gmm = self;
    (void)step;
    gmm->trained.flags = class_under_way(gmm)->seen > 0 ? HAS_SUMS : 0;
}

/* Samples that were added to the sums of a class. */
typedef struct counting {
    glnn__gmm_class *class;
    int samples;
} counting;

static glnn_status count_samples(void *self, const void *what)
{
    glnn_gmm *gmm = self;
    const counting *of = what;
    of->class->seen += of->samples;
    return of->class->seen == of->class->samples
               ? glnn__gmm_sums_request(&gmm->sums, &of->class->reading)
               : GLNN_OK;
}

/* The sums over a class make one update, at the end of the epoch. With several processes, this one
 * may have no samples in the step. */
static glnn_status gradient(void *self, const glnn__batch *part, const glnn__step *step)
{
    glnn_gmm *gmm = self;
    glnn__gmm_class *class = class_under_way(gmm);
    const bool is_first = !(gmm->trained.flags & HAS_SUMS) && step->is_first;
    if (part->count > 0)
        GLNN__TRY(add(gmm, part, is_first));
    else if (is_first)
        GLNN__TRY(glnn__gmm_sums_clear(&gmm->sums));
    if (!step->is_last)
        return GLNN_OK;
    const counting of = {class, step->samples};
    return glnn__list_call(gmm->ctx, count_samples, gmm, &of, sizeof of);
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
    GLNN__TRY(glnn__gmm_gather(&gmm->all, part));
    return glnn__gmm_expect(&gmm->all, part, glnn__gmm_class_count(gmm),
                            gmm->desc.classes > 0 && part->data->labels, &gmm->trained.measured);
}

/* The classes stand in the statistics. */
static glnn_status classify(void *self, const glnn__batch *part, int *classes)
{
    glnn_gmm *gmm = self;
    GLNN__TRY(glnn__gmm_gather(&gmm->all, part));
    GLNN__TRY(glnn__gmm_expect(&gmm->all, part, gmm->desc.classes, false, NULL));
    return glnn__take_classes(gmm->all.stats, 2, part->count, classes);
}

static glnn_status place(void *self, const glnn__piece *piece)
{
    glnn_gmm *gmm = self;
    GLNN__TRY(glnn__piece_copy(piece, gmm->all.samples));
    return glnn__gmm_shift(&gmm->all);
}

static void visit(void *self, glnn__visitor *visitor)
{
    glnn_gmm *gmm = self;
    glnn__visit_floats(visitor, GLNN__ROLE_PARAMETER, gmm->parameters.weights, gmm->parameters.size,
                       "parameters");
    glnn__visit_matrix(visitor, GLNN__ROLE_SUM, 0, gmm->sums.first, NULL, "sums.first");
    glnn__visit_matrix(visitor, GLNN__ROLE_SUM, 0, gmm->sums.second, NULL, "sums.second");
}

static void changed(void *self)
{
    glnn__gmm_parameters_changed(self);
}

static glnn_status join_sums(void *self)
{
    glnn_gmm *gmm = self;
    glnn__exchange *exchange = gmm->trained.exchange;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c)
        GLNN__TRY(glnn__gmm_reading_sum(&gmm->sums, &gmm->classes[c].reading, exchange));
    return GLNN_OK;
}

static glnn_status leave_sums(void *self)
{
    glnn_gmm *gmm = self;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c)
        glnn__gmm_reading_clear(&gmm->sums, &gmm->classes[c].reading);
    return GLNN_OK;
}

static void class_state(glnn_gmm *gmm, int c, glnn__state *state)
{
    glnn__gmm_class *class = &gmm->classes[c];
    glnn__state_int(state, &class->seen, "classes.%d.seen", c);
    glnn__state_bool(state, &class->is_settled, "classes.%d.is_settled", c);
    glnn__state_double(state, &class->loss, "classes.%d.loss", c);
    glnn__gmm_reading_state(&gmm->sums, &class->reading, c, state);
}

static void state(void *self, glnn__state *state)
{
    glnn_gmm *gmm = self;
    glnn__state_bool(state, &gmm->has_parameters, "has_parameters");
    glnn__state_double(state, &gmm->floor, "floor");
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c)
        class_state(gmm, c, state);
}

static glnn_status save(const void *self, const char *path)
{
    return glnn_gmm_save(self, path);
}

/* The order of samples says nothing to sums over all of them. */
static void describe(glnn__learner *learner, glnn_train_desc *desc)
{
    (void)learner;
    desc->keep_order = true;
    if (desc->epochs == 0)
        desc->epochs = DEFAULT_EPOCHS;
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
        .begin_step = begin_step,
        .gradient = gradient,
        .measure = measure,
        .classify = classify,
        .predict = glnn__gmm_predict,
        .store = glnn__gmm_store,
        .place = place,
        .visit = visit,
        .changed = changed,
        .state = state,
        .join_sums = join_sums,
        .leave_sums = leave_sums,
        .identify = glnn__gmm_identify,
        .save = save,
        .check_set = glnn__gmm_check_set,
        .describe = describe,
        .begin = glnn__gmm_begin,
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
        .outputs = gmm->desc.classes,
        .predicted = gmm->desc.classes > 0 ? gmm->desc.classes : gmm->count,
        .stores_classes = true,
        .labelled = gmm->desc.classes > 0 ? "a mixture for each class" : NULL,
        .trains_labelled = true,
        .capacity = gmm->desc.capacity,
        .layout = gmm->desc.layout,
        .updates_by_epoch = true,
        .exchanges = true,
        .groups_classes = gmm->desc.classes > 0,
    };
}

GLNN__LEARNER_FUNCTIONS(gmm)
