#include "learn/train/identity.h"

#include "base/checksum.h"
#include "base/lines.h"
#include "base/locale.h"
#include "base/log.h"
#include "base/status.h"
#include "device/measure.h"
#include "io/growing_text.h"
#include "learn/learner_file.h"
#include "learn/visits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Samples of a stream whose inputs are looked at, and the most of them at a time. */
enum { LOOKED_AT = 64, AT_A_TIME = 16 };

const char *const glnn__identity_keys[GLNN__IDENTITIES] = {
    [GLNN__IDENTITY_LEARNER] = "learner", [GLNN__IDENTITY_TRAINING] = "training",
    [GLNN__IDENTITY_DATA] = "data",       [GLNN__IDENTITY_VALIDATION] = "validation",
    [GLNN__IDENTITY_DEVICE] = "device",
};

/* Frees the texts. Where one is missing, the printed text is cut too. */
static void print_texts(glnn__growing_text *to, glnn__texts *texts)
{
    to->is_cut = to->is_cut || texts->is_cut;
    for (int i = 0; i < texts->count; ++i)
        glnn__text_print(to, "%s=%s\n", texts->entries[i].key, texts->entries[i].value);
    glnn__texts_free(texts);
}

/* ---- Data sets */

/* Adds the inputs of the samples that an iterator yields to a checksum. */
static glnn_status add_inputs(glnn__batch_iterator *batches, glnn_matrix *rows, float *values,
                              uint64_t *sum)
{
    glnn__batch batch;
    while (glnn__batch_iterator_left(batches) > 0) {
        GLNN__TRY(glnn__batch_iterator_next(batches, AT_A_TIME, &batch));
        GLNN__TRY(glnn__batch_gather(&batch, rows));
        GLNN__TRY(glnn_matrix_download(rows->ctx, rows, NULL, values, 0));
        *sum = glnn__checksum_floats(*sum, values, (size_t)batch.count * (size_t)rows->columns);
    }
    return GLNN_OK;
}

static glnn_status sum_inputs(const glnn_dataset *data, const glnn__order *order, glnn_matrix *rows,
                              uint64_t *sum)
{
    glnn__batch_iterator batches;
    float *values = malloc((size_t)AT_A_TIME * (size_t)data->features * sizeof *values);
    if (!values)
        return glnn__fail(GLNN_E_NOMEM, "no memory for %d samples", AT_A_TIME);
    glnn_status status = glnn__batch_iterator_begin(data, order, 0, order->samples, 1, &batches);
    if (!status)
        status = add_inputs(&batches, rows, values, sum);
    glnn__batch_iterator_end(&batches);
    free(values);
    return status;
}

/* The checksum of the inputs of samples that are spread evenly. */
static glnn_status look_at(const glnn_dataset *data, uint64_t *sum)
{
    const int count = data->samples < LOOKED_AT ? data->samples : LOOKED_AT;
    glnn_matrix *rows = NULL;
    glnn__order order;
    *sum = GLNN__CHECKSUM_START;
    GLNN__TRY(glnn__order_create(count, 0, &order));
    for (int i = 0; i < count; ++i)
        order.entries[i] = (int)((int64_t)data->samples * i / count);
    glnn_status status = glnn__matrix_create_scratch(data->ctx, GLNN_LAYOUT_PACKED, AT_A_TIME,
                                                     data->features, "samples", &rows);
    if (!status)
        status = sum_inputs(data, &order, rows, sum);
    glnn_matrix_destroy(rows);
    glnn__order_destroy(&order);
    return status;
}

static uint64_t sum_labels(const glnn_dataset *data)
{
    uint64_t sum = GLNN__CHECKSUM_START;
    for (size_t i = 0; i < (size_t)data->samples; ++i)
        sum = glnn__checksum_word(sum, (uint32_t)data->labels[i]);
    return sum;
}

