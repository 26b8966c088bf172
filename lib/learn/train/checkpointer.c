#include "learn/train/checkpointer.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/lines.h"
#include "base/locale.h"
#include "base/log.h"
#include "base/status.h"
#include "gl/gl.h"
#include "io/safetensors/safetensors.h"
#include "learn/visits.h"

#include <glnn/map.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT  "glnn-checkpoint"
#define VERSION "1"

/* ---- The content */

/* Lists all that a training changes. With `goes_on`, a training that stops is saved as if it went
 * on. */
static void list(glnn__checkpointer *c, glnn__state *state, bool goes_on)
{
    const glnn__training *of = c->of;
    glnn__cursor_state(c->at, state, goes_on);
    glnn__stopper_state(c->stopper, state);
    glnn__reporter_state(c->reporter, state);
    glnn__stopper_state_of_result(c->stopper, state);
    glnn__state_matrix(state, of->learner->metrics.rows, "metrics");
    glnn__state_matrix(state, of->emphasis.recent, "emphasis.recent");
    glnn__state_matrix(state, of->emphasis.presented, "emphasis.presented");
    glnn__cursor_state_of_times(c->at, state);
    glnn__learner_state(of->learner, state);
}

/* Each process has gathered metrics, and numbers of the learner, of its own samples of the epoch so
 * far. A checkpoint has the sums over all processes, so that it does not depend on their number.
 * Rank 0 keeps these sums, and those of the other processes become zero. */
static glnn_status keep_sums(const glnn__training *of)
{
    if (glnn__exchange_rank(of->exchange) == 0)
        return GLNN_OK;
    GLNN__TRY(glnn_fill(of->ctx, 0, of->learner->metrics.rows));
    return glnn__learner_clear(of->learner, GLNN__ROLES_EPOCH);
}

/* ---- Files */

/* Of texts and arrays in the order of the file. */
static uint64_t add_text(uint64_t sum, const char *key, const char *value)
{
    return glnn__checksum_text(glnn__checksum_text(sum, key), value ? value : "");
}

static uint64_t add_array(uint64_t sum, const glnn_tensor *array)
{
    size_t length = 1;
    for (int d = 0; d < array->dimensions; ++d)
        length *= array->shape[d];
    return glnn__checksum_floats(glnn__checksum_text(sum, array->name), array->data, length);
}

static glnn__checkpoint_sum print_checksum(uint64_t sum)
{
    glnn__checkpoint_sum printed;
    snprintf(printed.text, sizeof printed.text, "%016" PRIx64, sum);
    return printed;
}

static glnn_status check_texts(const char *path, const glnn_safetensors *file)
{
    const char *format = glnn_safetensors_get_metadata(file, "format");
    const char *version = glnn_safetensors_get_metadata(file, "version");
    if (!format || strcmp(format, FORMAT) != 0)
        return glnn__fail(GLNN_E_FORMAT, "%s: the file is not a checkpoint: its format is '%.80s'",
                          path, format ? format : "unknown");
    if (!version || strcmp(version, VERSION) != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the checkpoint has version '%.80s'; this library reads " VERSION,
                          path, version ? version : "unknown");
    return GLNN_OK;
}

glnn__checkpoint_sum glnn__checkpoint_checksum(const glnn_safetensors *file)
{
    uint64_t sum = GLNN__CHECKSUM_START;
    for (int i = 0; i < GLNN__IDENTITIES; ++i)
        sum = add_text(sum, glnn__identity_keys[i],
                       glnn_safetensors_get_metadata(file, glnn__identity_keys[i]));
    sum = add_text(sum, "numbers", glnn_safetensors_get_metadata(file, "numbers"));
    for (int i = 0; i < glnn_safetensors_get_count(file); ++i)
        sum = add_array(sum, glnn_safetensors_get_tensor(file, i));
    return print_checksum(sum);
}

