/* Making and unmaking a network. */
#include "net/network.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "net/network_check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Outputs beyond which it pays to find the sums of a softmax in a pass of their own. */
#define MANY_OUTPUTS 64

glnn__signal *glnn__network_output(glnn__network *network, int output)
{
    return &network->layers[network->outputs[output].layer].out;
}

bool glnn__network_is_output(const glnn__network *network, int layer)
{
    bool is_output = false;
    for (int i = 0; i < network->output_count; ++i)
        is_output = is_output || network->outputs[i].layer == layer;
    return is_output;
}

int glnn__network_outputs(const glnn__network *network)
{
    const glnn__output *last = &network->outputs[network->output_count - 1];
    return last->first + last->columns;
}

int glnn__network_classes(const glnn__network *network)
{
    const glnn__output *first = network->outputs;
    return glnn__loss_kind_of(first->loss)->needs_labels && first->columns == 1 ? 2
                                                                                : first->columns;
}

glnn_shape glnn_network_get_shape(const glnn_learner *learner, int layer)
{
    const glnn__network *network = glnn__network_of(learner);
    if (!network || layer < -1 || layer >= network->desc.layer_count)
        return (glnn_shape){0};
    return layer < 0 ? network->desc.shape : network->layers[layer].out.shape;
}

static glnn_status create_parameters(glnn__network *network, glnn__layer *layer)
{
    const glnn_network_desc *desc = &network->desc;
    layer->parameters = &network->layers[layer->owner].own;
    if (!glnn__layer_has_parameters(layer))
        return GLNN_OK;
    if (glnn__layer_shares(layer)) { /* their gradient is no longer a single product */
        layer->parameters->is_product = false;
        return GLNN_OK;
    }
    layer->own.name = glnn_layer_kind_name(layer->desc.kind);
    layer->own.is_product = layer->desc.kind == GLNN_LAYER_DENSE;
    GLNN__TRY(glnn__layer_create_parameters(network->ctx, desc->layout, &desc->optimizer, layer));
    return desc->precision == GLNN_PRECISION_MIXED ? glnn__layer_create_copy(network->ctx, layer)
                                                   : GLNN_OK;
}

static glnn_status initialise(glnn__network *network, glnn__layer *layer)
{
    if (layer->type->initialise && !glnn__layer_shares(layer))
        GLNN__TRY(layer->type->initialise(network->ctx, &network->desc, layer));
    network->desc.layers[layer->number].function = layer->desc.function;
    return GLNN_OK;
}

/* TILED if some matrix has a row per pixel, because its textures hold the most rows; otherwise by
 * the products of a training step. */
static glnn_status choose_layout(glnn__network *network)
{
    glnn_layout *layout = &network->desc.layout;
    for (int i = 0; i < network->desc.layer_count && *layout == GLNN_LAYOUT_AUTO; ++i)
        if (network->layers[i].out.form == GLNN__PIXELS || network->input.form == GLNN__PIXELS)
            *layout = GLNN_LAYOUT_TILED;
    glnn__layout_use uses[GLNN__LAYER_PRODUCTS * GLNN_NETWORK_MAX_LAYERS];
    int count = 0;
    for (int i = 0; i < network->desc.layer_count; ++i) {
        const glnn__layer *layer = &network->layers[i];
        if (layer->type->products)
            count += layer->type->products(layer, network->desc.capacity, uses + count);
    }
    return glnn__layout_choose(network->ctx, uses, count, &network->desc.layout);
}

/* "layer 3, convolution" or "the input", for sentences. */
typedef struct place {
    char text[48];
} place;

static place place_of(const glnn__network *network, const glnn__signal *signal)
{
    place of = {"the input"};
    for (int i = 0; i < network->desc.layer_count; ++i)
        if (signal == &network->layers[i].out)
            snprintf(of.text, sizeof of.text, "layer %d, %s", i,
                     glnn_layer_kind_name(network->layers[i].desc.kind));
    return of;
}

