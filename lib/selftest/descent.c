#include "selftest/descent.h"

#include "base/random.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

enum { STEPS = 2, MOST = GLNN__DESCENT_PARAMETERS, MOST_SAMPLES = 16 };

/* ---- The reference */

/* The bound of a step is the change that an error of the gradient makes, of this size relative to
 * the greatest gradient. */
static const double gradient_error = 0x1p-16;

/* The loss is differentiated over this width. The error is its square times a third derivative. */
static const double width = 1e-5;

static void differentiate(const glnn__descent *d, double *parameters, double *gradient)
{
    for (int i = 0; i < d->parameters; ++i) {
        const double former = parameters[i];
        parameters[i] = former + width;
        const double above = d->loss(d->of, d->inputs, parameters);
        parameters[i] = former - width;
        gradient[i] = (above - d->loss(d->of, d->inputs, parameters)) / (2 * width);
        parameters[i] = former;
    }
}

/* The state of an optimizer for one parameter. */
typedef struct state {
    double first, second;
} state;

/* The change of a parameter by step n, from 1, by the formulas of glnn/optimizer.h. */
static double step_of(const glnn__descent *d, int n, double gradient, state *s)
{
    const glnn_optimizer *o = &d->optimizer;
    const double rate = (double)d->rate, b1 = (double)o->beta1, b2 = (double)o->beta2;
    if (o->kind != GLNN_OPTIMIZER_ADAM) {
        s->first = (double)o->momentum * s->first + gradient;
        return -rate * s->first;
    }
    s->first = b1 * s->first + (1 - b1) * gradient;
    s->second = b2 * s->second + (1 - b2) * gradient * gradient;
    return -rate * (s->first / (1 - pow(b1, n))) /
           (sqrt(s->second / (1 - pow(b2, n))) + (double)o->epsilon);
}

/* Descends with the gradients as they are, and with all of them wrong by the error in either
 * direction. */
enum { EXACT, ABOVE, BELOW, VARIANTS };

static void descend(const glnn__descent *d, double parameters[MOST], double bound[MOST])
{
    static const double signs[VARIANTS] = {0, 1, -1};
    state states[VARIANTS][MOST] = {{{0}}};
    double gradient[MOST], off[MOST][VARIANTS] = {{0}};
    for (int n = 1; n <= STEPS; ++n) {
        double greatest = 0;
        differentiate(d, parameters, gradient);
        for (int i = 0; i < d->parameters; ++i)
            greatest = fmax(greatest, fabs(gradient[i]));
        for (int i = 0; i < d->parameters; ++i) {
            double steps[VARIANTS];
            for (int v = 0; v < VARIANTS; ++v) {
                const double error = signs[v] * gradient_error * greatest;
                steps[v] = step_of(d, n, gradient[i] + error, &states[v][i]);
                off[i][v] += steps[v] - steps[EXACT];
            }
            parameters[i] += steps[EXACT];
        }
    }
    for (int i = 0; i < d->parameters; ++i)
        bound[i] = fmax(fabs(off[i][ABOVE]), fabs(off[i][BELOW])) +
                   0x1p-20 * (fabs(parameters[i]) + (double)d->rate);
}

/* ---- The library */

typedef glnn_status access_fn(glnn_learner *learner, const char *name, size_t count,
                              float *numbers);

static glnn_status get_tensor(glnn_learner *learner, const char *name, size_t count, float *numbers)
{
    return glnn_learner_get_tensor(learner, name, count, numbers);
}

static glnn_status set_tensor(glnn_learner *learner, const char *name, size_t count, float *numbers)
{
    return glnn_learner_set_tensor(learner, name, count, numbers);
}

/* Reads or sets the parameters, tensor after tensor. */
static glnn_status access_parameters(const glnn__descent *d, glnn_learner *learner,
                                     access_fn *access, float numbers[MOST])
{
    size_t used = 0;
    if (d->tensor)
        return access(learner, d->tensor, (size_t)d->parameters, numbers);
    for (int i = 0; i < glnn_learner_get_tensor_count(learner); ++i) {
        glnn_tensor_info info = {.size = sizeof info};
        GLNN__TRY(glnn_learner_get_tensor_info(learner, i, &info));
        if (strcmp(info.role, "parameter") != 0)
            continue;
        if (used + info.count > (size_t)d->parameters)
            return glnn__fail(GLNN_E_SHAPE, "the learner has more than %d parameters",
                              d->parameters);
        GLNN__TRY(access(learner, info.name, info.count, numbers + used));
        used += info.count;
    }
    return GLNN_OK;
}

/* A set of all samples is one batch, so an epoch is a step. */
static glnn_status train(glnn_context *ctx, const glnn__descent *d, glnn_learner *learner)
{
    int labels[MOST_SAMPLES];
    glnn_dataset *data;
    for (int i = 0; i < d->samples; ++i)
        labels[i] = i % d->classes;
    GLNN__TRY(glnn_dataset_create(ctx,
                                  &(glnn_dataset_desc){.samples = d->samples,
                                                       .features = d->features,
                                                       .inputs = d->inputs,
                                                       .labels = labels,
                                                       .classes = d->classes},
                                  &data));
    const glnn_status status = glnn_learner_train(learner, data,
                                                  &(glnn_train_desc){.epochs = STEPS,
                                                                     .batch = d->samples,
                                                                     .schedule = {.rate = d->rate},
                                                                     .keep_order = true},
                                                  NULL);
    glnn_dataset_destroy(data);
    return status;
}

/* Replaces the parameters by those after the steps. */
static glnn_status step(glnn_context *ctx, const glnn__descent *d, glnn_layout layout,
                        float numbers[MOST])
{
    glnn_learner *learner;
    GLNN__TRY(d->create(ctx, d->of, &d->optimizer, layout, &learner));
    glnn_status status = access_parameters(d, learner, set_tensor, numbers);
    if (!status)
        status = train(ctx, d, learner);
    if (!status)
        status = access_parameters(d, learner, get_tensor, numbers);
    glnn_learner_destroy(learner);
    return status;
}

void glnn__descent_test(glnn_context *ctx, const glnn__descent *d, glnn__turn turn,
                        glnn__cell *cell)
{
    double wanted[MOST], bound[MOST];
    float start[MOST];
    glnn__random random;
    glnn__random_start(&random, 5);
    for (int i = 0; i < d->parameters; ++i) {
        start[i] = (float)(glnn__random_next(&random) >> 8) * 0x1p-23f - 1;
        wanted[i] = (double)start[i];
    }
    descend(d, wanted, bound);
    for (int layout = GLNN_LAYOUT_TILED; layout < GLNN_LAYOUT_PAGED; ++layout) {
        float got[MOST];
        double error = 0;
        if (!glnn__is_turn(turn, layout))
            continue;
        memcpy(got, start, sizeof got);
        const glnn_status status = step(ctx, d, (glnn_layout)layout, got);
        for (int i = 0; i < d->parameters && !status; ++i) {
            const double ratio = fabs((double)got[i] - wanted[i]) / bound[i];
            error = ratio <= error ? error : isnan(ratio) ? INFINITY : ratio;
        }
        glnn__cell_add(cell, status, error, "%s", glnn_layout_name((glnn_layout)layout));
    }
}
