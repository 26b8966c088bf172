/* A convolution as a matrix product. The library itself says which pixel each number of the
 * windows is: it computes a convolution whose weights are the identity. */
#include "drawings.h"
#include "recorder.h"
#include "svg.h"

#include <glnn/network.h>

enum { SIDE = 5, KERNEL = 3, GRID = SIDE - KERNEL + 1, TAPS = KERNEL * KERNEL, UNITS = 4 };
enum { PIXELS = GRID * GRID, FOLLOWED = 5 }; /* of the output */
enum { CELL = 24, TOP = 150, IMAGE_LEFT = 20, WINDOWS_LEFT = 190, WEIGHTS_LEFT = 490 };
enum { OUTPUT_LEFT = 650 };

/* The pixel, from 1, that each number of the windows is a copy of. */
static void ask_windows(int windows[PIXELS][TAPS])
{
    float image[SIDE * SIDE], weights[TAPS][TAPS] = {{0}}, outputs[TAPS * PIXELS];
    glnn_context *ctx = recorder_context();
    glnn_learner *network;
    for (int i = 0; i < SIDE * SIDE; ++i)
        image[i] = (float)(i + 1);
    for (int tap = 0; tap < TAPS; ++tap)
        weights[tap][tap] = 1;
    require(glnn_network_create(
        ctx,
        &(glnn_network_desc){.shape = {1, SIDE, SIDE},
                             .layers = {{.kind = GLNN_LAYER_CONVOLUTION,
                                         .units = TAPS,
                                         .kernel = {KERNEL, KERNEL},
                                         .activation = GLNN_ACTIVATION_IDENTITY},
                                        {.kind = GLNN_LAYER_FLATTEN}},
                             .loss = GLNN_LOSS_SQUARED},
        &network));
    require(glnn_learner_set_tensor(network, "0.weight", TAPS * TAPS, weights[0]));
    require(glnn_learner_predict(network, 1, image, outputs, NULL));
    for (int pixel = 0; pixel < PIXELS; ++pixel)
        for (int tap = 0; tap < TAPS; ++tap)
            windows[pixel][tap] = (int)outputs[tap * PIXELS + pixel];
    glnn_learner_destroy(network);
    glnn_context_destroy(ctx);
}

static void draw_grid(svg *s, svg_look look, int rows, int columns, double x, double y)
{
    for (int i = 0; i < rows * columns; ++i)
        svg_rect(s, look, x + i % columns * CELL, y + i / columns * CELL, CELL, CELL);
}

static void draw_number(svg *s, svg_look look, int number, double x, double y)
{
    if (look != SVG_PLAIN)
        svg_rect(s, look, x, y, CELL, CELL);
    svg_text(s, SVG_SMALL, SVG_CENTRE, x + CELL / 2.0, y + 16, "%d", number);
}

/* The pixels of the followed window are those that its row of the windows names. */
static void draw_image(svg *s, const int window[TAPS])
{
    draw_grid(s, SVG_PLAIN, SIDE, SIDE, IMAGE_LEFT, TOP);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        svg_look look = SVG_PLAIN;
        for (int tap = 0; tap < TAPS; ++tap)
            look = window[tap] == i + 1 ? SVG_READ : look;
        draw_number(s, look, i + 1, IMAGE_LEFT + i % SIDE * CELL, TOP + i / SIDE * CELL);
    }
    svg_text(s, SVG_HEADING, SVG_LEFT, IMAGE_LEFT, TOP - 24, "image");
    svg_text(s, SVG_SMALL, SVG_LEFT, IMAGE_LEFT, TOP - 8, "%d x %d pixels", SIDE, SIDE);
}

static void draw_windows(svg *s, int windows[PIXELS][TAPS])
{
    draw_grid(s, SVG_PADDING, PIXELS, TAPS + 1, WINDOWS_LEFT, TOP);
    for (int row = 0; row < PIXELS; ++row)
        for (int tap = 0; tap <= TAPS; ++tap)
            draw_number(s, row == FOLLOWED ? SVG_READ : SVG_PLAIN,
                        tap < TAPS ? windows[row][tap] : 1, WINDOWS_LEFT + tap * CELL,
                        TOP + row * CELL);
    svg_text(s, SVG_HEADING, SVG_LEFT, WINDOWS_LEFT, TOP - 24, "windows, which no texture holds");
    svg_text(s, SVG_SMALL, SVG_LEFT, WINDOWS_LEFT, TOP - 8,
             "a row for each pixel of the output, with a last 1");
}

static void draw_product_with_weights(svg *s)
{
    draw_grid(s, SVG_PLAIN, TAPS + 1, UNITS, WEIGHTS_LEFT, TOP);
    for (int row = 0; row <= TAPS; ++row)
        svg_rect(s, SVG_READ, WEIGHTS_LEFT + CELL, TOP + row * CELL, CELL, CELL);
    svg_text(s, SVG_HEADING, SVG_LEFT, WEIGHTS_LEFT, TOP - 24, "weights");
    svg_text(s, SVG_SMALL, SVG_LEFT, WEIGHTS_LEFT, TOP - 8, "a column a unit");
    draw_grid(s, SVG_PLAIN, PIXELS, UNITS, OUTPUT_LEFT, TOP);
    svg_rect(s, SVG_WRITTEN, OUTPUT_LEFT + CELL, TOP + FOLLOWED * CELL, CELL, CELL);
    svg_text(s, SVG_HEADING, SVG_LEFT, OUTPUT_LEFT, TOP - 24, "output");
    svg_text(s, SVG_SMALL, SVG_LEFT, OUTPUT_LEFT, TOP - 8, "pixels x units");
}

bool draw_convolution(const char *path)
{
    static const svg_key keys[] = {{SVG_READ, "the numbers that give one element of the output"},
                                   {SVG_WRITTEN, "this element"},
                                   {0}};
    const double middle = TOP + (FOLLOWED + 0.5) * CELL;
    int windows[PIXELS][TAPS];
    svg *s = svg_begin(path, 410, "A convolution is a matrix product",
                       "An image of 5 x 5 pixels, the matrix of its windows of 3 x 3 pixels, the "
                       "weights, and the output, which is the product of both.");
    ask_windows(windows);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56,
             "The numbers are those of the pixels. The last row of the weights has the biases, "
             "which are "
             "multiplied by 1.");
    svg_legend(s, 20, 76, keys);
    draw_image(s, windows[FOLLOWED]);
    draw_windows(s, windows);
    draw_product_with_weights(s);
    svg_text(s, SVG_HEADING, SVG_CENTRE, WEIGHTS_LEFT - 30, middle + 5, "x");
    svg_text(s, SVG_HEADING, SVG_CENTRE, OUTPUT_LEFT - 30, middle + 5, "=");
    return svg_end(s);
}