static glnn_status check_matrix(const glnn__network *network, int rows, int columns,
                                const glnn__signal *signal)
{
    const glnn_layout layout = network->desc.layout;
    const glnn__extent extent = glnn__layout_extent(glnn__layout_in(network->ctx, layout), rows,
                                                    columns, network->ctx->info.max_texture_size);
    char what[96];
    snprintf(what, sizeof what, "%s: the numbers of a sample", place_of(network, signal).text);
    return glnn__texture_check(network->ctx, layout, rows, columns, extent, what);
}

static glnn_status check_signal(const glnn__network *network, const glnn__signal *signal)
{
    return check_matrix(network, glnn__signal_rows(signal), glnn__signal_columns(signal), signal);
}

/* Each matrix has to fit a texture for one sample. A sample of a data set is one row. */
static glnn_status check_sample(const glnn__network *network)
{
    GLNN__TRY(check_matrix(network, 1, network->desc.features, &network->input));
    GLNN__TRY(check_signal(network, &network->input));
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(check_signal(network, &network->layers[i].out));
    return GLNN_OK;
}

/* The pixels of a batch, and what layers compute of them, may take this part of the texture
 * budget. */
#define SHARE 2

/* The textures of all signals of pixels and their deltas, for a number of samples. */
typedef struct room {
    size_t bytes;
    bool fits_textures;
    const glnn__signal *largest; /* NULL: there are no pixels */
    size_t largest_bytes;
} room;

static void add_signal(const glnn__network *network, const glnn__signal *signal, int samples,
                       room *sum)
{
    const glnn__layout_info *layout = glnn__layout_in(network->ctx, network->desc.layout);
    const int side = network->ctx->info.max_texture_size;
    const int64_t rows = (int64_t)samples * glnn__signal_rows(signal);
    if (signal->form != GLNN__PIXELS)
        return;
    if (rows > INT_MAX) {
        sum->fits_textures = false;
        return;
    }
    const glnn__extent extent =
        glnn__layout_extent(layout, (int)rows, glnn__signal_columns(signal), side);
    const size_t bytes = 2 * glnn__extent_bytes(layout, GLNN_STORAGE_FLOAT32, extent);
    sum->bytes += bytes;
    sum->fits_textures = sum->fits_textures && extent.width <= side && extent.height <= side;
    if (bytes > sum->largest_bytes) {
        sum->largest = signal;
        sum->largest_bytes = bytes;
    }
}

static bool fits(const glnn__network *network, int samples, room *sum)
{
    *sum = (room){.fits_textures = true};
    add_signal(network, &network->input, samples, sum);
    for (int i = 0; i < network->desc.layer_count; ++i) {
        const glnn__layer *layer = &network->layers[i];
        add_signal(network, &layer->out, samples, sum);
        if (layer->type->work_numbers)
            sum->bytes +=
                (size_t)samples * (size_t)layer->type->work_numbers(layer) * sizeof(float);
    }
    return sum->fits_textures && sum->bytes <= network->ctx->info.texture_budget / SHARE;
}

static glnn_status fail_pixels(const glnn__network *network, const room *sum)
{
    const glnn_shape shape = sum->largest->shape;
    return glnn__fail(GLNN_E_LIMIT,
                      "the pixels of a sample take %zu bytes, more than half of the texture budget "
                      "of %zu bytes; %s, with %d x %d x %d numbers, takes %zu of them",
                      sum->bytes, network->ctx->info.texture_budget,
                      place_of(network, sum->largest).text, shape.channels, shape.height,
                      shape.width, sum->largest_bytes);
}

/* The rows of flat matrices are samples, so these fit whenever a batch does. Those of pixels can be
 * too large: then the capacity becomes the largest that fits. */
static glnn_status fit_capacity(glnn__network *network)
{
    room sum;
    if (!fits(network, 1, &sum))
        return fail_pixels(network, &sum);
    int most = network->desc.capacity, least = fits(network, most, &sum) ? most : 1;
    while (least < most - 1) {
        const int middle = least + (most - least) / 2;
        *(fits(network, middle, &sum) ? &least : &most) = middle;
    }
    network->desc.capacity = least;
    return GLNN_OK;
}

/* Those of ADAM and RMSPROP are above the usual 0.001, with which ten epochs of some thousand
 * samples end far from where descent with momentum does. */
