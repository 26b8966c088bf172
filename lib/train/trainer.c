#include "train/training.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "distortions/distortion.h"
#include "gl/lifetime.h"
#include "learner/passes.h"
#include "train/checkpoint.h"
#include "train/curve.h"
#include "train/devices.h"
#include "train/exchange_plan.h"
#include "train/identity.h"

#include <glnn/trainer.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fill_defaults(glnn_learner *learner, glnn_train_desc *desc)
{
    if (desc->epochs == 0)
        desc->epochs = 10;
    if (desc->schedule.rate == 0)
        desc->schedule.rate = learner->default_rate;
    if (desc->report_every == 0)
        desc->report_every = 64;
    if (desc->accumulate == 0)
        desc->accumulate = 1;
    if (desc->batch == 0)
        desc->batch = 128;
}

static void start_metrics(glnn_trainer *t)
{
    t->report.epochs = t->desc.epochs;
    glnn__report_clear_validation(&t->report);
    t->report.training = t->result.training = t->result.validation = t->report.validation;
}

static glnn_status check_step(const glnn_trainer *t)
{
    const char *part = t->learner->compares_steps;
    const int64_t size = (int64_t)t->desc.batch * t->desc.accumulate;
    if (!part || size >= t->samples.count)
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "a step of %lld samples; %s needs all %d training samples in each step, as "
                      "GLNN_FULL_BATCH gives them",
                      (long long)size, part, t->samples.count);
}

static glnn_status choose_samples(glnn_trainer *t)
{
    GLNN__TRY(glnn__samples_choose(t->learner, t->data, &t->desc, &t->samples));
    if (t->desc.batch < 0 || t->desc.batch > t->samples.count)
        t->desc.batch = t->samples.count;
    GLNN__TRY(check_step(t));
    glnn__step_count(t);
    return GLNN_OK;
}

/* Windows of streams have to hold all samples that are used at a time. */
static glnn_status share_samples(glnn_trainer *t)
{
    GLNN__TRY(glnn__devices_measure(t));
    glnn__samples_share(t->exchange, &t->samples);
    GLNN__TRY(glnn__share_prepare(t));
    glnn__share_log(t);
    GLNN__TRY(glnn__batch_iterator_check(t->data, glnn__share_most(t)));
    return t->samples.validation_count > 0
               ? glnn__batch_iterator_check(t->samples.validation->data, t->learner->capacity)
               : GLNN_OK;
}

static glnn_status start_emphasis(glnn_trainer *t)
{
    if (t->desc.emphasis == 0)
        return GLNN_OK;
    const glnn_status status = glnn__emphasis_create(
        t->ctx, t->desc.emphasis, t->desc.seed, &t->samples.order, t->samples.count, &t->emphasis);
    t->learner->metrics.losses = t->emphasis.presented;
    return status;
}

glnn_status glnn__trainer_enter(glnn_trainer *t, const char *call)
{
    t->called = glnn__clock_seconds();
    return glnn__gl_enter_for(t->ctx, call);
}

glnn_status glnn__trainer_leave(glnn_trainer *t, glnn_status status)
{
    t->seconds += glnn__clock_seconds() - t->called;
    t->result.seconds = t->seconds;
    return glnn__gl_leave(t->ctx, status);
}

static glnn_status check(glnn_learner *learner, const glnn_dataset *data, glnn_train_desc *desc,
                         bool updates_by_epoch)
{
    GLNN__TRY(glnn__check_data(learner, data, true));
    if (desc->validation)
        GLNN__TRY(glnn__check_data(learner, desc->validation, true));
    if (!glnn_trainer_is_finished(learner->trainer))
        return glnn__fail(GLNN_E_STATE, "another trainer of this %s has not finished",
                          learner->type->name);
    GLNN__TRY(glnn__train_desc_check(desc, data, learner, updates_by_epoch));
    if (glnn__distortion_is_asked(&desc->distortion) && data->may_change)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: a distortion, but the samples are in a matrix of the program, which "
                          "may change; distortion makes a copy of the images once",
                          data->name);
    const glnn_distortion asked = desc->distortion;
    return glnn__distortion_is_asked(&asked)
               ? glnn__distortion_resolve(&asked, learner->shape, learner->features,
                                          &desc->distortion)
               : GLNN_OK;
}

/* The copy of resident images is reserved now, so that training does not fail later. */
static glnn_status create_distorter(glnn_trainer *t)
{
    if (!glnn__distortion_is_active(&t->desc.distortion))
        return GLNN_OK;
    GLNN__TRY(glnn__distorter_create(t->ctx, &t->desc.distortion, t->desc.seed, &t->distorter));
    return t->data->stream ? GLNN_OK : glnn__distorter_reserve(t->distorter, t->data->inputs);
}

