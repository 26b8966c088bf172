#include "net/mlp_description.h"

#include "base/status.h"

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
};

enum { OPTIMIZER_NUMBERS = sizeof optimizer_numbers / sizeof *optimizer_numbers };

static void add_layers(glnn__texts *texts, const glnn_mlp_desc *desc)
{
    char units[GLNN__TEXT_LENGTH] = "", activations[GLNN__TEXT_LENGTH] = "";
    size_t units_used = 0, activations_used = 0;
    for (int l = 0; l < desc->layers; ++l) {
        const char *comma = l ? "," : "";
        units_used += (size_t)snprintf(units + units_used, sizeof units - units_used, "%s%d", comma,
                                       desc->units[l]);
        activations_used +=
            (size_t)snprintf(activations + activations_used, sizeof activations - activations_used,
                             "%s%s", comma, glnn_activation_name(desc->activations[l]));
    }
    glnn__texts_add(texts, "units", "%s", units);
    glnn__texts_add(texts, "activations", "%s", activations);
}

void glnn__mlp_describe(const void *description, glnn__texts *texts)
{
    const glnn__mlp_description *of = description;
    const glnn_mlp_desc *desc = &of->desc;
    glnn__texts_add(texts, "inputs", "%d", desc->inputs);
    add_layers(texts, desc);
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

static glnn_status read_units(const glnn__described_file *in, glnn_mlp_desc *desc)
{
    const char *list = glnn_safetensors_metadata(in->file, "units");
    const char *wanted = "1 to 16 positive ints with commas between";
    char part[16];
    uint64_t value;
    while (next_part(&list, part, sizeof part)) {
        if (desc->layers == GLNN_MLP_MAX_LAYERS || !glnn__parse_count(part, INT_MAX - 1, &value) ||
            value < 1)
            return glnn__read_fail(in, "units", wanted);
        desc->units[desc->layers++] = (int)value;
    }
    return list || !desc->layers ? glnn__read_fail(in, "units", wanted) : GLNN_OK;
}

static glnn_status read_activations(const glnn__described_file *in, glnn_mlp_desc *desc)
{
    const char *list = glnn_safetensors_metadata(in->file, "activations");
    const char *wanted = "a function's name for each of the units, with commas between";
    const char *names[GLNN_ACTIVATION_COUNT];
    for (int a = 0; a < GLNN_ACTIVATION_COUNT; ++a)
        names[a] = glnn_activation_name((glnn_activation)a);
    char part[32];
    int count = 0, found;
    while (next_part(&list, part, sizeof part)) {
        if (count == desc->layers || !glnn__find_name(part, names, GLNN_ACTIVATION_COUNT, &found) ||
            found == GLNN_ACTIVATION_DEFAULT)
            return glnn__read_fail(in, "activations", wanted);
        desc->activations[count++] = (glnn_activation)found;
    }
    return list || count != desc->layers ? glnn__read_fail(in, "activations", wanted) : GLNN_OK;
}

glnn_status glnn__mlp_undescribe(const glnn__described_file *in, void *description)
{
    glnn__mlp_description *out = description;
    glnn_mlp_desc *desc = &out->desc;
    int loss, optimizer;
    GLNN__TRY(glnn__read_int(in, "inputs", 1, &desc->inputs));
    GLNN__TRY(read_units(in, desc));
    GLNN__TRY(read_activations(in, desc));
    GLNN__TRY(glnn__read_choice(in, "loss", loss_names, GLNN_LOSS_COUNT, &loss));
    GLNN__TRY(
        glnn__read_choice(in, "optimizer", optimizer_names, GLNN_OPTIMIZER_COUNT, &optimizer));
    GLNN__TRY(glnn__read_numbers(in, optimizer_numbers, OPTIMIZER_NUMBERS, &desc->optimizer));
    desc->loss = (glnn_loss)loss;
    desc->optimizer.kind = (glnn_optimizer_kind)optimizer;
    GLNN__TRY(glnn__read_count(in, "steps", &out->steps));
    return glnn__read_count(in, "seed", &desc->seed);
}

glnn__mlp_shape glnn__mlp_shape_of(const glnn_mlp_desc *desc)
{
    glnn__mlp_shape shape;
    size_t used = (size_t)snprintf(shape.text, sizeof shape.text, "%d", desc->inputs);
    for (int l = 0; l < desc->layers; ++l)
        used += (size_t)snprintf(shape.text + used, sizeof shape.text - used, "-%d %s",
                                 desc->units[l], glnn_activation_name(desc->activations[l]));
    return shape;
}
