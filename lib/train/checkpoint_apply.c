/* Brings the content of a checkpoint into a trainer. A copy of the trainer's state is made in main
 * memory before, so that after an error the training is as it was. */
#include "train/checkpoint.h"

#include "base/lines.h"
#include "base/log.h"
#include "base/status.h"
#include "train/identity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The order of samples follows from the seed and the number of epochs that have begun, or from the
 * recent losses. */
static glnn_status fill_order(glnn_trainer *t, bool is_begun, glnn__order *order)
{
    const bool is_drawn = t->desc.emphasis > 0, stays = is_drawn || t->desc.keep_order;
    for (int epoch = 0; epoch < t->epoch + is_begun && !stays; ++epoch)
        glnn__order_shuffle(order, t->samples.count);
    if (!t->data->stream)
        GLNN__TRY(glnn__order_upload(t->ctx, order));
    if (!is_drawn || !is_begun)
        return GLNN_OK;
    return glnn__emphasis_draw(t->ctx, &t->emphasis, t->epoch, order->matrix);
}

/* *out has to be destroyed after failure too. */
static glnn_status make_order(glnn_trainer *t, bool is_begun, glnn__order *out)
{
    glnn__samples chosen = {0};
    glnn_status status = glnn__samples_choose(t->learner, t->data, &t->desc, &chosen);
    if (!status)
        status = fill_order(t, is_begun, &chosen.order);
    *out = chosen.order;
    chosen.order = (glnn__order){0};
    glnn__samples_destroy(&chosen);
    return status;
}

static void swap_orders(glnn_trainer *t, glnn__order *other)
{
    const glnn__order own = t->samples.order;
    t->samples.order = *other;
    *other = own;
}

/* The number of epochs of the training that saved the file. */
static int saved_epochs(const glnn_safetensors *file)
{
    const char *training =
        glnn_safetensors_get_metadata(file, glnn__identity_keys[GLNN__IDENTITY_TRAINING]);
    int epochs = 0;
    return training && sscanf(training, "epochs=%d", &epochs) == 1 ? epochs : 0;
}

/* Training that is over goes on if it has more epochs now. */
static glnn_status extend(const glnn_trainer *t, const char *path, const glnn_safetensors *file,
                          glnn__place *at)
{
    const glnn_train_result *result = &t->result;
    if (at->phase != GLNN__PHASE_ENDED || t->stops || t->epoch >= t->desc.epochs ||
        t->epoch != saved_epochs(file))
        return GLNN_OK;
    if (t->desc.restore_best && t->best_steps < result->steps)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the training was over after epoch %d and went back to epoch %d, so "
                          "that it cannot go on to %d epochs",
                          path, t->epoch, result->best_epoch, t->desc.epochs);
    at->phase = GLNN__PHASE_BETWEEN;
    return GLNN_OK;
}

static bool is_possible(const glnn_trainer *t, const glnn__place *at)
{
    const int *begins = t->samples.groups.begins, groups = t->samples.groups.count;
    const bool is_under_way = at->phase == GLNN__PHASE_STEPS;
    return at->phase >= 0 && at->phase <= GLNN__PHASE_ENDED && t->epoch >= 0 && t->group >= 0 &&
           t->group <= groups - is_under_way && t->batches_done >= 0 &&
           t->batches_done <= t->batches && t->steps_done <= t->steps &&
           (!is_under_way || (at->done >= 0 && at->done < begins[t->group + 1] - begins[t->group]));
}

/* Checks the place in the training that was loaded. */
static glnn_status check_place(const glnn_trainer *t, const char *path, const glnn__place *at)
{
    if (!is_possible(t, at))
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the data set has no sample %d of group %d after %d batches of epoch "
                          "%d (phase %d)",
                          path, at->done, t->group, t->batches_done, t->epoch + 1, at->phase);
    if (t->epoch + (at->phase != GLNN__PHASE_ENDED) > t->desc.epochs)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the checkpoint is of epoch %d, but the training has only %d", path,
                          t->epoch + 1, t->desc.epochs);
    if (t->learner->default_rate == 0)
        return GLNN_OK;
    if (!(t->rate > 0) || !isfinite(t->rate))
        return glnn__fail(GLNN_E_FORMAT, "%s: the learning rate is %g", path, (double)t->rate);
    return glnn__train_desc_check_rate(t->rate, t->learner);
}

