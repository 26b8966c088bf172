#include "net/network_description.h"

#include "base/status.h"
#include "layers/layer_numbers.h"
#include "layers/layer_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *loss_name(int loss)
{
    return glnn_loss_name((glnn_loss)loss);
}

static const char *optimizer_name(int optimizer)
{
    return glnn_optimizer_kind_name((glnn_optimizer_kind)optimizer);
}

#define AT(field) offsetof(glnn__network_description, field)

const glnn__field glnn__network_shape_fields[GLNN__NETWORK_SHAPE_FIELDS] = {
    {"channels", .offset = AT(desc.shape.channels), .least = 1},
    {"height", .offset = AT(desc.shape.height), .least = 1},
    {"width", .offset = AT(desc.shape.width), .least = 1},
};

/* These follow the layers. */
static const glnn__field fields[] = {
    {"loss", GLNN__FIELD_CHOICE, .offset = AT(desc.loss), .name = loss_name,
     .choices = GLNN_LOSS_COUNT},
    {"optimizer", GLNN__FIELD_CHOICE, .offset = AT(desc.optimizer.kind), .name = optimizer_name,
     .choices = GLNN_OPTIMIZER_COUNT},
    {"momentum", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.momentum), .limit = 1},
    {"weight_decay", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.weight_decay)},
    {"beta1", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.beta1), .limit = 1},
    {"beta2", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.beta2), .limit = 1},
    {"epsilon", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.epsilon)},
    {"clip_norm", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.clip_norm)},
    {"step_first", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.step_first)},
    {"step_min", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.step_min)},
    {"step_max", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.step_max)},
    {"step_increase", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.step_increase)},
    {"step_decrease", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.step_decrease), .limit = 1},
    {"two_parts", GLNN__FIELD_BOOL, .offset = AT(desc.optimizer.two_parts)},
    {"gradient_noise", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.gradient_noise)},
    {"noise_decay", GLNN__FIELD_FLOAT, .offset = AT(desc.optimizer.noise_decay)},
    {"label_smoothing", GLNN__FIELD_FLOAT, .offset = AT(desc.label_smoothing), .limit = 1},
    {"steps", GLNN__FIELD_COUNT, .offset = AT(steps)},
    {"seed", GLNN__FIELD_COUNT, .offset = AT(desc.seed)},
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* A number of all layers. */
static void add_numbers(glnn__texts *texts, const glnn__field *field, const glnn_network_desc *desc)
{
    char text[GLNN__TEXT_LENGTH];
    size_t used = 0;
    for (int l = 0; l < desc->layer_count; ++l) {
        if (l > 0)
            text[used++] = ',';
        used += glnn__field_print(field, &desc->layers[l], text + used, sizeof text - used);
    }
    glnn__texts_add(texts, field->key, "%s", text);
}

void glnn__network_describe(const void *description, glnn__texts *texts)
{
    const glnn__network_description *of = description;
    for (int n = 0; n < GLNN__LAYER_NUMBERS; ++n)
        add_numbers(texts, &glnn__layer_numbers[n].field, &of->desc);
    glnn__texts_add_fields(texts, fields, FIELDS, of);
}

void glnn__network_identify(const glnn_network_desc *desc, glnn__texts *texts)
{
    const glnn__network_description of = {.desc = *desc};
    glnn__texts_add_fields(texts, glnn__network_shape_fields, GLNN__NETWORK_SHAPE_FIELDS, &of);
    glnn__network_describe(&of, texts);
    glnn__texts_add(texts, "precision", "%s", glnn_precision_name(desc->precision));
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

static bool is_used(const glnn__layer_number *number, const glnn_network_desc *desc)
{
    bool used = false;
    for (int l = 0; l < desc->layer_count; ++l)
        used = used || glnn__layer_type_get(desc->layers[l].kind)->uses & number->flag;
    return used;
}

/* The first number says how many layers there are. Another one may be missing if no layer uses it,
 * as in a file from before there was such a number. */
static glnn_status read_layers(const glnn__described_file *in, int n, glnn_network_desc *desc)
{
    const glnn__layer_number *number = &glnn__layer_numbers[n];
    const char *key = number->field.key, *text = glnn_safetensors_get_metadata(in->file, key);
    char part[32], wanted[80];
    snprintf(wanted, sizeof wanted, "one entry for each of 1 to %d layers, with commas between",
             GLNN_NETWORK_MAX_LAYERS);
    int found = 0;
    if (!text && n > 0 && !is_used(number, desc))
        return GLNN_OK;
    while (next_part(&text, part, sizeof part))
        if (found == GLNN_NETWORK_MAX_LAYERS ||
            !glnn__field_parse(&number->field, part, &desc->layers[found++]))
            return glnn__read_fail(in, key, wanted);
    if (text || found == 0 || (n > 0 && found != desc->layer_count))
        return glnn__read_fail(in, key, wanted);
    desc->layer_count = found;
    return GLNN_OK;
}

glnn_status glnn__network_undescribe(const glnn__described_file *in, void *description)
{
    glnn__network_description *out = description;
    for (int n = 0; n < GLNN__LAYER_NUMBERS; ++n)
        GLNN__TRY(read_layers(in, n, &out->desc));
    GLNN__TRY(glnn__read_fields(in, fields, FIELDS, out));
    if (glnn__network_check(&out->desc, out->layers))
        return glnn__fail(GLNN_E_FORMAT, "%s: the description of the network is not valid: %s",
                          in->path, glnn_last_error());
    return GLNN_OK;
}

/* The text between a number and the one before it. Kind, units and activation have no name, and a
 * width follows its height. */
static size_t begin_number(const glnn__layer_number *number, char *text, size_t room)
{
    const size_t length = strcspn(number->name, ".");
    if (number->flag == 0)
        return (size_t)snprintf(text, room, ", ");
    if (strcmp(number->name + length, ".width") == 0)
        return (size_t)snprintf(text, room, "x");
    if (number->flag & (GLNN__LAYER_UNITS | GLNN__LAYER_ACTIVATION))
        return (size_t)snprintf(text, room, " ");
    return (size_t)snprintf(text, room, " %.*s ", (int)length, number->name);
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
        used += begin_number(number, text + used, room - used);
        used += glnn__field_print(&number->field, layer, text + used, room - used);
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