/* The one that the file was saved with. NULL: none, but not after read_file. */
static const char *saved_checksum(const glnn_safetensors *file)
{
    return glnn_safetensors_get_metadata(file, "checksum");
}

static glnn_status check_checksum(const char *path, const glnn_safetensors *file)
{
    const char *saved = saved_checksum(file);
    if (!saved || strcmp(saved, glnn__checkpoint_checksum(file).text) != 0)
        return glnn__fail(GLNN_E_FORMAT,
                          "%s: the checkpoint is damaged: the checksum of its content is not the "
                          "one that it was saved with",
                          path);
    return GLNN_OK;
}

/* Reads a checkpoint that is whole, of whatever training. */
static glnn_status read_file(const char *path, glnn_safetensors **out)
{
    GLNN__TRY(glnn__safetensors_read(path, out));
    glnn_status status = check_texts(path, *out);
    if (!status)
        status = check_checksum(path, *out);
    if (status) {
        glnn_safetensors_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- The place
 *
 * Two trainings may begin with the same path, and each would take the files of the other for its
 * own. A training therefore replaces no file but the one that it found or wrote there. */

static bool exists(const char *path)
{
    return glnn__path_examine(path) != GLNN__PATH_LOST;
}

/* Describes a file that a new training would replace. */
static glnn_status refuse_former(const char *path)
{
    glnn_safetensors *file = NULL;
    char of[64] = "file";
    const char *numbers = NULL, *epoch = NULL;
    if (!read_file(path, &file))
        numbers = glnn_safetensors_get_metadata(file, "numbers");
    if (numbers)
        epoch = strstr(numbers, "\nreport.epoch ");
    if (epoch)
        snprintf(of, sizeof of, "checkpoint of epoch %d", atoi(epoch + strlen("\nreport.epoch ")));
    glnn_safetensors_free(file);
    return glnn__fail(GLNN_E_ARG,
                      "%s: there is a %s already; a training continues it with resume, and "
                      "replaces it with overwrite",
                      path, of);
}

static glnn_status refuse_existing(const glnn__checkpointer *c)
{
    const char *path = c->of->desc.checkpoint;
    return exists(path)        ? refuse_former(path)
           : exists(c->former) ? refuse_former(c->former)
                               : GLNN_OK;
}

/* The training has loaded or saved a file. It may replace it if it is at desc.checkpoint. */
static void note_file(glnn__checkpointer *c, const char *path, const char *sum)
{
    const glnn__file_mark mark = glnn__file_find_mark(path);
    if (!c->of->desc.checkpoint ||
        !glnn__file_is_marked(mark, glnn__file_find_mark(c->of->desc.checkpoint)))
        return;
    c->expected = mark;
    snprintf(c->sum.text, sizeof c->sum.text, "%s", sum);
}

/* Some file systems give a file other numbers after a while, but its content tells. */
static bool has_sum(const glnn__checkpointer *c)
{
    glnn_safetensors *file;
    if (!*c->sum.text || read_file(c->of->desc.checkpoint, &file))
        return false;
    const bool is_same = strcmp(saved_checksum(file), c->sum.text) == 0;
    glnn_safetensors_free(file);
    return is_same;
}

/* Whether the next checkpoint may take the place of the file that is there now. */
static glnn_status check_expected(const glnn__checkpointer *c)
{
    const glnn_train_desc *desc = &c->of->desc;
    const glnn__file_mark now = glnn__file_find_mark(desc->checkpoint);
    if (glnn__file_is_marked(now, c->expected))
        return GLNN_OK;
    if (!c->has_saved && !desc->resume && !desc->overwrite)
        return refuse_existing(c);
    if (glnn__file_is_marked(now, (glnn__file_mark){0}) || has_sum(c))
        return GLNN_OK;
    return glnn__fail(GLNN_E_ARG,
                      "%s: since this training %s, another file has come to this place, and it "
                      "is not replaced; another training may save there too",
                      desc->checkpoint, c->has_saved ? "saved last" : "began");
}

/* ---- Saving */

static glnn_status write_file(glnn__checkpointer *c, const glnn__state *state,
                              const glnn_tensor *tensors)
{
    glnn_metadata texts[GLNN__IDENTITIES + 4] = {{"format", FORMAT}, {"version", VERSION}};
    size_t count = 2;
    uint64_t sum = GLNN__CHECKSUM_START;
    for (int i = 0; i < GLNN__IDENTITIES; ++i)
        texts[count++] = (glnn_metadata){glnn__identity_keys[i], c->identity.texts[i]};
    texts[count++] = (glnn_metadata){"numbers", state->numbers.text};
    for (size_t i = 2; i < count; ++i)
        sum = add_text(sum, texts[i].key, texts[i].value);
    for (size_t i = 0; i < state->count; ++i)
        sum = add_array(sum, &tensors[i]);
    const glnn__checkpoint_sum printed = print_checksum(sum);
    texts[count++] = (glnn_metadata){"checksum", printed.text};
    const bool is_own = state->path == c->of->desc.checkpoint;
    if (is_own)
        GLNN__TRY(check_expected(c));
    /* A damaged file does not take the place of the one before it. */
    if (is_own && c->is_damaged)
        GLNN__TRY(glnn__safetensors_write(state->path, tensors, state->count, texts, count));
    else
        GLNN__TRY(
            glnn__safetensors_write_keeping(state->path, tensors, state->count, texts, count));
    c->is_damaged = c->is_damaged && !is_own;
    note_file(c, state->path, printed.text);
    return GLNN_OK;
}

static glnn_status save_file(glnn__checkpointer *c, const char *path, bool goes_on)
{
    glnn__state state = {.ctx = c->of->ctx, .path = path};
    glnn_tensor *tensors = NULL;
    GLNN__TRY(glnn__identity_find(&c->identity, c->of));
    list(c, &state, goes_on);
    glnn_status status = glnn__state_take(&state, &tensors);
    if (!status)
        status = write_file(c, &state, tensors);
    free(tensors);
    glnn__state_free(&state);
    return status;
}

static glnn_status save_in_c_locale(glnn__checkpointer *c, const char *path, bool goes_on)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const glnn_status status = save_file(c, path, goes_on);
    glnn__c_locale_leave(&locale);
    return status;
}

/* Rank 0 saves, and the others wait for it. */
static glnn_status save_together(glnn__checkpointer *c, const char *path, bool goes_on)
{
    const glnn__training *of = c->of;
    glnn_status status = GLNN_OK;
    if (of->exchange) {
        GLNN__TRY(glnn__learner_average(of->learner, of->exchange));
        GLNN__TRY(
            glnn__exchange_begin(of->exchange, GLNN__EXCHANGE_PARTIAL, of->learner->metrics.rows));
        GLNN__TRY(glnn__exchange_end(of->exchange, GLNN__EXCHANGE_PARTIAL));
        GLNN__TRY(glnn__learner_join(of->learner, of->exchange));
        GLNN__TRY(keep_sums(of));
    }
    if (glnn__exchange_rank(of->exchange) == 0)
        status = save_in_c_locale(c, path, goes_on);
    return glnn__exchange_answer(of->exchange, status);
}

static glnn_status save(glnn__checkpointer *c, const char *path, bool goes_on)
{
    const glnn__label former = glnn__label_part(c->of->ctx, "checkpoint");
    return glnn__label_end(c->of->ctx, former, save_together(c, path, goes_on));
}

glnn_status glnn__checkpointer_save(glnn__checkpointer *c, const char *path)
{
    return save(c, path, false);
}

/* A checkpoint also follows when the report function has stopped the training, so that a later run
 * goes on from there. */
glnn_status glnn__checkpointer_follow(glnn__checkpointer *c)
{
    const glnn_train_desc *desc = &c->of->desc;
    const int every = desc->checkpoint_every;
    const bool is_due = every > 0 ? c->stopper->result.steps % (uint64_t)every == 0
                                  : c->at->phase == GLNN__PHASE_EPOCH_END;
    if (!desc->checkpoint || !(is_due || c->at->stops))
        return GLNN_OK;
    GLNN__TRY(save(c, desc->checkpoint, true));
    c->has_saved = true;
    return GLNN_OK;
}

/* ---- Going on from a file
 *
 * A copy of the state is made in main memory before, so that after an error the training is as it
 * was. */

/* The number of epochs of the training that saved the file. */
static int saved_epochs(const glnn_safetensors *file)
{
    const char *training =
        glnn_safetensors_get_metadata(file, glnn__identity_keys[GLNN__IDENTITY_TRAINING]);
    int epochs = 0;
    return training && sscanf(training, "epochs=%d", &epochs) == 1 ? epochs : 0;
}

/* Training that is over goes on if it has more epochs now. */
static glnn_status extend(glnn__checkpointer *c, const char *path, const glnn_safetensors *file)
{
    const glnn__cursor *at = c->at;
    const glnn_train_desc *desc = &c->of->desc;
    const glnn_train_result *result = &c->stopper->result;
    if (at->phase != GLNN__PHASE_ENDED || at->stops || at->epoch >= desc->epochs ||
        at->epoch != saved_epochs(file))
        return GLNN_OK;
    if (desc->restore_best && c->stopper->best_steps < result->steps)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the training was over after epoch %d and went back to epoch %d, so "
                          "that it cannot go on to %d epochs",
                          path, at->epoch, result->best_epoch, desc->epochs);
    glnn__cursor_close_epoch(c->at);
    return GLNN_OK;
}

