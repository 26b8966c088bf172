#include "learn/train/trainer.h"

#include "base/log.h"
#include "base/sized.h"
#include "base/status.h"
#include "data/dataset.h"
#include "gl/lifetime.h"
#include "learn/evaluate.h"
#include "learn/learner_file.h"
#include "learn/passes.h"
#include "learn/snapshot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- Calls */

/* Whether the trainer has its learner. */
static glnn_status check_learner(const glnn_trainer *t, const char *what)
{
    if (!t)
        return glnn__fail_null(what, "trainer");
    GLNN__TRY(glnn__context_check(what, "trainer", t->training.ctx));
    if (!t->training.learner)
        return glnn__fail(GLNN_E_STATE, "%s: the %s was destroyed, or has another trainer", what,
                          t->training.learner_name);
    return GLNN_OK;
}

/* The same, and whether no report is under way. */
static glnn_status check(const glnn_trainer *t, const char *what)
{
    GLNN__TRY(check_learner(t, what));
    if (t->reporter.is_reporting)
        return glnn__fail(GLNN_E_STATE, "%s: a report function cannot drive its own trainer", what);
    return GLNN_OK;
}

glnn_status glnn__trainer_check_running(const glnn_trainer *t, const char *what)
{
    GLNN__TRY(check(t, what));
    if (t->cursor.phase == GLNN__PHASE_ENDED)
        return glnn__fail(GLNN_E_STATE, "%s: training is over after %d of %d epochs", what,
                          t->stopper.result.epochs, t->training.desc.epochs);
    return GLNN_OK;
}

glnn_status glnn__trainer_enter(glnn_trainer *t, const char *call)
{
    glnn__elapsed_start(&t->cursor.calls);
    return glnn__gl_enter_for(t->training.ctx, call);
}

glnn_status glnn__trainer_leave(glnn_trainer *t, glnn_status status)
{
    glnn__elapsed_stop(&t->cursor.calls);
    glnn__stopper_set_seconds(&t->stopper, t->cursor.calls.seconds);
    return glnn__gl_leave(t->training.ctx, status);
}

/* ---- Creating */

/* The time that the learner needs to begin is not counted as time of the training. */
static glnn_status start(glnn_trainer *t)
{
    glnn__samples *samples = &t->training.samples;
    GLNN__TRY(glnn__checkpointer_find_place(&t->checkpointer));
    GLNN__TRY(glnn__exchange_plan_agree(&t->plan));
    GLNN__TRY(glnn__training_begin(&t->training));
    glnn__elapsed_start(&t->cursor.calls);
    glnn__cursor_set_rate(&t->cursor, t->training.desc.schedule.rate);
    glnn__reporter_begin(&t->reporter);
    glnn__stopper_begin(&t->stopper);
    GLNN__TRY(glnn__checkpointer_agree(&t->checkpointer));
    GLNN__TRY(glnn__exchange_plan_share(&t->plan));
    GLNN__TRY(glnn__samples_share(samples));
    /* Windows of streams have to hold all samples that are used at a time. */
    glnn__samples_go_to(samples, t->training.desc.epochs - 1);
    GLNN__TRY(glnn__batch_iterator_check(t->training.data, glnn__samples_most(samples)));
    glnn__samples_go_to(samples, 0);
    if (samples->validation_count > 0)
        GLNN__TRY(
            glnn__batch_iterator_check(samples->validation->data, t->training.learner->capacity));
    GLNN__TRY(glnn__checkpointer_begin(&t->checkpointer));
    t->is_resumed = t->training.desc.resume;
    return glnn__exchange_plan_make(&t->plan);
}

/* A learner that had no parameters has none after an error either: the next training finds them. */
static glnn_status start_or_forget(glnn_trainer *t, glnn_learner *learner)
{
    const bool was_set = !learner->is_set || *learner->is_set;
    const glnn_status status = start(t);
    if (status && !was_set)
        learner->type->forget(learner);
    return status;
}

static glnn_status begin(glnn_trainer *t, const char *function, glnn_learner *learner,
                         const glnn_dataset *data, const glnn_train_desc *desc)
{
    const bool is_taken = !glnn_trainer_is_finished(learner->trainer);
    GLNN__TRY(glnn__training_create(learner, data, desc, is_taken, t, &t->training));
    GLNN__TRY(glnn__trainer_enter(t, function));
    return glnn__trainer_leave(t, start_or_forget(t, learner));
}

