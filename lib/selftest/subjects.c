/* Kernels of the program's own, searches for prototypes, and training steps. */
#include "base/random.h"
#include "base/status.h"
#include "selftest/cell.h"
#include "selftest/descent.h"
#include "selftest/families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers from -1 to 1, the same in every run. */
static void fill(float *numbers, int count, uint64_t seed)
{
    glnn__random random;
    glnn__random_start(&random, seed);
    for (int i = 0; i < count; ++i)
        numbers[i] = (float)(glnn__random_next(&random) >> 8) * 0x1p-23f - 1;
}

/* ---- A kernel */

static const glnn_kernel_desc kernel_desc = {
    .name = "self-test",
    .source = "float element(int row, int column)\n"
              "{\n"
              "    return X_at(row, column) + rate * Y_at(row, column);\n"
              "}\n",
    .operands = {"X", "Y"},
    .uniforms = {"float rate"},
};

/* x + rate y', where y is read as its transpose. */
static glnn_status run_kernel(glnn_context *ctx, const glnn__problem *p,
                              const glnn_matrix *const x[], glnn_matrix *out)
{
    const glnn_kernel_run_desc run = {
        .operands = {{.matrix = x[0]}, {.matrix = x[1], .transpose = true}},
        .uniforms = {(double)p->op->alpha}};
    glnn_kernel *kernel;
    GLNN__TRY(glnn_kernel_create(ctx, &kernel_desc, &kernel));
    const glnn_status status = glnn_kernel_run(kernel, &run, out);
    glnn_kernel_destroy(kernel);
    return status;
}

static void kernel_row(const glnn__problem *p, int row, double *value, double *bound)
{
    for (int j = 0; j < p->out.columns; ++j) {
        const double x = glnn__element(p->operand[0], row, j);
        const double y = (double)p->op->alpha * glnn__element(p->operand[1], j, row);
        value[j] = x + y;
        bound[j] = 2 * GLNN__ROUNDING * (fabs(x) + fabs(y));
    }
}

static const glnn__operation kernel_operation = {
    .name = "kernel",
    .call = "glnn_kernel_run",
    .family = "kernel",
    .kind = GLNN__KIND_MAP,
    .operands = {{GLNN__SIDE_M, GLNN__SIDE_N, GLNN__RANGE_UNIT},
                 {GLNN__SIDE_N, GLNN__SIDE_M, GLNN__RANGE_UNIT}},
    .out = {GLNN__SIDE_M, GLNN__SIDE_N, GLNN__RANGE_UNIT},
    .run = run_kernel,
    .reference = kernel_row,
    .alpha = -0.3f,
};

static void test_kernel(glnn_context *ctx, glnn__turn turn, glnn__cell *cell)
{
    glnn__cell_run_settings(ctx, &kernel_operation, turn, cell);
}

/* ---- The network: a convolution of one channel, and a dense layer with cross-entropy. If the
 * window is the whole image, the convolution is a dense layer too. */

enum { SAMPLES = 9, UNITS = 3, CLASSES = 4, MOST_FEATURES = 25 };

typedef struct net {
    int height, width, window_height, window_width;
    bool is_dense;
} net;

static const net dense = {1, 7, 1, 7, true}, convolution = {5, 5, 3, 3, false};

static int features_of(const net *n)
{
    return n->height * n->width;
}

static int places_of(const net *n)
{
    return (n->height - n->window_height + 1) * (n->width - n->window_width + 1);
}

static int window_of(const net *n)
{
    return n->window_height * n->window_width;
}

static int parameters_of(const net *n)
{
    return UNITS * (window_of(n) + 1) + CLASSES * (UNITS * places_of(n) + 1);
}

/* The output of a unit at a place, of weights that its bias does not follow. */
static double activation(const net *n, const float *x, const double *weights, double bias,
                         int place)
{
    const int across = n->width - n->window_width + 1, y = place / across, column = place % across;
    double sum = bias;
    for (int i = 0; i < n->window_height; ++i)
        for (int j = 0; j < n->window_width; ++j)
            sum += weights[i * n->window_width + j] * (double)x[(y + i) * n->width + column + j];
    return tanh(sum);
}

