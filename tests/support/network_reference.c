#include "network_reference.h"

#include "layer_reference.h"
#include "loss_reference.h"

#include "net/network.h"

#include "base/random.h"

#define ENTRY(KIND, name) [GLNN_LAYER_##KIND] = &name##_reference,

const layer_reference *layer_reference_of(glnn_layer_kind kind)
{
    static const layer_reference *const references[GLNN_LAYER_COUNT] = {GLNN__LAYER_TYPES(ENTRY)};
    return references[kind];
}

glnn_shape layer_reference_shape(glnn_layer_kind kind)
{
    const layer_reference *reference = layer_reference_of(kind);
    return reference->shape.channels > 0 ? reference->shape : (glnn_shape){2, 4, 5};
}

static const layer_reference *layer_of(const network_reference *net, int layer)
{
    return layer_reference_of(net->desc.layers[layer].kind);
}

static bool learns(const network_reference *net, int layer)
{
    return layer_of(net, layer)->gradient != NULL;
}

network_reference network_reference_of(const glnn_learner *network)
{
    network_reference net = {.desc = *glnn_network_get_desc(network),
                             .steps = glnn_network_get_steps(network),
                             .states = state_count(network)};
    for (int l = 0; l < net.desc.layer_count; ++l) {
        net.outputs[l] = glnn_network_get_shape(network, l);
        net.forms[l] = glnn__network_of(network)->layers[l].out.form;
        if (!learns(&net, l))
            continue;
        net.parameters[l].value = weights_of(network, l);
        if (has_statistics(network, l))
            net.statistics[l].value = statistics_of(network, l);
        for (int s = 0; s < net.states; ++s)
            net.state[l][s].value = state_of(network, l, s);
    }
    return net;
}

/* How the network stores what products read. */
static glnn_storage storage_of(const network_reference *net)
{
    return net->desc.precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16
                                                       : GLNN_STORAGE_FLOAT32;
}

int network_reference_source(const network_reference *net, int layer, int number)
{
    const glnn_layer_desc *desc = &net->desc.layers[layer];
    const int *back = desc->inputs;
    if (number == 0 && back[0] == 0)
        return layer - 1;
    if (desc->kind == GLNN_LAYER_RESIDUAL && number == 1)
        return layer - 1 - desc->skip;
    return number < 4 && back[number] > 0 ? layer - back[number] : -2;
}

glnn_shape network_reference_shape(const network_reference *net, int layer)
{
    return layer < 0 ? net->desc.shape : net->outputs[layer];
}

glnn_shape network_reference_input(const network_reference *net, int layer)
{
    return network_reference_shape(net, network_reference_source(net, layer, 0));
}

array network_reference_weights(const network_reference *net, int layer)
{
    return array_stored(net->parameters[layer].value, storage_of(net));
}

glnn_map network_reference_map(const network_reference *net, int layer)
{
    switch (net->desc.layers[layer].activation) {
    case GLNN_ACTIVATION_SIGMOID:
        return GLNN_MAP_SIGMOID;
    case GLNN_ACTIVATION_TANH:
        return GLNN_MAP_TANH;
    case GLNN_ACTIVATION_SCALED_TANH:
        return GLNN_MAP_SCALED_TANH;
    case GLNN_ACTIVATION_RELU:
        return GLNN_MAP_RELU;
    case GLNN_ACTIVATION_LEAKY_RELU:
        return GLNN_MAP_LEAKY_RELU;
    case GLNN_ACTIVATION_ELU:
        return GLNN_MAP_ELU;
    case GLNN_ACTIVATION_SOFTSIGN:
        return GLNN_MAP_SOFTSIGN;
    default:
        return GLNN_MAP_IDENTITY;
    }
}

/* outputs[0] is the input, outputs[l + 1] what layer l gives. */
static void forward(const network_reference *net, array inputs, expected *outputs)
{
    outputs[0] = expected_stored((expected){.value = inputs}, storage_of(net));
    for (int l = 0; l < net->desc.layer_count; ++l) {
        const expected *input = &outputs[network_reference_source(net, l, 0) + 1];
        outputs[l + 1] = layer_of(net, l)->forward(net, l, input);
        if (l + 1 < net->desc.layer_count)
            outputs[l + 1] = expected_stored(outputs[l + 1], storage_of(net));
    }
}