static glnn_status create(glnn_learner *learner, const char *function, const glnn_dataset *data,
                          const glnn_train_desc *desc, glnn_trainer **out)
{
    glnn_trainer *t = calloc(1, sizeof *t);
    if (!t)
        return glnn__fail(GLNN_E_NOMEM, "no memory for a trainer");
    *t = (glnn_trainer){
        .cursor.of = &t->training,
        .reporter = {.of = &t->training, .at = &t->cursor, .result = &t->stopper.result},
        .stopper = {.of = &t->training, .reporter = &t->reporter},
        .checkpointer = {.of = &t->training,
                         .at = &t->cursor,
                         .reporter = &t->reporter,
                         .stopper = &t->stopper},
        .plan = {.of = &t->training, .at = &t->cursor},
    };
    const glnn_status status = begin(t, function, learner, data, desc);
    glnn__exchange_fail(t->training.exchange, status);
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
    if (!t || t->reporter.is_reporting)
        return;
    glnn__dependent_remove(&t->object);
    if (!glnn__gl_enter_recording(t->training.ctx)) {
        glnn__loop_drop_end(t);
        glnn__pacer_drop(&t->pacer);
        glnn__cursor_end(&t->cursor);
        glnn__gl_leave(t->training.ctx, GLNN_OK);
    }
    glnn__stopper_drop(&t->stopper);
    glnn__cursor_destroy(&t->cursor);
    glnn__reporter_destroy(&t->reporter);
    glnn__checkpointer_destroy(&t->checkpointer);
    glnn__training_destroy(&t->training);
    free(t);
}

/* ---- Training */

static glnn_status check_epoch(const glnn_trainer *t, const char *what)
{
    if (t->cursor.phase == GLNN__PHASE_EPOCH_END)
        return glnn__fail(GLNN_E_STATE,
                          "%s: epoch %d has no more steps; glnn_trainer_end_epoch ends it", what,
                          t->reporter.report.epoch);
    return GLNN_OK;
}

/* Processes would make different numbers of steps within a time, and wait for each other. */
static glnn_status check_limits(const glnn_trainer *t, const char *what, int steps,
                                double milliseconds)
{
    const int ranks = glnn__exchange_ranks(t->training.exchange);
    if (steps < 0 || !(milliseconds >= 0) || !isfinite(milliseconds))
        return glnn__fail(GLNN_E_ARG,
                          "%s: %d steps in %g ms; both have to be finite and not negative", what,
                          steps, milliseconds);
    if (milliseconds > 0 && ranks > 1)
        return glnn__fail(GLNN_E_UNSUPPORTED,
                          "%s: a limit of %g ms, but %d processes train together and have to make "
                          "the same steps; limit their number instead",
                          what, milliseconds, ranks);
    return t->is_resumed || milliseconds > 0 ? GLNN_OK : check_epoch(t, what);
}

glnn_status glnn_trainer_step(glnn_trainer *t, int steps, double milliseconds, int *done,
                              bool *epoch_ended)
{
    GLNN__TRY(glnn__trainer_check_running(t, __func__));
    GLNN__TRY(check_limits(t, __func__, steps, milliseconds));
    const uint64_t before = t->stopper.result.steps;
    const int most = steps > 0 ? steps : INT_MAX;
    t->is_resumed = false;
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    const glnn_status status =
        glnn__trainer_leave(t, milliseconds > 0 ? glnn__loop_run_for(t, most, milliseconds / 1000)
                                                : glnn__loop_steps(t, most));
    if (done)
        *done = (int)(t->stopper.result.steps - before);
    if (epoch_ended)
        *epoch_ended = t->cursor.phase == GLNN__PHASE_EPOCH_END;
    return status;
}

glnn_status glnn__trainer_step_watched(glnn_trainer *t, const char *what, glnn__watch *watch)
{
    GLNN__TRY(glnn__trainer_check_running(t, what));
    GLNN__TRY(check_epoch(t, what));
    t->is_resumed = false;
    t->watch = watch;
    glnn_status status = glnn__trainer_enter(t, what);
    if (!status)
        status = glnn__trainer_leave(t, glnn__loop_steps(t, 1));
    t->watch = NULL;
    return status;
}

