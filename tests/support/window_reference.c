#include "window_reference.h"

static int fours(int n)
{
    return (n + 3) / 4 * 4;
}

static int count_windows(int image, int kernel, int stride, int padding, int dilation)
{
    return (image + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

glnn__sides grid_of(const convolution *c)
{
    const glnn__sides by = c->dilation;
    return (glnn__sides){count_windows(c->image.height, c->kernel.height, c->stride.height,
                                       c->padding.height, by.height),
                         count_windows(c->image.width, c->kernel.width, c->stride.width,
                                       c->padding.width, by.width)};
}

static int groups_of(const convolution *c)
{
    return c->groups > 1 ? c->groups : 1;
}

glnn__window forward_window(const convolution *c)
{
    return (glnn__window){.mode = GLNN__WINDOW_FORWARD,
                          .image = c->image,
                          .grid = grid_of(c),
                          .kernel = c->kernel,
                          .stride = c->stride,
                          .padding = c->padding,
                          .dilation = c->dilation,
                          .period = glnn__window_period(c->stride, c->dilation),
                          .groups = fours(c->channels / groups_of(c)) / 4,
                          .columns = c->groups > 1 ? c->outputs / c->groups : 0};
}

glnn__window backward_window(const convolution *c)
{
    glnn__window window = forward_window(c);
    window.mode = GLNN__WINDOW_BACKWARD;
    window.image = grid_of(c);
    window.grid = c->image;
    window.groups = fours(c->outputs / groups_of(c)) / 4;
    window.columns = c->groups > 1 ? c->channels / c->groups : 0;
    return window;
}

static int taps_of(const convolution *c)
{
    return c->kernel.height * c->kernel.width;
}

int group_lines_of(const convolution *c)
{
    return taps_of(c) * fours(c->channels / groups_of(c));
}

int lines_of(const convolution *c)
{
    return taps_of(c) * fours(c->channels);
}

array window_weights(const convolution *c)
{
    const int channels = c->channels / groups_of(c);
    array weights = array_random(group_lines_of(c) + 1, c->outputs, -1, 1);
    for (int line = 0; line < group_lines_of(c); ++line)
        for (int o = 0; o < c->outputs && line % fours(channels) >= channels; ++o)
            *at(weights, line, o) = 0;
    return weights;
}

/* Whether an element of the weights of all channels belongs to a group, and its line in the weights
 * of the group. */
static bool find_line(const convolution *c, int line, int unit, int *own)
{
    const int channels = c->channels / groups_of(c), units = c->outputs / groups_of(c);
    const int tap = line / fours(c->channels), channel = line % fours(c->channels);
    *own = line == lines_of(c) ? group_lines_of(c) : tap * fours(channels) + channel % channels;
    return line == lines_of(c) || (channel < c->channels && channel / channels == unit / units);
}

array ungrouped(const convolution *c, array weights)
{
    array all = array_new(lines_of(c) + 1, c->outputs);
    for (int line = 0, own; line < all.rows; ++line)
        for (int u = 0; u < all.columns; ++u)
            if (find_line(c, line, u, &own))
                *at(all, line, u) = *at(weights, own, u);
    return all;
}

expected grouped_gradient(const convolution *c, expected all)
{
    const int rows = group_lines_of(c) + 1;
    expected out = {array_new(rows, c->outputs), array_new(rows, c->outputs)};
    for (int line = 0, own; line < all.value.rows; ++line)
        for (int u = 0; u < c->outputs; ++u)
            if (find_line(c, line, u, &own)) {
                *at(out.value, own, u) = *at(all.value, line, u);
                *at(out.bound, own, u) = *at(all.bound, line, u);
            }
    return out;
}

static bool is_inside(glnn__sides image, int y, int x)
{
    return y >= 0 && y < image.height && x >= 0 && x < image.width;
}

/* Calls `place` for all pixels of the outputs and the pixels of the image that their taps read. */
typedef void place_fn(const convolution *c, array from, array to, int output, int tap, int pixel);

static void visit(const convolution *c, array from, array to, place_fn *place)
{
    const glnn__sides grid = grid_of(c), by = c->dilation;
    for (int row = 0; row < c->samples * grid.height * grid.width; ++row) {
        const int n = row / (grid.height * grid.width);
        const int top = row / grid.width % grid.height * c->stride.height - c->padding.height;
        const int left = row % grid.width * c->stride.width - c->padding.width;
        for (int tap = 0; tap < c->kernel.height * c->kernel.width; ++tap) {
            const int y = top + tap / c->kernel.width * by.height;
            const int x = left + tap % c->kernel.width * by.width;
            if (is_inside(c->image, y, x))
                place(c, from, to, row, tap, (n * c->image.height + y) * c->image.width + x);
        }
    }
}

static void place_window(const convolution *c, array from, array to, int output, int tap, int pixel)
{
    for (int channel = 0; channel < c->channels; ++channel)
        *at(to, output, tap * fours(c->channels) + channel) = *at(from, pixel, channel);
}

static void place_back(const convolution *c, array from, array to, int output, int tap, int pixel)
{
    for (int o = 0; o < c->outputs; ++o)
        *at(to, pixel, tap * fours(c->outputs) + o) = *at(from, output, o);
}

array window_rows(const convolution *c, array pixels)
{
    const glnn__sides grid = grid_of(c);
    array windows = array_new(c->samples * grid.height * grid.width, lines_of(c));
    visit(c, pixels, windows, place_window);
    return windows;
}

array backward_windows_of(const convolution *c, array delta)
{
    array windows =
        array_new(c->samples * c->image.height * c->image.width, taps_of(c) * fours(c->outputs));
    visit(c, delta, windows, place_back);
    return windows;
}

array backward_weights_of(const convolution *c, array weights)
{
    const int taps = taps_of(c), outputs = fours(c->outputs);
    array turned = array_new(taps * outputs, c->channels);
    for (int tap = 0; tap < taps; ++tap)
        for (int o = 0; o < c->outputs; ++o)
            for (int channel = 0; channel < c->channels; ++channel)
                *at(turned, tap * outputs + o, channel) =
                    *at(weights, tap * fours(c->channels) + channel, o);
    return turned;
}
