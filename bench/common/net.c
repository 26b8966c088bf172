#include "common/net.h"

#include <math.h>
#include <string.h>

#include "common/arrays.h"

/* About so many samples are stored, in whole batches. */
enum { SAMPLES = 16384, FEWEST_BATCHES = 4, MOST_BATCHES = 256 };

static size_t area(int rows, int columns)
{
    return (size_t)rows * (size_t)columns;
}

net_data net_data_new(const net_case *of)
{
    int batches = SAMPLES / of->batch;
    batches = batches < FEWEST_BATCHES ? FEWEST_BATCHES
              : batches > MOST_BATCHES ? MOST_BATCHES
                                       : batches;
    const int samples = batches * of->batch;
    net_data data = {.batches = batches};
    data.inputs = random_floats(area(samples, of->inputs), of->has_labels ? 0 : -1, 1);
    if (!of->has_labels) {
        data.targets = random_floats(area(samples, of->outputs), 0.1f, 0.9f);
        return data;
    }
    data.labels = allocate((size_t)samples, sizeof(int));
    for (int i = 0; i < samples; ++i)
        data.labels[i] = (int)((unsigned)i * 2654435761u >> 16) % of->outputs;
    return data;
}

void net_data_free(const net_data *data)
{
    free(data->inputs);
    free(data->labels);
    free(data->targets);
}

size_t net_weights_count(const net_case *of, int layer)
{
    return layer == 0 ? area(of->inputs + 1, of->hidden) : area(of->hidden + 1, of->outputs);
}

net_weights net_weights_new(const net_case *of)
{
    net_weights w;
    for (int l = 0; l < 2; ++l) {
        const float range = 1 / sqrtf((float)(l == 0 ? of->inputs : of->hidden));
        w.layer[l] = random_floats(net_weights_count(of, l), -range, range);
    }
    return w;
}

void net_weights_free(const net_weights *weights)
{
    free(weights->layer[0]);
    free(weights->layer[1]);
}

/* ---- On the CPU */

net net_new(const net_case *of, product_fn multiply)
{
    net n = {.of = *of, .multiply = multiply, .weights = net_weights_new(of)};
    for (int l = 0; l < 2; ++l)
        n.velocity.layer[l] = allocate(net_weights_count(of, l), sizeof(float));
    n.hidden = allocate(area(of->batch, of->hidden), sizeof(float));
    n.outputs = allocate(area(of->batch, of->outputs), sizeof(float));
    n.hidden_delta = allocate(area(of->batch, of->hidden), sizeof(float));
    n.sums = allocate(area(of->hidden + of->outputs, 1), sizeof(float));
    return n;
}

void net_free(net *n)
{
    net_weights_free(&n->weights);
    net_weights_free(&n->velocity);
    free(n->hidden);
    free(n->outputs);
    free(n->hidden_delta);
    free(n->sums);
}

/* out = x W + b */
static void layer_forward(const net *n, const float *x, int samples, int inputs, int units,
                          const float *weights, float *out)
{
    for (int i = 0; i < samples; ++i)
        memcpy(out + area(i, units), weights + area(inputs, units), (size_t)units * sizeof(float));
    const product p = {.m = samples, .n = units, .k = inputs, .alpha = 1, .beta = 1};
    n->multiply(&p, x, weights, out);
}

static void activate(const net *n, float *values, size_t count)
{
    if (n->of.has_labels)
        for (size_t i = 0; i < count; ++i)
            values[i] = values[i] > 0 ? values[i] : 0;
    else
        for (size_t i = 0; i < count; ++i)
            values[i] = 1 / (1 + expf(-values[i]));
}

static void softmax(float *values, int count)
{
    float greatest = values[0], sum = 0;
    for (int j = 1; j < count; ++j)
        greatest = values[j] > greatest ? values[j] : greatest;
    for (int j = 0; j < count; ++j)
        sum += values[j] = expf(values[j] - greatest);
    for (int j = 0; j < count; ++j)
        values[j] /= sum;
}

void net_forward(net *n, const float *inputs, int samples)
{
    const net_case *of = &n->of;
    layer_forward(n, inputs, samples, of->inputs, of->hidden, n->weights.layer[0], n->hidden);
    activate(n, n->hidden, area(samples, of->hidden));
    layer_forward(n, n->hidden, samples, of->hidden, of->outputs, n->weights.layer[1], n->outputs);
    if (!of->has_labels)
        activate(n, n->outputs, area(samples, of->outputs));
    else
        for (int i = 0; i < samples; ++i)
            softmax(n->outputs + area(i, of->outputs), of->outputs);
}

/* Turns outputs into the derivative of the loss of each sample by what the output units get. */
static void output_delta(net *n, const net_data *data, int batch)
{
    const net_case *of = &n->of;
    const size_t count = area(of->batch, of->outputs);
    if (of->has_labels) {
        for (int i = 0; i < of->batch; ++i)
            n->outputs[i * of->outputs + data->labels[batch * of->batch + i]] -= 1;
        return;
    }
    const float *targets = data->targets + (size_t)batch * count;
    for (size_t i = 0; i < count; ++i) {
        const float y = n->outputs[i];
        n->outputs[i] = (y - targets[i]) * y * (1 - y);
    }
}

static void hidden_delta(net *n)
{
    const net_case *of = &n->of;
    const product p = {
        .transpose_b = true, .m = of->batch, .n = of->hidden, .k = of->outputs, .alpha = 1};
    n->multiply(&p, n->outputs, n->weights.layer[1], n->hidden_delta);
    const size_t count = area(of->batch, of->hidden);
    for (size_t i = 0; i < count; ++i) {
        const float y = n->hidden[i];
        n->hidden_delta[i] *= of->has_labels ? (y > 0 ? 1.0f : 0.0f) : y * (1 - y);
    }
}

/* w -= rate (momentum v + gradient); without momentum the gradient is added right into w. */
static void update(net *n, int layer, const float *x, const float *delta, int inputs, int units)
{
    const net_case *of = &n->of;
    const bool has_velocity = of->momentum > 0;
    float *into = has_velocity ? n->velocity.layer[layer] : n->weights.layer[layer];
    const float scale = (has_velocity ? 1 : -NET_RATE) / (float)of->batch;
    float *biases = into + area(inputs, units);
    const product p = {.transpose_a = true,
                       .m = inputs,
                       .n = units,
                       .k = of->batch,
                       .alpha = scale,
                       .beta = has_velocity ? of->momentum : 1};
    n->multiply(&p, x, delta, into);
    memset(n->sums, 0, (size_t)units * sizeof(float));
    for (int i = 0; i < of->batch; ++i)
        for (int j = 0; j < units; ++j)
            n->sums[j] += delta[area(i, units) + (size_t)j];
    for (int j = 0; j < units; ++j)
        biases[j] = p.beta * biases[j] + scale * n->sums[j];
    const size_t count = net_weights_count(of, layer);
    for (size_t i = 0; has_velocity && i < count; ++i)
        n->weights.layer[layer][i] -= NET_RATE * into[i];
}

void net_step(net *n, const net_data *data, int batch)
{
    const net_case *of = &n->of;
    const float *inputs = data->inputs + area(batch * of->batch, of->inputs);
    net_forward(n, inputs, of->batch);
    output_delta(n, data, batch);
    hidden_delta(n);
    update(n, 1, n->hidden, n->outputs, of->hidden, of->outputs);
    update(n, 0, inputs, n->hidden_delta, of->inputs, of->hidden);
}