static glnn_status read_state(glnn__checkpointer *c, const char *path, const glnn_safetensors *file)
{
    const char *numbers = glnn_safetensors_get_metadata(file, "numbers");
    glnn__state state = {
        .ctx = c->of->ctx, .path = path, .file = file, .left = numbers ? numbers : ""};
    list(c, &state, false);
    GLNN__TRY(state.status);
    GLNN__TRY(glnn__training_go_to_epoch(c->of, glnn__cursor_last_epoch(c->at)));
    if (*state.left)
        return glnn__fail(GLNN_E_FORMAT, "%s: the checkpoint has '%.*s' after its last number",
                          path, glnn__line_length(state.left), state.left);
    GLNN__TRY(extend(c, path, file));
    return glnn__cursor_check(c->at, path);
}

/* The epoch that the place is in has begun. */
static bool is_begun(const glnn__cursor *at)
{
    return at->phase == GLNN__PHASE_STEPS || at->phase == GLNN__PHASE_EPOCH_END;
}

/* Brings all of a file into the training. *order has to be destroyed; after success it is the one
 * that the training had. */
static glnn_status apply(glnn__checkpointer *c, const char *path, const glnn_safetensors *file,
                         glnn__order *order)
{
    GLNN__TRY(read_state(c, path, file));
    GLNN__TRY(keep_sums(c->of));
    GLNN__TRY(glnn__training_go_to_order(c->of, c->at->epoch, is_begun(c->at), order));
    const glnn_status status = glnn__cursor_resume(c->at);
    if (status)
        glnn__training_swap_orders(c->of, order);
    return status;
}

