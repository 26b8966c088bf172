#include "data/mlp_description.h"

#include "base/status.h"
#include "data/number.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const loss_names[GLNN_LOSS_COUNT] = {
    [GLNN_LOSS_CROSS_ENTROPY] = "cross_entropy",
    [GLNN_LOSS_SQUARED] = "squared",
};

static const char *const optimizer_names[GLNN_OPTIMIZER_COUNT] = {
    [GLNN_OPTIMIZER_SGD] = "sgd",
    [GLNN_OPTIMIZER_NESTEROV] = "nesterov",
    [GLNN_OPTIMIZER_ADAM] = "adam",
};

/* The optimizer's numbers, each in [0, limit). */
typedef struct optimizer_number {
    const char *key;
    size_t offset;
    float limit;
} optimizer_number;

static const optimizer_number optimizer_numbers[] = {
    {"momentum", offsetof(glnn_optimizer, momentum), 1},
    {"weight_decay", offsetof(glnn_optimizer, weight_decay), INFINITY},
    {"beta1", offsetof(glnn_optimizer, beta1), 1},
    {"beta2", offsetof(glnn_optimizer, beta2), 1},
    {"epsilon", offsetof(glnn_optimizer, epsilon), INFINITY},
};

enum { OPTIMIZER_NUMBERS = sizeof optimizer_numbers / sizeof *optimizer_numbers };

__attribute__((format(printf, 3, 4))) static void add(glnn__mlp_texts *texts, const char *key,
                                                      const char *format, ...)
{
    char *value = texts->values[texts->count];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, GLNN__MLP_TEXT_LENGTH, format, arguments);
    va_end(arguments);
    texts->entries[texts->count++] = (glnn_metadata){key, value};
}

static void add_layers(glnn__mlp_texts *texts, const glnn_mlp_desc *desc)
{
    char units[GLNN__MLP_TEXT_LENGTH] = "", activations[GLNN__MLP_TEXT_LENGTH] = "";
    size_t units_used = 0, activations_used = 0;
    for (int l = 0; l < desc->layers; ++l) {
        const char *comma = l ? "," : "";
        units_used += (size_t)snprintf(units + units_used, sizeof units - units_used, "%s%d", comma,
                                       desc->units[l]);
        activations_used +=
            (size_t)snprintf(activations + activations_used, sizeof activations - activations_used,
                             "%s%s", comma, glnn_map_name(desc->activations[l]));
    }
    add(texts, "units", "%s", units);
    add(texts, "activations", "%s", activations);
}

glnn_status glnn__mlp_describe(const glnn__mlp_description *description, glnn__mlp_texts *texts)
{
    const glnn_mlp_desc *desc = &description->desc;
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    texts->count = 0;
    add(texts, "format", "glnn-mlp");
    add(texts, "version", "1");
    add(texts, "inputs", "%d", desc->inputs);
    add_layers(texts, desc);
    add(texts, "loss", "%s", loss_names[desc->loss]);
    add(texts, "optimizer", "%s", optimizer_names[desc->optimizer.kind]);
    for (int i = 0; i < OPTIMIZER_NUMBERS; ++i) {
        const optimizer_number *number = &optimizer_numbers[i];
        float value;
        memcpy(&value, (const char *)&desc->optimizer + number->offset, sizeof value);
        add(texts, number->key, "%.9g", (double)value);
    }
    add(texts, "steps", "%" PRIu64, description->steps);
    add(texts, "seed", "%" PRIu64, desc->seed);
    glnn__c_locale_leave(&locale);
    return GLNN_OK;
}

/* The texts of a file while they are read. */
typedef struct reading {
    const char *path;
    const glnn_safetensors *file;
} reading;

static glnn_status fail_text(const reading *in, const char *key, const char *wanted)
{
    const char *text = glnn_safetensors_metadata(in->file, key);
    if (!text)
        return glnn__fail(GLNN_E_FORMAT, "%s: holds no network: there is no metadata '%s'",
                          in->path, key);
    return glnn__fail(GLNN_E_FORMAT, "%s: metadata '%s' is '%.80s', but should be %s", in->path,
                      key, text, wanted);
}

static glnn_status expect(const reading *in, const char *key, const char *wanted)
{
    const char *text = glnn_safetensors_metadata(in->file, key);
    if (!text || strcmp(text, wanted) != 0)
        return fail_text(in, key, wanted);
    return GLNN_OK;
}

/* Cuts the next part off a list with commas; false at its end or where a part is too long. */
static bool next_part(const char **list, char *part, size_t size)
{
    if (!*list)
        return false;
    size_t length = strcspn(*list, ",");
    if (length >= size)
        return false;
    memcpy(part, *list, length);
    part[length] = 0;
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return true;
}

static bool parse_count(const char *text, uint64_t limit, uint64_t *value)
{
    if (!*text || text[strspn(text, "0123456789")])
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0 && *value <= limit;
}

static glnn_status read_count(const reading *in, const char *key, uint64_t *value)
{
    const char *text = glnn_safetensors_metadata(in->file, key);
    if (!text || !parse_count(text, UINT64_MAX, value))
        return fail_text(in, key, "a count of at most 64 bits");
    return GLNN_OK;
}

