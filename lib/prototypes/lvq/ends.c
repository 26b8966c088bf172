/* The open ends of a classifier: passes for programs that train what comes before it, too. */
#include "prototypes/lvq/lvq.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "learn/passes.h"
#include "learn/train/training.h"
#include "ops/check.h"
#include "ops/fill.h"
#include "ops/gemm/product.h"
#include "pass/list.h"

#include <glnn/copy.h>
#include <glnn/map.h>

#include <string.h>

/* The matrices of the program. */
typedef struct ends {
    const glnn_matrix *inputs, *classes;
    glnn_matrix *to; /* the gradient of the inputs; NULL: not wanted */
} ends;

/* Numbers of a description that passes have as constants, for keys of lists. */
static int bits_of(float number)
{
    int bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* A training has sums in the same places. The other kinds follow rules. */
static glnn_status check_use(const glnn__lvq *lvq, const char *function)
{
    if (lvq->traits->rule != GLNN__RULE_MARGIN && lvq->traits->rule != GLNN__RULE_POSTERIOR)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: %s follows a rule and has no gradient; glvq, grlvq, gmlvq and rslvq "
                          "have one",
                          function, glnn_lvq_kind_name(lvq->desc.kind));
    if (lvq->prototypes.learner.trainer)
        return glnn__fail(GLNN_E_STATE, "%s: the classifier is being trained", function);
    return GLNN_OK;
}

/* ---- Backward */

/* The derivative of the mean loss by the samples, from the moves or shares of the prototypes. */
static glnn_status find_input_gradient(glnn__lvq *lvq, int count, glnn_matrix *to)
{
    const glnn__prototypes *p = &lvq->prototypes;
    const float weight = 1 / (float)count, sigma = lvq->desc.sigma;
    if (lvq->shares)
        return glnn__product_run(lvq->ctx,
                                 &(glnn__product){.a = lvq->shares,
                                                  .b = p->values,
                                                  .c = to,
                                                  .alpha = {.f = -weight / (sigma * sigma)}});
    if (!p->images)
        return glnn__lvq_sum_differences(lvq, count, p->input, p->values, weight, to);
    glnn_matrix *sums;
    GLNN__TRY(glnn__matrix_create_scratch(lvq->ctx, lvq->desc.layout, count, p->images->columns,
                                          "sums of differences", &sums));
    glnn_status status = glnn__lvq_sum_differences(lvq, count, p->points, p->images, weight, sums);
    if (!status && p->desc.metric == GLNN__METRIC_ROOTS)
        status = glnn_binary_apply(lvq->ctx, GLNN_BINARY_MULTIPLY, sums, p->learnt, to);
    else if (!status)
        status = glnn__product_run(
            lvq->ctx, &(glnn__product){.a = sums, .b = p->learnt, .c = to, .alpha = {.f = 1}});
    glnn__scratch_destroy(sums);
    return status;
}

/* Slices of the relevances' gradient have the rows of one call, so those of further calls are
 * summed by themselves. */
static glnn_status add_gradient(glnn__lvq *lvq, const glnn__batch *part)
{
    const glnn__step step = {
        .is_first = !lvq->ends.has_gradient, .is_last = true, .is_summed = true, .rate = {.f = 1}};
    if (!lvq->slices || step.is_first)
        return glnn__lvq_add(lvq, part, &step);
    glnn_matrix *former;
    GLNN__TRY(glnn__matrix_create_scratch(lvq->ctx, lvq->desc.layout, 1, lvq->desc.features,
                                          "gradient so far", &former));
    glnn_status status = glnn_copy(lvq->ctx, lvq->gradient, former);
    if (!status)
        status = glnn_fill(lvq->ctx, 0, lvq->slices);
    if (!status)
        status = glnn__lvq_add(lvq, part, &step);
    if (!status)
        status = glnn_axpy(lvq->ctx, 1, former, lvq->gradient);
    glnn__scratch_destroy(former);
    return status;
}

/* The program's matrices take the place of those of a data set. */
static glnn_status describe_backward(void *self, const void *what)
{
    const ends *of = what;
    glnn__lvq *lvq = self;
    const glnn_dataset data = {.ctx = lvq->ctx,
                               .samples = of->inputs->rows,
                               .inputs = (glnn_matrix *)of->inputs,
                               .targets = (glnn_matrix *)of->classes};
    const glnn__batch part = {.data = &data, .count = data.samples};
    GLNN__TRY(add_gradient(lvq, &part));
    return of->to ? find_input_gradient(lvq, data.samples, of->to) : GLNN_OK;
}

static glnn_status run_backward(glnn__lvq *lvq, const ends *of)
{
    glnn_learner *learner = &lvq->prototypes.learner;
    const int samples = of->inputs->rows;
    const glnn__list_key key = {
        .of = {of->inputs, of->classes, of->to},
        .numbers = {GLNN__LIST_BACKWARD, lvq->ends.has_gradient, bits_of(lvq->desc.sigma)}};
    GLNN__TRY(glnn__lvq_prepare(lvq, samples));
    if (!lvq->ends.is_measured)
        GLNN__TRY(glnn__metrics_clear(lvq->ctx, &learner->metrics));
    glnn__lvq_fill_slots(lvq);
    lvq->slots.rate.f = 1; /* that of the update is not known yet */
    GLNN__TRY(glnn__lists_run(&learner->lists, lvq->ctx, GLNN__LIST_BACKWARD, &key, &learner->flags,
                              describe_backward, lvq, of));
    lvq->ends.samples = samples + (lvq->ends.has_gradient ? lvq->ends.samples : 0);
    lvq->ends.has_gradient = lvq->ends.is_measured = true;
    return GLNN_OK;
}

