/* The passes of a convolution that is the first layer and whose images have one channel. It reads
 * the samples as data sets have them. A matrix of pixels would be three quarters padding. */
#include "layers/convolution.h"

#include "base/integers.h"
#include "base/status.h"
#include "ops/map.h"

enum { MAP };
enum { AHEAD };
enum { PIECE_LENGTH, PIECES, CUT_BLOCKS, SLICE_BLOCKS };

static const glnn__kernel outputs_kernel = {
    .name = "layers/convolution_flat",
    .operands = {"A", "B"},
    .unviewed = 2,
    .options = {[MAP] = "MAP"},
    .enumerations = {glnn__window_modes, glnn__map_enumerators},
    .constants = {GLNN__WINDOW_CONSTANTS, "RUN_PIXELS", "RUN_TAPS"},
};

static const glnn__kernel sums_kernel = {
    .name = "layers/convolution_flat_sums",
    .operands = {"A", "B"},
    .unviewed = 2,
    .options = {[AHEAD] = "AHEAD"},
    .uniforms = {[PIECE_LENGTH] = "int piece_length",
                 [PIECES] = "int pieces",
                 [CUT_BLOCKS] = "int cut_blocks",
                 [SLICE_BLOCKS] = "int slice_blocks"},
    .enumerations = {glnn__window_modes},
    .constants = {GLNN__WINDOW_CONSTANTS, "RUN_PIXELS", "RUN_TAPS"},
};

/* The place of the constants that windows do not have. */
enum { RUN_PIXELS = GLNN__WINDOW_CONSTANT_COUNT, RUN_TAPS };

/* The pixels of a run see so many elements at one tap, at most: it has to fit into registers. */
#define WIDEST_RUN 13

static int most_pixels(const glnn__layer *layer)
{
    return 1 + (WIDEST_RUN - 1) / layer->desc.stride.width;
}

/* The rows of a block. */
static int block_rows_of(const glnn__layer *layer)
{
    return glnn__layout_of(layer->parameters->values)->block_rows;
}

/* The pixels of a run of the outputs. A line has a multiple of them, or three. */
static int run_pixels(const glnn__layer *layer)
{
    enum { OVERLAPPING = 3 };
    const int width = layer->out.shape.width, most = most_pixels(layer);
    int pixels = glnn__layout_of(layer->parameters->values)->block_rows;
    if (pixels > 1 && width % 2 > 0 && width >= OVERLAPPING && most >= OVERLAPPING)
        return OVERLAPPING;
    while (width % pixels > 0 || pixels > most)
        pixels /= 2;
    return pixels;
}

/* Drivers unroll the loops over so many taps, which keeps runs in registers. Longer lines are cut
 * into parts of nearly the same length. */
static glnn__window outputs_window(const glnn__layer *layer)
{
    enum { MOST_TAPS = 7 };
    const int width = layer->desc.kernel.width, parts = glnn__ceil_div(width, MOST_TAPS);
    glnn__window window = glnn__convolution_window(layer, GLNN__WINDOW_FLAT);
    window.constants[RUN_PIXELS] = run_pixels(layer);
    window.constants[RUN_TAPS] = glnn__ceil_div(width, parts);
    return window;
}

/* The pixels of a group of the gradient: those that pad a line least. */
static int group_pixels(const glnn__layer *layer)
{
    enum { FEWEST = 4, MOST = 7 };
    const int width = layer->out.shape.width;
    int best = glnn__least(FEWEST, most_pixels(layer));
    for (int pixels = best + 1; pixels <= glnn__least(MOST, most_pixels(layer)); ++pixels)
        if (glnn__round_up(width, pixels) < glnn__round_up(width, best))
            best = pixels;
    return glnn__least(best, width);
}

static glnn__window sums_window(const glnn__layer *layer)
{
    glnn__window window = glnn__convolution_window(layer, GLNN__WINDOW_FLAT);
    window.constants[RUN_PIXELS] = group_pixels(layer);
    window.constants[RUN_TAPS] = block_rows_of(layer);
    return window;
}

glnn_status glnn__convolution_flat_forward(const glnn__flow *flow, const glnn__layer *layer,
                                           const glnn__signal *input)
{
    const glnn__window window = outputs_window(layer);
    return glnn__pass_run(flow->ctx, &(glnn__pass){
                                         .kernel = &outputs_kernel,
                                         .operands = {{.matrix = input->values},
                                                      {.matrix = glnn__layer_weights(layer)}},
                                         .output = layer->out.values,
                                         .options = {[MAP] = layer->out.activation},
                                         .constants = window.constants,
                                     });
}

/* The gradient is a sum over all pixels of a batch. They are cut into slices, and if that leaves
 * most of a GPU idle, each slice into pieces. A work group of the compute stage sums the pieces of
 * a slice; otherwise a pass of its own does. More slices fill a device better, but the fold adds
 * their sums one after the other. */
#define SHORT_SLICE    16
#define SHORT_PIECE    32
#define MOST_SLICES    256
#define MANY_FRAGMENTS 8192

/* If a pass sums the pieces. More would fill no device better. */
#define STORED_PIECES 16
#define CUT_SLICES    64

enum { SLICES, ALL_PIECES }; /* places in `work` */

