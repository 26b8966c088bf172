/* The open ends of a network: passes for programs that have a loss of their own, or that train what
 * comes before a network. */
#include "net/network.h"

#include "base/status.h"
#include "gl/lifetime.h"
#include "layers/pixels.h"
#include "learn/passes.h"
#include "net/network_passes.h"
#include "ops/check.h"
#include "ops/gather.h"
#include "pass/list.h"

#include <glnn/copy.h>

/* The matrices of the program. */
typedef struct ends {
    const glnn_matrix *from; /* inputs, or the gradient of the outputs */
    glnn_matrix *to;         /* outputs, or the gradient of the inputs; NULL: not wanted */
    int samples;
    bool trains; /* forward: backward may follow; backward: finds the gradient of the parameters */
} ends;

static glnn_status run(glnn__network *network, int purpose, glnn__describe_fn *describe,
                       const ends *what)
{
    glnn_learner *learner = &network->learner;
    const glnn__list_key key = {
        .of = {what->from, what->to},
        .numbers = {purpose, what->samples, what->trains, network->ends.has_gradient}};
    return glnn__lists_run(&learner->lists, network->ctx, purpose, &key, &learner->flags, describe,
                           network, what);
}

static glnn__flow flow_of(glnn__network *network, int samples, bool trains)
{
    glnn__flow flow = glnn__network_flow(network, samples);
    flow.trains = flow.learns = trains;
    flow.seed = network->desc.seed;
    flow.step.slot = &network->step;
    return flow;
}

/* Copies the rows of the program's matrix, and zeros after them. */
static glnn_status take(glnn__network *network, const glnn_matrix *from, glnn_matrix *to)
{
    return glnn__gather(network->ctx, from, NULL, (glnn__uniform){.i = 0}, from->rows, from->rows,
                        to);
}

/* Copies the rows that the program's matrix has, to columns from `column` on. */
static glnn_status give(glnn__network *network, const glnn_matrix *from, int column,
                        glnn_matrix *to)
{
    const glnn_rect rows = {0, 0, to->rows, from->columns};
    return glnn_copy_rect(network->ctx, from, &rows, to, 0, column);
}

/* A training has sums and slots of its own in the same places. */
static glnn_status check_idle(const glnn__network *network, const char *function)
{
    return network->learner.trainer
               ? glnn__fail(GLNN_E_STATE, "%s: the network is being trained", function)
               : GLNN_OK;
}

/* ---- Forward */

static glnn_status describe_forward(void *self, const void *what)
{
    const ends *of = what;
    glnn__network *network = self;
    const glnn__flow flow = flow_of(network, of->samples, of->trains);
    GLNN__TRY(take(network, of->from, glnn__network_samples(network)));
    GLNN__TRY(glnn__network_forward_input(network, &flow));
    for (int i = 0; i < network->output_count && of->to; ++i)
        GLNN__TRY(give(network, glnn__network_output(network, i)->values, network->outputs[i].first,
                       of->to));
    return GLNN_OK;
}

static glnn_status run_forward(glnn__network *network, const ends *of)
{
    GLNN__TRY(of->trains ? glnn__network_open(network, of->samples)
                         : glnn__network_prepare(network, of->samples));
    network->step.i = (int)(uint32_t)(network->learner.steps + 1);
    GLNN__TRY(run(network, GLNN__LIST_FORWARD, describe_forward, of));
    network->ends.samples = of->trains ? of->samples : 0;
    return GLNN_OK;
}

static glnn_status check_inputs(const glnn__network *network, const char *function,
                                const glnn_matrix *inputs)
{
    GLNN__TRY(glnn__check_operand(network->ctx, function, "inputs", inputs));
    GLNN__TRY(glnn__check_shape(function, "inputs", inputs, inputs->rows, network->desc.features));
    if (inputs->rows <= network->desc.capacity)
        return GLNN_OK;
    return glnn__fail(GLNN_E_LIMIT, "%s: inputs has %d samples; the capacity of the network is %d",
                      function, inputs->rows, network->desc.capacity);
}

glnn_status glnn_network_forward(glnn_learner *learner, const glnn_matrix *inputs, bool trains,
                                 glnn_matrix *outputs)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    glnn__network *network = glnn__network_of(learner);
    glnn_context *ctx = network->ctx;
    GLNN__TRY(check_inputs(network, __func__, inputs));
    GLNN__TRY(check_idle(network, __func__));
    if (outputs) {
        GLNN__TRY(glnn__check_output(ctx, __func__, "outputs", outputs));
        GLNN__TRY(glnn__check_shape(__func__, "outputs", outputs, inputs->rows,
                                    glnn__network_outputs(network)));
    }
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, run_forward(network, &(ends){.from = inputs,
                                                            .to = outputs,
                                                            .samples = inputs->rows,
                                                            .trains = trains}));
}

/* ---- Backward */

/* The numbers of the input's delta as the program has samples. */
static glnn_status give_input_gradient(glnn__network *network, glnn_matrix *to)
{
    const glnn_matrix *delta = network->input.delta;
    glnn_matrix *flat;
    if (delta->columns == network->desc.features)
        return give(network, delta, 0, to);
    GLNN__TRY(glnn__matrix_create_scratch(network->ctx, delta->layout, network->rows,
                                          network->desc.features, "input gradient", &flat));
    glnn_status status = glnn__to_flat(network->ctx, delta, network->desc.shape, flat);
    if (!status)
        status = give(network, flat, 0, to);
    glnn__scratch_destroy(flat);
    return status;
}

