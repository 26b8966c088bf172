/* The pooling layers: the maximum or the mean of each window of an image. */
#include "layers/layer_types.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"
#include "pass/pass.h"

enum { MAXIMUM, ACTIVATION };
enum { PLACES }; /* in `work` */
enum {
    HEIGHT,
    WIDTH,
    OUT_HEIGHT,
    OUT_WIDTH,
    KERNEL_HEIGHT,
    KERNEL_WIDTH,
    STRIDE_HEIGHT,
    STRIDE_WIDTH,
    PADDING_HEIGHT,
    PADDING_WIDTH
};

#define CONSTANT_NAMES                                                                             \
    [HEIGHT] = "HEIGHT", [WIDTH] = "WIDTH", [OUT_HEIGHT] = "OUT_HEIGHT",                           \
    [OUT_WIDTH] = "OUT_WIDTH", [KERNEL_HEIGHT] = "KERNEL_HEIGHT", [KERNEL_WIDTH] = "KERNEL_WIDTH", \
    [STRIDE_HEIGHT] = "STRIDE_HEIGHT", [STRIDE_WIDTH] = "STRIDE_WIDTH",                            \
    [PADDING_HEIGHT] = "PADDING_HEIGHT", [PADDING_WIDTH] = "PADDING_WIDTH"

static const glnn__kernel pool_kernel = {
    .name = "layers/pool",
    .operands = {"X"},
    .options = {[MAXIMUM] = "MAXIMUM"},
    .unviewed = 1,
    .constants = {CONSTANT_NAMES},
};

static const glnn__kernel places_kernel = {
    .name = "layers/pool_places",
    .operands = {"X"},
    .unviewed = 1,
    .constants = {CONSTANT_NAMES},
};

static const glnn__kernel pool_backward_kernel = {
    .name = "layers/pool_backward",
    .operands = {"D", "PLACES", "X"},
    .options = {[MAXIMUM] = "MAXIMUM", [ACTIVATION] = "ACTIVATION"},
    .unviewed = 2,
    .constants = {CONSTANT_NAMES},
    .enumerations = {glnn__map_enumerators},
};

typedef struct constants {
    int of[GLNN__MAX_CONSTANTS];
} constants;

static constants constants_of(const glnn__layer *layer)
{
    const glnn_layer_desc *desc = &layer->desc;
    return (constants){{
        [HEIGHT] = layer->input.height,
        [WIDTH] = layer->input.width,
        [OUT_HEIGHT] = layer->out.shape.height,
        [OUT_WIDTH] = layer->out.shape.width,
        [KERNEL_HEIGHT] = desc->kernel.height,
        [KERNEL_WIDTH] = desc->kernel.width,
        [STRIDE_HEIGHT] = desc->stride.height,
        [STRIDE_WIDTH] = desc->stride.width,
        [PADDING_HEIGHT] = desc->padding.height,
        [PADDING_WIDTH] = desc->padding.width,
    }};
}

static bool is_maximum(const glnn__layer *layer)
{
    return layer->desc.kind == GLNN_LAYER_MAX_POOL;
}

/* The numbers of one direction; `side` is its name. Sets how many windows fit. */
static glnn_status check_side(const glnn__layer *layer, const char *side, int input, int kernel,
                              int stride, int padding, int *windows)
{
    const char *kind = glnn_layer_kind_name(layer->desc.kind);
    if (kernel < 1 || stride < 1)
        return glnn__fail(GLNN_E_ARG,
                          "layer %d: %s has windows of %s %d, %d apart; both have to be at least 1",
                          layer->number, kind, side, kernel, stride);
    if (padding < 0 || padding > kernel / 2)
        return glnn__fail(
            GLNN_E_ARG,
            "layer %d: %s has windows of %s %d and a padding of %d; it has to be 0 to "
            "half of that, %d",
            layer->number, kind, side, kernel, padding, kernel / 2);
    const int64_t room = (int64_t)input + 2 * (int64_t)padding - kernel;
    if (room < 0)
        return glnn__fail(GLNN_E_SHAPE,
                          "layer %d: %s has windows of %s %d, but an image of %s %d with a padding "
                          "of %d on each side",
                          layer->number, kind, side, kernel, side, input, padding);
    *windows = (int)(room / stride) + 1;
    return GLNN_OK;
}

/* The turns of the loops for a block. Drivers unroll short inner loops. */
static int64_t turns_of(const glnn__layer *layer)
{
    enum { TEXELS = 8, SHORT = 16 };
    const int64_t height = layer->desc.kernel.height, width = layer->desc.kernel.width;
    return TEXELS * height * (width > SHORT ? width + 1 : 1);
}