/* Of the targets of a stream the means alone are known. */
static uint64_t sum_targets(const glnn_dataset *data)
{
    uint64_t sum = data->targets_sum;
    for (size_t i = 0; i < (size_t)data->outputs; ++i)
        sum = glnn__checksum_floats(sum, &(float){(float)data->means[i]}, 1);
    return sum;
}

/* Samples that may change at any time are not looked at. */
static glnn_status print_inputs(glnn__growing_text *to, const glnn_dataset *data)
{
    uint64_t sum = data->inputs_sum;
    glnn__text_print(to, "inputs=%s\n",
                     data->may_change ? "matrices of the program"
                     : data->stream   ? "a stream"
                                      : "resident");
    if (data->may_change)
        return GLNN_OK;
    if (data->stream)
        GLNN__TRY(look_at(data, &sum));
    glnn__text_print(to, "checksum of inputs=%016" PRIx64 "\n", sum);
    return GLNN_OK;
}

static glnn_status print_data(glnn__growing_text *to, const glnn_dataset *data)
{
    glnn__text_print(to, "samples=%d\nfeatures=%d\noutputs=%d\n", data->samples, data->features,
                     data->outputs);
    GLNN__TRY(print_inputs(to, data));
    if (data->labels)
        glnn__text_print(to, "checksum of labels=%016" PRIx64 "\n", sum_labels(data));
    if (data->means)
        glnn__text_print(to, "checksum of targets=%016" PRIx64 "\n", sum_targets(data));
    if (data->weights)
        glnn__text_print(
            to, "checksum of weights=%016" PRIx64 "\n",
            glnn__checksum_floats(GLNN__CHECKSUM_START, data->weights, (size_t)data->samples));
    return GLNN_OK;
}

/* ---- The device */

/* Of the device profile, the groups that were measured. */
static void print_device(glnn__growing_text *to, const glnn_learner *learner)
{
    glnn_context *ctx = learner->ctx;
    const glnn_context_info *info = &ctx->info;
    const char *known = (const char *)glnn__profile_known(ctx, info->stage);
    const char *builtin = (const char *)glnn__profile_builtin(ctx, info->stage);
    glnn__text_print(to, "renderer=%s\ndriver=%s\nstage=%s\nwrites=%s\nlayout=%s\nlibglnn=%s\n",
                     info->renderer, info->version, glnn_stage_name(info->stage),
                     glnn_writes_name(info->writes), glnn_layout_name(learner->layout),
                     glnn_version());
    for (int g = 0; g < GLNN__PROFILE_GROUPS; ++g) {
        const size_t begin = glnn__profile_groups[g].offset,
                     size = glnn__profile_groups[g + 1].offset - begin;
        const float *numbers = (const float *)(const void *)(known + begin);
        if (memcmp(known + begin, builtin + begin, size) != 0)
            glnn__text_print(
                to, "profile of %s=%016" PRIx64 "\n", glnn__profile_groups[g].name,
                glnn__checksum_floats(GLNN__CHECKSUM_START, numbers, size / sizeof *numbers));
    }
}

/* ---- All of it */

/* As programs and command lines name it. */
static const char *name_of(const glnn_learner *learner)
{
    const glnn__learner_type *type = learner->type;
    return type->variant ? type->variant(learner) : glnn_learner_kind_name(type->kind);
}

/* All but the device, of which more may be known each time. */
static glnn_status print_constants(const glnn__training *of, glnn__growing_text *texts)
{
    glnn__texts learner = {.count = 0}, training = {.count = 0};
    glnn__texts_add(&learner, "learner", "%s", name_of(of->learner));
    glnn__texts_add(&learner, "capacity", "%d", of->learner->capacity);
    const glnn_status status = glnn__file_identify(of->learner, &learner);
    print_texts(&texts[GLNN__IDENTITY_LEARNER], &learner);
    GLNN__TRY(status);
    glnn__texts_add_fields(&training, &glnn__train_fields, GLNN__IN_CHECKPOINTS, &of->desc);
    print_texts(&texts[GLNN__IDENTITY_TRAINING], &training);
    GLNN__TRY(print_data(&texts[GLNN__IDENTITY_DATA], of->data));
    if (of->desc.validation)
        return print_data(&texts[GLNN__IDENTITY_VALIDATION], of->desc.validation);
    glnn__text_print(&texts[GLNN__IDENTITY_VALIDATION], "samples=0\n");
    return GLNN_OK;
}

