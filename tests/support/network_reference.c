#include "network_reference.h"

#include "base/random.h"
#include "reference.h"

static bool has_weights(const network_reference *net, int layer)
{
    return net->desc.layers[layer].kind == GLNN_LAYER_DENSE;
}

network_reference network_reference_of(const glnn_network *network)
{
    network_reference net = {.desc = *glnn_network_get_desc(network),
                             .steps = glnn_network_get_steps(network),
                             .states = glnn_network_state_count(network)};
    for (int l = 0; l < net.desc.layer_count; ++l) {
        if (!has_weights(&net, l))
            continue;
        net.parameters[l].value = weights_of(network, l);
        for (int s = 0; s < net.states; ++s)
            net.state[l][s].value = state_of(network, l, s);
    }
    return net;
}

static expected expected_new(int rows, int columns)
{
    return (expected){array_new(rows, columns), array_new(rows, columns)};
}

/* How the network stores what products read. */
static glnn_storage storage_of(const network_reference *net)
{
    return net->desc.precision == GLNN_PRECISION_MIXED ? GLNN_STORAGE_FLOAT16
                                                       : GLNN_STORAGE_FLOAT32;
}

static void set(expected *to, int row, int column, bounded from)
{
    *at(to->value, row, column) = from.value;
    *at(to->bound, row, column) = from.bound;
}

static bounded get(const expected *from, int row, int column)
{
    return (bounded){*at(from->value, row, column),
                     from->bound.data ? *at(from->bound, row, column) : 0.0};
}

/* A sum of products; each term adds its rounding and what its factors may be off by. */
typedef struct product_sum {
    double value, size, spread;
} product_sum;

static void add_product(product_sum *sum, bounded a, bounded b)
{
    sum->value += a.value * b.value;
    sum->size += (fabs(a.value) + a.bound) * (fabs(b.value) + b.bound);
    sum->spread += a.bound * (fabs(b.value) + b.bound) + fabs(a.value) * b.bound;
}

/* glnn/gemm.h: (k + 2) eps sum |a| |b|, for k terms. */
static bounded finish_sum(const product_sum *sum, int terms)
{
    return (bounded){sum->value, sum->spread + (terms + 2) * EPS * sum->size};
}

static glnn_map map_of(const network_reference *net, int layer)
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
    default:
        return GLNN_MAP_IDENTITY;
    }
}

static bounded activate(glnn_map map, bounded z)
{
    const double y = reference_map(map, z.value);
    const double rounding = 64 * EPS * (1 + fabs(y));
    const bool is_negative = z.value + z.bound < 0;
    switch (map) {
    case GLNN_MAP_SIGMOID:
        return (bounded){y, z.bound / 4 + rounding};
    case GLNN_MAP_TANH:
        return (bounded){y, z.bound + rounding};
    case GLNN_MAP_SCALED_TANH:
        return (bounded){y, 1.7159 * 2 / 3 * z.bound + rounding};
    case GLNN_MAP_RELU:
        return (bounded){y, is_negative ? 0 : z.bound};
    case GLNN_MAP_LEAKY_RELU:
        return (bounded){y, (is_negative ? 0.01 : 1) * z.bound + 2 * EPS * fabs(y)};
    default:
        return z;
    }
}

/* f' in terms of y; where y may lie on either side of a bend, so may f'. */
static bounded slope(glnn_map map, bounded y)
{
    const double value = reference_derivative(map, y.value);
    const double square = 2 * fabs(y.value) * y.bound + y.bound * y.bound;
    const bool bends = y.bound > 0 && fabs(y.value) <= y.bound;
    double spread = 0;
    switch (map) {
    case GLNN_MAP_SIGMOID:
        spread = y.bound + y.bound * y.bound;
        break;
    case GLNN_MAP_TANH:
        spread = square;
        break;
    case GLNN_MAP_SCALED_TANH:
        spread = 2.0 / 3 / 1.7159 * square;
        break;
    case GLNN_MAP_RELU:
        spread = bends ? 1 : 0;
        break;
    case GLNN_MAP_LEAKY_RELU:
        spread = bends ? 0.99 : 0;
        break;
    default:
        break;
    }
    return (bounded){value, spread + 64 * EPS * (1 + fabs(value))};
}

