#include "network_checks.h"

#include "net/network.h"

void expect_bounded(double got, bounded want, const char *what, const char *where)
{
    if (!(fabs(got - want.value) <= want.bound))
        fail_at(__FILE__, __LINE__, "%s: %s is %.9g, expected %.9g, bound %.2g", where, what, got,
                want.value, want.bound);
}

void expect_within(array got, expected want, const char *what, const char *where)
{
    assert_int_equal(got.rows, want.value.rows);
    assert_int_equal(got.columns, want.value.columns);
    for (size_t i = 0; i < length_of(got); ++i)
        if (!(fabs(got.data[i] - want.value.data[i]) <= want.bound.data[i]))
            fail_at(__FILE__, __LINE__, "%s: %s %zu is %.9g, expected %.9g, bound %.2g", where,
                    what, i, got.data[i], want.value.data[i], want.bound.data[i]);
}

/* The class of a sample is its greatest output, or whether a single one of two classes is above the
 * bound between them. */
static void expect_class(const glnn_learner *network, int class, const float *outputs)
{
    const glnn__output *first = glnn__network_of(network)->outputs;
    const int count = first->columns;
    const glnn_loss loss = first->loss;
    if (count == 1 && (loss == GLNN_LOSS_CROSS_ENTROPY || loss == GLNN_LOSS_HINGE))
        assert_int_equal(class, outputs[0] > (loss == GLNN_LOSS_HINGE ? 0 : 0.5f));
    else
        for (int j = 0; j < count; ++j)
            assert_true(class >= 0 && class < count && outputs[class] >= outputs[j] - 1e-6f);
}

array predictions_of(glnn_learner *network, array inputs)
{
    const int outputs = outputs_of(network);
    float *floats = floats_new((size_t)inputs.rows * (size_t)outputs);
    float *alone = floats_new((size_t)inputs.rows * (size_t)outputs);
    int *classes = malloc((size_t)inputs.rows * sizeof *classes);
    assert_non_null(classes);
    assert_int_equal(glnn_learner_get_outputs(network), outputs);
    expect_ok(glnn_learner_predict(network, inputs.rows, floats_of(inputs), floats, classes));
    expect_ok(glnn_learner_predict(network, inputs.rows, floats_of(inputs), alone, NULL));
    assert_memory_equal(floats, alone, (size_t)inputs.rows * (size_t)outputs * sizeof *floats);
    for (int i = 0; i < inputs.rows; ++i)
        expect_class(network, classes[i], floats + (size_t)i * (size_t)outputs);
    free(classes);
    return array_of_floats(inputs.rows, outputs, floats);
}

array gradient_of(glnn_learner *network, const glnn_dataset *data, int count, int layer,
                  double *loss)
{
    const array shape = weights_of(network, layer);
    float *floats = floats_new(length_of(shape));
    expect_ok(glnn_network_compute_gradient(network, data, count, layer, loss, floats));
    return array_of_floats(shape.rows, shape.columns, floats);
}

/* Rows of a convolution that pad channels, and columns that pad a gate, are in no file, and
 * zero. */
static void clear_padding(const glnn_learner *network, int layer, array parameters)
{
    const glnn_layer_desc *desc = &glnn_network_get_desc(network)->layers[layer];
    if (desc->kind == GLNN_LAYER_RECURRENT || desc->kind == GLNN_LAYER_GRU)
        for (int row = 0; row < parameters.rows; ++row)
            for (int column = 0, width = (desc->units + 3) / 4 * 4; column < parameters.columns;
                 ++column)
                if (column % width >= desc->units)
                    *at(parameters, row, column) = 0;
    if (desc->kind != GLNN_LAYER_CONVOLUTION)
        return;
    const int channels = glnn__network_of(network)->layers[layer].input.channels / desc->groups;
    const int step = (channels + 3) / 4 * 4;
    for (int row = 0; row < parameters.rows - 1; ++row)
        for (int unit = 0; unit < parameters.columns && row % step >= channels; ++unit)
            *at(parameters, row, unit) = 0;
}

