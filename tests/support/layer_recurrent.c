/* The references of recurrent layers. Samples are flat: the times of a channel, then those of the
 * next one. */
#include "layer_reference.h"

#define MOST_GATES 3

/* A unit at a time. */
typedef struct cell {
    bounded sum[MOST_GATES], state_sum[MOST_GATES]; /* of the input and of the former state */
    bounded gate[MOST_GATES];                       /* r, z and n, or h alone               */
    bounded former, state, delta;                   /* delta: of the state                  */
} cell;

/* The cells of a sample, time after time. */
typedef struct path {
    int times, units, gates, channels, width; /* width: columns of the parameters for a gate */
    bool all_states;
    int window;
    double length;
    array weights;
    cell *cells;
} path;

static bounded number(double value)
{
    return (bounded){value, 0};
}

static bounded add(bounded x, bounded y)
{
    const double sum = x.value + y.value;
    return (bounded){sum, x.bound + y.bound + EPS * (fabs(sum) + x.bound + y.bound)};
}

static bounded subtract(bounded x, bounded y)
{
    return add(x, (bounded){-y.value, y.bound});
}

static cell *at_cell(const path *p, int time, int unit)
{
    return &p->cells[time * p->units + unit];
}

static bool is_within(const path *p, int time)
{
    return time == 0 || time < p->length;
}

static bounded weight_of(const path *p, int row, int gate, int unit)
{
    return number(*at(p->weights, row, gate * p->width + unit));
}

static path path_new(const network_reference *net, int layer, const expected *in, int sample)
{
    const glnn_layer_desc *desc = &net->desc.layers[layer];
    const glnn_shape shape = network_reference_input(net, layer);
    const int lengths = network_reference_source(net, layer, 1);
    path p = {.times = shape.height * shape.width,
              .units = desc->units,
              .gates = desc->kind == GLNN_LAYER_GRU ? 3 : 1,
              .channels = shape.channels,
              .width = (desc->units + 3) / 4 * 4,
              .all_states = desc->all_states,
              .window = desc->window,
              .length = INFINITY,
              .weights = network_reference_weights(net, layer)};
    if (lengths >= -1)
        p.length = *at(in[lengths - network_reference_source(net, layer, 0)].value, sample, 0);
    p.cells = calloc((size_t)p.times * (size_t)p.units, sizeof *p.cells);
    assert_non_null(p.cells);
    return p;
}

static bounded input_of(const path *p, const expected *in, int sample, int channel, int time)
{
    return get_bounded(in, sample, channel * p->times + time);
}

static void add_sums(const path *p, const expected *in, int sample, int time, int gate, int unit)
{
    cell *of = at_cell(p, time, unit);
    product_sum sum = {0}, state_sum = {0};
    for (int c = 0; c < p->channels; ++c)
        add_product(&sum, input_of(p, in, sample, c, time), weight_of(p, c, gate, unit));
    add_product(&sum, number(1), weight_of(p, p->channels, gate, unit));
    for (int k = 0; k < p->units; ++k)
        add_product(&state_sum, at_cell(p, time, k)->former,
                    weight_of(p, p->channels + 1 + k, gate, unit));
    add_product(&state_sum, number(1), weight_of(p, p->channels + 1 + p->units, gate, unit));
    of->sum[gate] = finish_sum(&sum, p->channels + 3);
    of->state_sum[gate] = finish_sum(&state_sum, p->units + 4);
}

static void find_state(const path *p, cell *of)
{
    bounded *gate = of->gate;
    if (p->gates == 1) {
        of->state = gate[0] = activate(GLNN_MAP_TANH, add(of->sum[0], of->state_sum[0]));
        return;
    }
    gate[0] = activate(GLNN_MAP_SIGMOID, add(of->sum[0], of->state_sum[0]));
    gate[1] = activate(GLNN_MAP_SIGMOID, add(of->sum[1], of->state_sum[1]));
    gate[2] = activate(GLNN_MAP_TANH, add(of->sum[2], multiply(gate[0], of->state_sum[2])));
    of->state = add(gate[2], multiply(gate[1], subtract(of->former, gate[2])));
}

static path path_of(const network_reference *net, int layer, const expected *in, int sample)
{
    path p = path_new(net, layer, in, sample);
    for (int t = 0; t < p.times; ++t) {
        for (int j = 0; j < p.units && t > 0; ++j)
            at_cell(&p, t, j)->former = at_cell(&p, t - 1, j)->state;
        for (int j = 0; j < p.units; ++j) {
            cell *of = at_cell(&p, t, j);
            for (int g = 0; g < p.gates; ++g)
                add_sums(&p, in, sample, t, g, j);
            find_state(&p, of);
            if (!is_within(&p, t))
                of->state = of->former;
        }
    }
    return p;
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape shape = net->outputs[layer];
    const int places = shape.height * shape.width;
    expected out = expected_new(in->value.rows, shape.channels * places);
    for (int i = 0; i < in->value.rows; ++i) {
        const path p = path_of(net, layer, in, i);
        for (int j = 0; j < p.units; ++j)
            for (int t = 0; t < places; ++t)
                if (!p.all_states || is_within(&p, t))
                    set_bounded(&out, i, j * places + t,
                                at_cell(&p, p.times - places + t, j)->state);
        free(p.cells);
    }
    return out;
}

/* ---- Backward */

