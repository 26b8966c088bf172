#include "net/network_check.h"

#include "base/sized.h"
#include "base/status.h"
#include "layers/layer_fields.h"
#include "layers/layer_types.h"
#include "net/loss_kind.h"

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

/* Of GLNN_INIT_UNIFORM. */
#define INIT_RANGE 0.05

GLNN__DECLARE_NAMES(glnn_loss)
GLNN__DECLARE_NAMES(glnn_init)
GLNN__DECLARE_NAMES(glnn_layout)
GLNN__DECLARE_NAMES(glnn_precision)

#define AT(member) offsetof(glnn_network_desc, member)

static const glnn__field fields[] = {
    GLNN__ROW(INT, features, GLNN__NOT_KEPT, .least = 1, .zero = "the product of the shape"),
    GLNN__ROW(INT, shape.channels, GLNN__IN_FILES, .key = "channels", .least = 1,
              .zero = "the features"),
    GLNN__ROW(INT, shape.height, GLNN__IN_FILES, .key = "height", .standard = 1, .stays = true,
              .least = 1),
    GLNN__ROW(INT, shape.width, GLNN__IN_FILES, .key = "width", .standard = 1, .stays = true,
              .least = 1),
    GLNN__ROW(INT, layer_count, GLNN__NOT_KEPT, .least = 1, .most = GLNN_NETWORK_MAX_LAYERS,
              .zero = "those up to the last that is not all zeros"),
    GLNN__ROW(INT, output_count, GLNN__NOT_KEPT, .most = GLNN_NETWORK_MAX_OUTPUTS,
              .zero = "one, that of the last layer"),
    GLNN__ROW(CHOICE, loss, GLNN__IN_FILES, .names = &glnn__names_of_glnn_loss),
    GLNN__ROW(FLOAT, loss_parameter, GLNN__IN_FILES, .zero = "the default of the loss",
              .is_later = true),
    GLNN__ROW(FLOAT, label_smoothing, GLNN__IN_FILES, .most = 1, .below = true),
    GLNN__ROW(CHOICE, init, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_init),
    GLNN__ROW(FLOAT, init_range, GLNN__NOT_KEPT, .standard = INIT_RANGE, .above = true,
              .most = FLT_MAX / 2),
    {"optimizer", .offset = AT(optimizer), .nested = &glnn__optimizer_fields},
    GLNN__ROW(CHOICE, layout, GLNN__NOT_KEPT, .names = &glnn__names_of_glnn_layout,
              .most = GLNN_LAYOUT_UNPACKED),
    GLNN__ROW(CHOICE, precision, GLNN__IN_CHECKPOINTS, .names = &glnn__names_of_glnn_precision),
    GLNN__ROW(INT, capacity, GLNN__NOT_KEPT, .standard = 1024, .least = 1),
    GLNN__ROW(UINT64, seed, GLNN__IN_FILES),
};

const glnn__fields glnn__network_fields = GLNN__DESCRIPTION(glnn_network_desc, fields);

#undef AT
#define AT(member) offsetof(glnn_output_desc, member)

static const glnn__field output_fields[] = {
    GLNN__ROW(INT, layer, GLNN__IN_FILES, .key = "output_layers",
              .most = GLNN_NETWORK_MAX_LAYERS - 1),
    GLNN__ROW(CHOICE, loss, GLNN__IN_FILES, .key = "output_losses",
              .names = &glnn__names_of_glnn_loss),
    GLNN__ROW(FLOAT, loss_parameter, GLNN__IN_FILES, .key = "output_loss_parameters",
              .zero = "the default of the loss"),
    GLNN__ROW(FLOAT, weight, GLNN__IN_FILES, .key = "output_weights", .standard = 1, .above = true),
};

const glnn__fields glnn__output_fields = GLNN__DESCRIPTION(glnn_output_desc, output_fields);

static glnn_map map_of(glnn_activation activation)
{
    static const glnn_map maps[GLNN_ACTIVATION_COUNT] = {
        [GLNN_ACTIVATION_SIGMOID] = GLNN_MAP_SIGMOID,
        [GLNN_ACTIVATION_TANH] = GLNN_MAP_TANH,
        [GLNN_ACTIVATION_SCALED_TANH] = GLNN_MAP_SCALED_TANH,
        [GLNN_ACTIVATION_RELU] = GLNN_MAP_RELU,
        [GLNN_ACTIVATION_LEAKY_RELU] = GLNN_MAP_LEAKY_RELU,
        [GLNN_ACTIVATION_IDENTITY] = GLNN_MAP_IDENTITY,
        [GLNN_ACTIVATION_ELU] = GLNN_MAP_ELU,
        [GLNN_ACTIVATION_SOFTSIGN] = GLNN_MAP_SOFTSIGN,
    };
    return maps[activation];
}