static bounded multiply(bounded a, bounded b)
{
    return (bounded){a.value * b.value, a.bound * (fabs(b.value) + b.bound) +
                                            fabs(a.value) * b.bound +
                                            2 * EPS * fabs(a.value * b.value)};
}

static expected forward_layer(const network_reference *net, int layer, const expected *in)
{
    const array w = array_stored(net->parameters[layer].value, storage_of(net));
    const int inputs = w.rows - 1, units = w.columns;
    expected out = expected_new(in->value.rows, units);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < units; ++j) {
            product_sum sum = {0};
            for (int p = 0; p < inputs; ++p)
                add_product(&sum, get(in, i, p), (bounded){*at(w, p, j), 0});
            add_product(&sum, (bounded){1, 0}, (bounded){*at(w, inputs, j), 0});
            set(&out, i, j, activate(map_of(net, layer), finish_sum(&sum, inputs + 1)));
        }
    return out;
}

/* What dropout multiplies element (row, column) with: glnn/network.h, by Philox in the order of the
 * library. */
static double drop_factor(const network_reference *net, int layer, int row, int column)
{
    const float rate = net->desc.layers[layer].rate;
    const uint32_t counter[4] = {(uint32_t)row, (uint32_t)column / 4, (uint32_t)layer,
                                 (uint32_t)(net->steps + 1)};
    uint32_t words[4];
    glnn__philox(net->desc.seed, counter, words);
    const double drawn = (double)(words[column % 4] >> 8) * 0x1p-24;
    return drawn >= (double)rate ? 1 / (1 - (double)rate) : 0;
}

static bounded drop(const network_reference *net, int layer, int row, int column, bounded x)
{
    const double factor = net->drops ? drop_factor(net, layer, row, column) : 1;
    return (bounded){factor * x.value,
                     factor * x.bound + (net->drops ? 4 * EPS * fabs(factor * x.value) : 0)};
}

static expected drop_layer(const network_reference *net, int layer, const expected *in)
{
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set(&out, i, j, drop(net, layer, i, j, get(in, i, j)));
    return out;
}

/* outputs[0] is the input, outputs[l + 1] what layer l gives. */
static void forward(const network_reference *net, array inputs, expected *outputs)
{
    outputs[0] = expected_stored((expected){.value = inputs}, storage_of(net));
    for (int l = 0; l < net->desc.layer_count; ++l) {
        outputs[l + 1] = has_weights(net, l) ? forward_layer(net, l, &outputs[l])
                                             : drop_layer(net, l, &outputs[l]);
        if (l + 1 < net->desc.layer_count)
            outputs[l + 1] = expected_stored(outputs[l + 1], storage_of(net));
    }
}

/* log sum exp of a row, which follows the greatest of its elements' bounds; (64 + n) eps is the
 * bound of the softmax in glnn/map.h, 2 eps that of adding the greatest element back. */
static bounded log_sum_exp(const expected *z, int row)
{
    double greatest = -INFINITY, sum = 0, spread = 0;
    for (int j = 0; j < z->value.columns; ++j) {
        greatest = fmax(greatest, *at(z->value, row, j));
        spread = fmax(spread, *at(z->bound, row, j));
    }
    for (int j = 0; j < z->value.columns; ++j)
        sum += exp(*at(z->value, row, j) - greatest);
    const double value = greatest + log(sum);
    return (bounded){value, spread + (64 + z->value.columns) * EPS + 2 * EPS * fabs(value)};
}

static bounded probability(const expected *z, int row, int column, bounded log_sum)
{
    const bounded element = get(z, row, column);
    const double p = exp(element.value - log_sum.value);
    return (bounded){p, p * (element.bound + log_sum.bound + EPS * fabs(element.value)) +
                            (64 + z->value.columns) * EPS};
}

/* Cross-entropy of two classes by one output. */
static bool is_binary(const network_reference *net, const expected *last)
{
    return net->desc.loss == GLNN_LOSS_CROSS_ENTROPY && last->value.columns == 1;
}

