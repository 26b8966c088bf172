/* The passes of a training step, and the textures between them, recorded from a step that runs. */
#include "drawings.h"
#include "net/network.h"
#include "recorder.h"
#include "svg.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 4000, BATCH = 128, FEATURES = 784, HIDDEN = 128, CLASSES = 10 };
enum { MAX_LINES = 24, TOP = 152, LEFT = 240, ACROSS = 67, DOWN = 27, DOT = 6 };

/* The purpose of each pass, in the order in which the step runs them. */
static const struct {
    const char *kernel, *part, *purpose;
} expected[] = {
    {"gather", "forward", "copies the samples of the batch, which the shuffled order names"},
    {"gemm", "forward", "input times weights 0, plus the biases, in slices of the inner dimension"},
    {"fold", "forward", "sums the slices and applies relu"},
    {"gemm", "forward", "output 0 times weights 1, plus the biases"},
    {"delta", "loss", "softmax of output 1 minus the target; adds loss and counts to the metrics"},
    {"gemm", "backward", "delta 1 times weights 1 transposed, times the derivative of relu"},
    {"gemm", "gradient", "input transposed times delta 0, and the update of weights 0 by it"},
    {"gemm", "gradient", "output 0 transposed times delta 1, and the update of weights 1"},
};

#define EXPECTED ((int)(sizeof expected / sizeof *expected))

static glnn_learner *make_network(glnn_context *ctx)
{
    glnn_learner *network;
    require(
        glnn_network_create(ctx,
                            &(glnn_network_desc){.features = FEATURES,
                                                 .layers = {{.units = HIDDEN}, {.units = CLASSES}},
                                                 .optimizer = {.momentum = 0.9f},
                                                 .capacity = BATCH,
                                                 .layout = GLNN_LAYOUT_TILED},
                            &network));
    return network;
}

static bool is_expected(const passes *p)
{
    bool is_good = p->count == EXPECTED;
    for (int i = 0; is_good && i < EXPECTED; ++i)
        is_good = strcmp(p->passes[i].kernel, expected[i].kernel) == 0;
    if (!is_good)
        fprintf(stderr, "a training step has other passes than training_step.c explains\n");
    return is_good;
}

/* A matrix of the step, with the passes that use it. */
typedef struct line {
    const glnn_matrix *matrix;
    char name[64], size[32];
    bool reads[EXPECTED], writes[EXPECTED];
} line;

typedef struct chart {
    int count;
    line lines[MAX_LINES];
} chart;

/* The layer that a matrix of the network belongs to, from 0; -1: none. */
static int layer_of(const glnn_learner *network, const glnn_matrix *m)
{
    for (int i = 0; i < glnn_network_get_desc(network)->layer_count; ++i) {
        const glnn__layer *layer = &glnn__network_of(network)->layers[i];
        if (m == layer->out.values || m == layer->out.delta || m == layer->parameters->values ||
            m == layer->parameters->states[0])
            return i;
    }
    return -1;
}

/* The name of a data set's matrix and that of a batch may be almost the same. */
static const char *owner_of(const glnn_learner *network, const used_matrix *used)
{
    if (used->rows == SAMPLES)
        return " (data set)";
    return used->matrix == glnn__network_of(network)->input.values ? " (batch)" : "";
}

static line *find_line(chart *c, const glnn_learner *network, const used_matrix *used)
{
    for (int i = 0; i < c->count; ++i)
        if (c->lines[i].matrix == used->matrix)
            return &c->lines[i];
    const int layer = layer_of(network, used->matrix);
    line *l = &c->lines[c->count++];
    l->matrix = used->matrix;
    if (layer >= 0)
        snprintf(l->name, sizeof l->name, "%s %d", used->name, layer);
    else
        snprintf(l->name, sizeof l->name, "%s%s", used->name, owner_of(network, used));
    snprintf(l->size, sizeof l->size, "%d x %d", used->rows, used->columns);
    return l;
}

static void fill_chart(chart *c, const glnn_learner *network, const passes *p)
{
    for (int i = 0; i < p->count; ++i) {
        const recorded_pass *pass = &p->passes[i];
        for (int k = 0; k < pass->read_count; ++k)
            find_line(c, network, &pass->read[k])->reads[i] = true;
        for (int k = 0; k < pass->written_count; ++k) {
            line *l = find_line(c, network, &pass->written[k]);
            l->writes[i] = true;
            /* A pass that blends, and the side outputs here, add to what they find. */
            l->reads[i] = k > 0 || pass->blends;
        }
    }
}

static double x_of(int pass)
{
    return LEFT + (pass + 0.5) * ACROSS;
}

