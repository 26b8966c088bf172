#include "common/conv_shapes.h"

#include "base/integers.h"

const char *conv_part_name(conv_part part)
{
    static const char *const names[] = {
        [CONV_OUTPUTS] = "outputs", [CONV_WEIGHTS] = "weights", [CONV_INPUTS] = "inputs"};
    return names[part];
}

conv_shapes conv_shapes_of(const glnn__layer *layer, int batch, conv_part part)
{
    const int lines = layer->parameter_shape.rows, units = layer->desc.units;
    const int taps = layer->desc.kernel.height * layer->desc.kernel.width;
    const int from = batch * layer->input.height * layer->input.width;
    const int to = batch * layer->out.shape.height * layer->out.shape.width;
    const int channels = layer->input.channels, deep = taps * glnn__round_up(units, 4);
    const glnn__window forward = glnn__convolution_window(layer, GLNN__WINDOW_FORWARD);
    const conv_shapes all[] = {
        [CONV_OUTPUTS] = {.rows = to,
                          .columns = units,
                          .inner = lines,
                          .a = {from, channels},
                          .b = {lines + 1, units},
                          .plain_a = {to, lines},
                          .plain_b = {lines, units},
                          .window = forward},
        [CONV_WEIGHTS] = {.rows = lines,
                          .columns = units,
                          .inner = to,
                          .a = {from, channels},
                          .b = {to, units},
                          .plain_a = {to, lines},
                          .plain_b = {to, units},
                          .transpose_a = true,
                          .window = forward},
        [CONV_INPUTS] = {.rows = from,
                         .columns = channels,
                         .inner = deep,
                         .a = {to, units},
                         .b = {lines + 1, units},
                         .plain_a = {from, deep},
                         .plain_b = {channels, deep},
                         .transpose_b = true,
                         .window = glnn__convolution_window(layer, GLNN__WINDOW_BACKWARD)},
    };
    return all[part];
}

static double taps_of(const glnn__layer *layer)
{
    return (double)layer->desc.kernel.height * layer->desc.kernel.width * layer->input.channels;
}

double conv_multiply_adds(const glnn__layer *layer, int batch)
{
    return (double)batch * glnn__shape_size(layer->out.shape) * taps_of(layer);
}

double conv_bytes(const glnn__layer *layer, int batch)
{
    const double images =
        (double)batch * (glnn__shape_size(layer->input) + glnn__shape_size(layer->out.shape));
    return sizeof(float) * (images + taps_of(layer) * layer->desc.units);
}