/* An output of the network. */
typedef struct output {
    int layer, first, columns; /* the first of its columns among those of all outputs */
    double weight;
    network_reference alone; /* with this output's loss */
} output;

static int output_count(const network_reference *net)
{
    return net->desc.output_count > 0 ? net->desc.output_count : 1;
}

static int columns_of(const network_reference *net, int layer)
{
    const glnn_shape of = network_reference_shape(net, layer);
    return of.channels * of.height * of.width;
}

static output output_of(const network_reference *net, int number)
{
    output of = {.layer = net->desc.layer_count - 1, .weight = 1, .alone = *net};
    if (net->desc.output_count > 0) {
        const glnn_output_desc *desc = &net->desc.outputs[number];
        of.layer = desc->layer;
        of.weight = (double)desc->weight;
        of.alone.desc.loss = desc->loss;
        of.alone.desc.loss_parameter = desc->loss_parameter;
    }
    for (int i = 0; i < number; ++i)
        of.first += columns_of(net, net->desc.outputs[i].layer);
    of.columns = columns_of(net, of.layer);
    return of;
}

/* The samples with the targets of an output. */
static samples samples_of(const output *of, samples batch)
{
    array targets = array_new(batch.inputs.rows, of->columns);
    if (!batch.targets.data)
        return batch;
    for (int i = 0; i < targets.rows; ++i)
        for (int j = 0; j < targets.columns; ++j)
            *at(targets, i, j) = *at(batch.targets, i, of->first + j);
    batch.targets = targets;
    return batch;
}

expected network_reference_predict(const network_reference *net, array inputs)
{
    expected outputs[GLNN_NETWORK_MAX_LAYERS + 1];
    forward(net, inputs, outputs);
    const output last = output_of(net, output_count(net) - 1);
    expected result = expected_new(inputs.rows, last.first + last.columns);
    for (int k = 0; k < output_count(net); ++k) {
        const output of = output_of(net, k);
        const expected *values = &outputs[of.layer + 1];
        for (int i = 0; i < inputs.rows; ++i)
            for (int j = 0; j < of.columns; ++j)
                set_bounded(&result, i, of.first + j,
                            loss_reference_has_probabilities(&of.alone)
                                ? loss_reference_probability(&of.alone, values, i, j)
                                : get_bounded(values, i, j));
    }
    return result;
}

/* The sum of the losses, each times its weight. */
static bounded loss_of(const network_reference *net, samples batch, const expected *outputs)
{
    bounded sum = {0, 0};
    for (int k = 0; k < output_count(net); ++k) {
        const output of = output_of(net, k);
        const samples own = samples_of(&of, batch);
        const bounded loss = loss_reference_mean(&of.alone, &outputs[of.layer + 1], &own);
        sum.value += of.weight * loss.value;
        sum.bound += of.weight * (loss.bound + 2 * EPS * fabs(loss.value));
    }
    return sum;
}

bounded network_reference_loss(const network_reference *net, samples batch)
{
    expected outputs[GLNN_NETWORK_MAX_LAYERS + 1];
    forward(net, batch.inputs, outputs);
    return loss_of(net, batch, outputs);
}

/* The delta of the output of a layer by a loss; no data if it is not an output of the network. */
static expected loss_delta(const network_reference *net, int layer, samples batch,
                           const expected *outputs)
{
    for (int k = 0; k < output_count(net); ++k) {
        const output of = output_of(net, k);
        if (of.layer != layer)
            continue;
        const samples own = samples_of(&of, batch);
        expected delta = loss_reference_delta(&of.alone, network_reference_map(net, layer),
                                              &outputs[layer + 1], &own);
        for (size_t i = 0; of.weight != 1 && i < length_of(delta.value); ++i) {
            delta.value.data[i] *= of.weight;
            delta.bound.data[i] = of.weight * delta.bound.data[i] + EPS * fabs(delta.value.data[i]);
        }
        return delta;
    }
    return (expected){0};
}