/* -log softmax of the label's output. */
static double cross_entropy(const double outputs[CLASSES], int label)
{
    double greatest = outputs[0], sum = 0;
    for (int k = 1; k < CLASSES; ++k)
        greatest = fmax(greatest, outputs[k]);
    for (int k = 0; k < CLASSES; ++k)
        sum += exp(outputs[k] - greatest);
    return greatest + log(sum) - outputs[label];
}

/* The parameters are the tensors one after the other: weights and biases of both layers. */
static double net_loss(const void *of, const float *x, const double *parameters)
{
    const net *n = of;
    const int places = places_of(n), hidden = UNITS * places;
    const double *biases = parameters + UNITS * window_of(n), *weights = biases + UNITS,
                 *last_biases = weights + CLASSES * hidden;
    double loss = 0;
    for (int sample = 0; sample < SAMPLES; ++sample, x += features_of(n)) {
        double outputs[CLASSES];
        for (int k = 0; k < CLASSES; ++k) {
            outputs[k] = last_biases[k];
            for (int h = 0; h < hidden; ++h)
                outputs[k] += weights[k * hidden + h] *
                              activation(n, x, parameters + h / places * window_of(n),
                                         biases[h / places], h % places);
        }
        loss += cross_entropy(outputs, sample % CLASSES);
    }
    return loss / SAMPLES;
}

static glnn_status create_net(glnn_context *ctx, const void *of, const glnn_optimizer *optimizer,
                              glnn_layout layout, glnn_learner **out)
{
    const net *n = of;
    const glnn_layer_desc last = {.units = CLASSES};
    glnn_network_desc desc = {
        .features = features_of(n),
        .layers = {{.units = UNITS, .activation = GLNN_ACTIVATION_TANH}, last},
        .optimizer = *optimizer,
        .layout = layout,
    };
    if (!n->is_dense) {
        desc.shape = (glnn_shape){1, n->height, n->width};
        desc.layers[0].kind = GLNN_LAYER_CONVOLUTION;
        desc.layers[0].kernel = (glnn_size){n->window_height, n->window_width};
        desc.layers[1] = (glnn_layer_desc){.kind = GLNN_LAYER_FLATTEN};
        desc.layers[2] = last;
    }
    return glnn_network_create(ctx, &desc, out);
}

static void test_net(glnn_context *ctx, const net *n, const glnn_optimizer *optimizer,
                     glnn__turn turn, glnn__cell *cell)
{
    float inputs[SAMPLES * MOST_FEATURES];
    fill(inputs, SAMPLES * features_of(n), 1);
    const glnn__descent descent = {.of = n,
                                   .features = features_of(n),
                                   .samples = SAMPLES,
                                   .classes = CLASSES,
                                   .inputs = inputs,
                                   .parameters = parameters_of(n),
                                   .optimizer = *optimizer,
                                   .rate = 0.05f,
                                   .loss = net_loss,
                                   .create = create_net};
    glnn__descent_test(ctx, &descent, turn, cell);
}

static const glnn_optimizer momentum = {.momentum = 0.9f}, adam = {.kind = GLNN_OPTIMIZER_ADAM,
                                                                   .beta1 = 0.9f,
                                                                   .beta2 = 0.999f,
                                                                   .epsilon = 1e-8f};

static void test_dense(glnn_context *ctx, glnn__turn turn, glnn__cell *cell)
{
    test_net(ctx, &dense, &momentum, turn, cell);
}

static void test_convolution(glnn_context *ctx, glnn__turn turn, glnn__cell *cell)
{
    test_net(ctx, &convolution, &adam, turn, cell);
}

/* ---- Prototypes: two of each class, one after the other */

enum { PROTOTYPES = 2 * CLASSES, FEATURES = 7 };

/* Steepness of the loss. */
static const double xi = 20;

static double distance(const float *x, const double *prototype)
{
    double sum = 0;
    for (int j = 0; j < FEATURES; ++j)
        sum += ((double)x[j] - prototype[j]) * ((double)x[j] - prototype[j]);
    return sum;
}

/* The sum of the losses of GLVQ, whose gradient its step descends with a scale of 1. */
static double glvq_loss(const void *of, const float *x, const double *prototypes)
{
    double loss = 0;
    (void)of;
    for (int sample = 0; sample < SAMPLES; ++sample, x += FEATURES) {
        double right = INFINITY, wrong = INFINITY;
        for (int p = 0; p < PROTOTYPES; ++p) {
            double *nearest = p / 2 == sample % CLASSES ? &right : &wrong;
            *nearest = fmin(*nearest, distance(x, prototypes + p * FEATURES));
        }
        loss += 1 / (1 + exp(-xi * (right - wrong) / (right + wrong)));
    }
    return loss;
}