static glnn_status fail_memory(void)
{
    return glnn__fail(GLNN_E_NOMEM, "no memory to describe a training");
}

glnn_status glnn__identity_find(glnn__identity *identity, const glnn__training *of)
{
    glnn__growing_text texts[GLNN__IDENTITIES] = {{0}};
    glnn_status status = identity->texts[0] ? GLNN_OK : print_constants(of, texts);
    print_device(&texts[GLNN__IDENTITY_DEVICE], of->learner);
    for (int i = 0; i < GLNN__IDENTITIES; ++i) {
        if (texts[i].is_cut && !status)
            status = fail_memory();
        if (!texts[i].text)
            continue;
        free(identity->texts[i]);
        identity->texts[i] = texts[i].text;
    }
    if (status)
        glnn__identity_free(identity);
    return status;
}

void glnn__identity_free(glnn__identity *identity)
{
    for (int i = 0; i < GLNN__IDENTITIES; ++i)
        free(identity->texts[i]);
    *identity = (glnn__identity){{NULL}};
}

/* ---- Comparing */

static const char *const subjects[GLNN__IDENTITIES] = {
    [GLNN__IDENTITY_LEARNER] = "learner", [GLNN__IDENTITY_TRAINING] = "training",
    [GLNN__IDENTITY_DATA] = "data set",   [GLNN__IDENTITY_VALIDATION] = "validation set",
    [GLNN__IDENTITY_DEVICE] = "device",
};

static void warn(const char *path, const char *saved, const char *own)
{
    own = glnn__line_or_none(own);
    glnn__log(GLNN_LOG_WARNING,
              "%s: the checkpoint was made on another device or with another device profile (%.*s, "
              "now %.*s); the results may differ in their last digits",
              path, glnn__line_length(saved), saved, glnn__line_length(own), own);
}

static glnn_status fail(const char *path, glnn__identity_part part, const char *saved,
                        const char *own)
{
    int length;
    const char *summed = glnn__line_summed(saved, &length);
    if (summed && *own)
        return glnn__fail(GLNN_E_ARG,
                          "%s: the checkpoint belongs to another %s: the %.*s differ from those of "
                          "this one",
                          path, subjects[part], length, summed);
    saved = glnn__line_or_none(saved);
    own = glnn__line_or_none(own);
    return glnn__fail(
        GLNN_E_ARG, "%s: the checkpoint belongs to another %s: there it has %.*s, here %.*s", path,
        subjects[part], glnn__line_length(saved), saved, glnn__line_length(own), own);
}

/* The first line has the number of epochs, which may differ. */
static const char *without_epochs(const char *training)
{
    const int length = glnn__line_length(training);
    const bool is_first = *training && glnn__line_find(training, "epochs=") == training;
    return is_first ? training + length + (training[length] == '\n') : training;
}

static glnn_status check_part(const char *path, glnn__identity_part part, const char *saved,
                              const char *own)
{
    if (part == GLNN__IDENTITY_TRAINING) {
        saved = without_epochs(saved);
        own = without_epochs(own);
    }
    const char *there = glnn__line_difference(saved, own);
    const bool is_device = part == GLNN__IDENTITY_DEVICE;
    if (there && is_device)
        warn(path, there, glnn__line_find(own, there));
    if (is_device)
        return GLNN_OK;
    if (there)
        return fail(path, part, there, glnn__line_find(own, there));
    const char *here = glnn__line_difference(own, saved);
    return here ? fail(path, part, glnn__line_find(saved, here), here) : GLNN_OK;
}

