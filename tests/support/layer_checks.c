#include "layer_checks.h"

#include "network_checks.h"
#include "pixels.h"

#include "layers/layer_types.h"
#include "net/network_passes.h"

#include <stdio.h>

/* Whether the last of some layers gives an image. */
static bool gives_pixels(const glnn_layer_desc *layers, int count)
{
    while (--count > 0 && glnn__layer_type_get(layers[count].kind)->gives == GLNN__KEPT)
        ;
    return glnn__layer_type_get(layers[count].kind)->gives == GLNN__PIXELS;
}

glnn_network_desc network_of_layers(glnn_shape shape, const glnn_layer_desc *layers, int count,
                                    bool ends)
{
    glnn_network_desc desc = {.shape = shape,
                              .layer_count = count,
                              .loss = ends ? GLNN_LOSS_SQUARED : GLNN_LOSS_CROSS_ENTROPY,
                              .optimizer.momentum = 0.5f,
                              .capacity = LAYER_SAMPLES,
                              .seed = 21};
    memcpy(desc.layers, layers, (size_t)count * sizeof *layers);
    if (gives_pixels(layers, count))
        desc.layers[desc.layer_count++].kind = GLNN_LAYER_FLATTEN;
    if (!ends)
        desc.layers[desc.layer_count++].units = 3;
    return desc;
}

static glnn_matrix *stored_as(array flat, glnn_shape shape, glnn__signal_form form,
                              const glnn_network_desc *desc)
{
    return matrix_stored(form == GLNN__PIXELS ? pixels_of(flat, shape) : flat, desc->layout,
                         desc->precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16
                                                                 : GLNN_STORAGE_FLOAT32);
}

/* The samples of a signal's delta. */
static array delta_of(const glnn__signal *signal)
{
    const array delta = values_of(signal->delta);
    return signal->form == GLNN__PIXELS ? flat_of(delta, signal->shape) : delta;
}

/* One layer's delta of an input that went through the map, from a random delta of its output. */
static void expect_delta(glnn_learner *network, int number, int count, glnn_map map,
                         const char *where)
{
    const glnn_network_desc *desc = glnn_network_get_desc(network);
    const glnn_storage storage =
        desc->precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16 : GLNN_STORAGE_FLOAT32;
    network_reference net = network_reference_of(network);
    glnn__layer layer = glnn__network_of(network)->layers[number];
    const int inputs = glnn__shape_size(layer.input), outputs = glnn__shape_size(layer.out.shape);
    const array x = array_random(count, inputs, -0.9, 0.9);
    const array d = array_random(count, outputs, -1.0, 1.0);
    const glnn__signal input = {
        .shape = layer.input,
        .form = layer.taken,
        .values = stored_as(x, layer.input, layer.taken, desc),
        .delta = stored_as(array_new(count, inputs), layer.input, layer.taken, desc),
        .activation = map,
    };
    glnn__flow flow = glnn__network_flow(glnn__network_of(network), count);
    flow.trains = true;
    flow.seed = desc->seed;
    flow.step.i = (int)(glnn__network_of(network)->learner.steps + 1);
    layer.out.values = stored_as(array_new(count, outputs), layer.out.shape, layer.out.form, desc);
    layer.out.delta = stored_as(d, layer.out.shape, layer.out.form, desc);
    expect_ok(glnn__layer_refresh_copy(glnn__network_of(network)->ctx, &layer));
    expect_ok(glnn__layer_forward(&flow, &layer, &input));
    if (layer.type->begin_backward)
        expect_ok(layer.type->begin_backward(&flow, &layer, &input));
    expect_ok(layer.type->backward_to ? layer.type->backward_to(&flow, &layer, 0, &input, false)
                                      : glnn__layer_backward(&flow, &layer, &input));
    net.trains = true;
    const expected from = expected_stored((expected){.value = x}, storage);
    const expected delta = expected_stored((expected){.value = d}, storage);
    const expected want = network_reference_input_delta(&net, number, map, &from, &delta);
    expect_within(delta_of(&input), expected_stored(want, storage), "delta", where);
}

