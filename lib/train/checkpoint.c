#include "train/checkpoint.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/log.h"
#include "base/status.h"
#include "io/safetensors/safetensors.h"
#include "io/table/number.h"
#include "train/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT  "glnn-checkpoint"
#define VERSION "1"

/* ---- Saving */

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

typedef struct checksum_text {
    char text[20];
} checksum_text;

static checksum_text print_checksum(uint64_t sum)
{
    checksum_text printed;
    snprintf(printed.text, sizeof printed.text, "%016" PRIx64, sum);
    return printed;
}

/* A damaged file does not take the place of the one before it. */
static glnn_status put_file(glnn_trainer *t, const glnn__state *state, const glnn_tensor *tensors,
                            const glnn_metadata *texts, size_t count)
{
    if (!t->is_damaged || state->path != t->desc.checkpoint)
        return glnn__safetensors_write_keeping(state->path, tensors, state->count, texts, count);
    GLNN__TRY(glnn__safetensors_write(state->path, tensors, state->count, texts, count));
    t->is_damaged = false;
    return GLNN_OK;
}

static glnn_status write_file(glnn_trainer *t, const glnn__state *state, const glnn_tensor *tensors)
{
    glnn_metadata texts[GLNN__IDENTITIES + 4] = {{"format", FORMAT}, {"version", VERSION}};
    size_t count = 2;
    uint64_t sum = GLNN__CHECKSUM_START;
    for (int i = 0; i < GLNN__IDENTITIES; ++i)
        texts[count++] = (glnn_metadata){glnn__identity_keys[i], t->identity.texts[i]};
    texts[count++] = (glnn_metadata){"numbers", state->numbers.text};
    for (size_t i = 2; i < count; ++i)
        sum = add_text(sum, texts[i].key, texts[i].value);
    for (size_t i = 0; i < state->count; ++i)
        sum = add_array(sum, &tensors[i]);
    const checksum_text printed = print_checksum(sum);
    texts[count++] = (glnn_metadata){"checksum", printed.text};
    return put_file(t, state, tensors, texts, count);
}

static glnn_status save(glnn_trainer *t, const char *path)
{
    glnn__state state = {.ctx = t->ctx, .path = path};
    glnn_tensor *tensors = NULL;
    glnn__place at = glnn__place_of(t);
    glnn__trainer_state(t, &state, &at);
    glnn_status status = glnn__state_take(&state, &tensors);
    if (!status)
        status = write_file(t, &state, tensors);
    free(tensors);
    glnn__state_free(&state);
    return status;
}

/* Runs in the C locale. */
static glnn_status in_c_locale(glnn_status (*call)(glnn_trainer *t, const char *path),
                               glnn_trainer *t, const char *path)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const glnn_status status = call(t, path);
    glnn__c_locale_leave(&locale);
    return status;
}

static glnn_status find_and_save(glnn_trainer *t, const char *path)
{
    GLNN__TRY(glnn__identity_find(t));
    return save(t, path);
}

/* Rank 0 saves, and the others wait for it. */
static glnn_status save_together(glnn_trainer *t, const char *path)
{
    glnn_status status = GLNN_OK;
    if (t->exchange)
        GLNN__TRY(glnn__partial_join(t));
    if (glnn__exchange_rank(t->exchange) == 0)
        status = in_c_locale(find_and_save, t, path);
    return glnn__exchange_answer(t->exchange, status);
}

glnn_status glnn__checkpoint_save(glnn_trainer *t, const char *path)
{
    const glnn__label former = glnn__label_part(t->ctx, "checkpoint");
    return glnn__label_end(t->ctx, former, save_together(t, path));
}

/* A checkpoint also follows when the report function has stopped the training, so that a later run
 * goes on from there. */
static bool is_due(const glnn_trainer *t)
{
    const int every = t->desc.checkpoint_every;
    if (!t->desc.checkpoint)
        return false;
    return t->stops ||
           (every > 0 ? t->result.steps % (uint64_t)every == 0 : t->phase == GLNN__PHASE_EPOCH_END);
}

glnn_status glnn__checkpoint_follow(glnn_trainer *t)
{
    const bool stops = t->stops;
    if (!is_due(t))
        return GLNN_OK;
    t->stops = false;
    const glnn_status status = glnn__checkpoint_save(t, t->desc.checkpoint);
    t->stops = stops;
    return status;
}

/* ---- Loading */

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