static float default_rate(glnn_optimizer_kind kind)
{
    switch (kind) {
    case GLNN_OPTIMIZER_ADAM:
    case GLNN_OPTIMIZER_RMSPROP:
        return 0.003f;
    case GLNN_OPTIMIZER_RPROP:
        return 0;
    default:
        return 0.05f;
    }
}

/* Of an output with several classes, a target vector is right or not as a whole. */
static int fitted_targets(const glnn__output *of)
{
    return of->loss == GLNN_LOSS_CROSS_ENTROPY ? 1 : of->columns;
}

/* A single output with these losses is for labels. One of several outputs learns targets that are
 * probabilities, or labels if all have as many numbers. */
static void fill_targets(const glnn__network *network, glnn_learner *learner)
{
    const glnn__output *first = network->outputs;
    const glnn__loss_kind *loss = glnn__loss_kind_of(first->loss);
    const bool has_several = network->desc.output_count > 0;
    learner->outputs = glnn__network_classes(network);
    learner->predicted = glnn__network_outputs(network);
    learner->targets = has_several ? learner->predicted : learner->outputs;
    learner->fitted = has_several ? fitted_targets(first) : learner->targets;
    learner->labelled = loss->needs_labels && !has_several ? loss->words : NULL;
    learner->learns_shares = true;
    for (int i = 0; i < network->output_count; ++i) {
        const glnn__output *of = &network->outputs[i];
        learner->refuses_labels = learner->refuses_labels || of->columns != first->columns;
        learner->learns_shares =
            learner->learns_shares && glnn__loss_kind_of(of->loss)->gives_probabilities;
    }
    if (first->loss != GLNN_LOSS_SQUARED || has_several)
        learner->fit = loss->gives_probabilities ? GLNN__FIT_RIGHT : GLNN__FIT_ERRORS;
}

static void fill_learner(glnn__network *network)
{
    const glnn_network_desc *desc = &network->desc;
    glnn_learner *learner = &network->learner;
    learner->features = desc->features;
    learner->shape = desc->shape;
    fill_targets(network, learner);
    learner->capacity = desc->capacity;
    learner->layout = desc->layout;
    learner->default_rate = default_rate(desc->optimizer.kind);
    learner->uses_weights = true;
    learner->records_losses = true;
    learner->has_own_loss = desc->loss == GLNN_LOSS_EXPRESSION;
    learner->reads_half = desc->precision == GLNN_PRECISION_MIXED;
    learner->optimizer = &desc->optimizer;
    learner->seed = desc->seed;
    learner->is_checked = true;
}

static glnn_status create_all(glnn__network *network)
{
    network->input.shape = network->desc.shape;
    network->input.form = network->layers[0].taken;
    GLNN__TRY(choose_layout(network));
    GLNN__TRY(check_sample(network));
    GLNN__TRY(fit_capacity(network));
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(create_parameters(network, &network->layers[i]));
    if (network->desc.optimizer.clip_norm > 0)
        GLNN__TRY(glnn__squares_create(network->ctx, &network->squares));
    fill_learner(network);
    GLNN__TRY(glnn__learner_create_metrics(&network->learner, 4));
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(initialise(network, &network->layers[i]));
    return GLNN_OK;
}

static void find_outputs(glnn__network *network)
{
    const glnn_network_desc *desc = &network->desc;
    const glnn_output_desc only = {
        .layer = desc->layer_count - 1, .loss = desc->loss, .loss_parameter = desc->loss_parameter};
    int first = 0;
    network->output_count = desc->output_count > 0 ? desc->output_count : 1;
    for (int i = 0; i < network->output_count; ++i) {
        const glnn_output_desc *of = desc->output_count > 0 ? &desc->outputs[i] : &only;
        const int columns = glnn__shape_size(network->layers[of->layer].out.shape);
        network->outputs[i] = (glnn__output){.layer = of->layer,
                                             .columns = columns,
                                             .first = first,
                                             .loss = of->loss,
                                             .parameter = of->loss_parameter,
                                             .weight = of->weight};
        first += columns;
    }
}

