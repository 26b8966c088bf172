/* Layers with several inputs: their sum, of which the residual layer is a case, their product, and
 * their channels one after the other. Also the reverse of the last one: a range of channels. */
#include "layers/layer_types.h"

#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

#include <glnn/copy.h>

#include <limits.h>
#include <stdio.h>

enum { ACTIVATION, PRODUCT };

static const glnn__kernel combine_kernel = {
    .name = "layers/combine",
    .operands = {"FIRST", "SECOND", "THIRD", "FOURTH"},
    .options = {[ACTIVATION] = "ACTIVATION", [PRODUCT] = "PRODUCT"},
    .enumerations = {glnn__map_enumerators},
};

/* The derivative of a map, times a delta and other factors. */
enum { D, Y, FACTORS };
enum { RANGE = PRODUCT };
enum { COLUMN_BEGIN, COLUMN_END };

static const glnn__kernel slope_kernel = {
    .name = "layers/slope",
    .operands = {[D] = "D", [Y] = "Y", [FACTORS] = "FIRST", "SECOND", "THIRD"},
    .options = {[ACTIVATION] = "ACTIVATION", [RANGE] = "RANGE"},
    .uniforms = {[COLUMN_BEGIN] = "int column_begin", [COLUMN_END] = "int column_end"},
    .enumerations = {glnn__map_enumerators},
};

/* ---- Shapes */

/* "the output of layer 2" or "the input of the network", for sentences. */
typedef struct place {
    char text[32];
} place;

static place place_of(int source)
{
    place of = {"the input of the network"};
    if (source >= 0)
        snprintf(of.text, sizeof of.text, "the output of layer %d", source);
    return of;
}

static glnn_shape shape_of(const glnn__layer *layer, int i, const glnn__layer *layers)
{
    const int source = layer->sources[i];
    return source < 0 ? layers[0].input : layers[source].out.shape;
}

/* All inputs have the same shape, or with any_channels the same height and width. */
static glnn_status check_shapes(const glnn__layer *layer, const glnn__layer *layers,
                                bool any_channels)
{
    for (int i = 1; i < layer->source_count; ++i) {
        const glnn_shape first = layer->input, other = shape_of(layer, i, layers);
        if (other.height != first.height || other.width != first.width ||
            (other.channels != first.channels && !any_channels))
            return glnn__fail(GLNN_E_SHAPE,
                              "layer %d, %s, has %d channels of %d x %d, %s, next to %d channels "
                              "of %d x %d, %s",
                              layer->number, glnn_layer_kind_name(layer->desc.kind), other.channels,
                              other.height, other.width, place_of(layer->sources[i]).text,
                              first.channels, first.height, first.width,
                              place_of(layer->sources[0]).text);
    }
    return GLNN_OK;
}

static glnn_status equal_shape(glnn__layer *layer, const glnn__layer *layers)
{
    GLNN__TRY(check_shapes(layer, layers, false));
    layer->out.shape = layer->input;
    return GLNN_OK;
}

static glnn_status residual_shape(glnn__layer *layer, const glnn__layer *layers)
{
    const int skip = layer->desc.skip;
    if (skip < 1 || skip > layer->number)
        return glnn__fail(
            GLNN_E_ARG,
            "layer %d, which is residual, skips %d layers; it has to skip at least 1, "
            "and %d come before it",
            layer->number, skip, layer->number);
    return equal_shape(layer, layers);
}

static glnn_status joined_shape(glnn__layer *layer, const glnn__layer *layers)
{
    glnn_shape *out = &layer->out.shape;
    GLNN__TRY(check_shapes(layer, layers, true));
    *out = layer->input;
    for (int i = 1; i < layer->source_count; ++i) {
        const int channels = shape_of(layer, i, layers).channels;
        out->channels = channels <= INT_MAX - out->channels ? out->channels + channels : INT_MAX;
    }
    if (glnn__shape_size(*out) == 0)
        return glnn__fail(GLNN_E_LIMIT,
                          "layer %d: %s gives %d channels of %d x %d or more, which "
                          "are too many numbers",
                          layer->number, glnn_layer_kind_name(layer->desc.kind), out->channels,
                          out->height, out->width);
    return GLNN_OK;
}

static glnn_status range_shape(glnn__layer *layer, const glnn__layer *layers)
{
    const int first = layer->desc.first, count = layer->desc.units;
    (void)layers;
    if (first < 0 || count < 1 || first > layer->input.channels - count)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d: slice takes %d channels from channel %d on; it has to take at "
                          "least 1, and its input has the channels 0 to %d",
                          layer->number, count, first, layer->input.channels - 1);
    layer->out.shape = layer->input;
    layer->out.shape.channels = count;
    return GLNN_OK;
}

/* ---- Sums and products */

static bool is_product(const glnn__layer *layer)
{
    return layer->desc.kind == GLNN_LAYER_MULTIPLY;
}