/* A layer or output that is all zeros but for its room for later members may be one of a later
 * version. */
static glnn_status check_reserved(const glnn_network_desc *desc)
{
    for (int i = 0; i < GLNN_NETWORK_MAX_LAYERS; ++i)
        if (GLNN__RESERVED_CHECK(glnn_layer_desc, &desc->layers[i]))
            return glnn__fail(GLNN_E_ARG, "layer %d: %s", i, glnn__last_sentence());
    for (int i = 0; i < GLNN_NETWORK_MAX_OUTPUTS; ++i)
        if (GLNN__RESERVED_CHECK(glnn_output_desc, &desc->outputs[i]))
            return glnn__fail(GLNN_E_ARG, "output %d: %s", i, glnn__last_sentence());
    return GLNN_OK;
}

/* Features and shape say the same, or one of them is left out. */
static glnn_status check_input(glnn_network_desc *desc)
{
    glnn_shape *s = &desc->shape;
    if (s->channels == 0 && s->height == 0 && s->width == 0)
        *s = (glnn_shape){desc->features, 1, 1};
    const int size = glnn__shape_size(*s);
    if (desc->features == INT_MAX)
        return glnn__fail(GLNN_E_LIMIT, "a network of %d features; there can be %d", desc->features,
                          INT_MAX - 1);
    if (size == 0 && s->channels > 0 && s->height > 0 && s->width > 0)
        return glnn__fail(
            GLNN_E_LIMIT,
            "a sample of %d channels of %d x %d has too many numbers; there can be %d", s->channels,
            s->height, s->width, INT_MAX - 1);
    if (size == 0)
        return glnn__fail(
            GLNN_E_ARG, "a network of %d features, as %d x %d x %d numbers; there must be 1 to %d",
            desc->features, s->channels, s->height, s->width, INT_MAX - 1);
    if (desc->features != 0 && desc->features != size)
        return glnn__fail(GLNN_E_SHAPE,
                          "a network of %d features, but its shape of %d x %d x %d has %d",
                          desc->features, s->channels, s->height, s->width, size);
    desc->features = size;
    return GLNN_OK;
}

static bool is_empty(const glnn_layer_desc *layer)
{
    glnn__place place;
    for (int n = 0; glnn__fields_at(&glnn__layer_fields, n, &place); ++n)
        if (glnn__field_number(&place, layer) != 0)
            return false;
    return true;
}

static glnn_status count_layers(glnn_network_desc *desc)
{
    int *count = &desc->layer_count;
    if (*count == 0)
        for (int i = 0; i < GLNN_NETWORK_MAX_LAYERS; ++i)
            *count = is_empty(&desc->layers[i]) ? *count : i + 1;
    if (*count < 1)
        return glnn__fail(
            GLNN_E_ARG,
            "a network of %d layers; it can have 1 to %d, and a last layer whose fields "
            "are all 0 is none",
            *count, GLNN_NETWORK_MAX_LAYERS);
    return GLNN_OK;
}

/* A number that would be passed over in silence is an error. */
static glnn_status check_unused(const glnn__layer *layer)
{
    if (layer->desc.function && !(layer->type->uses & GLNN__LAYER_FUNCTION))
        return glnn__fail(GLNN_E_ARG, "layer %d: it has a function, but %s layers do not use it",
                          layer->number, glnn_layer_kind_name(layer->desc.kind));
    glnn__place place;
    char text[32];
    for (int n = 0; glnn__fields_at(&glnn__layer_fields, n, &place); ++n) {
        if (glnn__field_number(&place, &layer->desc) == 0 ||
            glnn__layer_uses(layer->type, place.field))
            continue;
        glnn__field_print(&place, &layer->desc, text, sizeof text);
        return glnn__fail(GLNN_E_ARG, "layer %d: %s is %s, but %s layers do not use it",
                          layer->number, place.name, text, glnn_layer_kind_name(layer->desc.kind));
    }
    return GLNN_OK;
}

static bool is_output(const glnn_network_desc *desc, int number)
{
    bool found = desc->output_count == 0 && number == desc->layer_count - 1;
    for (int i = 0; i < desc->output_count; ++i)
        found = found || desc->outputs[i].layer == number;
    return found;
}

/* Whether the outputs of a layer are outputs of the network, perhaps made flat. */
static bool shows_outputs(const glnn_network_desc *desc, int number)
{
    while (!is_output(desc, number) && number < desc->layer_count - 1 &&
           desc->layers[number + 1].kind == GLNN_LAYER_FLATTEN)
        ++number;
    return is_output(desc, number);
}