static expected times_slope(expected out, glnn_map map, const expected *input)
{
    for (int i = 0; i < out.value.rows; ++i)
        for (int j = 0; j < out.value.columns; ++j)
            set_bounded(&out, i, j,
                        multiply(get_bounded(&out, i, j), slope_of(map, get_bounded(input, i, j))));
    return out;
}

expected network_reference_input_delta(const network_reference *net, int layer, glnn_map map,
                                       const expected *input, const expected *delta)
{
    const layer_reference *of = layer_of(net, layer);
    return times_slope(of->backward ? of->backward(net, layer, input, delta)
                                    : of->backward_to(net, layer, 0, input, delta),
                       map, input);
}

static expected mean_of(expected sum, int count)
{
    for (size_t i = 0; i < length_of(sum.value); ++i) {
        sum.value.data[i] /= count;
        sum.bound.data[i] /= count;
    }
    return sum;
}

/* The part of a layer in the delta of one of its inputs. */
static expected part_of_delta(const network_reference *net, int layer, int number,
                              const expected *outputs, const expected *delta)
{
    const int source = network_reference_source(net, layer, number);
    const glnn_map map = source >= 0 ? network_reference_map(net, source) : GLNN_MAP_IDENTITY;
    const expected *input = &outputs[source + 1];
    const layer_reference *of = layer_of(net, layer);
    if (!of->backward_to)
        return network_reference_input_delta(net, layer, map, input, delta);
    const expected *first = &outputs[network_reference_source(net, layer, 0) + 1];
    return times_slope(of->backward_to(net, layer, number, first, delta), map, input);
}

/* The delta of an output is the sum of the parts of all layers that read it, each rounded to what
 * the library stores. `deltas` are those of the outputs of all layers. */
static expected delta_of(const network_reference *net, int source, samples batch,
                         const expected *outputs, const expected *deltas)
{
    expected sum = loss_delta(net, source, batch, outputs);
    for (int l = source + 1; l < net->desc.layer_count; ++l)
        for (int k = 0; network_reference_source(net, l, k) >= -1; ++k) {
            if (network_reference_source(net, l, k) != source)
                continue;
            const expected part = part_of_delta(net, l, k, outputs, &deltas[l]);
            if (!sum.value.data) {
                sum = part;
                continue;
            }
            sum = expected_stored(sum, storage_of(net));
            for (size_t i = 0; i < length_of(sum.value); ++i) {
                sum.value.data[i] += part.value.data[i];
                sum.bound.data[i] += part.bound.data[i] + 2 * EPS * fabs(sum.value.data[i]);
            }
        }
    return sum;
}

bounded network_reference_gradient(network_reference *net, samples batch)
{
    const int last = net->desc.layer_count - 1, count = batch.inputs.rows;
    net->trains = true;
    expected outputs[GLNN_NETWORK_MAX_LAYERS + 1], deltas[GLNN_NETWORK_MAX_LAYERS];
    forward(net, batch.inputs, outputs);
    expected delta = delta_of(net, last, batch, outputs, deltas);
    for (int l = last; l >= 0; --l) {
        const expected *input = &outputs[network_reference_source(net, l, 0) + 1];
        deltas[l] = expected_stored(delta, storage_of(net));
        if (learns(net, l))
            net->gradient[l] =
                mean_of(layer_of(net, l)->gradient(net, l, input, &deltas[l]), count);
        if (layer_of(net, l)->statistics)
            net->moved[l] = layer_of(net, l)->statistics(net, l, input);
        delta = delta_of(net, l - 1, batch, outputs, deltas);
    }
    net->input_gradient = mean_of(delta, count);
    return loss_of(net, batch, outputs);
}

/* The low digits of a parameter, which the step adds to the high ones; later steps of the reference
 * itself find them there. */
static double take_low(network_reference *net, int layer, size_t place)
{
    if (!net->desc.optimizer.two_parts)
        return 0;
    double *low = &net->state[layer][net->states - 1].value.data[place];
    const double taken = *low;
    *low = 0;
    return taken;
}

/* The noise that step net->steps adds to the gradient of a layer. The library draws it as
 * glnn_fill_normal does, whose own test is test_random.c. */
