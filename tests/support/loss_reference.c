#include "loss_reference.h"

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
    const bounded element = get_bounded(z, row, column);
    const double p = exp(element.value - log_sum.value);
    return (bounded){p, p * (element.bound + log_sum.bound + EPS * fabs(element.value)) +
                            (64 + z->value.columns) * EPS};
}

/* Two classes by one output. */
static bool is_binary(const network_reference *net, const expected *last)
{
    return (net->desc.loss == GLNN_LOSS_CROSS_ENTROPY || net->desc.loss == GLNN_LOSS_HINGE) &&
           last->value.columns == 1;
}

/* A sigmoid follows each output. */
static bool has_sigmoid(const network_reference *net, const expected *last)
{
    return net->desc.loss == GLNN_LOSS_BINARY_CROSS_ENTROPY ||
           (net->desc.loss == GLNN_LOSS_CROSS_ENTROPY && last->value.columns == 1);
}

bool loss_reference_has_probabilities(const network_reference *net)
{
    return net->desc.loss == GLNN_LOSS_CROSS_ENTROPY ||
           net->desc.loss == GLNN_LOSS_BINARY_CROSS_ENTROPY;
}

/* Of an output with cross-entropy: a softmax or sigmoid. */
bounded loss_reference_probability(const network_reference *net, const expected *last, int row,
                                   int column)
{
    if (has_sigmoid(net, last))
        return activate(GLNN_MAP_SIGMOID, get_bounded(last, row, column));
    return probability(last, row, column, log_sum_exp(last, row));
}

static double target_of(const network_reference *net, const expected *last, const samples *batch,
                        int row, int column)
{
    if (batch->labels.data)
        return is_binary(net, last) ? *at(batch->labels, row, 0)
                                    : *at(batch->labels, row, 0) == column;
    return (double)(float)*at(batch->targets, row, column);
}

/* The target that the loss compares with. */
static double learnt_target(const network_reference *net, const expected *last,
                            const samples *batch, int row, int column)
{
    const double t = target_of(net, last, batch, row, column);
    const double smoothing = net->trains && loss_reference_has_probabilities(net)
                                 ? (double)net->desc.label_smoothing
                                 : 0;
    const int classes = has_sigmoid(net, last) ? 2 : last->value.columns;
    return smoothing > 0 ? (1 - smoothing) * t + smoothing / classes : t;
}

static double weight_of(const samples *batch, int row)
{
    return batch->weights.data ? (double)(float)*at(batch->weights, row, 0) : 1;
}

/* Of one output y with the target t, or with a sigmoid z. The slope is that of the loss by y, or by
 * z; `curve` is the most by which it changes with y, and `jump` is its change where it is not
 * continuous. */
typedef struct output_loss {
    double value, slope, curve, jump;
    double kink; /* the distance of y from the place of the jump */
} output_loss;

static output_loss loss_of(const network_reference *net, double y, double t)
{
    const double d = y - t, p = (double)net->desc.loss_parameter, s = 2 * t - 1;
    switch (net->desc.loss) {
    case GLNN_LOSS_ABSOLUTE:
        return (output_loss){fabs(d), (d > 0) - (d < 0), 0, 2, fabs(d)};
    case GLNN_LOSS_HUBER:
        return fabs(d) < p ? (output_loss){d * d / 2, d, 1, 0, INFINITY}
                           : (output_loss){p * (fabs(d) - p / 2), d < 0 ? -p : p, 1, 0, INFINITY};
    case GLNN_LOSS_HINGE:
        return (output_loss){fmax(1 - s * y, 0), s * y < 1 ? -s : 0, 0, fabs(s), fabs(1 - s * y)};
    case GLNN_LOSS_QUANTILE:
        return (output_loss){d < 0 ? -p * d : (1 - p) * d,
                             d < 0   ? -p
                             : d > 0 ? 1 - p
                                     : 0.5 - p,
                             0, 1, fabs(d)};
    case GLNN_LOSS_EXPRESSION: /* EXPRESSION_VALUE */
        return (output_loss){log1p(d * d) + t * y / 4, 2 * d / (1 + d * d) + t / 4, 2, 0, INFINITY};
    default:
        return (output_loss){d * d / 2, d, 1, 0, INFINITY};
    }
}

