/* The references of max and average pooling. */
#include "layer_reference.h"

typedef struct window {
    int top, left, bottom, right; /* inside the image, ends excluded */
} window;

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static window window_at(const network_reference *net, int layer, int y, int x)
{
    const glnn_layer_desc *of = &net->desc.layers[layer];
    const glnn_shape image = network_reference_input(net, layer);
    const int top = y * of->stride.height - of->padding.height;
    const int left = x * of->stride.width - of->padding.width;
    return (window){greater(top, 0), greater(left, 0),
                    lesser(top + of->kernel.height, image.height),
                    lesser(left + of->kernel.width, image.width)};
}

static bool is_maximum(const network_reference *net, int layer)
{
    return net->desc.layers[layer].kind == GLNN_LAYER_MAX_POOL;
}

/* The first of the greatest numbers of a window; the columns of a channel begin at `first`. */
static int find_greatest(const expected *in, int row, int first, int width, window w)
{
    int best = first + w.top * width + w.left;
    for (int y = w.top; y < w.bottom; ++y)
        for (int x = w.left; x < w.right; ++x)
            if (*at(in->value, row, first + y * width + x) > *at(in->value, row, best))
                best = first + y * width + x;
    return best;
}

/* Rounding can only change the maximum by as much as one number. */
static bounded maximum(const expected *in, int row, int first, int width, window w)
{
    bounded result = get_bounded(in, row, find_greatest(in, row, first, width, w));
    for (int y = w.top; y < w.bottom; ++y)
        for (int x = w.left; x < w.right; ++x)
            result.bound = fmax(result.bound, get_bounded(in, row, first + y * width + x).bound);
    return result;
}

static bounded mean(const expected *in, int row, int first, int width, window w, int size)
{
    product_sum sum = {0};
    for (int y = w.top; y < w.bottom; ++y)
        for (int x = w.left; x < w.right; ++x)
            add_product(&sum, get_bounded(in, row, first + y * width + x),
                        (bounded){1.0 / size, 0});
    return finish_sum(&sum, size);
}

static int size_of(const network_reference *net, int layer)
{
    return net->desc.layers[layer].kernel.height * net->desc.layers[layer].kernel.width;
}

static expected forward(const network_reference *net, int layer, const expected *in)
{
    const glnn_shape from = network_reference_input(net, layer), to = net->outputs[layer];
    expected out = expected_new(in->value.rows, to.channels * to.height * to.width);
    for (int i = 0; i < in->value.rows; ++i)
        for (int j = 0; j < out.value.columns; ++j) {
            const int x = j % to.width, y = j / to.width % to.height;
            const int first = j / to.width / to.height * from.height * from.width;
            const window w = window_at(net, layer, y, x);
            set_bounded(&out, i, j,
                        is_maximum(net, layer)
                            ? maximum(in, i, first, from.width, w)
                            : mean(in, i, first, from.width, w, size_of(net, layer)));
        }
    return out;
}

/* Adds a window's delta to its greatest number. A number so close to it that rounding can make it
 * the greatest may get the delta, too. */
static void add_to_greatest(expected *out, const expected *in, int row, int first, int width,
                            window w, bounded delta)
{
    const int best = find_greatest(in, row, first, width, w);
    const bounded most = get_bounded(in, row, best);
    for (int y = w.top; y < w.bottom; ++y)
        for (int x = w.left; x < w.right; ++x) {
            const int j = first + y * width + x;
            const bounded other = get_bounded(in, row, j);
            const double spread = most.bound + other.bound;
            if (j != best && spread > 0 && most.value - other.value <= spread) {
                *at(out->bound, row, j) += fabs(delta.value) + delta.bound;
                *at(out->bound, row, best) += fabs(delta.value) + delta.bound;
            }
        }
    *at(out->value, row, best) += delta.value;
    *at(out->bound, row, best) += delta.bound;
}

static void add_to_all(expected *out, int row, int first, int width, window w, bounded delta)
{
    for (int y = w.top; y < w.bottom; ++y)
        for (int x = w.left; x < w.right; ++x) {
            *at(out->value, row, first + y * width + x) += delta.value;
            *at(out->bound, row, first + y * width + x) += delta.bound;
        }
}

/* Each delta is rounded at most as often as the sum has terms, and at two products. */
static expected backward(const network_reference *net, int layer, const expected *in,
                         const expected *delta)
{
    const glnn_shape from = network_reference_input(net, layer), to = net->outputs[layer];
    const int size = size_of(net, layer);
    expected out = expected_new(in->value.rows, in->value.columns);
    for (int i = 0; i < delta->value.rows; ++i)
        for (int j = 0; j < delta->value.columns; ++j) {
            const int x = j % to.width, y = j / to.width % to.height;
            const int first = j / to.width / to.height * from.height * from.width;
            const window w = window_at(net, layer, y, x);
            bounded d = get_bounded(delta, i, j);
            d.bound += (size + 2) * EPS * fabs(d.value);
            if (is_maximum(net, layer))
                add_to_greatest(&out, in, i, first, from.width, w, d);
            else
                add_to_all(&out, i, first, from.width, w,
                           (bounded){d.value / size, d.bound / size});
        }
    return out;
}

/* Windows that overlap, with a rest of the image that no window covers. */
const layer_reference max_pool_reference = {
    .layers =
        {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
         {.kind = GLNN_LAYER_MAX_POOL, .kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 1}}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};

const layer_reference average_pool_reference = {
    .layers = {{.kind = GLNN_LAYER_BATCH_NORM, .activation = GLNN_ACTIVATION_TANH},
               {.kind = GLNN_LAYER_AVERAGE_POOL, .kernel = {2, 3}, .padding = {1, 0}}},
    .count = 2,
    .forward = forward,
    .backward = backward,
};