static void choose_activation(const glnn_network_desc *desc, glnn__layer *layer)
{
    glnn_activation *activation = &layer->desc.activation;
    const bool is_last = shows_outputs(desc, layer->number);
    const glnn_layer_kind next = is_last ? GLNN_LAYER_COUNT : desc->layers[layer->number + 1].kind;
    if (!(layer->type->uses & GLNN__LAYER_ACTIVATION))
        return;
    if (*activation == GLNN_ACTIVATION_DEFAULT)
        *activation =
            is_last || next == GLNN_LAYER_GELU ? GLNN_ACTIVATION_IDENTITY : GLNN_ACTIVATION_RELU;
    layer->out.activation = map_of(*activation);
}

/* The inputs are counted back from a layer; one more than those before it is the network's. */
static glnn_status find_sources(glnn__layer *layer)
{
    const int *back = layer->desc.inputs;
    int *count = &layer->source_count;
    layer->sources[0] = layer->number - 1;
    for (*count = 0; *count < GLNN_LAYER_MAX_INPUTS && back[*count] > 0; ++*count)
        layer->sources[*count] = layer->number - back[*count];
    for (int i = 0; i < GLNN_LAYER_MAX_INPUTS; ++i) {
        if (back[i] < 0 || back[i] > layer->number + 1)
            return glnn__fail(GLNN_E_ARG,
                              "layer %d: input %d comes from %d layers back; it has to be 1 to %d, "
                              "where %d is the input of the network",
                              layer->number, i, back[i], layer->number + 1, layer->number + 1);
        if (i > *count && back[i] != 0)
            return glnn__fail(GLNN_E_ARG, "layer %d: input %d is left out, but input %d is given",
                              layer->number, *count, i);
    }
    if (layer->desc.kind == GLNN_LAYER_RESIDUAL)
        layer->sources[(*count = 2) - 1] = layer->number - 1 - layer->desc.skip;
    if (*count < layer->type->least_inputs)
        return glnn__fail(GLNN_E_ARG, "layer %d: %s has %d inputs; it needs at least %d",
                          layer->number, glnn_layer_kind_name(layer->desc.kind), *count,
                          layer->type->least_inputs);
    *count = *count == 0 ? 1 : *count;
    if (*count > 1 && *count > layer->type->most_inputs)
        return glnn__fail(GLNN_E_ARG, "layer %d: %s has %d inputs; it takes at most %d",
                          layer->number, glnn_layer_kind_name(layer->desc.kind), *count,
                          layer->type->most_inputs);
    return GLNN_OK;
}

/* Whether a layer reads the samples, or may. */
static bool reads_input(const glnn_layer_desc *layer, int number)
{
    bool reads = layer->kind == GLNN_LAYER_RESIDUAL;
    for (int i = 0; i < GLNN_LAYER_MAX_INPUTS; ++i)
        reads = reads || layer->inputs[i] == number + 1;
    return reads;
}

/* Data sets have flat samples. The network turns them into pixels if the first layer that depends
 * on the form takes pixels, or another one that reads the samples. */
static glnn__signal_form form_of_input(const glnn_network_desc *desc)
{
    bool is_first = true;
    for (int i = 0; i < desc->layer_count; ++i) {
        const glnn__layer_type *type = glnn__layer_type_get(desc->layers[i].kind);
        if (!type || type->takes == GLNN__KEPT)
            continue;
        if (type->takes == GLNN__PIXELS && (is_first || reads_input(&desc->layers[i], i)))
            return GLNN__PIXELS;
        is_first = false;
    }
    return GLNN__FLAT;
}

/* Other layers that read the samples take them as pixels. */
static bool reads_flat(const glnn_network_desc *desc, const glnn__layer *layer)
{
    if (layer->number > 0 || !layer->type->takes_flat || !layer->type->takes_flat(layer))
        return false;
    for (int i = 1; i < desc->layer_count; ++i)
        if (reads_input(&desc->layers[i], i))
            return false;
    return true;
}

/* Both forms of a sample of 1 x 1 are the same. */
static glnn_status check_form(glnn__layer *layer, glnn__signal_form input)
{
    const glnn__layer_type *type = layer->type;
    const bool is_same = layer->input.height == 1 && layer->input.width == 1;
    layer->taken = type->takes != GLNN__KEPT ? type->takes : input;
    layer->out.form = type->gives != GLNN__KEPT ? type->gives : layer->taken;
    if (layer->taken == input || is_same)
        return GLNN_OK;
    return glnn__fail(GLNN_E_SHAPE,
                      "layer %d: %s takes numbers without height and width, but its input has %d "
                      "channels of %d x %d; put a flatten layer before it",
                      layer->number, glnn_layer_kind_name(layer->desc.kind), layer->input.channels,
                      layer->input.height, layer->input.width);
}