/* Of an output with cross-entropy: a softmax or sigmoid. */
static bounded output_probability(const network_reference *net, const expected *last, int row,
                                  int column)
{
    if (is_binary(net, last))
        return activate(GLNN_MAP_SIGMOID, get(last, row, 0));
    return probability(last, row, column, log_sum_exp(last, row));
}

static double target_of(const network_reference *net, const expected *last, const samples *batch,
                        int row, int column)
{
    if (is_binary(net, last))
        return *at(batch->labels, row, 0);
    if (batch->labels.data)
        return *at(batch->labels, row, 0) == column ? 1 : 0;
    return (double)(float)*at(batch->targets, row, column);
}

expected network_reference_predict(const network_reference *net, array inputs)
{
    expected outputs[GLNN_NETWORK_MAX_LAYERS + 1];
    forward(net, inputs, outputs);
    const expected last = outputs[net->desc.layer_count];
    if (net->desc.loss != GLNN_LOSS_CROSS_ENTROPY)
        return last;
    expected result = expected_new(last.value.rows, last.value.columns);
    for (int i = 0; i < last.value.rows; ++i)
        for (int j = 0; j < last.value.columns; ++j)
            set(&result, i, j, output_probability(net, &last, i, j));
    return result;
}

static double weight_of(const samples *batch, int row)
{
    return batch->weights.data ? (double)(float)*at(batch->weights, row, 0) : 1;
}

static bounded sample_loss(const network_reference *net, const expected *last, const samples *batch,
                           int row)
{
    bounded loss = {0, 0};
    if (is_binary(net, last)) {
        /* log(1 + exp(z)) - t z has the slope of a sigmoid less t, which is at most 1. */
        const bounded z = get(last, row, 0);
        const double t = target_of(net, last, batch, row, 0);
        const double value = fmax(z.value, 0) - t * z.value + log1p(exp(-fabs(z.value)));
        return (bounded){value, z.bound + 64 * EPS * (1 + fabs(z.value))};
    }
    if (net->desc.loss == GLNN_LOSS_CROSS_ENTROPY) {
        const bounded log_sum = log_sum_exp(last, row);
        const bounded z = get(last, row, (int)*at(batch->labels, row, 0));
        return (bounded){log_sum.value - z.value,
                         log_sum.bound + z.bound + EPS * fabs(log_sum.value - z.value)};
    }
    for (int j = 0; j < last->value.columns; ++j) {
        const bounded y = get(last, row, j);
        const double d = fabs(y.value - target_of(net, last, batch, row, j));
        loss.value += d * d / 2;
        loss.bound += d * y.bound + y.bound * y.bound / 2;
    }
    loss.bound += (last->value.columns + 4) * EPS * loss.value;
    return loss;
}

/* Sums over rows: glnn/reduce.h gives (32 p + 2) eps for p passes, and p is 2 up to 1024 rows; as
 * much again stands for the blending of up to 66 batches. */
static bounded mean_loss(const network_reference *net, const expected *last, const samples *batch)
{
    bounded mean = {0, 0};
    const int count = batch->inputs.rows;
    for (int i = 0; i < count; ++i) {
        const bounded loss = sample_loss(net, last, batch, i);
        const double weight = weight_of(batch, i);
        mean.value += weight * loss.value / count;
        mean.bound += weight * (loss.bound + 133 * EPS * fabs(loss.value)) / count;
    }
    return mean;
}

bounded network_reference_loss(const network_reference *net, samples batch)
{
    expected outputs[GLNN_NETWORK_MAX_LAYERS + 1];
    forward(net, batch.inputs, outputs);
    return mean_loss(net, &outputs[net->desc.layer_count], &batch);
}

/* The gradient of each sample's loss with respect to what the output units get. */
static expected output_delta(const network_reference *net, const expected *last,
                             const samples *batch)
{
    const glnn_map map = map_of(net, net->desc.layer_count - 1);
    expected delta = expected_new(last->value.rows, last->value.columns);
    for (int i = 0; i < last->value.rows; ++i)
        for (int j = 0; j < last->value.columns; ++j) {
            const bounded y = get(last, i, j);
            const bool is_entropy = net->desc.loss == GLNN_LOSS_CROSS_ENTROPY;
            bounded d = is_entropy ? output_probability(net, last, i, j) : y;
            d.value -= target_of(net, last, batch, i, j);
            d.bound += EPS * fabs(d.value);
            d = is_entropy ? d : multiply(d, slope(map, y));
            const double weight = weight_of(batch, i);
            set(&delta, i, j,
                (bounded){weight * d.value, weight * (d.bound + EPS * fabs(d.value))});
        }
    return delta;
}

