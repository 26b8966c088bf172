/* One step in double precision, sample by sample. */
#include <math.h>
#include <string.h>

#include "common/arrays.h"
#include "common/net.h"

/* The sign of what a relu gets may differ in single precision where it is this near to zero. */
static const double kink = 1e-5;

/* A rounding to 16 bits falls the other way where single precision comes out just beyond the
 * middle; of what is judged by the greatest gradient that is this much. */
static const double rounding_error = 1e-4, mixed_error = 1e-3;

/* The nearest number of 16 bits, of two the even one. */
static double half_of(double value)
{
    if (value == 0)
        return 0;
    const double unit = ldexp(1, (int)fmax(ilogb(value), -14) - 10);
    return nearbyint(value / unit) * unit;
}

static double stored(const net_reference *r, double value)
{
    return r->mixed ? half_of(value) : value;
}

/* The sample under way. */
typedef struct sample {
    double *input;      /* of->inputs, and 1 behind them            */
    double *sum, *unit; /* of the hidden units: argument, activation; 1 behind the activations */
    double *output;
    double *delta, *doubt; /* of the hidden units */
} sample;

static double *doubles(int count)
{
    return allocate((size_t)count, sizeof(double));
}

/* out = [x 1] W */
static void multiply(const double *x, const float *weights, int inputs, int units, double *out)
{
    memset(out, 0, (size_t)units * sizeof *out);
    for (int i = 0; i <= inputs; ++i)
        for (int j = 0; j < units; ++j)
            out[j] += x[i] * (double)weights[(size_t)i * (size_t)units + (size_t)j];
}

/* gradient += x' delta / batch */
static void collect(const double *x, const double *delta, int inputs, int units, int batch,
                    double *gradient)
{
    for (int i = 0; i <= inputs; ++i)
        for (int j = 0; j < units; ++j)
            gradient[(size_t)i * (size_t)units + (size_t)j] += x[i] * delta[j] / batch;
}

static void forward(const net_reference *r, sample *s)
{
    const net_case *of = &r->of;
    multiply(s->input, r->read.layer[0], of->inputs, of->hidden, s->sum);
    for (int j = 0; j < of->hidden; ++j)
        s->unit[j] = stored(r, of->has_labels ? fmax(s->sum[j], 0) : 1 / (1 + exp(-s->sum[j])));
    multiply(s->unit, r->read.layer[1], of->hidden, of->outputs, s->output);
}

/* Outputs become the derivative of the loss by what the output units get. */
static void output_delta(const net_reference *r, sample *s, const net_data *data, int number)
{
    const int outputs = r->of.outputs;
    double sum = 0;
    for (int j = 0; j < outputs; ++j)
        sum += exp(s->output[j]);
    for (int j = 0; j < outputs; ++j) {
        if (r->of.has_labels) {
            s->output[j] = stored(r, exp(s->output[j]) / sum - (data->labels[number] == j ? 1 : 0));
            continue;
        }
        const double y = 1 / (1 + exp(-s->output[j]));
        s->output[j] = stored(r, (y - (double)data->targets[number * outputs + j]) * y * (1 - y));
    }
}

static bool hidden_delta(const net_reference *r, sample *s)
{
    const net_case *of = &r->of;
    bool has_doubt = false;
    for (int u = 0; u < of->hidden; ++u) {
        double delta = 0;
        for (int j = 0; j < of->outputs; ++j)
            delta += s->output[j] * (double)r->read.layer[1][u * of->outputs + j];
        const double slope = of->has_labels ? (s->sum[u] > 0) : s->unit[u] * (1 - s->unit[u]);
        const bool is_undecided = of->has_labels && fabs(s->sum[u]) < kink;
        s->delta[u] = stored(r, delta * slope);
        s->doubt[u] = is_undecided ? fabs(delta) : 0;
        has_doubt = has_doubt || is_undecided;
    }
    return has_doubt;
}

static void add_sample(net_reference *r, sample *s, const net_data *data, int number)
{
    const net_case *of = &r->of;
    for (int i = 0; i < of->inputs; ++i)
        s->input[i] =
            stored(r, (double)data->inputs[(size_t)number * (size_t)of->inputs + (size_t)i]);
    forward(r, s);
    output_delta(r, s, data, number);
    collect(s->unit, s->output, of->hidden, of->outputs, of->batch, r->gradient[1]);
    const bool has_doubt = hidden_delta(r, s);
    collect(s->input, s->delta, of->inputs, of->hidden, of->batch, r->gradient[0]);
    if (has_doubt)
        collect(s->input, s->doubt, of->inputs, of->hidden, of->batch, r->doubt);
}

net_reference net_reference_new(const net_case *of, const net_data *data, bool mixed)
{
    net_reference r = {
        .of = *of, .mixed = mixed, .before = net_weights_new(of), .read = net_weights_new(of)};
    for (int l = 0; l < 2; ++l)
        for (size_t i = 0; i < net_weights_count(of, l); ++i)
            r.read.layer[l][i] = (float)stored(&r, (double)r.read.layer[l][i]);
    sample s = {doubles(of->inputs + 1), doubles(of->hidden), doubles(of->hidden + 1),
                doubles(of->outputs),    doubles(of->hidden), doubles(of->hidden)};
    for (int l = 0; l < 2; ++l)
        r.gradient[l] = allocate(net_weights_count(of, l), sizeof(double));
    r.doubt = allocate(net_weights_count(of, 0), sizeof(double));
    s.input[of->inputs] = s.unit[of->hidden] = 1;
    for (int i = 0; i < of->batch; ++i)
        add_sample(&r, &s, data, i);
    free(s.input);
    free(s.sum);
    free(s.unit);
    free(s.output);
    free(s.delta);
    free(s.doubt);
    return r;
}

void net_reference_free(const net_reference *r)
{
    net_weights_free(&r->before);
    net_weights_free(&r->read);
    free(r->gradient[0]);
    free(r->gradient[1]);
    free(r->doubt);
}

/* Sums of float32 numbers that nearly cancel are judged by the greatest gradient of the layer. */
static double judge_layer(const net_reference *r, int layer, const float *got, int additions)
{
    double greatest = 0, worst = 0;
    const double rate = (double)NET_RATE;
    const double roundings = (2 + 4 * sqrt(additions)) * 0x1p-24;
    const size_t count = net_weights_count(&r->of, layer);
    for (size_t i = 0; i < count; ++i)
        greatest = fmax(greatest, fabs(r->gradient[layer][i]));
    for (size_t i = 0; i < count; ++i) {
        const double before = (double)r->before.layer[layer][i];
        const double doubt =
            (r->mixed ? mixed_error : rounding_error) * greatest + (layer == 0 ? r->doubt[i] : 0);
        const double bound = rate * doubt + roundings * fabs(before);
        const double error = fabs((double)got[i] - (before - rate * r->gradient[layer][i]));
        const double ratio = error == 0 ? 0 : error / bound;
        worst = ratio <= worst ? worst : isnan(ratio) ? INFINITY : ratio;
    }
    return worst;
}

double net_judge(const net_reference *r, const net_weights *got, int additions)
{
    return fmax(judge_layer(r, 0, got->layer[0], additions),
                judge_layer(r, 1, got->layer[1], additions));
}
