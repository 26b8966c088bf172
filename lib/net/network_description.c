#include "net/network_description.h"

#include "base/status.h"
#include "io/table/number.h"
#include "net/layer_numbers.h"
#include "net/layer_types.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
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

static const char *loss_name(int loss)
{
    return loss_names[loss];
}

static const char *optimizer_name(int kind)
{
    return optimizer_names[kind];
}

const glnn__field glnn__network_fields[GLNN__NETWORK_FIELDS] = {
    GLNN__FIELD(POSITIVE, "channels", glnn__network_description, desc.shape.channels),
    GLNN__FIELD(POSITIVE, "height", glnn__network_description, desc.shape.height),
    GLNN__FIELD(POSITIVE, "width", glnn__network_description, desc.shape.width),
    GLNN__FIELD_OF_CHOICES("loss", glnn__network_description, desc.loss, loss_name,
                           GLNN_LOSS_COUNT),
    GLNN__FIELD_OF_CHOICES("optimizer", glnn__network_description, desc.optimizer.kind,
                           optimizer_name, GLNN_OPTIMIZER_COUNT),
    GLNN__FIELD(SHARE, "momentum", glnn__network_description, desc.optimizer.momentum),
    GLNN__FIELD(FLOAT, "weight_decay", glnn__network_description, desc.optimizer.weight_decay),
    GLNN__FIELD(SHARE, "beta1", glnn__network_description, desc.optimizer.beta1),
    GLNN__FIELD(SHARE, "beta2", glnn__network_description, desc.optimizer.beta2),
    GLNN__FIELD(FLOAT, "epsilon", glnn__network_description, desc.optimizer.epsilon),
    GLNN__FIELD(FLOAT, "clip_norm", glnn__network_description, desc.optimizer.clip_norm),
    GLNN__FIELD(COUNT, "steps", glnn__network_description, steps),
    GLNN__FIELD(COUNT, "seed", glnn__network_description, desc.seed),
};

static size_t print_number(const glnn__layer_number *number, const glnn_layer_desc *layer,
                           char *text, size_t room)
{
    const double value = glnn__layer_number_get(number, layer);
    if (number->choice)
        return (size_t)snprintf(text, room, "%s", number->choice((int)value));
    return (size_t)snprintf(text, room, "%.*g", number->is_float ? 9 : 10, value);
}

/* A number of all layers. */
static void add_numbers(glnn__texts *texts, const glnn__layer_number *number,
                        const glnn_network_desc *desc)
{
    char text[GLNN__TEXT_LENGTH];
    size_t used = 0;
    for (int l = 0; l < desc->layer_count; ++l) {
        if (l > 0)
            text[used++] = ',';
        used += print_number(number, &desc->layers[l], text + used, sizeof text - used);
    }
    glnn__texts_add(texts, number->key, "%s", text);
}

void glnn__network_describe(const void *description, glnn__texts *texts)
{
    const glnn__network_description *of = description;
    const glnn_network_desc *desc = &of->desc;
    for (int n = 0; n < GLNN__LAYER_NUMBERS; ++n)
        add_numbers(texts, &glnn__layer_numbers[n], desc);
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

/* What a part says; false where it says nothing that could be. The numbers' ranges are checked by the
 * layer's kind. */
static bool read_part(const glnn__layer_number *number, const char *part, double *value)
{
    float real;
    uint64_t count;
    if (number->is_float) {
        const bool is_finite = glnn__number_parse(part, &real) == GLNN__NUMBER_FINITE;
        *value = is_finite ? (double)real : 0;
        return is_finite;
    }
    if (!number->choice) {
        const bool is_count = glnn__parse_count(part, INT_MAX - 1, &count);
        *value = is_count ? (double)count : 0;
        return is_count;
    }
    int choice = 0;
    while (choice < number->choices && strcmp(part, number->choice(choice)) != 0)
        ++choice;
    *value = choice;
    return choice < number->choices;
}

static bool is_used(const glnn__layer_number *number, const glnn_network_desc *desc)
{
    bool used = false;
    for (int l = 0; l < desc->layer_count; ++l)
        used = used || glnn__layer_type_get(desc->layers[l].kind)->uses & number->flag;
    return used;
}

/* The first number says how many layers there are. Another one may be missing if no layer uses it, as in
 * a file from before there was such a number. */
static glnn_status read_layers(const glnn__described_file *in, int n, glnn_network_desc *desc)
{
    const glnn__layer_number *number = &glnn__layer_numbers[n];
    const char *text = glnn_safetensors_metadata(in->file, number->key);
    char part[32];
    double value;
    int found = 0;
    if (!text && n > 0 && !is_used(number, desc))
        return GLNN_OK;
    while (next_part(&text, part, sizeof part)) {
        if (found == GLNN_NETWORK_MAX_LAYERS || !read_part(number, part, &value))
            return glnn__read_fail(in, number->key, number->wanted);
        glnn__layer_number_set(number, value, &desc->layers[found++]);
    }
    if (text || found == 0 || (n > 0 && found != desc->layer_count))
        return glnn__read_fail(in, number->key, number->wanted);
    desc->layer_count = found;
    return GLNN_OK;
}

glnn_status glnn__network_undescribe(const glnn__described_file *in, void *description)
{
    glnn__network_description *out = description;
    for (int n = 0; n < GLNN__LAYER_NUMBERS; ++n)
        GLNN__TRY(read_layers(in, n, &out->desc));
    if (glnn__network_check(&out->desc, out->layers))
        return glnn__fail(GLNN_E_FORMAT, "%s: describes no network that can be: %s", in->path,
                          glnn_last_error());
    return GLNN_OK;
}

/* The kind, and the numbers that a file to restore must have too. */
static size_t summarise_layer(const glnn_layer_desc *layer, char *text, size_t room)
{
    const unsigned uses = glnn__layer_type_get(layer->kind)->uses;
    size_t used = 0;
    for (int n = 0; n < GLNN__LAYER_NUMBERS; ++n) {
        const glnn__layer_number *number = &glnn__layer_numbers[n];
        if (number->may_differ || (uses & number->flag) != number->flag)
            continue;
        text[used++] = n == 0 ? '-' : ' ';
        used += print_number(number, layer, text + used, room - used);
    }
    return used;
}

glnn__network_summary glnn__network_summarise(const glnn_network_desc *desc)
{
    glnn__network_summary of = {.text = ""};
    size_t used = (size_t)snprintf(of.text, sizeof of.text, "%dx%dx%d", desc->shape.channels,
                                   desc->shape.height, desc->shape.width);
    for (int l = 0; l < desc->layer_count; ++l)
        used += summarise_layer(&desc->layers[l], of.text + used, sizeof of.text - used);
    return of;
}