static glnn_status find_output_delta(glnn__network *network, const glnn__output *of)
{
    const glnn__signal *out = &network->layers[of->layer].out;
    const glnn_matrix *gradient = network->ends.output_gradient;
    if (network->output_count > 1) {
        const glnn_rect own = {0, of->first, gradient->rows, of->columns};
        GLNN__TRY(glnn_copy_rect(network->ctx, gradient, &own, out->delta, 0, 0));
        gradient = out->delta;
    }
    return glnn_map_apply_derivative(network->ctx, out->activation, out->values, gradient,
                                     out->delta);
}

static glnn_status find_deltas(glnn__network *network, const glnn__flow *flow, const ends *of)
{
    GLNN__TRY(take(network, of->from, network->ends.output_gradient));
    for (int i = 0; i < network->output_count; ++i)
        GLNN__TRY(find_output_delta(network, &network->outputs[i]));
    for (int i = network->desc.layer_count - 1; i >= 0; --i)
        GLNN__TRY(glnn__network_layer_backward(network, flow, i));
    return GLNN_OK;
}

static glnn_status describe_backward(void *self, const void *what)
{
    const ends *of = what;
    glnn__network *network = self;
    glnn__flow flow = flow_of(network, of->samples, true);
    const glnn__sink sink = {.optimizer = &network->desc.optimizer,
                             .slots = &network->learner.updates,
                             .is_first = !network->ends.has_gradient};
    flow.lowest = of->to ? 0 : flow.lowest;
    GLNN__TRY(find_deltas(network, &flow, of));
    for (int i = 0; i < network->desc.layer_count && of->trains; ++i)
        GLNN__TRY(glnn__network_layer_gradient(network, &flow, i, &sink));
    return of->to ? give_input_gradient(network, of->to) : GLNN_OK;
}

static glnn_status run_backward(glnn__network *network, const ends *of)
{
    network->learner.updates.weight.f = 1;
    GLNN__TRY(run(network, GLNN__LIST_BACKWARD, describe_backward, of));
    network->ends.has_gradient = network->ends.has_gradient || of->trains;
    return GLNN_OK;
}

static glnn_status backward(const char *function, glnn_learner *learner,
                            const glnn_matrix *output_gradient, glnn_matrix *input_gradient,
                            bool trains)
{
    glnn__network *network = glnn__network_of(learner);
    glnn_context *ctx = network->ctx;
    const int samples = network->ends.samples;
    GLNN__TRY(glnn__check_operand(ctx, function, "output_gradient", output_gradient));
    GLNN__TRY(check_idle(network, function));
    if (samples == 0)
        return glnn__fail(GLNN_E_STATE,
                          "%s: there is nothing to run backward: call glnn_network_forward() with "
                          "`trains`, and use the network for nothing else in between",
                          function);
    GLNN__TRY(glnn__check_shape(function, "output_gradient", output_gradient, samples,
                                glnn__network_outputs(network)));
    if (input_gradient) {
        GLNN__TRY(glnn__check_output(ctx, function, "input_gradient", input_gradient));
        GLNN__TRY(glnn__check_shape(function, "input_gradient", input_gradient, samples,
                                    network->desc.features));
    }
    GLNN__TRY(glnn__gl_enter_for(ctx, function));
    return glnn__gl_leave(ctx, run_backward(network, &(ends){.from = output_gradient,
                                                             .to = input_gradient,
                                                             .samples = samples,
                                                             .trains = trains}));
}

glnn_status glnn_network_backward(glnn_learner *learner, const glnn_matrix *output_gradient,
                                  glnn_matrix *input_gradient)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    return backward(__func__, learner, output_gradient, input_gradient, true);
}

glnn_status glnn_network_backward_to_inputs(glnn_learner *learner,
                                            const glnn_matrix *output_gradient,
                                            glnn_matrix *input_gradient)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    GLNN__NOT_NULL(input_gradient);
    return backward(__func__, learner, output_gradient, input_gradient, false);
}

/* ---- Update */

static glnn_status describe_update(void *self, const void *what)
{
    glnn__network *network = self;
    (void)what;
    return glnn__network_apply(network, &(glnn__sink){.optimizer = &network->desc.optimizer,
                                                      .slots = &network->learner.updates});
}

static glnn_status run_update(glnn__network *network, float rate)
{
    glnn_learner *learner = &network->learner;
    learner->steps++;
    glnn__sink_begin(learner, &(glnn__step){.weight = 1, .rate = {.f = rate}});
    GLNN__TRY(run(network, GLNN__LIST_UPDATE, describe_update, &(ends){0}));
    network->ends.has_gradient = false;
    return GLNN_OK;
}

glnn_status glnn_network_update(glnn_learner *learner, float rate)
{
    GLNN__OF_KIND(learner, GLNN_LEARNER_NETWORK);
    glnn__network *network = glnn__network_of(learner);
    GLNN__TRY(check_idle(network, __func__));
    GLNN__TRY(glnn__training_choose_rate(__func__, learner, &rate));
    if (!network->ends.has_gradient)
        return glnn__fail(GLNN_E_STATE,
                          "%s: there is no gradient: call glnn_network_backward() before it",
                          __func__);
    GLNN__TRY(glnn__gl_enter(network->ctx));
    return glnn__gl_leave(network->ctx, run_update(network, rate));
}