static array draw_noise(const network_reference *net, int layer)
{
    const array shape = net->gradient[layer].value;
    const uint32_t counter[4] = {(uint32_t)net->steps, 0, (uint32_t)layer, 2};
    uint32_t key[4];
    glnn__philox(net->desc.seed, counter, key);
    glnn_matrix *drawn = matrix_zero(shape.rows, shape.columns, GLNN_LAYOUT_PACKED);
    expect_ok(glnn_fill_normal(glnn_test_context(), key[0] | (uint64_t)key[1] << 32, 0, 1, drawn));
    return values_of(drawn);
}

/* Two programs may round logarithm and cosine differently, here by up to 1e-6. */
static void add_noise(network_reference *net)
{
    const glnn_optimizer *o = &net->desc.optimizer;
    const double deviation =
        sqrt((double)o->gradient_noise / pow((double)net->steps, (double)o->noise_decay));
    for (int l = 0; o->gradient_noise > 0 && l < net->desc.layer_count; ++l) {
        if (!learns(net, l))
            continue;
        const array noise = draw_noise(net, l);
        for (size_t i = 0; i < length_of(noise); ++i) {
            net->gradient[l].value.data[i] += deviation * noise.data[i];
            net->gradient[l].bound.data[i] += 1e-6 * deviation * (1 + fabs(noise.data[i]));
        }
    }
}

static void step_layer(network_reference *net, int layer, double rate)
{
    const glnn_optimizer *o = &net->desc.optimizer;
    const int states = net->states - o->two_parts; /* of the rule */
    expected *values = &net->parameters[layer];
    const expected *gradient = &net->gradient[layer];
    values->bound = array_new(values->value.rows, values->value.columns);
    for (int s = 0; s < states; ++s)
        net->state[layer][s].bound = array_new(values->value.rows, values->value.columns);
    for (size_t i = 0; i < length_of(values->value); ++i) {
        const bounded g = {gradient->value.data[i], gradient->bound.data[i]};
        parameter p = {.value = {values->value.data[i] + take_low(net, layer, i), 0}};
        for (int s = 0; s < states; ++s)
            p.state[s].value = net->state[layer][s].value.data[i];
        optimizer_reference_step(o, rate, net->steps, g, &p);
        values->value.data[i] = p.value.value;
        values->bound.data[i] = p.value.bound;
        for (int s = 0; s < states; ++s) {
            net->state[layer][s].value.data[i] = p.state[s].value;
            net->state[layer][s].bound.data[i] = p.state[s].bound;
        }
    }
}

/* The norm of the gradient of all layers; its bound adds that of a reduction of two passes. */
static bounded gradient_norm(const network_reference *net)
{
    double squares = 0, bounds = 0;
    for (int l = 0; l < net->desc.layer_count; ++l)
        for (size_t i = 0; learns(net, l) && i < length_of(net->gradient[l].value); ++i) {
            squares += net->gradient[l].value.data[i] * net->gradient[l].value.data[i];
            bounds += net->gradient[l].bound.data[i] * net->gradient[l].bound.data[i];
        }
    return (bounded){sqrt(squares), sqrt(bounds) + 66 * EPS * sqrt(squares)};
}

static void clip(network_reference *net)
{
    const bounded norm = gradient_norm(net);
    const double most = (double)net->desc.optimizer.clip_norm;
    if (most == 0 || norm.value <= most)
        return;
    const bounded scale = {most / norm.value,
                           most / norm.value * (norm.bound / norm.value + 4 * EPS)};
    for (int l = 0; l < net->desc.layer_count; ++l)
        for (size_t i = 0; learns(net, l) && i < length_of(net->gradient[l].value); ++i) {
            double *value = &net->gradient[l].value.data[i],
                   *bound = &net->gradient[l].bound.data[i];
            const bounded g = multiply((bounded){*value, *bound}, scale);
            *value = g.value;
            *bound = g.bound;
        }
}

bounded network_reference_step(network_reference *net, samples batch, double rate)
{
    const bounded loss = network_reference_gradient(net, batch);
    clip(net);
    net->steps++;
    add_noise(net);
    for (int l = 0; l < net->desc.layer_count; ++l) {
        if (learns(net, l))
            step_layer(net, l, rate);
        net->statistics[l] = net->moved[l];
    }
    return loss;
}