void expect_deltas(glnn_learner *network, int layer, int count, const char *where)
{
    expect_ok(glnn__network_prepare(glnn__network_of(network), count));
    expect_delta(network, layer, count, GLNN_MAP_IDENTITY, where);
    expect_delta(network, layer, count, GLNN_MAP_TANH, where);
}

static void expect_layers_in(const glnn_network_desc *desc, int turn, int count, const char *where)
{
    glnn_learner *network = network_of(desc);
    draw_parameters(network);
    expect_predictions(network, count, where);
    /* tests/test_network_kinds.c has each kind of layer above both functions. */
    expect_ok(glnn__network_prepare(glnn__network_of(network), count));
    for (int l = 0; l < glnn_network_get_desc(network)->layer_count; ++l)
        for (int curved = 0; curved < 2; ++curved)
            if (all_cases_are_run() || curved == (turn + l) % 2)
                expect_delta(network, l, count, curved ? GLNN_MAP_TANH : GLNN_MAP_IDENTITY, where);
    expect_gradients(network, samples_for(network, count, false), count, where);
    release_learning();
}

/* Unless all cases are run, a call has one layout in the fragment stage, and every other call one
 * in each of the other ways. Every fourth call has one in mixed precision, too, and each layout has
 * its turn. */
void expect_layers(const glnn_network_desc *layers, int count, const char *where)
{
    enum { MIXED = 4 };
    static int calls;
    glnn_network_desc desc = *layers;
    desc.loss = GLNN_LOSS_SQUARED;
    desc.capacity = count;
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        desc.layout = rendered_layout(i);
        desc.precision = GLNN_PRECISION_FLOAT32;
        if (!case_is_left_out(i + count) && !shape_is_left_out(calls))
            expect_layers_in(&desc, i, count, where);
        desc.precision = GLNN_PRECISION_MIXED;
        if (all_cases_are_run() || (!case_is_left_out(0) && calls == MIXED * i))
            expect_layers_in(&desc, i + 1, count, where);
    }
    calls = (calls + 1) % (MIXED * RENDERED_COUNT);
}

void expect_unfit_layers(const unfit_layer *layers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        glnn_learner *network;
        const glnn_network_desc desc = {.shape = {2, 4, 6},
                                        .loss = GLNN_LOSS_SQUARED,
                                        .layers = {layers[i].layer, {.kind = GLNN_LAYER_FLATTEN}}};
        expect_error(glnn_network_create(glnn_test_context(), &desc, &network), layers[i].status,
                     layers[i].part);
    }
}

glnn_network_desc normalising(glnn_layer_kind kind, glnn_shape shape)
{
    return (glnn_network_desc){.shape = shape,
                               .loss = GLNN_LOSS_SQUARED,
                               .capacity = 64,
                               .layers = {{.kind = kind, .activation = GLNN_ACTIVATION_IDENTITY},
                                          {.kind = GLNN_LAYER_FLATTEN}}};
}

void expect_normalised(glnn_layer_kind kind, const images_shape *cases, size_t count)
{
    for (size_t c = 0; c < count; ++c) {
        char where[64];
        glnn_network_desc desc = normalising(kind, cases[c].shape);
        snprintf(where, sizeof where, "%d samples of %d x %d x %d", cases[c].count,
                 cases[c].shape.channels, cases[c].shape.height, cases[c].shape.width);
        desc.layers[0].activation = GLNN_ACTIVATION_TANH;
        expect_layers(&desc, cases[c].count, where);
    }
}

void expect_rows_without_samples_ignored(glnn_layer_kind kind)
{
    glnn_network_desc desc = normalising(kind, (glnn_shape){2, 3, 3});
    desc.layers[2].units = 4;
    for (int i = 0; i < RENDERED_COUNT; ++i) {
        desc.layout = rendered_layout(i);
        glnn_learner *network = network_of(&desc);
        draw_parameters(network);
        expect_step(network, samples_for(network, 13, false),
                    (glnn_train_desc){.batch = 8, .accumulate = 2, .schedule.rate = 0.25f},
                    "a batch of 8 and one of 5");
        release_learning();
    }
}