static glnn_status combine(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    glnn__pass pass = {
        .kernel = &combine_kernel,
        .operands = {{.matrix = input->values}},
        .output = layer->out.values,
        .options = {[ACTIVATION] = layer->out.activation, [PRODUCT] = is_product(layer)},
    };
    for (int i = 1; i < layer->source_count; ++i)
        pass.operands[i].matrix = glnn__flow_output(flow, layer->sources[i])->values;
    return glnn__pass_run(flow->ctx, &pass);
}

/* delta of an input = delta * f'(input) */
static glnn__pass slope_pass(const glnn__layer *layer, const glnn__signal *input, bool adds)
{
    const bool is_curved = input->activation != GLNN_MAP_IDENTITY;
    return (glnn__pass){
        .kernel = &slope_kernel,
        .operands = {[D] = {.matrix = layer->out.delta},
                     [Y] = {.matrix = is_curved ? input->values : NULL}},
        .output = input->delta,
        .options = {[ACTIVATION] = input->activation},
        .blend = adds,
        .blend_factor = {.f = 1},
    };
}

static glnn_status split(const glnn__flow *flow, const glnn__layer *layer, int number,
                         const glnn__signal *input, bool adds)
{
    glnn__pass pass = slope_pass(layer, input, adds);
    int factors = 0;
    for (int i = 0; i < layer->source_count && is_product(layer); ++i)
        if (i != number)
            pass.operands[FACTORS + factors++].matrix =
                glnn__flow_output(flow, layer->sources[i])->values;
    return glnn__pass_run(flow->ctx, &pass);
}

/* ---- Channels one after the other */

/* The first column of an input in the output. */
static int column_of(const glnn__flow *flow, const glnn__layer *layer, int number)
{
    int column = 0;
    for (int i = 0; i < number; ++i)
        column += glnn__signal_columns(glnn__flow_output(flow, layer->sources[i]));
    return column;
}

static glnn_status join(const glnn__flow *flow, const glnn__layer *layer, const glnn__signal *first)
{
    (void)first;
    for (int i = 0; i < layer->source_count; ++i) {
        const glnn_matrix *values = glnn__flow_output(flow, layer->sources[i])->values;
        const glnn_rect all = {0, 0, values->rows, values->columns};
        GLNN__TRY(glnn_copy_rect(flow->ctx, values, &all, layer->out.values, 0,
                                 column_of(flow, layer, i)));
    }
    return GLNN_OK;
}

static glnn_status part(const glnn__flow *flow, const glnn__layer *layer, int number,
                        const glnn__signal *input, bool adds)
{
    glnn__pass pass = slope_pass(layer, input, adds);
    pass.operands[D].view = glnn__view_shifted(0, column_of(flow, layer, number));
    return glnn__pass_run(flow->ctx, &pass);
}

/* ---- A range of channels */

/* Both forms of a signal have the numbers of a channel in columns: flat ones in several. */
static int columns_of(const glnn__signal *of, int channels)
{
    return channels * (glnn__signal_columns(of) / of->shape.channels);
}

static glnn_status take(const glnn__flow *flow, const glnn__layer *layer, const glnn__signal *input)
{
    const glnn_rect from = {0, columns_of(input, layer->desc.first), layer->out.values->rows,
                            layer->out.values->columns};
    return glnn_copy_rect(flow->ctx, input->values, &from, layer->out.values, 0, 0);
}

static glnn_status put_back(const glnn__flow *flow, const glnn__layer *layer, int number,
                            const glnn__signal *input, bool adds)
{
    const int begin = columns_of(input, layer->desc.first);
    glnn__pass pass = slope_pass(layer, input, adds);
    (void)number;
    pass.operands[D].view = glnn__view_shifted(0, -begin);
    pass.options[RANGE] = true;
    pass.uniforms[COLUMN_BEGIN].i = begin;
    pass.uniforms[COLUMN_END].i = begin + layer->out.delta->columns;
    return glnn__pass_run(flow->ctx, &pass);
}

/* ---- The types */

const glnn__layer_type glnn__residual_layer = {
    .uses = GLNN__LAYER_ACTIVATION | GLNN__LAYER_SKIP,
    .least_inputs = 2,
    .most_inputs = 2,
    .shape = residual_shape,
    .forward = combine,
    .backward_to = split,
};

#define COMBINING_TYPE                                                                             \
    .uses = GLNN__LAYER_ACTIVATION | GLNN__LAYER_INPUTS, .least_inputs = 2,                        \
    .most_inputs = GLNN_LAYER_MAX_INPUTS, .shape = equal_shape, .forward = combine,                \
    .backward_to = split

const glnn__layer_type glnn__add_layer = {COMBINING_TYPE};
const glnn__layer_type glnn__multiply_layer = {COMBINING_TYPE};

const glnn__layer_type glnn__concatenate_layer = {
    .uses = GLNN__LAYER_INPUTS,
    .least_inputs = 2,
    .most_inputs = GLNN_LAYER_MAX_INPUTS,
    .shape = joined_shape,
    .forward = join,
    .backward_to = part,
};

const glnn__layer_type glnn__slice_layer = {
    .uses = GLNN__LAYER_UNITS | GLNN__LAYER_FIRST,
    .shape = range_shape,
    .forward = take,
    .backward_to = put_back,
};