typedef struct cut {
    int slices, pieces; /* of the pixels, of a slice */
    int slice_blocks;   /* rows of blocks of a slice */
} cut;

/* A row for each tap, with the width padded to a multiple of four, and four for the biases. */
static int rows_of_slice(const glnn__layer *layer)
{
    return layer->desc.kernel.height * glnn__round_up(layer->desc.kernel.width, 4) + 4;
}

static int count_slices(int pixels, int shortest, int most)
{
    return glnn__least(glnn__ceil_div(pixels, shortest), most);
}

/* Work groups that wait for each other slow a CPU down. */
static bool joins_pieces(const glnn_context *ctx)
{
    return ctx->info.stage == GLNN_STAGE_COMPUTE && !ctx->info.software;
}

static cut cut_pixels(const glnn_context *ctx, const glnn__layer *layer, int pixels)
{
    const glnn_matrix *values = layer->parameters->values;
    const glnn__layout_info *layout = glnn__layout_of(values);
    const int slice_blocks = rows_of_slice(layer) / layout->block_rows;
    const int fragments = slice_blocks * glnn__ceil_div(values->columns, layout->block_columns);
    const int slices = count_slices(pixels, SHORT_SLICE, MOST_SLICES);
    if (joins_pieces(ctx))
        return (cut){count_slices(pixels, GLNN__GROUP_SLICES * SHORT_PIECE, MOST_SLICES),
                     GLNN__GROUP_SLICES, slice_blocks};
    if (slices < MOST_SLICES || (int64_t)slices * fragments >= MANY_FRAGMENTS)
        return (cut){slices, 1, slice_blocks};
    return (cut){CUT_SLICES, STORED_PIECES, slice_blocks};
}

static int count_pixels(const glnn__layer *layer, int samples)
{
    return samples * layer->out.shape.height * layer->out.shape.width;
}

/* The sums of so many slices or pieces, one below the other. */
static glnn_status create_sums(glnn_context *ctx, const glnn__layer *layer, int count,
                               const char *name, glnn_matrix **out)
{
    const glnn_matrix *values = layer->parameters->values;
    return glnn__matrix_create_narrow(ctx, values->layout, GLNN_STORAGE_FLOAT32,
                                      count * rows_of_slice(layer), values->columns, name, out);
}

/* Whether a pass of its own sums the pieces of a slice. */
static bool stores_pieces(const glnn_context *ctx, const cut *c)
{
    return c->pieces > 1 && !joins_pieces(ctx);
}

glnn_status glnn__convolution_flat_prepare(glnn_context *ctx, glnn__layer *layer, int samples)
{
    const cut c = cut_pixels(ctx, layer, count_pixels(layer, samples));
    if (stores_pieces(ctx, &c))
        GLNN__TRY(create_sums(ctx, layer, c.slices * c.pieces, "pieces of gradients",
                              &layer->work[ALL_PIECES]));
    return create_sums(ctx, layer, c.slices, "partial gradients", &layer->work[SLICES]);
}

/* Computes the sums of all slices. */
static glnn_status run_sums(const glnn__flow *flow, const glnn__layer *layer, const cut *c,
                            const glnn__signal *input)
{
    const bool stores = stores_pieces(flow->ctx, c);
    const int cut_blocks = c->slices * c->slice_blocks, width = layer->out.shape.width;
    const int lines = layer->out.delta->rows / width;
    const int groups = lines * glnn__ceil_div(width, group_pixels(layer));
    const glnn__window window = sums_window(layer);
    const glnn__pass pass = {
        .kernel = &sums_kernel,
        .operands = {{.matrix = input->values}, {.matrix = layer->out.delta}},
        .output = layer->work[stores ? ALL_PIECES : SLICES],
        /* A CPU does not wait for fetches, and its registers are few. */
        .options = {[AHEAD] = !flow->ctx->info.software},
        .uniforms = {[PIECE_LENGTH] = {.i = glnn__ceil_div(groups, c->slices * c->pieces)},
                     [PIECES] = {.i = c->pieces},
                     [CUT_BLOCKS] = {.i = c->slice_blocks},
                     [SLICE_BLOCKS] = {.i = cut_blocks}},
        .constants = window.constants,
        .blocking.group_slices = c->pieces > 1 && !stores ? c->pieces : 0,
    };
    GLNN__TRY(glnn__pass_run(flow->ctx, &pass));
    if (!stores)
        return GLNN_OK;
    return glnn__slices_add(flow->ctx, layer->work[ALL_PIECES], c->pieces, cut_blocks,
                            layer->work[SLICES]);
}

glnn_status glnn__convolution_flat_gradient(const glnn__flow *flow, glnn__layer *layer,
                                            const glnn__signal *input, const glnn__sink *sink)
{
    const cut c = cut_pixels(flow->ctx, layer, layer->out.delta->rows);
    const glnn__window window = glnn__convolution_window(layer, GLNN__WINDOW_FLAT);
    const glnn__product product = {.a = layer->work[SLICES],
                                   .b = layer->out.delta,
                                   .partials = c.slices,
                                   .transpose_a = true,
                                   .window = window};
    GLNN__TRY(run_sums(flow, layer, &c, input));
    return glnn__sink_take(flow->ctx, sink, &product, layer->parameters);
}