static glnn_status go_back(glnn__checkpointer *c, const glnn__state *to)
{
    glnn__state state = glnn__state_from(to);
    list(c, &state, false);
    GLNN__TRY(state.status);
    GLNN__TRY(glnn__training_go_to_epoch(c->of, glnn__cursor_last_epoch(c->at)));
    GLNN__TRY(glnn__training_return_to_order(c->of, c->at->epoch, is_begun(c->at)));
    return glnn__cursor_resume(c->at);
}

/* The sentence of the error stays, unless the training cannot go on either. */
static glnn_status undo(glnn__checkpointer *c, const glnn__state *to, glnn_status status)
{
    char sentence[2048], other[512];
    snprintf(sentence, sizeof sentence, "%s", glnn_last_error());
    const glnn_status undone = go_back(c, to);
    if (!undone)
        return glnn__fail(status, "%s", sentence);
    glnn__cursor_end(c->at);
    snprintf(other, sizeof other, "%s", glnn_last_error());
    return glnn__fail(undone,
                      "%s; the training is over, because it cannot go on from where it was: "
                      "%s",
                      sentence, other);
}

/* Another number of epochs changes the rates of some schedules. */
static void note_schedule(const glnn_train_desc *desc, const char *path,
                          const glnn_safetensors *file)
{
    const glnn_schedule_kind kind = desc->schedule.kind;
    const int saved = saved_epochs(file);
    if (saved != desc->epochs && kind != GLNN_SCHEDULE_CONSTANT && kind != GLNN_SCHEDULE_STEP)
        glnn__log(GLNN_LOG_WARNING,
                  "%s: the training had %d epochs and now has %d; from here on, the schedule %s "
                  "has the rates of a training of %d epochs",
                  path, saved, desc->epochs, glnn_schedule_kind_name(kind), desc->epochs);
}