glnn_status glnn_trainer_end_epoch(glnn_trainer *t)
{
    GLNN__TRY(glnn__trainer_check_running(t, __func__));
    const int batches = t->training.samples.batches;
    const int done = t->cursor.phase == GLNN__PHASE_BETWEEN ? 0 : t->cursor.batches;
    if (t->cursor.phase != GLNN__PHASE_EPOCH_END)
        return glnn__fail(GLNN_E_STATE, "%s: %d of %d batches of epoch %d are left", __func__,
                          batches - done, batches, t->cursor.epoch + 1);
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__loop_end_epoch(t));
}

/* A training as it is begun, and begun again after a loss of the device. Until it has saved a
 * checkpoint, the file at the path may be of a former training. */
typedef struct attempts {
    glnn_train_desc desc;
    glnn_train_result result;
    uint64_t from; /* the steps that were made before the latest attempt */
    int losses;    /* in a row, of attempts from there                   */
} attempts;

static void start_attempt(attempts *of, const glnn_trainer *t)
{
    const uint64_t from = t->stopper.result.steps;
    if (from > of->from)
        of->losses = 0;
    of->from = from;
    if (of->desc.on_start)
        of->desc.on_start(of->desc.user, t);
}

static glnn_status train(glnn_learner *learner, const char *function, const glnn_dataset *data,
                         attempts *of)
{
    glnn_trainer *t;
    GLNN__TRY(create(learner, function, data, &of->desc, &t));
    start_attempt(of, t);
    glnn_status status = GLNN_OK;
    while (!status && t->cursor.phase != GLNN__PHASE_ENDED) {
        status = glnn_trainer_step(t, 0, 0, NULL, NULL);
        if (!status)
            status = glnn_trainer_end_epoch(t);
    }
    of->result = t->stopper.result;
    if (t->checkpointer.has_saved) {
        of->desc.resume = true;
        of->desc.overwrite = false;
    }
    glnn_trainer_destroy(t);
    return status;
}

static glnn_status enter_and_train(glnn_learner *learner, const char *function,
                                   const glnn_dataset *data, attempts *of)
{
    glnn_context *ctx = learner->ctx;
    GLNN__TRY(glnn__gl_enter_for(ctx, function));
    return glnn__gl_leave(ctx, train(learner, function, data, of));
}

/* Objects on a lost device. Their structures exist while the program replaces them, even if it
 * destroys them. So a handle that it has not replaced is recognised by its context. */
typedef struct former {
    glnn_context *ctx;
    glnn_learner *learner, *remains;
    glnn_dataset *data, *validation; /* validation: NULL if there is none */
} former;

static void hold(former *of, glnn_learner *learner, const glnn_dataset *data,
                 const glnn_dataset *validation)
{
    *of = (former){.ctx = learner->ctx, .learner = learner, .data = glnn__dataset_share(data)};
    of->validation = validation ? glnn__dataset_share(validation) : NULL;
    learner->remains = &of->remains;
}

static void let_go(former *of)
{
    of->learner->remains = NULL;
    free(of->remains);
    glnn__dataset_release(of->data);
    glnn__dataset_release(of->validation);
}

/* `ctx` is that of the object; NULL: the object is null. */
static glnn_status check_object(const former *of, const char *object, const glnn_context *ctx)
{
    if (ctx && ctx != of->ctx)
        return GLNN_OK;
    return glnn__fail(GLNN_E_STATE,
                      "on_device_lost returned GLNN_OK, but the %s %s; it has to make all objects "
                      "anew in a new context",
                      object,
                      ctx ? "still belongs to the context whose device was lost" : "is null");
}

static glnn_status check_replaced(const former *of, const glnn_learner *learner,
                                  const glnn_dataset *data, const glnn_dataset *validation)
{
    GLNN__TRY(check_object(of, "learner", learner ? learner->ctx : NULL));
    GLNN__TRY(check_object(of, "data set", data ? data->ctx : NULL));
    return of->validation ? check_object(of, "validation set", validation ? validation->ctx : NULL)
                          : GLNN_OK;
}