/* Finds the layer that has the parameters. */
static glnn_status find_owner(glnn__layer *layer, const glnn__layer *layers)
{
    const int back = layer->desc.shares;
    layer->owner = layer->number;
    if (back == 0)
        return GLNN_OK;
    if (back < 0 || back > layer->number)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d: it shares the parameters of the layer %d before it, of which "
                          "there are %d",
                          layer->number, back, layer->number);
    const glnn__layer *from = &layers[layer->number - back];
    const glnn_layer_desc *own = &layer->desc, *its = &from->desc;
    const glnn__parameter_shape *a = &layer->parameter_shape, *b = &from->parameter_shape;
    if (own->kind != its->kind || own->units != its->units || own->groups != its->groups ||
        own->kernel.height != its->kernel.height || own->kernel.width != its->kernel.width ||
        layer->input.channels != from->input.channels || a->rows != b->rows ||
        a->columns != b->columns)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d, %s, with %d x %d weights, cannot share those of layer %d, "
                          "%s, with %d x %d: kind, units, kernel, groups and the channels of the "
                          "input have to be equal",
                          layer->number, glnn_layer_kind_name(own->kind), a->rows, a->columns,
                          from->number, glnn_layer_kind_name(its->kind), b->rows, b->columns);
    layer->owner = from->owner;
    return GLNN_OK;
}

static glnn_status check_layer(glnn_network_desc *desc, int number, glnn__layer *layers)
{
    glnn__layer *layer = &layers[number];
    layer->number = number;
    layer->desc = desc->layers[number];
    if (glnn__fields_check(&glnn__layer_fields, &layer->desc))
        return glnn__fail(GLNN_E_ARG, "layer %d: %s", number, glnn__last_sentence());
    layer->type = glnn__layer_type_get(layer->desc.kind);
    GLNN__TRY(check_unused(layer));
    GLNN__TRY(find_sources(layer));
    const int source = layer->sources[0];
    layer->input = source >= 0 ? layers[source].out.shape : desc->shape;
    choose_activation(desc, layer);
    GLNN__TRY(layer->type->shape(layer, layers));
    GLNN__TRY(find_owner(layer, layers));
    desc->layers[number] = layer->desc;
    if (reads_flat(desc, layer)) {
        layer->taken = GLNN__FLAT;
        layer->out.form = layer->type->gives;
        return GLNN_OK;
    }
    return check_form(layer, source >= 0 ? layers[source].out.form : form_of_input(desc));
}

/* An output that nothing reads would be computed for nothing, and have no delta. */
static glnn_status check_read(const glnn_network_desc *desc, const glnn__layer *layers)
{
    bool is_read[GLNN_NETWORK_MAX_LAYERS] = {false};
    for (int i = 0; i < desc->layer_count; ++i)
        for (int k = 0; k < layers[i].source_count; ++k)
            if (layers[i].sources[k] >= 0)
                is_read[layers[i].sources[k]] = true;
    for (int i = 0; i < desc->layer_count; ++i)
        if (!is_read[i] && !is_output(desc, i))
            return glnn__fail(GLNN_E_ARG,
                              "layer %d, %s: its output is not an input of any layer after it%s", i,
                              glnn_layer_kind_name(desc->layers[i].kind),
                              desc->output_count > 0 ? ", and not an output of the network" : "");
    return GLNN_OK;
}

/* The loss is computed from what the layer makes, so it may not be left out. `name` is what the
 * layer is: "the last one". */
static glnn_status check_end(const glnn__layer *layers, const glnn__layer *layer, glnn_loss loss,
                             const char *name)
{
    if (layer->type->trains_only)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d, %s, is %s, which works in training alone; another kind has to "
                          "follow it",
                          layer->number, name, glnn_layer_kind_name(layer->desc.kind));
    if (glnn__signal_rows(&layer->out) > 1)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d, %s, gives images of %d x %d; put a flatten layer after it",
                          layer->number, name, layer->out.shape.height, layer->out.shape.width);
    while (layer->desc.kind == GLNN_LAYER_FLATTEN && layer->sources[0] >= 0)
        layer = &layers[layer->sources[0]];
    const glnn__loss_kind *kind = glnn__loss_kind_of(loss);
    if (kind->gives_probabilities && layer->out.activation != GLNN_MAP_IDENTITY)
        return glnn__fail(GLNN_E_ARG,
                          "the activation of layer %d, %s, is %s; with %s it has to be identity, "
                          "because the %s follows",
                          layer->number, name, glnn_map_name(layer->out.activation), kind->words,
                          kind->needs_labels && glnn__shape_size(layer->out.shape) > 1 ? "softmax"
                                                                                       : "sigmoid");
    return GLNN_OK;
}