/* Metrics that are under way stay until the file is loaded. */
static glnn_status apply_or_undo(glnn__checkpointer *c, const char *path,
                                 const glnn_safetensors *file)
{
    glnn__state before = {.ctx = c->of->ctx, .path = path};
    glnn__order order = {0};
    list(c, &before, false);
    glnn_status status = glnn__state_keep(&before);
    if (!status) {
        status = apply(c, path, file, &order);
        if (status)
            status = undo(c, &before, status);
        else {
            glnn__metrics_drop(&c->of->learner->metrics);
            note_schedule(&c->of->desc, path, file);
        }
    }
    glnn__order_destroy(&order);
    glnn__state_free(&before);
    return status;
}

/* ---- Loading */

/* Which file was loaded, for the other processes. */
typedef struct loaded {
    enum { LOADED_NONE, LOADED_LAST, LOADED_FORMER } file;
    glnn__checkpoint_sum sum;
} loaded;

static glnn_status load_file(glnn__checkpointer *c, const char *path, const glnn_safetensors *file,
                             loaded *out)
{
    GLNN__TRY(glnn__identity_find(&c->identity, c->of));
    GLNN__TRY(glnn__identity_check(&c->identity, path, file));
    GLNN__TRY(apply_or_undo(c, path, file));
    snprintf(out->sum.text, sizeof out->sum.text, "%s", saved_checksum(file));
    note_file(c, path, out->sum.text);
    return GLNN_OK;
}

static glnn_status load(glnn__checkpointer *c, const char *path, loaded *out)
{
    glnn_safetensors *file;
    GLNN__TRY(read_file(path, &file));
    const glnn_status status = load_file(c, path, file, out);
    glnn_safetensors_free(file);
    return status;
}

glnn_status glnn__checkpointer_load(glnn__checkpointer *c, const char *path)
{
    glnn__c_locale locale;
    loaded ignored;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const glnn_status status = load(c, path, &ignored);
    glnn__c_locale_leave(&locale);
    return status;
}

/* ---- Resuming */

static bool is_damage(glnn_status status)
{
    return status == GLNN_E_FORMAT || status == GLNN_E_LIMIT;
}

/* Loads the file before the damaged one that the last error describes. Its sentence becomes a
 * warning, or a part of the error. */
static glnn_status replace_damaged(glnn__checkpointer *c, glnn_status status, loaded *out)
{
    const char *former = c->former;
    char damage[2048], other[2048];
    snprintf(damage, sizeof damage, "%s", glnn_last_error());
    if (!exists(former))
        return glnn__fail(status, "%s; %s, the checkpoint before it, does not exist", damage,
                          former);
    const glnn_status again = load(c, former, out);
    c->is_damaged = !again;
    out->file = LOADED_FORMER;
    if (!again) {
        glnn__log(GLNN_LOG_WARNING, "%s; training goes on from %s", damage, former);
        return GLNN_OK;
    }
    snprintf(other, sizeof other, "%s", glnn_last_error());
    return glnn__fail(again, "%s; the checkpoint before it: %s", damage, other);
}