/* Prepares another attempt after a loss of the device, which the last error describes. */
static glnn_status try_again(attempts *of, const char *function, glnn_learner **learner,
                             const glnn_dataset **data)
{
    former before;
    if (++of->losses == GLNN_TRAIN_MAX_LOSSES)
        return glnn__fail(GLNN_E_DEVICE_LOST,
                          "%s; the device was lost %d times in a row without a new checkpoint, so "
                          "the training may be the reason",
                          glnn_last_error(), of->losses);
    glnn__log(GLNN_LOG_WARNING, "%s", glnn_last_error());
    hold(&before, *learner, *data, of->desc.validation);
    glnn_status status = of->desc.on_device_lost(of->desc.user, &of->desc, learner, data);
    if (!status)
        status =
            glnn__fail_in(function, check_replaced(&before, *learner, *data, of->desc.validation));
    let_go(&before);
    return status;
}

glnn_status glnn_learner_train(glnn_learner *learner, const glnn_dataset *data,
                               const glnn_train_desc *desc, glnn_train_result *result)
{
    attempts of = {.desc = desc ? *desc : (glnn_train_desc){0}, .result.size = sizeof of.result};
    GLNN__HELD(learner);
    GLNN__NOT_NULL(data);
    if (result)
        GLNN__TRY(GLNN__SIZED_CHECK(glnn_train_result, train_seconds, result));
    glnn_status status = enter_and_train(learner, __func__, data, &of);
    while (status == GLNN_E_DEVICE_LOST && of.desc.on_device_lost) {
        status = try_again(&of, __func__, &learner, &data);
        if (status)
            break;
        status = enter_and_train(learner, __func__, data, &of);
    }
    if (result)
        glnn__sized_fill(result, &of.result, sizeof of.result);
    return status;
}

/* ---- Results */

bool glnn_trainer_is_finished(const glnn_trainer *t)
{
    return !t || !t->training.learner || t->training.ctx->is_destroyed ||
           t->cursor.phase == GLNN__PHASE_ENDED;
}

const glnn_report *glnn_trainer_get_report(const glnn_trainer *t)
{
    return t ? &t->reporter.report : NULL;
}

glnn_status glnn_trainer_update_report(glnn_trainer *t)
{
    GLNN__TRY(glnn__trainer_check_running(t, __func__));
    GLNN__TRY(check_epoch(t, __func__));
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__loop_update_report(t));
}

const glnn_train_result *glnn_trainer_get_result(const glnn_trainer *t)
{
    return t ? &t->stopper.result : NULL;
}

/* The latest list for a purpose, if its passes are about what still exists. */
static const glnn__list *latest(const glnn_trainer *t, int purpose)
{
    const glnn_learner *learner = t ? t->training.learner : NULL;
    const glnn__list *list = learner ? learner->lists.latest[purpose] : NULL;
    const bool exists = list && !t->training.ctx->is_destroyed && glnn__list_is_current(list);
    return exists ? list : NULL;
}

int glnn_trainer_get_pass_count(const glnn_trainer *t)
{
    return glnn__list_count(latest(t, GLNN__LIST_GRADIENT)) +
           glnn__list_count(latest(t, GLNN__LIST_APPLY));
}

void glnn__pass_describe(const glnn__pass *pass, const glnn__label *label, glnn_pass_info *out)
{
    out->part = label->part;
    out->layer = label->layer - 1;
    out->kernel = pass->kernel->name;
    out->epilogue = pass->epilogue ? pass->epilogue->kernel->name : NULL;
    out->output = pass->output;
    out->adds = pass->blend;
    out->writes_output = glnn__pass_writes(pass, 0);
    out->expected_us = pass->expected_us;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        out->operands[i] = pass->operands[i].matrix;
        out->operand_names[i] = out->operands[i] ? pass->kernel->operands[i] : NULL;
    }
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        out->side_outputs[i] = glnn__pass_side_output(pass, i);
        out->side_output_names[i] = glnn__pass_side_output_name(pass, i);
        out->writes_side_outputs[i] = glnn__pass_writes(pass, 1 + i);
    }
}

_Static_assert(GLNN__MAX_OPERANDS == (int)GLNN_PASS_MAX_OPERANDS &&
                   GLNN__MAX_SIDE_OUTPUTS == (int)GLNN_PASS_MAX_SIDE_OUTPUTS,
               "glnn_pass_info has room for all");