glnn_status glnn__network_build(void *self, const void *desc)
{
    glnn__network *network = self;
    network->ctx = network->learner.ctx;
    network->desc = *(const glnn_network_desc *)desc;
    GLNN__TRY(glnn__network_check(&network->desc, network->layers));
    find_outputs(network);
    GLNN__TRY(glnn__loss_expressions_create(network->ctx, &network->desc, &network->expressions));
    return create_all(network);
}

static void destroy_stats(glnn__network *network)
{
    for (int i = 0; i < network->output_count; ++i) {
        glnn_matrix_destroy(network->outputs[i].stats);
        network->outputs[i].stats = NULL;
    }
}

static void destroy_batch(glnn__network *network)
{
    for (int i = 0; i < network->desc.layer_count; ++i)
        glnn__layer_destroy_batch(&network->layers[i]);
    glnn__signal_empty(&network->input);
    glnn_matrix_destroy(network->flat);
    destroy_stats(network);
    glnn_matrix_destroy(network->ends.output_gradient);
    network->flat = network->ends.output_gradient = NULL;
    network->ends.samples = 0;
    network->rows = 0;
    network->is_computed = false;
}

void glnn__network_destroy(void *self)
{
    glnn__network *network = self;
    for (int i = 0; i < GLNN_NETWORK_MAX_LAYERS; ++i)
        glnn__layer_destroy(&network->layers[i]);
    glnn__signal_empty(&network->input);
    glnn_matrix_destroy(network->input.values);
    glnn_matrix_destroy(network->flat);
    destroy_stats(network);
    glnn_matrix_destroy(network->ends.output_gradient);
    glnn__squares_destroy(&network->squares);
    glnn__loss_expressions_destroy(&network->expressions);
}

/* Of pixels there are many rows and often few columns. */
static glnn_status create_signal(const glnn__network *network, const glnn__signal *signal, int rows,
                                 glnn_storage storage, const char *name, glnn_matrix **out)
{
    glnn_status (*create)(glnn_context *, glnn_layout, glnn_storage, int, int, const char *,
                          glnn_matrix **) =
        signal->form == GLNN__PIXELS ? glnn__matrix_create_narrow : glnn__matrix_create_undefined;
    glnn_matrix *created;
    GLNN__TRY(create(network->ctx, network->desc.layout, storage, rows * glnn__signal_rows(signal),
                     glnn__signal_columns(signal), name, &created));
    glnn__matrix_refill(out, created);
    return GLNN_OK;
}

/* The losses are computed from the outputs of the network, so these are never rounded. */
static glnn_status create_layer_batch(glnn__network *network, glnn__layer *layer, int rows,
                                      glnn_storage storage, bool has_delta)
{
    const bool is_output = glnn__network_is_output(network, layer->number);
    GLNN__TRY(create_signal(network, &layer->out, rows, is_output ? GLNN_STORAGE_FLOAT32 : storage,
                            "output", &layer->out.values));
    if (has_delta || is_output)
        GLNN__TRY(create_signal(network, &layer->out, rows, storage, "delta", &layer->out.delta));
    return layer->type->prepare ? layer->type->prepare(network->ctx, layer, rows) : GLNN_OK;
}

static glnn_status fail_layer(const glnn__layer *layer, int rows, glnn_status status)
{
    const glnn_shape shape = layer->out.shape;
    return glnn__fail(status, "layer %d, %s, gives %d x %d x %d numbers for each of %d samples: %s",
                      layer->number, glnn_layer_kind_name(layer->desc.kind), shape.channels,
                      shape.height, shape.width, rows, glnn_last_error());
}

int glnn__network_lowest(const glnn__network *network)
{
    int lowest = 0;
    while (lowest < network->desc.layer_count - 1 &&
           !glnn__layer_has_parameters(&network->layers[lowest]))
        ++lowest;
    return lowest;
}

/* The losses make the deltas of the outputs. */
static glnn_status create_signals(glnn__network *network, int rows, glnn_storage storage)
{
    const int lowest = network->ends.are_open ? 0 : glnn__network_lowest(network);
    for (int i = 0; i < network->desc.layer_count; ++i) {
        glnn__layer *layer = &network->layers[i];
        const glnn_status status = create_layer_batch(network, layer, rows, storage, i >= lowest);
        if (status)
            return fail_layer(layer, rows, status);
    }
    return GLNN_OK;
}