static double y_of(int number)
{
    return TOP + (number + 0.5) * DOWN;
}

static void draw_mark(svg *s, bool is_read, bool is_written, double x, double y)
{
    if (is_written)
        svg_rect(s, SVG_WRITTEN, x - DOT - 2, y - DOT - 2, 2 * DOT + 4, 2 * DOT + 4);
    if (is_read)
        svg_circle(s, SVG_READ, x, y, is_written ? DOT - 1 : DOT);
}

static void draw_legend(svg *s)
{
    static const char *const meanings[] = {"is read", "is written", "is read and changed"};
    for (int i = 0; i < 3; ++i) {
        const double x = 28 + 110 * i;
        draw_mark(s, i != 1, i != 0, x, 74);
        svg_text(s, SVG_SMALL, SVG_LEFT, x + 14, 78, "%s", meanings[i]);
    }
}

static void draw_line(svg *s, const line *l, int number)
{
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, y_of(number) + 4, "%s", l->name);
    svg_text(s, SVG_SMALL, SVG_RIGHT, LEFT - 14, y_of(number) + 4, "%s", l->size);
    svg_line(s, SVG_PANEL, LEFT - 8, y_of(number), x_of(EXPECTED - 1) + 28, y_of(number));
}

/* From the uppermost to the lowest matrix of a pass. */
static void draw_pass_line(svg *s, const chart *c, int pass)
{
    int first = -1, last = 0;
    for (int i = 0; i < c->count; ++i) {
        if (!c->lines[i].reads[pass] && !c->lines[i].writes[pass])
            continue;
        first = first < 0 ? i : first;
        last = i;
    }
    svg_line(s, SVG_PLAIN, x_of(pass), y_of(first), x_of(pass), y_of(last));
}

static void draw_parts(svg *s, double bottom)
{
    for (int first = 0, next; first < EXPECTED; first = next) {
        next = first + 1;
        while (next < EXPECTED && strcmp(expected[next].part, expected[first].part) == 0)
            ++next;
        const double left = LEFT + first * ACROSS + 3, width = (next - first) * ACROSS - 6;
        svg_rect(s, SVG_PANEL, left, 92, width, bottom - 92);
        svg_text(s, SVG_LABEL, SVG_CENTRE, left + width / 2, 108, "%s", expected[first].part);
    }
}

static void draw_chart(svg *s, const chart *c)
{
    draw_parts(s, TOP + c->count * DOWN);
    for (int i = 0; i < c->count; ++i)
        draw_line(s, &c->lines[i], i);
    for (int pass = 0; pass < EXPECTED; ++pass) {
        svg_text(s, SVG_HEADING, SVG_CENTRE, x_of(pass), 128, "%d", pass + 1);
        svg_text(s, SVG_LABEL, SVG_CENTRE, x_of(pass), 145, "%s", expected[pass].kernel);
        draw_pass_line(s, c, pass);
        for (int i = 0; i < c->count; ++i)
            draw_mark(s, c->lines[i].reads[pass], c->lines[i].writes[pass], x_of(pass), y_of(i));
    }
}

static bool draw(const char *path, const chart *c)
{
    const double end = TOP + c->count * DOWN;
    char subtitle[160];
    svg *s = svg_begin(path, end + 20 + EXPECTED * 20, "The passes of one training step",
                       "A chart of eight passes and the matrices that each of them reads and "
                       "writes, from the input of a batch to the updated weights.");
    snprintf(subtitle, sizeof subtitle,
             "A network %d-%d-%d with relu, cross-entropy and momentum. "
             "Its layers are 0 and 1. A batch has %d samples.",
             FEATURES, HIDDEN, CLASSES, BATCH);
    svg_text(s, SVG_LABEL, SVG_LEFT, 20, 56, "%s", subtitle);
    draw_legend(s);
    draw_chart(s, c);
    for (int i = 0; i < EXPECTED; ++i)
        svg_text(s, SVG_LABEL, SVG_LEFT, 20, end + 28 + i * 20, "%d  %s: %s", i + 1,
                 expected[i].kernel, expected[i].purpose);
    return svg_end(s);
}

bool draw_training_step(const char *path)
{
    glnn_context *ctx = recorder_context();
    glnn_dataset *data = recorder_data(ctx, SAMPLES, FEATURES, CLASSES);
    glnn_learner *network = make_network(ctx);
    passes p;
    chart c = {0};
    record_step(network, data, BATCH, &p);
    const bool is_good = is_expected(&p);
    if (is_good)
        fill_chart(&c, network, &p);
    glnn_learner_destroy(network);
    glnn_dataset_destroy(data);
    glnn_context_destroy(ctx);
    return is_good && draw(path, &c);
}