/* The time that the learner needs to begin is not counted as time of the training. Its passes may
 * be other ones than in the training before. */
static glnn_status start(glnn_trainer *t)
{
    GLNN__TRY(glnn__devices_agree(t));
    if (t->learner->type->begin)
        GLNN__TRY(t->learner->type->begin(t->learner, t->data, &t->desc));
    glnn__lists_destroy(&t->learner->lists);
    t->called = glnn__clock_seconds();
    fill_defaults(t->learner, &t->desc);
    t->rate = t->desc.schedule.rate;
    start_metrics(t);
    GLNN__TRY(choose_samples(t));
    GLNN__TRY(create_distorter(t));
    GLNN__TRY(start_emphasis(t));
    GLNN__TRY(glnn__identity_agree(t));
    GLNN__TRY(share_samples(t));
    GLNN__TRY(glnn__checkpoint_begin(t));
    return glnn__exchange_plan_make(t);
}

static glnn_status copy_path(glnn_trainer *t)
{
    if (!t->desc.checkpoint)
        return GLNN_OK;
    t->desc.checkpoint = t->checkpoint = strdup(t->desc.checkpoint);
    return t->checkpoint ? GLNN_OK : glnn__fail(GLNN_E_NOMEM, "no memory for a file name");
}

/* Ends the connection of the trainer and its learner, if it still has one. */
static void release(glnn_trainer *t)
{
    glnn_learner *learner = t->learner;
    if (!learner)
        return;
    if (learner->type->end_training)
        learner->type->end_training(learner);
    learner->metrics.losses = NULL;
    learner->trainer = NULL;
    learner->held_by = NULL;
    learner->exchange = NULL;
    t->learner = NULL;
}

/* The learner gets its new trainer after the checks. */
static void take(glnn_trainer *t, glnn_learner *learner)
{
    if (learner->trainer)
        release(learner->trainer);
    t->learner = learner;
    learner->trainer = t;
    learner->held_by = &t->learner;
    learner->exchange = t->exchange;
}

static glnn_status begin(glnn_trainer *t, glnn_learner *learner, const char *function)
{
    bool updates_by_epoch = false;
    GLNN__TRY(glnn__train_desc_check_batch(&t->desc, learner));
    if (learner->type->describe)
        learner->type->describe(learner, &t->desc, &updates_by_epoch);
    GLNN__TRY(check(learner, t->data, &t->desc, updates_by_epoch));
    take(t, learner);
    learner->updates_by_epoch = updates_by_epoch;
    GLNN__TRY(copy_path(t));
    GLNN__TRY(glnn__trainer_enter(t, function));
    return glnn__trainer_leave(t, start(t));
}

/* The program may destroy all of these before the trainer. */
static void share(glnn_trainer *t, const glnn_dataset *data)
{
    t->data = glnn__dataset_share(data);
    if (t->desc.validation)
        t->validation = glnn__dataset_share(t->desc.validation);
    if (t->desc.curve)
        t->curve = glnn__curve_share(t->desc.curve);
}

static glnn_status create(glnn_learner *learner, const char *function, const glnn_dataset *data,
                          const glnn_train_desc *desc, glnn_trainer **out)
{
    glnn_trainer *t = calloc(1, sizeof *t);
    if (!t)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a trainer");
    t->ctx = learner->ctx;
    t->learner_name = learner->type->name;
    t->desc = desc ? *desc : (glnn_train_desc){0};
    share(t, data);
    t->result.size = sizeof t->result;
    glnn_status status = glnn__exchange_check(&t->desc.exchange);
    if (!status)
        status = glnn__exchange_create(learner->ctx, &t->desc.exchange, &t->exchange);
    if (!status)
        status = begin(t, learner, function);
    glnn__exchange_fail(t->exchange, status);
    if (status)
        glnn_trainer_destroy(t);
    else
        *out = t;
    return status;
}

static void report(void *self)
{
    (void)self;
    glnn__log(GLNN_LOG_WARNING, "glnn_context_destroy: a trainer still exists");
}

glnn_status glnn_trainer_create(glnn_learner *learner, const glnn_dataset *data,
                                const glnn_train_desc *desc, glnn_trainer **out)
{
    GLNN__NOT_NULL(out);
    *out = NULL;
    GLNN__HELD(learner);
    GLNN__NOT_NULL(data);
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    GLNN__TRY(glnn__gl_leave(learner->ctx, create(learner, __func__, data, desc, out)));
    glnn__object_add(learner->ctx, &(*out)->object, report, *out);
    return GLNN_OK;
}

