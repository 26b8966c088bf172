#include "net/network_description.h"

#include "base/status.h"
#include "base/string.h"
#include "layers/layer_fields.h"
#include "layers/layer_types.h"
#include "net/loss_kind.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const glnn__field fields[] = {
    {"desc", .nested = &glnn__network_fields},
    {"steps", GLNN_FIELD_UINT64, .offset = offsetof(glnn__network_description, steps),
     .kept = GLNN__IN_FILES},
};

const glnn__fields glnn__network_file_fields = GLNN__FIELDS(fields);

/* The keys of the expressions, which only some losses have. */
#define LOSS_VALUE      "loss_value"
#define LOSS_DERIVATIVE "loss_derivative"

#define LONGEST_VALUE 32 /* of a field, and a comma: numbers and names are shorter */

/* The layers or the outputs of a description. */
typedef struct items {
    const char *name; /* of several, for sentences */
    const glnn__fields *fields;
    size_t first, size; /* the first one in the description, and the size of each */
    size_t count;       /* the place of their number */
    int most;
    bool are_optional;
} items;

static const items layer_items = {"layers",
                                  &glnn__layer_fields,
                                  offsetof(glnn_network_desc, layers),
                                  sizeof(glnn_layer_desc),
                                  offsetof(glnn_network_desc, layer_count),
                                  GLNN_NETWORK_MAX_LAYERS,
                                  false};

static const items output_items = {"outputs",
                                   &glnn__output_fields,
                                   offsetof(glnn_network_desc, outputs),
                                   sizeof(glnn_output_desc),
                                   offsetof(glnn_network_desc, output_count),
                                   GLNN_NETWORK_MAX_OUTPUTS,
                                   true};

static int *count_of(const items *of, glnn_network_desc *desc)
{
    return (int *)((char *)desc + of->count);
}

static void *item_of(const items *of, glnn_network_desc *desc, int number)
{
    return (char *)desc + of->first + (size_t)number * of->size;
}

/* Adds the values of a field, with commas between them. */
static void add_field(glnn__texts *texts, const items *of, const glnn__place *place,
                      glnn_network_desc *desc)
{
    char text[GLNN_NETWORK_MAX_LAYERS * LONGEST_VALUE];
    size_t used = 0;
    for (int i = 0; i < *count_of(of, desc); ++i) {
        if (i > 0)
            text[used++] = ',';
        used += glnn__field_print(place, item_of(of, desc, i), text + used, sizeof text - used);
    }
    glnn__texts_take(texts, place->key, glnn__string_copy(text));
}

static void add_items(glnn__texts *texts, const items *of, glnn_network_desc *desc)
{
    glnn__place place;
    for (int n = 0; *count_of(of, desc) > 0 && glnn__fields_at(of->fields, n, &place); ++n)
        add_field(texts, of, &place, desc);
}

/* The texts of the function of a layer, and their keys: "function.3.source". */
enum { NAME, SOURCE, OPERAND, ADJOINT, FUNCTION_TEXTS };

typedef struct text_key {
    char text[40];
} text_key;

static text_key text_key_of(int layer, int text)
{
    static const char *const names[FUNCTION_TEXTS] = {"name", "source", "operand", "adjoint"};
    text_key of;
    snprintf(of.text, sizeof of.text, "function.%d.%s", layer, names[text]);
    return of;
}

static void add_function(glnn__texts *texts, int layer, const glnn_kernel_desc *function)
{
    if (!function)
        return;
    glnn__texts_take(texts, text_key_of(layer, NAME).text, glnn__string_copy(function->name));
    glnn__texts_take(texts, text_key_of(layer, SOURCE).text, glnn__string_copy(function->source));
    glnn__texts_take(texts, text_key_of(layer, OPERAND).text,
                     glnn__string_copy(function->operands[0]));
    glnn__texts_take(texts, text_key_of(layer, ADJOINT).text, glnn__string_copy(function->adjoint));
}

/* The strings are those of the file. */
static glnn_status read_function(const glnn__described_file *in, int layer,
                                 glnn_kernel_desc *function)
{
    const char **texts[FUNCTION_TEXTS] = {&function->name, &function->source,
                                          &function->operands[0], &function->adjoint};
    for (int t = 0; t < FUNCTION_TEXTS; ++t) {
        const text_key of = text_key_of(layer, t);
        *texts[t] = glnn_safetensors_get_metadata(in->file, of.text);
        if (!*texts[t])
            return glnn__read_fail(in, of.text, "a part of a kernel");
    }
    return GLNN_OK;
}