static glnn_status check_output(glnn_network_desc *desc, int number, const glnn__layer *layers)
{
    glnn_output_desc *of = &desc->outputs[number];
    char name[32];
    snprintf(name, sizeof name, "output %d", number);
    if (glnn__fields_check(&glnn__output_fields, of))
        return glnn__fail(GLNN_E_ARG, "%s: %s", name, glnn__last_sentence());
    if (of->layer >= desc->layer_count)
        return glnn__fail(GLNN_E_ARG, "%s: layer %d of a network that has %d", name, of->layer,
                          desc->layer_count);
    for (int i = 0; i < number; ++i)
        if (desc->outputs[i].layer == of->layer)
            return glnn__fail(GLNN_E_ARG, "%s: layer %d is output %d already", name, of->layer, i);
    if (glnn__loss_check_parameter(of->loss, &of->loss_parameter))
        return glnn__fail(GLNN_E_ARG, "%s: %s", name, glnn__last_sentence());
    return check_end(layers, &layers[of->layer], of->loss, name);
}

static glnn_status check_outputs(glnn_network_desc *desc, const glnn__layer *layers)
{
    for (int i = desc->output_count; i < GLNN_NETWORK_MAX_OUTPUTS; ++i) {
        const glnn_output_desc *of = &desc->outputs[i];
        if (of->layer != 0 || of->loss != 0 || of->loss_parameter != 0 || of->weight != 0)
            return glnn__fail(GLNN_E_ARG, "output %d is described, but output_count is %d", i,
                              desc->output_count);
    }
    if (desc->output_count == 0) {
        GLNN__TRY(check_end(layers, &layers[desc->layer_count - 1], desc->loss, "the last one"));
        return glnn__loss_check_parameter(desc->loss, &desc->loss_parameter);
    }
    if (desc->loss != 0 || desc->loss_parameter != 0)
        return glnn__fail(GLNN_E_ARG,
                          "the loss is %s with the parameter %g, but each of the %d outputs has a "
                          "loss of its own",
                          glnn_loss_name(desc->loss), (double)desc->loss_parameter,
                          desc->output_count);
    for (int i = 0; i < desc->output_count; ++i)
        GLNN__TRY(check_output(desc, i, layers));
    return GLNN_OK;
}

/* Numbers that only some choices use. */
static glnn_status check_use(const glnn_network_desc *desc)
{
    if (desc->init != GLNN_INIT_UNIFORM && desc->init_range != (float)INIT_RANGE)
        return glnn__fail(GLNN_E_ARG, "an initial range of %g, but only GLNN_INIT_UNIFORM uses one",
                          (double)desc->init_range);
    return glnn__loss_check(desc);
}

/* Rprop compares the gradients of successive steps, which dropout would change at random. */
static glnn_status check_dropout(const glnn_network_desc *desc)
{
    for (int i = 0; i < desc->layer_count; ++i)
        if (desc->layers[i].kind == GLNN_LAYER_DROPOUT &&
            desc->optimizer.kind == GLNN_OPTIMIZER_RPROP)
            return glnn__fail(GLNN_E_ARG,
                              "layer %d, %s, and %s exclude each other, because dropout changes "
                              "the gradient at random from step to step",
                              i, glnn_layer_kind_name(desc->layers[i].kind),
                              glnn_optimizer_kind_name(desc->optimizer.kind));
    return GLNN_OK;
}

glnn_status glnn__network_check(glnn_network_desc *desc, glnn__layer *layers)
{
    GLNN__TRY(check_reserved(desc));
    GLNN__TRY(check_input(desc));
    GLNN__TRY(glnn__fields_check(&glnn__network_fields, desc));
    GLNN__TRY(count_layers(desc));
    for (int i = 0; i < desc->layer_count; ++i)
        GLNN__TRY(check_layer(desc, i, layers));
    GLNN__TRY(check_outputs(desc, layers));
    GLNN__TRY(check_read(desc, layers));
    GLNN__TRY(check_use(desc));
    GLNN__TRY(glnn__optimizer_check(&desc->optimizer));
    return check_dropout(desc);
}