static glnn_status create_glvq(glnn_context *ctx, const void *of, const glnn_optimizer *optimizer,
                               glnn_layout layout, glnn_learner **out)
{
    (void)of;
    (void)optimizer;
    return glnn_lvq_create(ctx,
                           &(glnn_lvq_desc){.features = FEATURES,
                                            .classes = CLASSES,
                                            .prototypes = 2,
                                            .xi = (float)xi,
                                            .scale = 1,
                                            .layout = layout},
                           out);
}

static void test_glvq(glnn_context *ctx, glnn__turn turn, glnn__cell *cell)
{
    float inputs[SAMPLES * FEATURES];
    fill(inputs, SAMPLES * FEATURES, 2);
    const glnn__descent descent = {.features = FEATURES,
                                   .samples = SAMPLES,
                                   .classes = CLASSES,
                                   .inputs = inputs,
                                   .parameters = PROTOTYPES * FEATURES,
                                   .tensor = "prototypes",
                                   .rate = 0.005f,
                                   .loss = glvq_loss,
                                   .create = create_glvq};
    glnn__descent_test(ctx, &descent, turn, cell);
}

/* ---- Searches */

/* Whether the prototype is the nearest of a sample, up to rounding, and how far its distance is off
 * in units of the bound. */
static double search_error(const float *x, const float *prototypes, int found, float found_distance)
{
    double least = INFINITY, of_found = INFINITY;
    for (int p = 0; p < PROTOTYPES; ++p) {
        double prototype[FEATURES];
        for (int j = 0; j < FEATURES; ++j)
            prototype[j] = (double)prototypes[p * FEATURES + j];
        const double d = distance(x, prototype);
        least = fmin(least, d);
        of_found = p == found ? d : of_found;
    }
    const double bound = (FEATURES / 4.0 + 6) * GLNN__ROUNDING * of_found;
    return of_found > least + 1e-5 ? INFINITY : fabs((double)found_distance - of_found) / bound;
}

static glnn_status search(glnn_context *ctx, glnn_search way, glnn_layout layout, double *error)
{
    float inputs[SAMPLES * FEATURES], prototypes[PROTOTYPES * FEATURES], distances[SAMPLES];
    int found[SAMPLES];
    glnn_learner *lvq;
    fill(inputs, SAMPLES * FEATURES, 3);
    fill(prototypes, PROTOTYPES * FEATURES, 4);
    GLNN__TRY(glnn_lvq_create(ctx,
                              &(glnn_lvq_desc){.features = FEATURES,
                                               .classes = CLASSES,
                                               .prototypes = 2,
                                               .search = way,
                                               .layout = layout},
                              &lvq));
    glnn_status status =
        glnn_learner_set_tensor(lvq, "prototypes", PROTOTYPES * FEATURES, prototypes);
    if (!status)
        status = glnn_learner_find_nearest(lvq, SAMPLES, inputs, 1, found, distances);
    for (int i = 0; i < SAMPLES && !status; ++i)
        *error =
            fmax(*error, search_error(inputs + i * FEATURES, prototypes, found[i], distances[i]));
    glnn_learner_destroy(lvq);
    return status;
}

static void test_search(glnn_context *ctx, glnn__turn turn, glnn__cell *cell)
{
    for (int way = GLNN_SEARCH_TILES; way < GLNN_SEARCH_COUNT; ++way)
        for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout) {
            double error = 0;
            if (!glnn__is_turn(turn, way + layout))
                continue;
            const glnn_status status = search(ctx, (glnn_search)way, (glnn_layout)layout, &error);
            glnn__cell_add(cell, status, error, "search %s, %s", glnn_search_name((glnn_search)way),
                           glnn_layout_name((glnn_layout)layout));
        }
}

const glnn__subject glnn__subjects[] = {
    {"kernel of the program", test_kernel},
    {"search for prototypes", test_search},
    {"steps of a network, with momentum", test_dense},
    {"steps of a convolution, with Adam", test_convolution},
    {"steps of GLVQ", test_glvq},
};
const int glnn__subject_count = sizeof glnn__subjects / sizeof glnn__subjects[0];