glnn_status glnn_trainer_get_pass(const glnn_trainer *trainer, int number, glnn_pass_info *out)
{
    GLNN__NOT_NULL(trainer);
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_pass_info, expected_us, out));
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
    glnn__pass_describe(pass, label, &filled);
    glnn__sized_fill(out, &filled, sizeof filled);
    return GLNN_OK;
}

glnn_status glnn_trainer_get_exchange_plan(const glnn_trainer *t, glnn_exchange_plan *out)
{
    if (!t)
        return glnn__fail_null(__func__, "trainer");
    GLNN__NOT_NULL(out);
    GLNN__TRY(GLNN__SIZED_CHECK(glnn_exchange_plan, layers, out));
    const glnn_exchange_plan plan = glnn__exchange_plan_report(&t->plan);
    glnn__sized_fill(out, &plan, sizeof plan);
    return GLNN_OK;
}

/* ---- The learner */

glnn_status glnn_trainer_evaluate(glnn_trainer *t, const glnn_dataset *data, glnn_metrics *metrics,
                                  int64_t *confusion)
{
    GLNN__TRY(check(t, __func__));
    GLNN__NOT_NULL(data);
    return glnn__evaluate(t->training.learner, __func__, data, metrics, confusion);
}

glnn_status glnn_trainer_snapshot(glnn_trainer *t)
{
    GLNN__TRY(check(t, __func__));
    if (t->training.desc.restore_best)
        return glnn__fail(GLNN_E_STATE,
                          "%s: with restore_best the snapshot is that of the best epoch", __func__);
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__stopper_take_snapshot(&t->stopper));
}

glnn_status glnn_trainer_restore(glnn_trainer *t)
{
    GLNN__TRY(check(t, __func__));
    if (!t->stopper.has_snapshot)
        return glnn__fail(GLNN_E_STATE, "%s: there is no snapshot", __func__);
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    return glnn__trainer_leave(t, glnn__snapshot_restore(t->training.learner));
}

static glnn_status check_path(const glnn_trainer *t, const char *what, const char *path)
{
    GLNN__TRY(check(t, what));
    if (!path)
        return glnn__fail_null(what, "path");
    return *path ? GLNN_OK : glnn__fail(GLNN_E_ARG, "%s: the path is empty", what);
}

glnn_status glnn_trainer_save(const glnn_trainer *t, const char *path)
{
    GLNN__TRY(check_path(t, __func__, path));
    return glnn__fail_in(__func__, glnn__file_save(t->training.learner, path));
}

/* ---- The learning rate */

glnn_status glnn_trainer_set_learning_rate(glnn_trainer *t, float rate)
{
    GLNN__TRY(check(t, __func__));
    if (!(rate > 0) || !isfinite(rate))
        return glnn__fail(GLNN_E_ARG, "%s: a rate of %g; it has to be finite and above 0", __func__,
                          (double)rate);
    GLNN__TRY(glnn__fail_in(__func__, glnn__training_check_rate(rate, t->training.learner)));
    glnn__cursor_set_rate(&t->cursor, rate);
    return GLNN_OK;
}

/* ---- Checkpoints */

glnn_status glnn_trainer_save_checkpoint(glnn_trainer *t, const char *path)
{
    GLNN__TRY(check_path(t, __func__, path));
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    /* A checkpoint is made before the end of an epoch begins, or after it is complete. */
    glnn_status status = GLNN_OK;
    if (t->cursor.phase == GLNN__PHASE_EPOCH_END && t->ending > GLNN__ENDING_LEARNER)
        status = glnn__loop_end_epoch(t);
    return glnn__trainer_leave(t,
                               status ? status : glnn__checkpointer_save(&t->checkpointer, path));
}

glnn_status glnn_trainer_load_checkpoint(glnn_trainer *t, const char *path)
{
    GLNN__TRY(check_path(t, __func__, path));
    GLNN__TRY(glnn__trainer_enter(t, __func__));
    const glnn_status status = glnn__checkpointer_load(&t->checkpointer, path);
    if (!status) {
        glnn__loop_drop_end(t);
        t->is_resumed = true;
    }
    return glnn__trainer_leave(t, status);
}