void glnn__network_add_layers(const void *description, glnn__texts *texts)
{
    glnn_network_desc desc = ((const glnn__network_description *)description)->desc;
    add_items(texts, &layer_items, &desc);
    add_items(texts, &output_items, &desc);
    for (int l = 0; l < desc.layer_count; ++l)
        add_function(texts, l, desc.layers[l].function);
    if (!glnn__loss_is_used(&desc, GLNN_LOSS_EXPRESSION))
        return;
    glnn__texts_take(texts, LOSS_VALUE, glnn__string_copy(desc.loss_value));
    glnn__texts_take(texts, LOSS_DERIVATIVE, glnn__string_copy(desc.loss_derivative));
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

static bool is_used(const glnn__field *field, const glnn_network_desc *desc)
{
    bool used = false;
    for (int l = 0; l < desc->layer_count; ++l)
        used = used || glnn__layer_type_get(desc->layers[l].kind)->uses & field->users;
    return used;
}

/* The first field says how many items there are. Another field of layers may be missing if no layer
 * uses it, as in a file from before there was such a field. Layers that do not use it have 0. */
static glnn_status read_field(const glnn__described_file *in, const items *of, int n,
                              const glnn__place *place, glnn_network_desc *desc)
{
    const char *key = place->key, *text = glnn_safetensors_get_metadata(in->file, key);
    char part[32], wanted[80];
    int found = 0, *count = count_of(of, desc);
    snprintf(wanted, sizeof wanted, "one entry for each of 1 to %d %s, with commas between",
             of->most, of->name);
    if (!text && of->are_optional && *count == 0)
        return GLNN_OK;
    if (!text && n > 0 && (place->field->is_later || !is_used(place->field, desc)) &&
        !of->are_optional)
        return GLNN_OK;
    while (next_part(&text, part, sizeof part))
        if (found == of->most || !glnn__field_parse(place, part, true, item_of(of, desc, found++)))
            return glnn__read_fail(in, key, wanted);
    if (text || found == 0 || (n > 0 && found != *count))
        return glnn__read_fail(in, key, wanted);
    *count = found;
    return GLNN_OK;
}

static glnn_status read_items(const glnn__described_file *in, const items *of,
                              glnn_network_desc *desc)
{
    glnn__place place;
    for (int n = 0; glnn__fields_at(of->fields, n, &place); ++n)
        GLNN__TRY(read_field(in, of, n, &place, desc));
    return GLNN_OK;
}

glnn_status glnn__network_read_layers(const glnn__described_file *in, void *description)
{
    glnn__network_description *out = description;
    GLNN__TRY(read_items(in, &layer_items, &out->desc));
    GLNN__TRY(read_items(in, &output_items, &out->desc));
    for (int l = 0; l < out->desc.layer_count; ++l)
        if (out->desc.layers[l].kind == GLNN_LAYER_FUNCTION) {
            out->desc.layers[l].function = &out->functions[l];
            GLNN__TRY(read_function(in, l, &out->functions[l]));
        }
    out->desc.loss_value = glnn_safetensors_get_metadata(in->file, LOSS_VALUE);
    out->desc.loss_derivative = glnn_safetensors_get_metadata(in->file, LOSS_DERIVATIVE);
    if (glnn__network_check(&out->desc, out->layers))
        return glnn__fail(GLNN_E_FORMAT, "%s: the description of the network is not valid: %s",
                          in->path, glnn_last_error());
    return GLNN_OK;
}

/* The text between a field and the one before it. Kind, units and activation have no name, a width
 * follows its height, and further inputs the first one. */
static size_t begin_field(const glnn__field *field, char *text, size_t room)
{
    const size_t length = strcspn(field->name, ".[");
    if (strcmp(field->name, "kind") == 0)
        return (size_t)snprintf(text, room, ", ");
    if (strcmp(field->name + length, ".width") == 0)
        return (size_t)snprintf(text, room, "x");
    if (field->users & GLNN__LAYER_INPUTS)
        return (size_t)snprintf(text, room, " ");
    if (field->users & (GLNN__LAYER_UNITS | GLNN__LAYER_ACTIVATION))
        return (size_t)snprintf(text, room, " ");
    return (size_t)snprintf(text, room, " %.*s ", (int)length, field->name);
}

/* The kind, and the fields that a file to restore must have too; a rate may differ. */
static size_t summarise_layer(const glnn_layer_desc *layer, char *text, size_t room)
{
    const glnn__layer_type *type = glnn__layer_type_get(layer->kind);
    glnn__place place;
    size_t used = 0;
    for (int n = 0; glnn__fields_at(&glnn__layer_fields, n, &place); ++n) {
        const bool is_usual = (strncmp(place.field->name, "inputs[", strlen("inputs[")) == 0 ||
                               place.field->users == GLNN__LAYER_SHARES) &&
                              glnn__field_number(&place, layer) == 0;
        if (is_usual || place.field->users == GLNN__LAYER_RATE ||
            !glnn__layer_uses(type, place.field))
            continue;
        used += begin_field(place.field, text + used, room - used);
        used += glnn__field_print(&place, layer, text + used, room - used);
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