void glnn_trainer_destroy(glnn_trainer *t)
{
    if (!t || t->is_reporting)
        return;
    glnn__dependent_remove(&t->object);
    if (!glnn__gl_enter(t->ctx)) {
        glnn__share_end(t);
        glnn__epoch_end_drop(t);
        glnn__flights_drop(&t->flights);
        glnn__gl_leave(t->ctx, GLNN_OK);
    }
    glnn_download_end(t->ending.squares, NULL, 0);
    glnn__metrics_destroy(&t->measured);
    glnn__exchange_destroy(t->exchange);
    glnn__order_destroy(&t->own_order);
    glnn__samples_destroy(&t->samples);
    glnn__distorter_destroy(t->distorter);
    glnn__identity_free(&t->identity);
    release(t);
    glnn__emphasis_destroy(&t->emphasis);
    glnn__dataset_release(t->data);
    glnn__dataset_release(t->validation);
    glnn_curve_destroy(t->curve);
    free(t->checkpoint);
    free(t);
}

/* ---- Steps */

static glnn_status step(glnn_trainer *t, int steps, double milliseconds)
{
    steps = steps > 0 ? steps : INT_MAX;
    return milliseconds > 0 ? glnn__limited_run(t, steps, milliseconds / 1000)
                            : glnn__steps_run(t, steps);
}

static glnn_status check_learner(const glnn_trainer *t, const char *what)
{
    if (!t)
        return glnn__fail_null(what, "trainer");
    GLNN__TRY(glnn__context_check(what, "trainer", t->ctx));
    if (!t->learner)
        return glnn__fail(GLNN_E_STATE, "%s: the %s was destroyed, or has another trainer", what,
                          t->learner_name);
    return GLNN_OK;
}

glnn_status glnn__trainer_check(const glnn_trainer *t, const char *what)
{
    GLNN__TRY(check_learner(t, what));
    if (t->is_reporting)
        return glnn__fail(GLNN_E_STATE, "%s: a report function cannot drive its own trainer", what);
    return GLNN_OK;
}

glnn_status glnn__trainer_check_running(const glnn_trainer *t, const char *what)
{
    GLNN__TRY(glnn__trainer_check(t, what));
    if (t->phase == GLNN__PHASE_ENDED)
        return glnn__fail(GLNN_E_STATE, "%s: training is over after %d of %d epochs", what,
                          t->result.epochs, t->desc.epochs);
    return GLNN_OK;
}

/* Processes would make different numbers of steps within a time, and wait for each other. */
static glnn_status check_limits(const glnn_trainer *t, const char *what, int steps,
                                double milliseconds)
{
    const int ranks = glnn__exchange_ranks(t->exchange);
    if (steps < 0 || !(milliseconds >= 0) || !isfinite(milliseconds))
        return glnn__fail(GLNN_E_ARG,
                          "%s: %d steps in %g ms; both have to be finite and not negative", what,
                          steps, milliseconds);
    if (milliseconds > 0 && ranks > 1)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: a limit of %g ms, but %d processes train together and have to make "
                          "the same steps; limit their number instead",
                          what, milliseconds, ranks);
    if (t->phase == GLNN__PHASE_EPOCH_END && !t->is_resumed && milliseconds == 0)
        return glnn__fail(GLNN_E_STATE,
                          "%s: epoch %d has no more steps; glnn_trainer_end_epoch ends it", what,
                          t->report.epoch);
    return GLNN_OK;
}

glnn_status glnn_trainer_step(glnn_trainer *t, int steps, double milliseconds, int *done,
                              bool *epoch_ended)
{
    GLNN__TRY(glnn__trainer_check_running(t, __func__));
    GLNN__TRY(check_limits(t, __func__, steps, milliseconds));
    const uint64_t before = t->result.steps;
    t->is_resumed = false;
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    const glnn_status status = glnn__trainer_leave(t, step(t, steps, milliseconds));
    if (done)
        *done = (int)(t->result.steps - before);
    if (epoch_ended)
        *epoch_ended = t->phase == GLNN__PHASE_EPOCH_END;
    return status;
}

glnn_status glnn_trainer_end_epoch(glnn_trainer *t)
{
    GLNN__TRY(glnn__trainer_check_running(t, __func__));
    if (t->phase != GLNN__PHASE_EPOCH_END)
        return glnn__fail(GLNN_E_STATE, "%s: %d of %d batches of epoch %d are left", __func__,
                          t->batches - t->batches_done, t->batches, t->epoch + 1);
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__epoch_end(t));
}