/* The delta of what a layer gives from the delta of the layer above, which is dropout. */
static expected dropped_delta(const network_reference *net, int layer, const expected *next,
                              const expected *output)
{
    expected delta = drop_layer(net, layer + 1, next);
    for (int i = 0; i < delta.value.rows; ++i)
        for (int j = 0; j < delta.value.columns; ++j)
            set(&delta, i, j,
                multiply(get(&delta, i, j), slope(map_of(net, layer), get(output, i, j))));
    return delta;
}

static expected hidden_delta(const network_reference *net, int layer, const expected *next,
                             const expected *output)
{
    if (!has_weights(net, layer + 1))
        return dropped_delta(net, layer, next, output);
    const array w = array_stored(net->parameters[layer + 1].value, storage_of(net));
    expected delta = expected_new(output->value.rows, output->value.columns);
    for (int i = 0; i < output->value.rows; ++i)
        for (int p = 0; p < output->value.columns; ++p) {
            product_sum sum = {0};
            for (int j = 0; j < w.columns; ++j)
                add_product(&sum, get(next, i, j), (bounded){*at(w, p, j), 0});
            const bounded y = get(output, i, p);
            set(&delta, i, p, multiply(finish_sum(&sum, w.columns), slope(map_of(net, layer), y)));
        }
    return delta;
}

/* The mean over the samples of input times delta; two more roundings for the division by them. */
static expected layer_gradient(const expected *input, const expected *delta)
{
    const int count = input->value.rows, inputs = input->value.columns;
    expected gradient = expected_new(inputs + 1, delta->value.columns);
    for (int p = 0; p <= inputs; ++p)
        for (int j = 0; j < delta->value.columns; ++j) {
            product_sum sum = {0};
            for (int i = 0; i < count; ++i)
                add_product(&sum, p < inputs ? get(input, i, p) : (bounded){1, 0},
                            get(delta, i, j));
            const bounded total = finish_sum(&sum, count + 2);
            set(&gradient, p, j, (bounded){total.value / count, total.bound / count});
        }
    return gradient;
}

bounded network_reference_gradient(network_reference *net, samples batch)
{
    net->drops = true;
    expected outputs[GLNN_NETWORK_MAX_LAYERS + 1], delta = {0};
    forward(net, batch.inputs, outputs);
    for (int l = net->desc.layer_count - 1; l >= 0; --l) {
        delta = l == net->desc.layer_count - 1 ? output_delta(net, &outputs[l + 1], &batch)
                                               : hidden_delta(net, l, &delta, &outputs[l + 1]);
        delta = expected_stored(delta, storage_of(net));
        if (has_weights(net, l))
            net->gradient[l] = layer_gradient(&outputs[l], &delta);
    }
    return mean_loss(net, &outputs[net->desc.layer_count], &batch);
}

/* One parameter with its states before a step, and after it. */
typedef struct parameter {
    bounded value, state[MOST_STATES];
} parameter;

static double decayed(const glnn_optimizer *o, double rate, double value)
{
    return (1 - rate * (double)o->weight_decay) * value;
}

/* v = momentum v + g; w = decayed w - rate v. */
static void descend(const glnn_optimizer *o, double rate, bounded g, parameter *p)
{
    const double old = (double)o->momentum * p->state[0].value;
    const double v = old + g.value, w = p->value.value;
    const double v_bound = g.bound + 3 * EPS * (fabs(old) + fabs(g.value));
    p->state[0] = (bounded){v, v_bound};
    p->value = (bounded){decayed(o, rate, w) - rate * v,
                         rate * v_bound + 4 * EPS * (fabs(w) + rate * fabs(v))};
}