/* Loads the newer file, or the other one with a warning. */
static glnn_status load_newest(glnn__checkpointer *c, loaded *out)
{
    const char *path = c->of->desc.checkpoint;
    glnn_safetensors *file = NULL;
    glnn_status status = exists(path) ? read_file(path, &file) : GLNN_OK;
    if (file) {
        status = load_file(c, path, file, out);
        out->file = LOADED_LAST;
        glnn_safetensors_free(file);
        return status;
    }
    if (is_damage(status))
        return replace_damaged(c, status, out);
    if (status || !exists(c->former))
        return status;
    out->file = LOADED_FORMER;
    return load(c, c->former, out);
}

static glnn_status resume(glnn__checkpointer *c, loaded *out)
{
    const glnn_status status = load_newest(c, out);
    return is_damage(status) ? glnn__fail(status, "%s; overwrite in place of resume begins anew",
                                          glnn_last_error())
                             : status;
}

/* Loads the file that rank 0 has loaded. */
static glnn_status resume_like(glnn__checkpointer *c, const loaded *first)
{
    const char *path = first->file == LOADED_FORMER ? c->former : c->of->desc.checkpoint;
    loaded own;
    if (first->file == LOADED_NONE)
        return GLNN_OK;
    GLNN__TRY(load(c, path, &own));
    if (strcmp(own.sum.text, first->sum.text) == 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: not the checkpoint from which rank 0 continues; all processes have to "
                      "find the same file",
                      path);
}

static glnn_status resume_together(glnn__checkpointer *c)
{
    glnn__exchange *exchange = c->of->exchange;
    const bool is_first = glnn__exchange_rank(exchange) == 0;
    loaded first = {.file = LOADED_NONE};
    GLNN__TRY(glnn__exchange_answer(exchange, is_first ? resume(c, &first) : GLNN_OK));
    if (exchange)
        GLNN__TRY(glnn__exchange_spread(exchange, &first, sizeof first));
    c->stopper->result.resumed_former = first.file == LOADED_FORMER;
    return is_first ? GLNN_OK : resume_like(c, &first);
}

/* ---- Beginning */

/* A place that cannot be written is found before the first step, not after hours. */
static glnn_status check_place(const glnn__checkpointer *c)
{
    const glnn_train_desc *desc = &c->of->desc;
    if (glnn__exchange_rank(c->of->exchange) != 0)
        return GLNN_OK;
    GLNN__TRY(glnn__file_probe_keeping(desc->checkpoint));
    return desc->resume || desc->overwrite ? GLNN_OK : refuse_existing(c);
}

glnn_status glnn__checkpointer_find_place(glnn__checkpointer *c)
{
    const char *path = c->of->desc.checkpoint;
    if (!path)
        return GLNN_OK;
    GLNN__TRY(glnn__file_find_former(path, &c->former));
    c->expected = glnn__file_find_mark(path);
    return c->of->desc.resume ? GLNN_OK : check_place(c);
}

glnn_status glnn__checkpointer_begin(glnn__checkpointer *c)
{
    glnn__c_locale locale;
    if (!c->of->desc.resume)
        return GLNN_OK;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const glnn_status status = resume_together(c);
    glnn__c_locale_leave(&locale);
    return status || c->at->phase == GLNN__PHASE_ENDED ? status : check_place(c);
}

glnn_status glnn__checkpointer_agree(glnn__checkpointer *c)
{
    return glnn__identity_agree(&c->identity, c->of);
}

void glnn__checkpointer_destroy(glnn__checkpointer *c)
{
    glnn__identity_free(&c->identity);
    free(c->former);
}