void draw_parameters(glnn_learner *network)
{
    for (int l = 0; l < glnn_network_get_desc(network)->layer_count; ++l) {
        const weights_shape of = weights_shape_of(network, l);
        if (!has_parameters(network, l))
            continue;
        array parameters = array_random(of.rows + of.has_biases, of.columns, -0.5, 0.5);
        clear_padding(network, l, parameters);
        const float *drawn = floats_of(parameters);
        expect_ok(
            write_weights(network, l, drawn, of.has_biases ? drawn + of.rows * of.columns : NULL));
    }
}

void expect_predictions(glnn_learner *network, int count, const char *where)
{
    const network_reference net = network_reference_of(network);
    const array inputs = array_random(count, net.desc.features, -2.0, 2.0);
    expect_within(predictions_of(network, inputs), network_reference_predict(&net, inputs),
                  "output", where);
}

void expect_gradients(glnn_learner *network, samples all, int count, const char *where)
{
    const glnn_dataset *data = dataset_of(all);
    network_reference net = network_reference_of(network);
    const bounded loss = network_reference_gradient(&net, samples_part(all, 0, count));
    for (int l = 0; l < net.desc.layer_count; ++l) {
        double got = 0;
        if (!has_parameters(network, l))
            continue;
        expect_within(gradient_of(network, data, count, l, &got), net.gradient[l], "gradient",
                      where);
        expect_bounded(got, loss, "the loss", where);
    }
}

double reference_slope(const network_reference *net, samples batch, double *number, double h)
{
    const double kept = *number;
    *number = kept + h;
    const double above = network_reference_loss(net, batch).value;
    *number = kept - h;
    const double below = network_reference_loss(net, batch).value;
    *number = kept;
    return (above - below) / (2 * h);
}

static void expect_slopes_of(const network_reference *net, samples batch, array numbers,
                             array gradient, const char *where)
{
    for (size_t i = 0; i < length_of(gradient); ++i)
        expect_bounded(gradient.data[i],
                       (bounded){reference_slope(net, batch, &numbers.data[i], 0x1p-16), 5e-9},
                       "the reference's gradient", where);
}

/* The difference of step h has two errors: h^2 / 6 times a third derivative, here below 100, and
 * the roundings of the two losses, here below 100 2^-53, divided by h. With h = 2^-16 these are
 * 4e-9 and 8e-10. Relu, leaky relu and maxima have a kink, but no sample is so close to it that the
 * step crosses it. */
void expect_slopes(network_reference *net, samples batch, const char *where)
{
    network_reference_gradient(net, batch);
    for (int l = 0; l < net->desc.layer_count; ++l)
        expect_slopes_of(net, batch, net->parameters[l].value, net->gradient[l].value, where);
    expect_slopes_of(net, batch, batch.inputs, net->input_gradient.value, where);
}

/* Parameters of two parts are their sum, and the low part is a rounding error of the high one. */
static void expect_parameters(const glnn_learner *network, const network_reference *net, int layer,
                              const char *where)
{
    array sum = weights_of(network, layer);
    if (net->desc.optimizer.two_parts) {
        const array low = state_of(network, layer, net->states - 1);
        for (size_t i = 0; i < length_of(sum); ++i) {
            assert_true(fabs(low.data[i]) <= EPS * fabs(sum.data[i]));
            sum.data[i] += low.data[i];
        }
    }
    expect_within(sum, net->parameters[layer], "weight", where);
}

void expect_step(glnn_learner *network, samples all, glnn_train_desc how, const char *where)
{
    network_reference net = network_reference_of(network);
    net.batch = how.batch;
    const bounded loss = network_reference_step(&net, all, (double)how.schedule.rate);
    glnn_train_result result = {.size = sizeof result};
    how.epochs = 1;
    how.batch = how.batch == 0 ? -1 : how.batch;
    how.keep_order = true; /* dropout knows samples by their place */
    expect_ok(glnn_learner_train(network, dataset_of(all), &how, &result));
    expect_bounded(result.training.loss, loss, "the loss", where);
    assert_int_equal(glnn_network_get_steps(network), net.steps);
    for (int l = 0; l < net.desc.layer_count; ++l) {
        if (!has_parameters(network, l))
            continue;
        expect_parameters(network, &net, l, where);
        if (has_statistics(network, l))
            expect_within(statistics_of(network, l), net.statistics[l], "statistic", where);
        for (int s = 0; s < net.states - net.desc.optimizer.two_parts; ++s)
            expect_within(state_of(network, l, s), net.state[l][s], "state", where);
    }
}