/* The derivative of the state by the sum of a gate. */
static bounded slope(const path *p, const cell *of, int gate, bool of_input)
{
    const bounded *y = of->gate;
    if (p->gates == 1)
        return slope_of(GLNN_MAP_TANH, y[0]);
    const bounded by_candidate = multiply(subtract(number(1), y[1]), slope_of(GLNN_MAP_TANH, y[2]));
    if (gate == 0)
        return multiply(multiply(by_candidate, of->state_sum[2]), slope_of(GLNN_MAP_SIGMOID, y[0]));
    if (gate == 1)
        return multiply(subtract(of->former, y[2]), slope_of(GLNN_MAP_SIGMOID, y[1]));
    return of_input ? by_candidate : multiply(by_candidate, y[0]);
}

static bounded delta_of(const path *p, const cell *of, int gate, bool of_input)
{
    return multiply(of->delta, slope(p, of, gate, of_input));
}

/* The part of the next state in a unit's delta. */
static bounded carried(const path *p, int time, int unit)
{
    const cell *own = at_cell(p, time + 1, unit);
    product_sum sum = {0};
    if (!is_within(p, time + 1))
        return own->delta;
    if (p->window > 0 && (time + 1) % p->window == 0)
        return number(0);
    for (int g = 0; g < p->gates; ++g)
        for (int k = 0; k < p->units; ++k)
            add_product(&sum, delta_of(p, at_cell(p, time + 1, k), g, false),
                        weight_of(p, p->channels + 1 + unit, g, k));
    const bounded all = finish_sum(&sum, p->gates * p->units + 6);
    return p->gates == 1 ? all : add(all, multiply(own->delta, own->gate[1]));
}

static path path_back(const network_reference *net, int layer, const expected *in,
                      const expected *delta, int sample)
{
    const path p = path_of(net, layer, in, sample);
    const int places = delta->value.columns / p.units;
    for (int t = p.times - 1; t >= 0; --t)
        for (int j = 0; j < p.units; ++j) {
            const int place = t - (p.times - places);
            cell *of = at_cell(&p, t, j);
            if (place >= 0 && (!p.all_states || is_within(&p, t)))
                of->delta = get_bounded(delta, sample, j * places + place);
            if (t + 1 < p.times)
                of->delta = add(of->delta, carried(&p, t, j));
        }
    return p;
}

static expected backward_to(const network_reference *net, int layer, int input, const expected *in,
                            const expected *delta)
{
    expected out = expected_new(in->value.rows, input > 0 ? 1 : in->value.columns);
    for (int i = 0; i < in->value.rows && input == 0; ++i) {
        const path p = path_back(net, layer, in, delta, i);
        for (int t = 0; t < p.times; ++t)
            for (int c = 0; c < p.channels && is_within(&p, t); ++c) {
                product_sum sum = {0};
                for (int g = 0; g < p.gates; ++g)
                    for (int j = 0; j < p.units; ++j)
                        add_product(&sum, delta_of(&p, at_cell(&p, t, j), g, true),
                                    weight_of(&p, c, g, j));
                set_bounded(&out, i, c * p.times + t, finish_sum(&sum, p.gates * p.width));
            }
        free(p.cells);
    }
    return out;
}

/* Adds what a time gives to the gradient. */
static void add_gradient(const path *p, const expected *in, int sample, int time, product_sum *sums)
{
    const int columns = p->gates * p->width;
    for (int g = 0; g < p->gates; ++g)
        for (int j = 0; j < p->units; ++j) {
            const cell *of = at_cell(p, time, j);
            product_sum *column = &sums[g * p->width + j];
            const bounded by_input = delta_of(p, of, g, true), by_state = delta_of(p, of, g, false);
            for (int c = 0; c < p->channels; ++c)
                add_product(&column[c * columns], input_of(p, in, sample, c, time), by_input);
            add_product(&column[p->channels * columns], number(1), by_input);
            for (int k = 0; k < p->units; ++k)
                add_product(&column[(p->channels + 1 + k) * columns], at_cell(p, time, k)->former,
                            by_state);
            add_product(&column[(p->channels + 1 + p->units) * columns], number(1), by_state);
        }
}

static expected gradient(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const array parameters = net->parameters[layer].value;
    product_sum *sums = calloc(length_of(parameters), sizeof *sums);
    expected out = expected_new(parameters.rows, parameters.columns);
    int times = 0;
    assert_non_null(sums);
    for (int i = 0; i < in->value.rows; ++i) {
        const path p = path_back(net, layer, in, delta, i);
        for (int t = 0; t < p.times && is_within(&p, t); ++t)
            add_gradient(&p, in, i, t, sums);
        times = p.times;
        free(p.cells);
    }
    for (int i = 0; i < parameters.rows; ++i)
        for (int j = 0; j < parameters.columns; ++j)
            set_bounded(&out, i, j,
                        finish_sum(&sums[i * parameters.columns + j], in->value.rows * times + 2));
    free(sums);
    return out;
}

/* States of all four times for the next layer, which gives the last one; units that need
 * padding. */
#define LAYERS(KIND)                                                                               \
    {                                                                                              \
        {.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {2, 2}},                                       \
            {.kind = KIND, .units = 6, .all_states = true},                                        \
        {                                                                                          \
            .kind = KIND, .units = 3                                                               \
        }                                                                                          \
    }

const layer_reference recurrent_reference = {
    .layers = LAYERS(GLNN_LAYER_RECURRENT),
    .count = 3,
    .forward = forward,
    .backward_to = backward_to,
    .gradient = gradient,
};

const layer_reference gru_reference = {
    .layers = LAYERS(GLNN_LAYER_GRU),
    .count = 3,
    .forward = forward,
    .backward_to = backward_to,
    .gradient = gradient,
};