/* Whether a pass finds the places of the maxima, once for all pixels of a window. The pixels of
 * small windows that neither overlap nor lie across blocks find them anew, which is faster. */
static bool stores_places(const glnn__layer *layer)
{
    enum { SMALL = 4 };
    const glnn_size kernel = layer->desc.kernel, stride = layer->desc.stride;
    const bool overlap = kernel.height > stride.height || kernel.width > stride.width;
    const bool lie_across = layer->desc.padding.width > 0 || layer->input.width % stride.width > 0;
    return is_maximum(layer) && (overlap || lie_across || kernel.height * kernel.width > SMALL);
}

/* Without a delta there is no backward pass. */
static glnn_status prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const glnn_matrix *delta = layer->out.delta;
    (void)samples;
    GLNN__TRY(glnn__layer_check_turns(ctx, layer, turns_of(layer)));
    if (!delta || !stores_places(layer))
        return GLNN_OK;
    return glnn__matrix_create_narrow(ctx, delta->layout, GLNN_STORAGE_FLOAT32, delta->rows,
                                      delta->columns, "places", &layer->work[PLACES]);
}

/* Shaders number the pixels of a window in floats. */
static glnn_status check_window(const glnn__layer *layer)
{
    enum { MOST = 1 << 24 };
    const glnn_size kernel = layer->desc.kernel;
    if (kernel.height <= MOST / kernel.width)
        return GLNN_OK;
    return glnn__fail(
        GLNN_E_LIMIT, "layer %d: %s has windows of %d x %d pixels; a window has at most %d",
        layer->number, glnn_layer_kind_name(layer->desc.kind), kernel.height, kernel.width, MOST);
}

static glnn_status shape(glnn__layer *layer, const glnn__layer *layers)
{
    (void)layers;
    glnn_layer_desc *desc = &layer->desc;
    glnn_shape *out = &layer->out.shape;
    if (desc->stride.height == 0)
        desc->stride.height = desc->kernel.height;
    if (desc->stride.width == 0)
        desc->stride.width = desc->kernel.width;
    out->channels = layer->input.channels;
    GLNN__TRY(check_side(layer, "height", layer->input.height, desc->kernel.height,
                         desc->stride.height, desc->padding.height, &out->height));
    GLNN__TRY(check_side(layer, "width", layer->input.width, desc->kernel.width, desc->stride.width,
                         desc->padding.width, &out->width));
    if (glnn__shape_size(*out) == 0)
        return glnn__fail(GLNN_E_LIMIT, "layer %d: %s has %d x %d windows in each of %d channels",
                          layer->number, glnn_layer_kind_name(desc->kind), out->height, out->width,
                          out->channels);
    return check_window(layer);
}

static glnn_status forward(const glnn__flow *flow, const glnn__layer *layer,
                           const glnn__signal *input)
{
    const constants all = constants_of(layer);
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &pool_kernel,
                                         .operands = {{.matrix = input->values}},
                                         .output = layer->out.values,
                                         .options = {[MAXIMUM] = is_maximum(layer)},
                                         .constants = all.of,
                                     });
}

static glnn_status find_places(const glnn__flow *flow, const glnn__layer *layer,
                               const glnn__signal *input)
{
    const constants all = constants_of(layer);
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &places_kernel,
                                         .operands = {{.matrix = input->values}},
                                         .output = layer->work[PLACES],
                                         .constants = all.of,
                                     });
}

static glnn_status backward(const glnn__flow *flow, const glnn__layer *layer,
                            const glnn__signal *input)
{
    const constants all = constants_of(layer);
    const bool has_places = stores_places(layer);
    const bool reads_input =
        (is_maximum(layer) && !has_places) || input->activation != GLNN_MAP_IDENTITY;
    if (has_places)
        GLNN__TRY(find_places(flow, layer, input));
    return glnn__pass_run(
        flow->ctx, &(glnn__pass){
                       .kernel = &pool_backward_kernel,
                       .operands = {{.matrix = layer->out.delta},
                                    {.matrix = layer->work[PLACES]},
                                    {.matrix = reads_input ? input->values : NULL}},
                       .output = input->delta,
                       .options = {[MAXIMUM] = is_maximum(layer), [ACTIVATION] = input->activation},
                       .constants = all.of,
                   });
}

#define POOLING_TYPE                                                                               \
    .uses = GLNN__LAYER_KERNEL | GLNN__LAYER_STRIDE | GLNN__LAYER_PADDING, .takes = GLNN__PIXELS,  \
    .gives = GLNN__PIXELS, .shape = shape, .prepare = prepare, .forward = forward,                 \
    .backward = backward

const glnn__layer_type glnn__max_pool_layer = {POOLING_TYPE};
const glnn__layer_type glnn__average_pool_layer = {POOLING_TYPE};