static glnn_status read_state(glnn_trainer *t, const char *path, const glnn_safetensors *file,
                              glnn__place *at)
{
    const char *numbers = glnn_safetensors_get_metadata(file, "numbers");
    glnn__state state = {.ctx = t->ctx, .path = path, .file = file, .left = numbers ? numbers : ""};
    glnn__trainer_state(t, &state, at);
    GLNN__TRY(state.status);
    if (*state.left)
        return glnn__fail(GLNN_E_FORMAT, "%s: the checkpoint has '%.*s' after its last number",
                          path, glnn__line_length(state.left), state.left);
    GLNN__TRY(extend(t, path, file, at));
    return check_place(t, path, at);
}

/* Brings all of a file into the trainer. *order has to be destroyed; after success it is the one
 * that the trainer had. */
static glnn_status apply(glnn_trainer *t, const char *path, const glnn_safetensors *file,
                         glnn__order *order)
{
    glnn__place at = {0};
    GLNN__TRY(read_state(t, path, file, &at));
    GLNN__TRY(glnn__partial_keep(t));
    GLNN__TRY(
        make_order(t, at.phase == GLNN__PHASE_STEPS || at.phase == GLNN__PHASE_EPOCH_END, order));
    swap_orders(t, order);
    t->phase = (glnn__phase)at.phase;
    glnn__share_end(t);
    const glnn_status status =
        t->phase == GLNN__PHASE_STEPS ? glnn__share_begin(t, at.done) : GLNN_OK;
    if (status)
        swap_orders(t, order);
    return status;
}

/* The state of a trainer before it loads a file. Metrics and ends of epochs that are under way stay
 * until the file is loaded. */
typedef struct backup {
    glnn__state state;
    glnn__phase phase;
    int done;
    double seconds, epoch_seconds;
} backup;

static glnn_status keep(glnn_trainer *t, backup *out)
{
    glnn__place at = glnn__place_of(t);
    glnn__trainer_state(t, &out->state, &at);
    out->phase = t->phase;
    out->done = t->group_done;
    out->seconds = t->seconds;
    out->epoch_seconds = t->epoch_seconds;
    return glnn__state_keep(&out->state);
}

static glnn_status go_back(glnn_trainer *t, backup *to)
{
    glnn__place at = {0};
    glnn__state state = glnn__state_from(&to->state);
    glnn__trainer_state(t, &state, &at);
    t->phase = to->phase;
    t->seconds = to->seconds;
    t->epoch_seconds = to->epoch_seconds;
    t->group_done = to->done;
    GLNN__TRY(state.status);
    return t->phase == GLNN__PHASE_STEPS ? glnn__share_begin(t, to->done) : GLNN_OK;
}

/* The sentence of the error stays, unless the training cannot go on either. */
static glnn_status undo(glnn_trainer *t, backup *to, glnn_status status)
{
    char sentence[2048];
    snprintf(sentence, sizeof sentence, "%s", glnn_last_error());
    const glnn_status undone = go_back(t, to);
    if (!undone)
        return glnn__fail(status, "%s", sentence);
    t->phase = GLNN__PHASE_ENDED;
    char other[512];
    snprintf(other, sizeof other, "%s", glnn_last_error());
    return glnn__fail(undone,
                      "%s; the training is over, because it cannot go on from where it was: "
                      "%s",
                      sentence, other);
}

/* Another number of epochs changes the rates of some schedules. */
static void note_schedule(const glnn_trainer *t, const char *path, const glnn_safetensors *file)
{
    const glnn_schedule_kind kind = t->desc.schedule.kind;
    const int saved = saved_epochs(file);
    if (saved != t->desc.epochs && kind != GLNN_SCHEDULE_CONSTANT && kind != GLNN_SCHEDULE_STEP)
        glnn__log(GLNN_LOG_WARNING,
                  "%s: the training had %d epochs and now has %d; from here on, the schedule %s "
                  "has the rates of a training of %d epochs",
                  path, saved, t->desc.epochs, glnn_schedule_kind_name(kind), t->desc.epochs);
}

static void settle(glnn_trainer *t)
{
    glnn__metrics_drop(&t->learner->metrics);
    glnn__epoch_end_drop(t);
    t->is_resumed = true;
    t->result.seconds = t->seconds;
}

glnn_status glnn__checkpoint_apply(glnn_trainer *t, const char *path, const glnn_safetensors *file)
{
    backup before = {.state = {.ctx = t->ctx, .path = path}};
    glnn__order order = {0};
    glnn_status status = keep(t, &before);
    if (!status) {
        status = apply(t, path, file, &order);
        if (status)
            status = undo(t, &before, status);
        else {
            settle(t);
            note_schedule(t, path, file);
        }
    }
    glnn__order_destroy(&order);
    glnn__state_free(&before.state);
    return status;
}