static glnn_status read_inputs(const reading *in, glnn_mlp_desc *desc)
{
    const char *text = glnn_safetensors_metadata(in->file, "inputs");
    uint64_t value;
    if (!text || !parse_count(text, INT_MAX - 1, &value) || value < 1)
        return fail_text(in, "inputs", "a positive int");
    desc->inputs = (int)value;
    return GLNN_OK;
}

static glnn_status read_units(const reading *in, glnn_mlp_desc *desc)
{
    const char *list = glnn_safetensors_metadata(in->file, "units");
    const char *wanted = "1 to 16 positive ints with commas between";
    char part[16];
    uint64_t value;
    while (next_part(&list, part, sizeof part)) {
        if (desc->layers == GLNN_MLP_MAX_LAYERS || !parse_count(part, INT_MAX - 1, &value) ||
            value < 1)
            return fail_text(in, "units", wanted);
        desc->units[desc->layers++] = (int)value;
    }
    return list || !desc->layers ? fail_text(in, "units", wanted) : GLNN_OK;
}

static bool find_name(const char *name, const char *const *names, int count, int *index)
{
    for (*index = 0; *index < count; ++*index) {
        if (strcmp(names[*index], name) == 0)
            return true;
    }
    return false;
}

static glnn_status read_activations(const reading *in, glnn_mlp_desc *desc)
{
    const char *list = glnn_safetensors_metadata(in->file, "activations");
    const char *wanted = "a function's name for each of the units, with commas between";
    const char *names[GLNN_MAP_COUNT];
    for (int m = 0; m < GLNN_MAP_COUNT; ++m)
        names[m] = glnn_map_name((glnn_map)m);
    char part[32];
    int count = 0, map;
    while (next_part(&list, part, sizeof part)) {
        if (count == desc->layers || !find_name(part, names, GLNN_MAP_COUNT, &map))
            return fail_text(in, "activations", wanted);
        desc->activations[count++] = (glnn_map)map;
    }
    return list || count != desc->layers ? fail_text(in, "activations", wanted) : GLNN_OK;
}

static glnn_status read_choice(const reading *in, const char *key, const char *const *names,
                               int count, int *choice)
{
    const char *text = glnn_safetensors_metadata(in->file, key);
    if (!text || !find_name(text, names, count, choice))
        return fail_text(in, key, "one of the names that libglnn writes");
    return GLNN_OK;
}

static glnn_status read_optimizer(const reading *in, glnn_optimizer *optimizer)
{
    int kind;
    GLNN__TRY(read_choice(in, "optimizer", optimizer_names, GLNN_OPTIMIZER_COUNT, &kind));
    optimizer->kind = (glnn_optimizer_kind)kind;
    for (int i = 0; i < OPTIMIZER_NUMBERS; ++i) {
        const optimizer_number *number = &optimizer_numbers[i];
        const char *text = glnn_safetensors_metadata(in->file, number->key);
        float value;
        if (!text || glnn__number_parse(text, &value) != GLNN__NUMBER_FINITE || value < 0 ||
            value >= number->limit)
            return fail_text(in, number->key,
                             number->limit <= 1 ? "a number in [0, 1)" : "a number from 0 on");
        memcpy((char *)optimizer + number->offset, &value, sizeof value);
    }
    return GLNN_OK;
}

static glnn_status read_texts(const reading *in, glnn__mlp_description *out)
{
    int loss;
    GLNN__TRY(expect(in, "format", "glnn-mlp"));
    GLNN__TRY(expect(in, "version", "1"));
    GLNN__TRY(read_inputs(in, &out->desc));
    GLNN__TRY(read_units(in, &out->desc));
    GLNN__TRY(read_activations(in, &out->desc));
    GLNN__TRY(read_choice(in, "loss", loss_names, GLNN_LOSS_COUNT, &loss));
    out->desc.loss = (glnn_loss)loss;
    GLNN__TRY(read_optimizer(in, &out->desc.optimizer));
    GLNN__TRY(read_count(in, "steps", &out->steps));
    return read_count(in, "seed", &out->desc.seed);
}

glnn_status glnn__mlp_undescribe(const char *path, const glnn_safetensors *file,
                                 glnn__mlp_description *out)
{
    glnn__c_locale locale;
    GLNN__TRY(glnn__c_locale_enter(&locale));
    *out = (glnn__mlp_description){0};
    glnn_status status = read_texts(&(reading){path, file}, out);
    glnn__c_locale_leave(&locale);
    return status;
}

glnn__mlp_shape glnn__mlp_shape_of(const glnn_mlp_desc *desc)
{
    glnn__mlp_shape shape;
    size_t used = (size_t)snprintf(shape.text, sizeof shape.text, "%d", desc->inputs);
    for (int l = 0; l < desc->layers; ++l)
        used += (size_t)snprintf(shape.text + used, sizeof shape.text - used, "-%d %s",
                                 desc->units[l], glnn_map_name(desc->activations[l]));
    return shape;
}