static glnn_status create_input(glnn__network *network, int rows, glnn_storage storage)
{
    glnn__signal *input = &network->input;
    if (glnn__signal_rows(input) > 1)
        GLNN__TRY(glnn__matrix_create_undefined(network->ctx, network->desc.layout, storage, rows,
                                                network->desc.features, "samples", &network->flat));
    return create_signal(network, input, rows, storage, "input", &input->values);
}

static glnn_status create_ends(glnn__network *network, int rows, glnn_storage storage)
{
    glnn__signal as_given = network->input;
    if (network->layers[0].type->takes == GLNN__PIXELS)
        as_given.form = GLNN__PIXELS;
    GLNN__TRY(create_signal(network, &as_given, rows, storage, "delta", &network->input.delta));
    return glnn__matrix_create_undefined(network->ctx, network->desc.layout, storage, rows,
                                         glnn__network_outputs(network), "output gradient",
                                         &network->ends.output_gradient);
}

glnn_matrix *glnn__network_samples(const glnn__network *network)
{
    return network->flat ? network->flat : network->input.values;
}

static glnn_status create_batch(glnn__network *network, int rows)
{
    const glnn_network_desc *desc = &network->desc;
    const glnn_storage storage =
        desc->precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
    GLNN__TRY(create_input(network, rows, storage));
    GLNN__TRY(create_signals(network, rows, storage));
    if (network->ends.are_open)
        GLNN__TRY(create_ends(network, rows, storage));
    for (int i = 0; i < network->output_count; ++i)
        if (network->outputs[i].loss == GLNN_LOSS_CROSS_ENTROPY &&
            network->outputs[i].columns > MANY_OUTPUTS)
            GLNN__TRY(glnn__matrix_create_scratch(network->ctx, desc->layout, rows, 2,
                                                  "row statistics", &network->outputs[i].stats));
    return GLNN_OK;
}

static glnn_status make_batch(glnn__network *network, int rows)
{
    destroy_batch(network);
    const glnn_status status = create_batch(network, rows);
    if (status)
        destroy_batch(network);
    else
        network->rows = rows;
    return status;
}

glnn_status glnn__network_open(glnn__network *network, int samples)
{
    /* Passes compute all rows, so matrices for many more samples than these would cost time. */
    const bool fits = samples <= network->rows && network->rows / 2 <= samples;
    const int rows = fits ? network->rows : samples;
    if (!network->ends.are_open)
        destroy_batch(network);
    network->ends.are_open = true;
    return glnn__network_prepare(network, rows);
}

glnn_status glnn__network_prepare(glnn__network *network, int rows)
{
    network->ends.samples = 0;
    if (rows != network->rows)
        GLNN__TRY(make_batch(network, rows));
    for (int i = 0; i < network->desc.layer_count; ++i)
        GLNN__TRY(glnn__layer_refresh_copy(network->ctx, &network->layers[i]));
    return GLNN_OK;
}

glnn_status glnn_network_set_precision(glnn_learner *learner, glnn_precision precision)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    glnn__network *network = glnn__network_of(learner);
    if ((unsigned)precision >= GLNN_PRECISION_COUNT)
        return glnn__fail(GLNN_E_ARG, "%s: precision is %d, which is not in the enumeration",
                          __func__, (int)precision);
    if (precision == network->desc.precision)
        return GLNN_OK;
    const int count = network->desc.layer_count;
    glnn_status status = GLNN_OK;
    for (int i = 0; i < count && precision == GLNN_PRECISION_MIXED && !status; ++i)
        status = glnn__layer_create_copy(network->ctx, &network->layers[i]);
    for (int i = 0; i < count && (status || precision == GLNN_PRECISION_FLOAT32); ++i)
        glnn__layer_destroy_copy(&network->layers[i]);
    if (status)
        return status;
    destroy_batch(network); /* made anew by the next step, in the storage that it then has */
    network->desc.precision = precision;
    network->learner.reads_half = precision == GLNN_PRECISION_MIXED;
    return GLNN_OK;
}