static glnn_status check_known(const glnn__lvq *lvq, const char *function)
{
    GLNN__TRY(glnn__fail_in(function, glnn__learner_check_set(&lvq->prototypes.learner)));
    if (!glnn__lvq_needs_scale(lvq))
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "%s: the %s is not known yet; the description or "
                      "glnn_learner_initialise() sets it",
                      function, lvq->desc.kind == GLNN_LVQ_RSLVQ ? "sigma" : "scale");
}

static glnn_status check_matrices(const glnn__lvq *lvq, const char *function, const ends *of)
{
    const int features = lvq->desc.features;
    GLNN__TRY(glnn__check_operand(lvq->ctx, function, "inputs", of->inputs));
    GLNN__TRY(glnn__check_operand(lvq->ctx, function, "classes", of->classes));
    GLNN__TRY(glnn__check_shape(function, "inputs", of->inputs, of->inputs->rows, features));
    GLNN__TRY(glnn__check_shape(function, "classes", of->classes, of->inputs->rows, 1));
    if (of->to) {
        GLNN__TRY(glnn__check_output(lvq->ctx, function, "input_gradient", of->to));
        GLNN__TRY(
            glnn__check_shape(function, "input_gradient", of->to, of->inputs->rows, features));
    }
    if (of->inputs->rows <= lvq->desc.capacity)
        return GLNN_OK;
    return glnn__fail(GLNN_E_LIMIT,
                      "%s: inputs has %d samples; the capacity of the classifier is %d", function,
                      of->inputs->rows, lvq->desc.capacity);
}

glnn_status glnn_lvq_backward(glnn_learner *learner, const glnn_matrix *inputs,
                              const glnn_matrix *classes, glnn_matrix *input_gradient)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    const ends of = {inputs, classes, input_gradient};
    GLNN__TRY(check_use(lvq, __func__));
    GLNN__TRY(check_matrices(lvq, __func__, &of));
    GLNN__TRY(check_known(lvq, __func__));
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    return glnn__gl_leave(lvq->ctx, run_backward(lvq, &of));
}

/* ---- Update */

static glnn_status scale_sum(void *user, const glnn__tensor *tensor)
{
    glnn__lvq *lvq = user;
    return glnn__scale(lvq->ctx, (glnn__uniform){.slot = &lvq->slots.rate}, tensor->matrix);
}

/* The sums are those of a rate of 1. */
static glnn_status describe_update(void *self, const void *what)
{
    glnn__lvq *lvq = self;
    const glnn__step step = {
        .is_first = true, .is_last = true, .is_summed = true, .samples = lvq->ends.samples};
    (void)what;
    GLNN__TRY(glnn__learner_visit(&lvq->prototypes.learner, GLNN__ROLES_STEP, scale_sum, lvq));
    return glnn__lvq_finish(lvq, &step);
}

static glnn_status run_update(glnn__lvq *lvq, float rate)
{
    glnn_learner *learner = &lvq->prototypes.learner;
    const glnn__list_key key = {
        .numbers = {GLNN__LIST_UPDATE, lvq->ends.samples, bits_of(lvq->desc.scale)}};
    learner->rate.f = rate;
    glnn__lvq_fill_slots(lvq);
    GLNN__TRY(glnn__lists_run(&learner->lists, lvq->ctx, GLNN__LIST_UPDATE, &key, &learner->flags,
                              describe_update, lvq, NULL));
    lvq->ends.has_gradient = false;
    return GLNN_OK;
}

glnn_status glnn_lvq_update(glnn_learner *learner, float rate)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    GLNN__TRY(check_use(lvq, __func__));
    GLNN__TRY(glnn__training_choose_rate(__func__, learner, &rate));
    if (!lvq->ends.has_gradient)
        return glnn__fail(GLNN_E_STATE,
                          "%s: there is no gradient: call glnn_lvq_backward() before it", __func__);
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    return glnn__gl_leave(lvq->ctx, run_update(lvq, rate));
}

/* ---- Metrics */

glnn_status glnn_lvq_take_metrics(glnn_learner *learner, glnn_metrics *out)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_LVQ);
    glnn__lvq *lvq = glnn__lvq_of(learner);
    glnn__totals totals;
    GLNN__NOT_NULL(out);
    GLNN__TRY(check_use(lvq, __func__));
    if (!lvq->ends.is_measured)
        return glnn__fail(GLNN_E_STATE,
                          "%s: there are no samples: call glnn_lvq_backward() before it", __func__);
    GLNN__TRY(glnn__gl_enter(lvq->ctx));
    GLNN__TRY(glnn__gl_leave(
        lvq->ctx, glnn__metrics_take(lvq->ctx, &lvq->prototypes.learner.metrics, &totals)));
    lvq->ends.is_measured = false;
    *out = glnn__totals_summary(&totals, GLNN__FIT_RIGHT, 0);
    return GLNN_OK;
}
