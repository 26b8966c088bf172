#include "net/network_description.h"

#include "base/status.h"
#include "io/table/number.h"

#include <inttypes.h>
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

static const glnn__described_number optimizer_numbers[] = {
    {"momentum", offsetof(glnn_optimizer, momentum), 1},
    {"weight_decay", offsetof(glnn_optimizer, weight_decay), INFINITY},
    {"beta1", offsetof(glnn_optimizer, beta1), 1},
    {"beta2", offsetof(glnn_optimizer, beta2), 1},
    {"epsilon", offsetof(glnn_optimizer, epsilon), INFINITY},
    {"clip_norm", offsetof(glnn_optimizer, clip_norm), INFINITY},
};

enum { OPTIMIZER_NUMBERS = sizeof optimizer_numbers / sizeof *optimizer_numbers };

/* A number of all layers, which one text has with commas between. */
typedef struct column {
    const char *key;
    size_t offset;
    const char *(*name)(int choice); /* of a choice; NULL: a number */
    int choices;
    bool is_float;
    const char *wanted;
} column;

static const char *kind_name(int kind)
{
    return glnn_layer_kind_name((glnn_layer_kind)kind);
}

static const char *activation_name(int activation)
{
    return glnn_activation_name((glnn_activation)activation);
}

static const column columns[] = {
    {"layers", offsetof(glnn_layer_desc, kind), kind_name, GLNN_LAYER_COUNT, false,
     "1 to 32 kinds of layers with commas between"},
    {"units", offsetof(glnn_layer_desc, units), NULL, 0, false,
     "an int for each of the layers, with commas between"},
    {"activations", offsetof(glnn_layer_desc, activation), activation_name, GLNN_ACTIVATION_COUNT,
     false, "a function's name for each of the layers, with commas between"},
    {"rates", offsetof(glnn_layer_desc, rate), NULL, 0, true,
     "a number for each of the layers, with commas between"},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static size_t print_part(const column *c, const glnn_layer_desc *layer, char *text, size_t room)
{
    const char *field = (const char *)layer + c->offset;
    int integer = 0;
    float number = 0;
    memcpy(c->is_float ? (void *)&number : &integer, field, sizeof integer);
    if (c->is_float)
        return (size_t)snprintf(text, room, "%.9g", (double)number);
    if (c->name)
        return (size_t)snprintf(text, room, "%s", c->name(integer));
    return (size_t)snprintf(text, room, "%d", integer);
}

static void add_column(glnn__texts *texts, const column *c, const glnn_network_desc *desc)
{
    char text[GLNN__TEXT_LENGTH];
    size_t used = 0;
    for (int l = 0; l < desc->layer_count; ++l) {
        if (l > 0)
            text[used++] = ',';
        used += print_part(c, &desc->layers[l], text + used, sizeof text - used);
    }
    glnn__texts_add(texts, c->key, "%s", text);
}

void glnn__network_describe(const void *description, glnn__texts *texts)
{
    const glnn__network_description *of = description;
    const glnn_network_desc *desc = &of->desc;
    glnn__texts_add(texts, "channels", "%d", desc->shape.channels);
    glnn__texts_add(texts, "height", "%d", desc->shape.height);
    glnn__texts_add(texts, "width", "%d", desc->shape.width);
    for (int c = 0; c < COLUMNS; ++c)
        add_column(texts, &columns[c], desc);
    glnn__texts_add(texts, "loss", "%s", loss_names[desc->loss]);
    glnn__texts_add(texts, "optimizer", "%s", optimizer_names[desc->optimizer.kind]);
    glnn__texts_add_numbers(texts, optimizer_numbers, OPTIMIZER_NUMBERS, &desc->optimizer);
    glnn__texts_add(texts, "steps", "%" PRIu64, of->steps);
    glnn__texts_add(texts, "seed", "%" PRIu64, desc->seed);
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

/* Whether the part is what it should be; the numbers' ranges are checked by the layer's kind. */
static bool take_part(const column *c, const char *part, glnn_layer_desc *layer)
{
    char *field = (char *)layer + c->offset;
    float number;
    uint64_t count;
    if (c->is_float) {
        if (glnn__number_parse(part, &number) != GLNN__NUMBER_FINITE)
            return false;
        memcpy(field, &number, sizeof number);
        return true;
    }
    int integer = 0;
    while (c->name && integer < c->choices && strcmp(part, c->name(integer)) != 0)
        ++integer;
    if (!c->name && !glnn__parse_count(part, INT_MAX - 1, &count))
        return false;
    if (!c->name)
        integer = (int)count;
    memcpy(field, &integer, sizeof integer);
    return !c->name || integer < c->choices;
}

/* The first column says how many layers there are. */
static glnn_status read_column(const glnn__described_file *in, const column *c,
                               glnn_network_desc *desc)
{
    const char *text = glnn_safetensors_metadata(in->file, c->key);
    char part[32];
    int found = 0;
    while (next_part(&text, part, sizeof part))
        if (found == GLNN_NETWORK_MAX_LAYERS || !take_part(c, part, &desc->layers[found++]))
            return glnn__read_fail(in, c->key, c->wanted);
    if (text || found == 0 || (c != columns && found != desc->layer_count))
        return glnn__read_fail(in, c->key, c->wanted);
    desc->layer_count = found;
    return GLNN_OK;
}

static glnn_status read_desc(const glnn__described_file *in, glnn_network_desc *desc)
{
    int loss, optimizer;
    GLNN__TRY(glnn__read_int(in, "channels", 1, &desc->shape.channels));
    GLNN__TRY(glnn__read_int(in, "height", 1, &desc->shape.height));
    GLNN__TRY(glnn__read_int(in, "width", 1, &desc->shape.width));
    for (int c = 0; c < COLUMNS; ++c)
        GLNN__TRY(read_column(in, &columns[c], desc));
    GLNN__TRY(glnn__read_choice(in, "loss", loss_names, GLNN_LOSS_COUNT, &loss));
    GLNN__TRY(
        glnn__read_choice(in, "optimizer", optimizer_names, GLNN_OPTIMIZER_COUNT, &optimizer));
    GLNN__TRY(glnn__read_numbers(in, optimizer_numbers, OPTIMIZER_NUMBERS, &desc->optimizer));
    desc->loss = (glnn_loss)loss;
    desc->optimizer.kind = (glnn_optimizer_kind)optimizer;
    return glnn__read_count(in, "seed", &desc->seed);
}

glnn_status glnn__network_undescribe(const glnn__described_file *in, void *description)
{
    glnn__network_description *out = description;
    GLNN__TRY(read_desc(in, &out->desc));
    GLNN__TRY(glnn__read_count(in, "steps", &out->steps));
    if (glnn__network_check(&out->desc, out->layers))
        return glnn__fail(GLNN_E_FORMAT, "%s: describes no network that can be: %s", in->path,
                          glnn_last_error());
    return GLNN_OK;
}

glnn__network_summary glnn__network_summarise(const glnn_network_desc *desc)
{
    glnn__network_summary of = {.text = ""};
    size_t used = (size_t)snprintf(of.text, sizeof of.text, "%dx%dx%d", desc->shape.channels,
                                   desc->shape.height, desc->shape.width);
    for (int l = 0; l < desc->layer_count; ++l) {
        const glnn_layer_desc *layer = &desc->layers[l];
        char *text = of.text + used;
        const size_t room = sizeof of.text - used;
        if (layer->kind == GLNN_LAYER_DENSE)
            used += (size_t)snprintf(text, room, "-%d %s", layer->units,
                                     glnn_activation_name(layer->activation));
        else
            used += (size_t)snprintf(text, room, "-%s", glnn_layer_kind_name(layer->kind));
    }
    return of;
}