static glnn_status check_checksum(const char *path, const glnn_safetensors *file)
{
    const char *saved = glnn_safetensors_get_metadata(file, "checksum");
    uint64_t sum = GLNN__CHECKSUM_START;
    for (int i = 0; i < GLNN__IDENTITIES; ++i)
        sum = add_text(sum, glnn__identity_keys[i],
                       glnn_safetensors_get_metadata(file, glnn__identity_keys[i]));
    sum = add_text(sum, "numbers", glnn_safetensors_get_metadata(file, "numbers"));
    for (int i = 0; i < glnn_safetensors_get_count(file); ++i)
        sum = add_array(sum, glnn_safetensors_get_tensor(file, i));
    if (!saved || strcmp(saved, print_checksum(sum).text) != 0)
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

static glnn_status load_file(glnn_trainer *t, const char *path, const glnn_safetensors *file)
{
    GLNN__TRY(glnn__identity_find(t));
    GLNN__TRY(glnn__identity_check(t, path, file));
    GLNN__TRY(glnn__checkpoint_apply(t, path, file));
    snprintf(t->loaded.checksum, sizeof t->loaded.checksum, "%s",
             glnn_safetensors_get_metadata(file, "checksum"));
    return GLNN_OK;
}

static glnn_status load(glnn_trainer *t, const char *path)
{
    glnn_safetensors *file;
    GLNN__TRY(read_file(path, &file));
    const glnn_status status = load_file(t, path, file);
    glnn_safetensors_free(file);
    return status;
}

glnn_status glnn__checkpoint_load(glnn_trainer *t, const char *path)
{
    return in_c_locale(load, t, path);
}

/* ---- Resuming */

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Loads the file before the damaged one that the last error describes. */
static glnn_status replace_damaged(glnn_trainer *t, glnn_status status, const char *former)
{
    char damage[2048], other[2048];
    snprintf(damage, sizeof damage, "%s", glnn_last_error());
    if (!exists(former))
        return status;
    glnn__log(GLNN_LOG_WARNING, "%s; training goes on from %s", damage, former);
    const glnn_status again = load(t, former);
    t->is_damaged = !again;
    t->loaded.file = GLNN__LOADED_FORMER;
    if (again != GLNN_E_FORMAT && again != GLNN_E_LIMIT)
        return again;
    snprintf(other, sizeof other, "%s", glnn_last_error());
    return glnn__fail(again, "%s; the checkpoint before it: %s", damage, other);
}

/* Loads the newer file, or the other one with a warning. */
static glnn_status resume(glnn_trainer *t, const char *former)
{
    const char *path = t->desc.checkpoint;
    glnn_safetensors *file = NULL;
    glnn_status status = exists(path) ? read_file(path, &file) : GLNN_OK;
    if (file) {
        status = load_file(t, path, file);
        t->loaded.file = GLNN__LOADED_LAST;
        glnn_safetensors_free(file);
        return status;
    }
    if (status == GLNN_E_FORMAT || status == GLNN_E_LIMIT)
        return replace_damaged(t, status, former);
    if (status || !exists(former))
        return status;
    t->loaded.file = GLNN__LOADED_FORMER;
    return load(t, former);
}

/* Loads the file that rank 0 has loaded. */
static glnn_status resume_like(glnn_trainer *t, const char *former, const glnn__loaded *first)
{
    const char *path = first->file == GLNN__LOADED_FORMER ? former : t->desc.checkpoint;
    if (first->file == GLNN__LOADED_NONE)
        return GLNN_OK;
    GLNN__TRY(load(t, path));
    if (strcmp(t->loaded.checksum, first->checksum) == 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_FORMAT,
                      "%s: not the checkpoint from which rank 0 continues; all processes have to "
                      "find the same file",
                      path);
}

static glnn_status resume_together(glnn_trainer *t, const char *former)
{
    const int ranks = glnn__exchange_ranks(t->exchange);
    const bool is_first = glnn__exchange_rank(t->exchange) == 0;
    GLNN__TRY(glnn__exchange_answer(t->exchange, is_first ? resume(t, former) : GLNN_OK));
    if (!t->exchange)
        return GLNN_OK;
    glnn__loaded *all = calloc((size_t)ranks, sizeof *all);
    if (!all)
        return glnn__fail(GLNN_E_NOMEM, "no memory for the answers of %d processes", ranks);
    glnn_status status = glnn__exchange_gather(t->exchange, &t->loaded, sizeof *all, all);
    if (!status && !is_first)
        status = resume_like(t, former, &all[0]);
    free(all);
    return status;
}

/* The caller frees it; NULL: no memory. */
static char *former_path(const char *path)
{
    const size_t length = strlen(path);
    char *former = malloc(length + sizeof ".1");
    if (former) {
        memcpy(former, path, length);
        strcpy(former + length, ".1");
    }
    return former;
}

static glnn_status resume_in_c_locale(glnn_trainer *t, const char *path)
{
    char *former = former_path(path);
    if (!former)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a file name", path);
    const glnn_status status = resume_together(t, former);
    free(former);
    return status;
}

/* ---- Beginning */

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

static glnn_status check_former(const char *path)
{
    char *former = former_path(path);
    if (!former)
        return glnn__fail(GLNN_E_NOMEM, "%s: no memory for a file name", path);
    const glnn_status status = exists(path)     ? refuse_former(path)
                               : exists(former) ? refuse_former(former)
                                                : GLNN_OK;
    free(former);
    return status;
}

/* A place that cannot be written is found before the first step, not after hours. */
glnn_status glnn__checkpoint_begin(glnn_trainer *t)
{
    const char *path = t->desc.checkpoint;
    if (t->desc.resume)
        GLNN__TRY(in_c_locale(resume_in_c_locale, t, path));
    if (!path || t->phase == GLNN__PHASE_ENDED || glnn__exchange_rank(t->exchange) != 0)
        return GLNN_OK;
    GLNN__TRY(glnn__file_probe(path));
    return t->desc.resume || t->desc.overwrite ? GLNN_OK : check_former(path);
}