static glnn_status run(glnn_trainer *t)
{
    while (t->phase != GLNN__PHASE_ENDED) {
        GLNN__TRY(glnn_trainer_step(t, 0, 0, NULL, NULL));
        GLNN__TRY(glnn_trainer_end_epoch(t));
    }
    return GLNN_OK;
}

static glnn_status train(glnn_learner *learner, const char *function, const glnn_dataset *data,
                         const glnn_train_desc *desc, glnn_train_result *result)
{
    glnn_trainer *t;
    GLNN__TRY(create(learner, function, data, desc, &t));
    const glnn_status status = run(t);
    *result = t->result;
    glnn_trainer_destroy(t);
    return status;
}

glnn_status glnn_learner_train(glnn_learner *learner, const glnn_dataset *data,
                               const glnn_train_desc *desc, glnn_train_result *result)
{
    glnn_train_result trained = {.size = sizeof trained};
    GLNN__HELD(learner);
    GLNN__NOT_NULL(data);
    if (result)
        GLNN__TRY(GLNN__SIZED_CHECK(glnn_train_result, result));
    GLNN__TRY(glnn__gl_enter(learner->ctx));
    const glnn_status status =
        glnn__gl_leave(learner->ctx, train(learner, __func__, data, desc, &trained));
    if (result)
        glnn__sized_fill(result, &trained, sizeof trained);
    return status;
}

/* ---- Metrics */

bool glnn_trainer_is_finished(const glnn_trainer *t)
{
    return !t || !t->learner || t->phase == GLNN__PHASE_ENDED;
}

const glnn_report *glnn_trainer_get_report(const glnn_trainer *t)
{
    return t ? &t->report : NULL;
}

const glnn_train_result *glnn_trainer_get_result(const glnn_trainer *t)
{
    return t ? &t->result : NULL;
}

/* The latest list for a purpose, if its passes are about what still exists. */
static const glnn__list *latest(const glnn_trainer *t, int purpose)
{
    const glnn__list *list = t && t->learner ? t->learner->lists.latest[purpose] : NULL;
    const bool exists = list && !t->ctx->is_destroyed && glnn__list_is_current(list);
    return exists ? list : NULL;
}

int glnn_trainer_get_pass_count(const glnn_trainer *t)
{
    return glnn__list_count(latest(t, GLNN__LIST_GRADIENT)) +
           glnn__list_count(latest(t, GLNN__LIST_APPLY));
}

static void describe_pass(const glnn__pass *pass, const glnn__label *label, glnn_pass_info *out)
{
    out->part = label->part;
    out->layer = label->layer - 1;
    out->kernel = pass->kernel->name;
    out->epilogue = pass->epilogue ? pass->epilogue->kernel->name : NULL;
    out->output = pass->output;
    out->adds = pass->blend;
    out->expected_us = pass->expected_us;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        out->operands[i] = pass->operands[i].matrix;
        out->operand_names[i] = out->operands[i] ? pass->kernel->operands[i] : NULL;
    }
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        out->side_outputs[i] = glnn__pass_side_output(pass, i);
        out->side_output_names[i] = glnn__pass_side_output_name(pass, i);
    }
}

_Static_assert(GLNN__MAX_OPERANDS == (int)GLNN_PASS_MAX_OPERANDS &&
                   GLNN__MAX_SIDE_OUTPUTS == (int)GLNN_PASS_MAX_SIDE_OUTPUTS,
               "glnn_pass_info has room for all");

glnn_status glnn_trainer_get_pass(const glnn_trainer *trainer, int number, glnn_pass_info *out)
{
    GLNN__NOT_NULL(trainer);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_pass_info, out));
    GLNN__TRY(check_learner(trainer, __func__));
    const glnn__list *list = latest(trainer, GLNN__LIST_GRADIENT);
    const int count = glnn_trainer_get_pass_count(trainer), first = glnn__list_count(list);
    const glnn__label *label;
    if (count == 0)
        return glnn__fail(GLNN_E_STATE,
                          "%s: no step was made since the training began, or since a matrix of its "
                          "passes was made anew",
                          __func__);
    if (number < 0 || number >= count)
        return glnn__fail(GLNN_E_ARG, "%s: pass %d of a step of %d passes", __func__, number,
                          count);
    if (number >= first) {
        number -= first;
        list = latest(trainer, GLNN__LIST_APPLY);
    }
    glnn_pass_info filled = {.size = sizeof filled};
    const glnn__pass *pass = glnn__list_get(list, number, &label);
    describe_pass(pass, label, &filled);
    glnn__sized_fill(out, &filled, sizeof filled);
    return GLNN_OK;
}