/* log(1 + exp(z)) - t z has the slope of a sigmoid less t, which is at most 1. */
static bounded sigmoid_loss(bounded z, double t)
{
    const double value = fmax(z.value, 0) - t * z.value + log1p(exp(-fabs(z.value)));
    return (bounded){value, z.bound + 64 * EPS * (1 + fabs(z.value))};
}

static bounded softmax_loss(const network_reference *net, const expected *last,
                            const samples *batch, int row)
{
    const bounded log_sum = log_sum_exp(last, row);
    const int roundings = net->desc.label_smoothing > 0 ? 4 + last->value.columns : 1;
    bounded loss = log_sum;
    for (int j = 0; j < last->value.columns; ++j) {
        const bounded z = get_bounded(last, row, j);
        const double t = learnt_target(net, last, batch, row, j);
        loss.value -= t * z.value;
        loss.bound += t * z.bound + roundings * EPS * t * fabs(log_sum.value - z.value);
    }
    return loss;
}

/* 64 EPS times the sizes of the numbers stands for the roundings of an expression. */
static bounded sample_loss(const network_reference *net, const expected *last, const samples *batch,
                           int row)
{
    bounded loss = {0, 0};
    if (loss_reference_has_probabilities(net) && !has_sigmoid(net, last))
        return softmax_loss(net, last, batch, row);
    for (int j = 0; j < last->value.columns; ++j) {
        const bounded y = get_bounded(last, row, j);
        const double t = learnt_target(net, last, batch, row, j);
        const output_loss of = loss_of(net, y.value, t);
        bounded part = {of.value, (fabs(of.slope) + (of.kink <= y.bound ? of.jump : 0)) * y.bound +
                                      of.curve * y.bound * y.bound / 2};
        if (net->desc.loss != GLNN_LOSS_SQUARED)
            part.bound += 64 * EPS * (1 + fabs(y.value) + fabs(t));
        if (has_sigmoid(net, last))
            part = sigmoid_loss(y, t);
        loss.value += part.value;
        loss.bound += part.bound;
    }
    loss.bound += (last->value.columns + 4) * EPS * loss.value;
    return loss;
}

/* Sums over rows: glnn/reduce.h gives (32 p + 2) eps for p passes, and p is 2 up to 1024 rows; as
 * much again stands for the blending of up to 66 batches. */
bounded loss_reference_mean(const network_reference *net, const expected *last,
                            const samples *batch)
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

/* The gradient of each sample's loss with respect to what the output units get. */
expected loss_reference_delta(const network_reference *net, glnn_map map, const expected *last,
                              const samples *batch)
{
    expected delta = expected_new(last->value.rows, last->value.columns);
    for (int i = 0; i < last->value.rows; ++i)
        for (int j = 0; j < last->value.columns; ++j) {
            const bounded y = get_bounded(last, i, j);
            const double t = learnt_target(net, last, batch, i, j);
            const output_loss of = loss_of(net, y.value, t);
            bounded d = {of.slope, of.curve * y.bound + (of.kink <= y.bound ? of.jump : 0) +
                                       EPS * fabs(of.slope)};
            if (loss_reference_has_probabilities(net)) {
                d = loss_reference_probability(net, last, i, j);
                d.value -= t;
                d.bound += EPS * fabs(d.value) + (net->desc.label_smoothing > 0 ? 2 * EPS : 0);
            } else {
                if (net->desc.loss != GLNN_LOSS_SQUARED)
                    d.bound += 64 * EPS * (1 + fabs(y.value) + fabs(t));
                d = multiply(d, slope_of(map, y));
            }
            const double weight = weight_of(batch, i);
            set_bounded(&delta, i, j,
                        (bounded){weight * d.value, weight * (d.bound + EPS * fabs(d.value))});
        }
    return delta;
}
