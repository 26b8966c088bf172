/* A layer that is a kernel of the program. */
#include "layers/layer_types.h"

#include "base/status.h"
#include "ops/kernel.h"
#include "pass/list.h"

#include <glnn/map.h>

#include <stdio.h>
#include <string.h>

#define GRADIENT "DY" /* the adjoint's operand */

enum { KERNEL, ADJOINT };

static glnn_status check_function(const glnn__layer *layer)
{
    const glnn_kernel_desc *of = layer->desc.function;
    const char *wrong = !of                                 ? "is null"
                        : !of->adjoint                      ? "has no `adjoint`"
                        : !of->operands[0]                  ? "has no operand"
                        : of->operands[1]                   ? "has more than one operand"
                        : of->uniforms[0] || of->options[0] ? "has uniforms or options"
                        : strcmp(of->operands[0], GRADIENT) == 0
                            ? "has the operand " GRADIENT ", which is the derivative by its output"
                            : NULL;
    return wrong ? glnn__fail(GLNN_E_ARG,
                              "layer %d: `function` %s; it has to be a kernel of one operand with "
                              "an adjoint",
                              layer->number, wrong)
                 : GLNN_OK;
}

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    const int units = layer->desc.units;
    (void)layers;
    GLNN__TRY(check_function(layer));
    layer->out.shape = (glnn_shape){units > 0 ? units : glnn__shape_size(layer->input), 1, 1};
    if (glnn__shape_size(layer->out.shape) == 0)
        return glnn__fail(GLNN_E_LIMIT, "layer %d: function gives %d numbers, which are too many",
                          layer->number, units);
    return GLNN_OK;
}

static glnn_status run_once(glnn_kernel *kernel, const glnn__layer *layer, glnn_matrix *x,
                            glnn_matrix *dy)
{
    const glnn_kernel_run_desc run = {.operands = {{.matrix = x}, {.matrix = dy}}};
    const int columns = glnn__shape_size(dy ? layer->input : layer->out.shape);
    glnn_matrix *out;
    GLNN__TRY(glnn__matrix_create_scratch(x->ctx, GLNN_LAYOUT_PACKED, 1, columns, "out", &out));
    const glnn_status status = glnn_kernel_run(kernel, &run, out);
    glnn__scratch_destroy(out);
    return status;
}

/* The driver compiles the texts now, and not in the first step of a training. */
static glnn_status compile(glnn_context *ctx, const glnn__layer *layer)
{
    glnn_matrix *x, *dy;
    GLNN__TRY(glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1,
                                          glnn__shape_size(layer->input), "x", &x));
    glnn_status status = glnn__matrix_create_scratch(ctx, GLNN_LAYOUT_PACKED, 1,
                                                     glnn__shape_size(layer->out.shape), "dy", &dy);
    if (!status) {
        status = run_once(layer->functions[KERNEL], layer, x, NULL);
        if (!status)
            status = run_once(layer->functions[ADJOINT], layer, x, dy);
        glnn__scratch_destroy(dy);
    }
    glnn__scratch_destroy(x);
    return status;
}

/* Creates both kernels, whose strings the description then has. */
static glnn_status create(glnn_context *ctx, glnn__layer *layer)
{
    const glnn_kernel_desc *given = layer->desc.function;
    glnn_kernel_desc desc = {
        .name = given->name, .source = given->source, .operands = {given->operands[0], NULL}};
    char name[64];
    glnn_kernel **made = layer->functions;
    GLNN__TRY(glnn_kernel_create(ctx, &desc, &made[KERNEL]));
    snprintf(name, sizeof name, "adjoint of %.50s", made[KERNEL]->kernel.name);
    desc = (glnn_kernel_desc){
        .name = name, .source = given->adjoint, .operands = {given->operands[0], GRADIENT}};
    GLNN__TRY(glnn_kernel_create(ctx, &desc, &made[ADJOINT]));
    layer->function = (glnn_kernel_desc){.name = made[KERNEL]->kernel.name,
                                         .source = made[KERNEL]->kernel.text,
                                         .operands = {made[KERNEL]->kernel.operands[0]},
                                         .adjoint = made[ADJOINT]->kernel.text};
    layer->desc.function = &layer->function;
    return compile(ctx, layer);
}

static glnn_status initialise(glnn_context *ctx, const glnn_network_desc *desc, glnn__layer *layer)
{
    (void)desc;
    const glnn_status status = create(ctx, layer);
    return status
               ? glnn__fail(status, "layer %d, function: %s", layer->number, glnn__last_sentence())
               : GLNN_OK;
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    (void)flow;
    return glnn_kernel_run(layer->functions[KERNEL],
                           &(glnn_kernel_run_desc){.operands = {{.matrix = input->values}}},
                           layer->out.values);
}

static glnn_status run_adjoint(const glnn__layer *layer, const glnn__signal *input,
                               glnn_matrix *out)
{
    const glnn_kernel_run_desc run = {
        .operands = {{.matrix = input->values}, {.matrix = layer->out.delta}}};
    return glnn_kernel_run(layer->functions[ADJOINT], &run, out);
}

/* The derivative by an output of an activation is a factor more. */
static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const glnn_matrix *delta = input->delta;
    glnn_matrix *found;
    if (input->activation == GLNN_MAP_IDENTITY)
        return run_adjoint(layer, input, input->delta);
    GLNN__TRY(glnn__matrix_create_scratch(flow->ctx, delta->layout, delta->rows, delta->columns,
                                          "derivative", &found));
    glnn_status status = run_adjoint(layer, input, found);
    if (!status)
        status = glnn_map_apply_derivative(flow->ctx, input->activation, input->values, found,
                                           input->delta);
    glnn__scratch_destroy(found);
    return status;
}

const glnn__layer_type glnn__function_layer = {
    .uses = GLNN__LAYER_UNITS | GLNN__LAYER_FUNCTION,
    .takes = GLNN__FLAT,
    .gives = GLNN__FLAT,
    .shape = shape,
    .initialise = initialise,
    .forward = forward,
    .backward = backward,
};
