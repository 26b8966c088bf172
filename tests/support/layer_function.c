/* The reference of a function whose output and derivative depend on several numbers of a sample:
 * y_j = x_j x_k, where k counts from the end. */
#include "layer_reference.h"

static const glnn_kernel_desc mirrored = {
    .name = "mirrored",
    .source = "float element(int row, int column)\n"
              "{\n"
              "    return X_at(row, column) * X_at(row, X_columns - 1 - column);\n"
              "}\n",
    .operands = {"X"},
    .adjoint = "float element(int row, int column)\n"
               "{\n"
               "    int other = X_columns - 1 - column;\n"
               "    return X_at(row, other) * (DY_at(row, column) + DY_at(row, other));\n"
               "}\n",
};

static expected forward(const network_reference *net, int layer, const expected *in)
{
    (void)net, (void)layer;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j)
            set_bounded(
                &out, i, j,
                multiply(get_bounded(in, i, j), get_bounded(in, i, in->value.columns - 1 - j)));
    return out;
}

static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    (void)net, (void)layer;
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < in->value.columns; ++j) {
            const int other = in->value.columns - 1 - j;
            const bounded a = get_bounded(delta, i, j), b = get_bounded(delta, i, other);
            const bounded sum = {a.value + b.value,
                                 a.bound + b.bound + EPS * fabs(a.value + b.value)};
            set_bounded(&out, i, j, multiply(get_bounded(in, i, other), sum));
        }
    return out;
}

const layer_reference function_reference = {
    .layers = {{.units = 9, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_FUNCTION, .function = &mirrored}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
