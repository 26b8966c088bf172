#include "layer_checks.h"

#include "network_checks.h"
#include "pixels.h"

#include "net/network_passes.h"

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
    expect_ok(layer.type->forward(&flow, &layer, &input));
    if (layer.type->begin_backward)
        expect_ok(layer.type->begin_backward(&flow, &layer, &input));
    expect_ok(layer.type->backward ? layer.type->backward(&flow, &layer, &input)
                                   : layer.type->backward_to(&flow, &layer, 0, &input, false));
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

void expect_layers(const glnn_network_desc *layers, int count, const char *where)
{
    glnn_network_desc desc = *layers;
    desc.loss = GLNN_LOSS_SQUARED;
    desc.capacity = count;
    for (int i = 0; i < 2 * RENDERED_COUNT; ++i) {
        const bool is_mixed = i >= RENDERED_COUNT;
        const int number = (int)is_mixed + i + count;
        if (case_is_left_out(number) || (is_mixed && number % RENDERED_COUNT != 0))
            continue;
        desc.layout = rendered_layout(i);
        desc.precision = i < RENDERED_COUNT ? GLNN_PRECISION_FLOAT32 : GLNN_PRECISION_MIXED;
        glnn_learner *network = network_of(&desc);
        draw_parameters(network);
        expect_predictions(network, count, where);
        /* tests/test_network_kinds.c has each kind of layer above both functions. */
        expect_ok(glnn__network_prepare(glnn__network_of(network), count));
        for (int l = 0; l < glnn_network_get_desc(network)->layer_count; ++l)
            for (int turn = 0; turn < 2; ++turn)
                if (all_cases_are_run() || turn == (i + l) % 2)
                    expect_delta(network, l, count, turn ? GLNN_MAP_TANH : GLNN_MAP_IDENTITY,
                                 where);
        expect_gradients(network, samples_for(network, count, false), count, where);
        release_learning();
    }
}