/* ---- Several processes */

/* Numbers of the description that all processes have to agree on, although they change only
 * messages, not the results of a process. */
static void print_exchange(glnn__growing_text *to, const glnn__training *of)
{
    const glnn_exchange_desc *exchange = &of->desc.exchange;
    glnn__text_print(to, "layout=%s\n", glnn_layout_name(of->learner->layout));
    glnn__text_print(to, "exchange.kind=%s\nexchange.every=%d\nexchange.allow_activations=%d\n",
                     glnn_exchange_kind_name(exchange->kind), exchange->every,
                     exchange->allow_activations);
    glnn__text_print(to, "report_every=%d\ncheckpoint=%d\ncheckpoint_every=%d\nresume=%d\n",
                     of->desc.report_every, of->desc.checkpoint != NULL, of->desc.checkpoint_every,
                     of->desc.resume);
}

/* The numbers that training changes, one line for each array. */
static glnn_status print_state(glnn__growing_text *to, const glnn__training *of)
{
    glnn__state state = {.ctx = of->ctx, .path = "parameters"};
    glnn_tensor *tensors = NULL;
    glnn__learner_state(of->learner, &state);
    const glnn_status status = glnn__state_take(&state, &tensors);
    glnn__text_print(to, "%s", state.numbers.text ? state.numbers.text : "");
    for (size_t i = 0; i < to->size; ++i)
        to->text[i] = to->text[i] == ' ' ? '=' : to->text[i];
    for (size_t i = 0; i < state.count && !status; ++i) {
        size_t length = 1;
        for (int d = 0; d < tensors[i].dimensions; ++d)
            length *= tensors[i].shape[d];
        glnn__text_print(to, "checksum of numbers in %s=%016" PRIx64 "\n", tensors[i].name,
                         glnn__checksum_floats(GLNN__CHECKSUM_START, tensors[i].data, length));
    }
    free(tensors);
    glnn__state_free(&state);
    return status;
}

static glnn_status agree(glnn__identity *identity, const glnn__training *of,
                         glnn__growing_text *exchange, glnn__growing_text *state)
{
    char *const *own = identity->texts;
    GLNN__TRY(glnn__identity_find(identity, of));
    print_exchange(exchange, of);
    GLNN__TRY(print_state(state, of));
    if (exchange->is_cut || state->is_cut)
        return fail_memory();
    const glnn__exchange_text texts[] = {
        {"exchange", exchange->text},
        {subjects[GLNN__IDENTITY_LEARNER], own[GLNN__IDENTITY_LEARNER]},
        {subjects[GLNN__IDENTITY_TRAINING], own[GLNN__IDENTITY_TRAINING]},
        {subjects[GLNN__IDENTITY_DATA], own[GLNN__IDENTITY_DATA]},
        {subjects[GLNN__IDENTITY_VALIDATION], own[GLNN__IDENTITY_VALIDATION]},
        {"state of the learner", state->text ? state->text : ""},
    };
    return glnn__exchange_compare(of->exchange, texts, sizeof texts / sizeof *texts);
}

glnn_status glnn__identity_agree(glnn__identity *identity, const glnn__training *of)
{
    glnn__growing_text exchange = {0}, state = {0};
    glnn__c_locale locale;
    if (!of->exchange)
        return GLNN_OK;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    const glnn_status status = agree(identity, of, &exchange, &state);
    glnn__c_locale_leave(&locale);
    free(exchange.text);
    free(state.text);
    return status;
}

glnn_status glnn__identity_check(const glnn__identity *identity, const char *path,
                                 const glnn_safetensors *file)
{
    for (int i = 0; i < GLNN__IDENTITIES; ++i) {
        const char *saved = glnn_safetensors_get_metadata(file, glnn__identity_keys[i]);
        GLNN__TRY(check_part(path, (glnn__identity_part)i, saved ? saved : "", identity->texts[i]));
    }
    return GLNN_OK;
}