/* v = momentum v + g; w = decayed w - rate (g + momentum v), for which the library may subtract a
 * multiple of the old velocity from one of the new. */
static void descend_nesterov(const glnn_optimizer *o, double rate, bounded g, parameter *p)
{
    const double mu = (double)o->momentum, old = mu * p->state[0].value;
    const double v = old + g.value, w = p->value.value;
    const double v_bound = g.bound + 3 * EPS * (fabs(old) + fabs(g.value));
    p->state[0] = (bounded){v, v_bound};
    p->value = (bounded){decayed(o, rate, w) - rate * (g.value + mu * v),
                         rate * (1 + mu) * v_bound +
                             6 * EPS * (fabs(w) + rate * ((1 + mu) * fabs(v) + fabs(old)))};
}

/* Kingma, Ba 2015, algorithm 1. The library takes the gradient back out of the two first moments,
 * which costs roundings of their size divided by 1 - beta1. Of the step's own roundings, 24 eps,
 * 15 are what GLSL allows to a square root and a quotient. */
static void descend_adam(const glnn_optimizer *o, double rate, uint64_t t, bounded g, parameter *p)
{
    const double b1 = (double)o->beta1, b2 = (double)o->beta2, epsilon = (double)o->epsilon;
    const double old = b1 * p->state[0].value, w = p->value.value;
    const double m = old + (1 - b1) * g.value;
    const double m_rounding = 4 * EPS * (fabs(old) + (1 - b1) * fabs(g.value));
    const double m_bound = (1 - b1) * g.bound + m_rounding;
    const double g_bound =
        g.bound + (m_rounding + 2 * EPS * (fabs(m) + fabs(old))) / (1 - b1) + EPS * fabs(g.value);
    const double v = b2 * p->state[1].value + (1 - b2) * g.value * g.value;
    const double v_bound =
        (1 - b2) * (2 * fabs(g.value) * g_bound + g_bound * g_bound) + 4 * EPS * v;
    const double m_scale = 1 / (1 - pow(b1, (double)t)), v_scale = 1 / (1 - pow(b2, (double)t));
    const double divisor = sqrt(v_scale * v) + epsilon;
    const double least = sqrt(v_scale * fmax(v - v_bound, 0)) + epsilon;
    const double step = rate * m_scale * m / divisor;
    const double furthest = rate * m_scale * (fabs(m) + m_bound) / least;
    p->state[0] = (bounded){m, m_bound};
    p->state[1] = (bounded){v, v_bound};
    p->value = (bounded){decayed(o, rate, w) - step,
                         furthest - fabs(step) + 24 * EPS * furthest + 4 * EPS * fabs(w)};
}

static void step_layer(network_reference *net, int layer, double rate)
{
    const glnn_optimizer *o = &net->desc.optimizer;
    expected *values = &net->parameters[layer];
    const expected *gradient = &net->gradient[layer];
    values->bound = array_new(values->value.rows, values->value.columns);
    for (int s = 0; s < net->states; ++s)
        net->state[layer][s].bound = array_new(values->value.rows, values->value.columns);
    for (size_t i = 0; i < length_of(values->value); ++i) {
        const bounded g = {gradient->value.data[i], gradient->bound.data[i]};
        parameter p = {.value = {values->value.data[i], 0}};
        for (int s = 0; s < net->states; ++s)
            p.state[s].value = net->state[layer][s].value.data[i];
        if (o->kind == GLNN_OPTIMIZER_ADAM)
            descend_adam(o, rate, net->steps, g, &p);
        else if (o->kind == GLNN_OPTIMIZER_NESTEROV)
            descend_nesterov(o, rate, g, &p);
        else
            descend(o, rate, g, &p);
        values->value.data[i] = p.value.value;
        values->bound.data[i] = p.value.bound;
        for (int s = 0; s < net->states; ++s) {
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
        for (size_t i = 0; has_weights(net, l) && i < length_of(net->gradient[l].value); ++i) {
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
        for (size_t i = 0; has_weights(net, l) && i < length_of(net->gradient[l].value); ++i) {
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
    for (int l = 0; l < net->desc.layer_count; ++l)
        if (has_weights(net, l))
            step_layer(net, l, rate);
    return loss;
}
