#include "mixtures/gmm.h"

#include "base/status.h"
#include "mixtures/expect.h"
#include "pass/list.h"

#include <stdio.h>
#include <string.h>

/* The flag of a class that some samples of the epoch were added to. */
enum { HAS_SUMS = 1 };

static glnn_status use(glnn__gmm_bank *bank, int first, int rows)
{
    GLNN__TRY(glnn__gmm_bank_load(bank, first));
    return glnn__gmm_bank_prepare(bank, rows);
}

/* Training meets a class with its own components; samples of no group meet all of them. */
static glnn_status prepare(void *self, int rows, int group)
{
    glnn__gmm *gmm = self;
    if (group == 0)
        return use(&gmm->all, 0, rows);
    gmm->learner.flags = gmm->classes[group - 1].seen > 0 ? HAS_SUMS : 0;
    return use(&gmm->own, (group - 1) * gmm->desc.components, rows);
}

/* Finds the responsibilities for the samples of a part, which are all of one class. */
static glnn_status expect_own(glnn__gmm *gmm, const glnn__batch *part, const glnn__metrics *metrics)
{
    GLNN__TRY(glnn__gmm_gather(&gmm->own, part));
    return glnn__gmm_expect(&gmm->own, part, 1, false, metrics);
}

static glnn_status add(glnn__gmm *gmm, const glnn__batch *part, bool is_first)
{
    GLNN__TRY(expect_own(gmm, part, &gmm->learner.metrics));
    return glnn__gmm_accumulate(&gmm->own, part->count, is_first, &gmm->sums);
}

static glnn__gmm_class *class_under_way(glnn__gmm *gmm)
{
    return &gmm->classes[gmm->own.first / gmm->desc.components];
}

/* Samples that were added to the sums of a class. */
typedef struct counting {
    glnn__gmm_class *class;
    int samples;
} counting;

static glnn_status count_samples(void *self, const void *what)
{
    glnn__gmm *gmm = self;
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
    glnn__gmm *gmm = self;
    glnn__gmm_class *class = class_under_way(gmm);
    const bool is_first = !(gmm->learner.flags & HAS_SUMS) && step->is_first;
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
    glnn__gmm *gmm = self;
    (void)loss;
    GLNN__TRY(glnn__gmm_maximise(gmm));
    *is_done = true;
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c) {
        gmm->classes[c].seen = 0;
        *is_done = *is_done && (gmm->settled[c].samples > 0 || gmm->classes[c].samples == 0);
    }
    return GLNN_OK;
}

/* All components meet samples that do not come class by class, so that they are classified too. */
static glnn_status measure(void *self, const glnn__batch *part)
{
    glnn__gmm *gmm = self;
    if (part->group > 0)
        return expect_own(gmm, part, &gmm->learner.measured);
    GLNN__TRY(glnn__gmm_gather(&gmm->all, part));
    return glnn__gmm_expect(&gmm->all, part, glnn__gmm_class_count(gmm),
                            gmm->desc.classes > 0 && part->data->labels, &gmm->learner.measured);
}

/* Once all samples of a class were added, its sums are on their way to main memory. */
static void visit(void *self, glnn__visitor *visitor)
{
    glnn__gmm *gmm = self;
    bool is_under_way = false;
    glnn__visit_floats(visitor, GLNN__ROLE_PARAMETER, gmm->parameters.weights, gmm->parameters.size,
                       1, "parameters");
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c) {
        glnn__gmm_class *class = &gmm->classes[c];
        is_under_way = is_under_way || (class->seen > 0 && class->seen < class->samples);
        glnn__gmm_reading_visit(&gmm->sums, &class->reading, c, visitor);
    }
    if (!is_under_way)
        return;
    glnn__visit_matrix(visitor, GLNN__ROLE_SUM, 0, gmm->sums.first, NULL, "sums.first");
    glnn__visit_matrix(visitor, GLNN__ROLE_SUM, 0, gmm->sums.second, NULL, "sums.second");
}

static void changed(void *self)
{
    glnn__gmm_parameters_changed(self);
}

static void forget(void *self)
{
    glnn__gmm *gmm = self;
    memset(gmm->parameters.weights, 0, gmm->parameters.size * sizeof *gmm->parameters.weights);
    gmm->has_parameters = false;
    glnn__gmm_parameters_changed(gmm);
}

static void class_state(glnn__gmm *gmm, int c, glnn__state *state)
{
    glnn__gmm_class *class = &gmm->classes[c];
    bool is_settled = gmm->settled[c].samples > 0;
    glnn__state_int(state, &class->seen, "classes.%d.seen", c);
    glnn__state_bool(state, &is_settled, "classes.%d.is_settled", c);
    glnn__state_double(state, &class->loss, "classes.%d.loss", c);
    if (glnn__state_loads(state))
        glnn__gmm_settle(gmm, c, is_settled);
    glnn__gmm_reading_state(&gmm->sums, &class->reading, c, state);
}

static void state(void *self, glnn__state *state)
{
    glnn__gmm *gmm = self;
    glnn__state_bool(state, &gmm->has_parameters, "has_parameters");
    glnn__state_double(state, &gmm->floor, "floor");
    for (int c = 0; c < glnn__gmm_class_count(gmm); ++c)
        class_state(gmm, c, state);
}

static void end_training(void *self)
{
    glnn__gmm_training_end(self);
}

const glnn_gmm_desc *glnn_gmm_get_desc(const glnn_learner *learner)
{
    const glnn__gmm *gmm = glnn__gmm_of(learner);
    return gmm ? &gmm->desc : NULL;
}

static void print(const void *self, char *text, size_t size)
{
    const glnn__gmm *gmm = self;
    snprintf(text, size, "%d components", gmm->count);
}

const glnn__learner_type glnn__gmm_type = {
    .name = "mixture",
    .kind = GLNN_LEARNER_GMM,
    .size = sizeof(glnn__gmm),
    .build = glnn__gmm_build,
    .destroy = glnn__gmm_destroy,
    .print = print,
    .prepare = prepare,
    .gradient = gradient,
    .measure = measure,
    .predict = glnn__gmm_predict,
    .store = glnn__gmm_store,
    .visit = visit,
    .changed = changed,
    .state = state,
    .initialise = glnn__gmm_initialise,
    .forget = forget,
    .file = &glnn__gmm_file,
    .begin = glnn__gmm_begin,
    .end_epoch = end_epoch,
    .end_training = end_training,
};

glnn_status glnn_gmm_create(glnn_context *ctx, const glnn_gmm_desc *desc, glnn_learner **out)
{
    return glnn__learner_create(__func__, ctx, &glnn__gmm_type, desc, out);
}
