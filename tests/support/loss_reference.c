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

/* Cross-entropy of two classes by one output. */
static bool is_binary(const network_reference *net, const expected *last)
{
    return net->desc.loss == GLNN_LOSS_CROSS_ENTROPY && last->value.columns == 1;
}

/* Of an output with cross-entropy: a softmax or sigmoid. */
bounded loss_reference_probability(const network_reference *net, const expected *last, int row,
                                   int column)
{
    if (is_binary(net, last))
        return activate(GLNN_MAP_SIGMOID, get_bounded(last, row, 0));
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

/* The target that the loss compares with. */
static double learnt_target(const network_reference *net, const expected *last,
                            const samples *batch, int row, int column)
{
    const double t = target_of(net, last, batch, row, column);
    const double smoothing = net->trains ? (double)net->desc.label_smoothing : 0;
    const int classes = is_binary(net, last) ? 2 : last->value.columns;
    return smoothing > 0 ? (1 - smoothing) * t + smoothing / classes : t;
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
        const bounded z = get_bounded(last, row, 0);
        const double t = learnt_target(net, last, batch, row, 0);
        const double value = fmax(z.value, 0) - t * z.value + log1p(exp(-fabs(z.value)));
        return (bounded){value, z.bound + 64 * EPS * (1 + fabs(z.value))};
    }
    if (net->desc.loss == GLNN_LOSS_CROSS_ENTROPY) {
        const bounded log_sum = log_sum_exp(last, row);
        const int roundings = net->desc.label_smoothing > 0 ? 4 + last->value.columns : 1;
        loss = log_sum;
        for (int j = 0; j < last->value.columns; ++j) {
            const bounded z = get_bounded(last, row, j);
            const double t = learnt_target(net, last, batch, row, j);
            loss.value -= t * z.value;
            loss.bound += t * z.bound + roundings * EPS * t * fabs(log_sum.value - z.value);
        }
        return loss;
    }
    for (int j = 0; j < last->value.columns; ++j) {
        const bounded y = get_bounded(last, row, j);
        const double d = fabs(y.value - target_of(net, last, batch, row, j));
        loss.value += d * d / 2;
        loss.bound += d * y.bound + y.bound * y.bound / 2;
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
expected loss_reference_delta(const network_reference *net, const expected *last,
                              const samples *batch)
{
    const glnn_map map = network_reference_map(net, net->desc.layer_count - 1);
    expected delta = expected_new(last->value.rows, last->value.columns);
    for (int i = 0; i < last->value.rows; ++i)
        for (int j = 0; j < last->value.columns; ++j) {
            const bounded y = get_bounded(last, i, j);
            const bool is_entropy = net->desc.loss == GLNN_LOSS_CROSS_ENTROPY;
            bounded d = is_entropy ? loss_reference_probability(net, last, i, j) : y;
            d.value -= learnt_target(net, last, batch, i, j);
            d.bound += EPS * fabs(d.value) + (net->desc.label_smoothing > 0 ? 2 * EPS : 0);
            d = is_entropy ? d : multiply(d, slope_of(map, y));
            const double weight = weight_of(batch, i);
            set_bounded(&delta, i, j,
                        (bounded){weight * d.value, weight * (d.bound + EPS * fabs(d.value))});
        }
    return delta;
}
