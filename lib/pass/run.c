/* Chooses how a pass writes, adds and fetches, and runs or records it. */
#include "base/status.h"
#include "pass/destination.h"
#include "pass/draw.h"
#include "pass/list.h"

#include <string.h>

/* ---- Choices */

/* Invocations along a side of a work group. In groups of slices, the invocations along the third
 * side share a block. */
#define GROUP_SIDE  8
#define SLICED_SIDE 2

/* The time of a pass by render targets or by images. */
static double writing_us(const glnn__writing *writing, const glnn_matrix *output)
{
    return writing->pass_us + (double)output->texture->bytes / writing->copied;
}

static glnn__way way_of_context(const glnn_context *ctx)
{
    return (glnn__way){ctx->info.stage, ctx->info.writes};
}

/* Whether shaders can store to the texture of a matrix. Where they can load from images too, they
 * store to another one that is copied. */
static bool is_storable(const glnn_context *ctx, const glnn_matrix *m)
{
    return !m || m->texture->is_storable || ctx->has_images;
}

glnn_stage glnn__pass_stage(const glnn_context *ctx, const glnn_matrix *output,
                            const glnn__epilogue *epilogue)
{
    bool is_stored = is_storable(ctx, output);
    for (int i = 0; epilogue && i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        is_stored = is_stored && is_storable(ctx, epilogue->side_outputs[i]);
    return is_stored ? ctx->info.stage : GLNN_STAGE_FRAGMENT;
}

/* Points are drawn by the fragment stage. */
static glnn__way way_of(const glnn_context *ctx, const glnn__pass *pass)
{
    if (pass->part.rows)
        return (glnn__way){GLNN_STAGE_FRAGMENT, GLNN_WRITES_TARGETS};
    return pass->way
               ? *pass->way
               : (glnn__way){glnn__pass_stage(ctx, pass->output, pass->epilogue), ctx->info.writes};
}

/* Whether a pass writes `output` as an image. The compute stage always does. The fragment stage
 * does if the context was told to, or if the known part of the device profile says that it is
 * faster. */
static bool writes_images(glnn_context *ctx, glnn__way way, const glnn_matrix *output)
{
    const glnn__extent extent = output->texture->extent;
    if (way.stage == GLNN_STAGE_COMPUTE)
        return true;
    if (!ctx->has_images || extent.width > ctx->max_framebuffer_side ||
        extent.height > ctx->max_framebuffer_side)
        return false;
    if (way.writes != GLNN_WRITES_AUTO)
        return way.writes == GLNN_WRITES_IMAGES;
    /* On the CPU a change of framebuffers is almost free, and images are slow. A host would have to
     * wait for stores to a texture that it shares. */
    if (ctx->info.software || output->texture->is_shared)
        return false;
    const glnn__profile *profile = glnn__profile_known(ctx, way.stage);
    return GLNN__WORTH_IMAGES * writing_us(&profile->images, output) <
           writing_us(&profile->targets, output);
}

bool glnn__pass_can_stack(glnn_context *ctx, const glnn_matrix *output)
{
    return ctx->info.stage == GLNN_STAGE_FRAGMENT && output->layout == GLNN_LAYOUT_TILED &&
           writes_images(ctx, way_of_context(ctx), output);
}

/* If the device has no shader outputs left for side outputs next to render targets, images hold all
 * outputs. */
static bool is_image_pass(glnn_context *ctx, const glnn__pass *pass)
{
    int outputs = glnn__layout_of(pass->output)->block_layers;
    bool has_images = false;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const bool is_present = glnn__pass_side_output(pass, i) != NULL;
        has_images = has_images || is_present;
        outputs += is_present;
    }
    return pass->blocking.stack > 1 || writes_images(ctx, way_of(ctx, pass), pass->output) ||
           (ctx->has_images && has_images && outputs > ctx->max_shader_outputs);
}

static double elements_of(const glnn_matrix *m)
{
    return (double)m->rows * m->columns;
}

/* With fewer elements the overhead of the pass exceeds the cost of blending, so it always
 * blends. */
#define FEW_ELEMENTS 65536

/* How a pass writes, and whether its shader adds to the former output. */
typedef struct writing {
    bool images, reads_former;
} writing;

/* Blending to several targets changes much state of a host, so a small output is read instead. */
static bool spares_host(const glnn_context *ctx, const glnn_matrix *output)
{
    return ctx->host && output->layout == GLNN_LAYOUT_TILED && elements_of(output) < FEW_ELEMENTS;
}

/* Whether a part writes side outputs: with the output, or alone. */
static bool is_joined(const glnn__pass *pass)
{
    return pass->part.targets > 1 && (pass->part.targets & 1);
}

static bool writes_sides_alone(const glnn__pass *pass)
{
    return pass->part.targets > 1 && !(pass->part.targets & 1);
}

/* Render targets blend if that is exact and no slower than reading the former output. The shader
 * adds if an epilogue takes the sum, or if the output has 16 bits. A part of a target cannot be
 * read and written at once, so it is written as an image if blending is excluded. */
static glnn_status choose_adding(glnn_context *ctx, const glnn__pass *pass, writing *out)
{
    const bool is_part = pass->region.width > 0 || pass->picks > 0;
    const bool epilogue_adds =
        pass->epilogue && (pass->epilogue->takes_sum || pass->epilogue->blends);
    const glnn__profile *profile;
    bool is_exact;
    out->reads_former = out->images || epilogue_adds || is_joined(pass) ||
                        pass->output->storage != GLNN_STORAGE_FLOAT32 ||
                        (!is_part && spares_host(ctx, pass->output));
    if (writes_sides_alone(pass))
        out->reads_former = epilogue_adds;
    if (out->reads_former || writes_sides_alone(pass) || pass->blend_in_place)
        return GLNN_OK;
    GLNN__TRY(glnn__device_of(ctx)->ask_blending(ctx, &is_exact));
    out->reads_former = !is_exact;
    out->images = !is_exact && is_part && ctx->has_images;
    /* A software rasteriser blends at least as fast as a shader reads the former output. */
    if (!is_exact || is_part || ctx->info.software || elements_of(pass->output) < FEW_ELEMENTS)
        return GLNN_OK;
    GLNN__TRY(
        glnn__profile_for_plans(ctx, GLNN__PROFILE_TARGETS | GLNN__PROFILE_BLENDING, &profile));
    out->reads_former = profile->blended < profile->targets.copied;
    return GLNN_OK;
}

static glnn_status choose_adding_rows(glnn_context *ctx, const glnn__pass *pass, writing *out)
{
    bool is_exact = true;
    if (pass->side_adds[pass->part.rows - 1])
        GLNN__TRY(glnn__device_of(ctx)->ask_blending(ctx, &is_exact));
    out->reads_former = !is_exact;
    return GLNN_OK;
}

static glnn_status choose_writing(glnn_context *ctx, const glnn__pass *pass, writing *out)
{
    *out = (writing){.images = is_image_pass(ctx, pass)};
    if (pass->part.rows)
        return choose_adding_rows(ctx, pass, out);
    if (pass->blend)
        GLNN__TRY(choose_adding(ctx, pass, out));
    /* Another texture cannot become the output's, so the former output is read from the image. */
    if (out->reads_former && pass->output->texture->is_shared && ctx->has_images)
        out->images = true;
    return GLNN_OK;
}

/* With fewer elements all ways to read are equally fast. */
#define FEW_FETCHES (1 << 18)

/* The largest matrix of a pass; NULL if none of its operands can be sampled. */
static const glnn_matrix *find_largest(const glnn__pass *pass)
{
    const glnn_matrix *largest = NULL;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (m && m->layout != GLNN_LAYOUT_PAGED &&
            (!largest || elements_of(m) > elements_of(largest)))
            largest = m;
    }
    return largest && elements_of(pass->output) > elements_of(largest) ? pass->output : largest;
}

/* Other passes read as the matrix products of the same layout do. Both ways give the same bits. */
static glnn_status choose_fetching(glnn_context *ctx, const glnn__pass *pass, glnn__fetching *out)
{
    *out = pass->fetching;
    if (pass->kernel->has_fetching || pass->way)
        return GLNN_OK;
    const glnn_matrix *largest = find_largest(pass);
    if (!largest || (pass->fetches > 0 ? pass->fetches : elements_of(largest)) < FEW_FETCHES)
        return GLNN_OK;
    return glnn__profile_fetching(ctx, largest->layout, out, NULL);
}

/* A kernel that writes a block at the same place of several matrices finds the texel only once. */
static glnn_status check_wrap(const glnn_matrix *output, const glnn_matrix *side_output)
{
    const int wrap = output->texture->extent.wrap, other = side_output->texture->extent.wrap;
    if (wrap == other || side_output->rows != output->rows || side_output->layout != output->layout)
        return GLNN_OK;
    return glnn__fail(GLNN_E_LIMIT,
                      "%s and %s, both of %d rows, have %d and %d rows of blocks side by side",
                      output->name, side_output->name, output->rows, 1 << wrap, 1 << other);
}

/* Whether the draw has to do with side output i: a part has rows of one of the kernel's, or the
 * epilogue's. */
static bool has_side_output(const glnn__pass *pass, int i)
{
    if (!glnn__pass_side_output(pass, i))
        return false;
    if (pass->part.rows)
        return pass->part.rows == 1 + i;
    return !pass->part.targets || !pass->side_outputs[i];
}

static glnn_status choose_side_outputs(const glnn__pass *pass, glnn__variant *variant)
{
    variant->targets = pass->part.targets;
    variant->rows = pass->part.rows;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn_matrix *m = glnn__pass_side_output(pass, i);
        if (!has_side_output(pass, i))
            continue;
        GLNN__TRY(check_wrap(pass->output, m));
        variant->side_outputs[i].is_present = 1;
        variant->side_outputs[i].layout = (unsigned char)m->layout;
        variant->side_outputs[i].storage = (unsigned char)m->storage;
        variant->side_outputs[i].wrap = (unsigned char)m->texture->extent.wrap;
    }
    return GLNN_OK;
}

static void choose_options(const glnn__pass *pass, glnn__variant *variant)
{
    for (int i = 0; i < GLNN__MAX_OPTIONS; ++i)
        variant->options[i] = (unsigned char)pass->options[i];
    if (!pass->epilogue || pass->part.rows)
        return;
    variant->epilogue = pass->epilogue->kernel;
    variant->takes_sum = pass->epilogue->takes_sum;
    variant->epilogue_blends = pass->epilogue->blends;
    for (int i = 0; i < GLNN__MAX_OPTIONS; ++i)
        variant->epilogue_options[i] = (unsigned char)pass->epilogue->options[i];
}

/* A sampler's filter takes neighbouring texels for neighbouring elements. */
static glnn_status check_filter(const glnn__operand *operand)
{
    const glnn_matrix *m = operand->matrix;
    if (!operand->is_filtered || m->texture->extent.wrap == 0)
        return GLNN_OK;
    return glnn__fail(GLNN_E_LIMIT,
                      "%s is filtered, so its %d x %d elements have to lie in one texture of as "
                      "many rows; this device allows %d",
                      m->name, m->rows, m->columns, m->ctx->info.max_texture_size);
}

static glnn__filter choose_filter(const glnn_context *ctx, const glnn__operand *operand)
{
    if (!operand->is_filtered)
        return GLNN__FILTER_NONE;
    return operand->matrix->storage == GLNN_STORAGE_FLOAT32 &&
                   !glnn__gl_offers(ctx, GLNN__OFFERS_FLOAT_FILTERS)
               ? GLNN__FILTER_SHADER
               : GLNN__FILTER_SAMPLER;
}

static glnn_status choose_operands(glnn_context *ctx, const glnn__pass *pass,
                                   glnn__variant *variant)
{
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        GLNN__TRY(check_filter(&pass->operands[i]));
        const bool is_covered = m->rows >= pass->output->rows &&
                                m->columns >= pass->output->columns &&
                                m->texture->extent.wrap == pass->output->texture->extent.wrap;
        variant->operands[i].is_present = 1;
        variant->operands[i].filter = (unsigned char)choose_filter(ctx, &pass->operands[i]);
        variant->operands[i].is_array = m->texture->target == GL_TEXTURE_2D_ARRAY;
        variant->operands[i].is_placed = m->texture->is_placed;
        variant->operands[i].channels = (unsigned char)m->texture->channels;
        variant->operands[i].layered =
            i < GLNN__FACTORS && pass->blocking.layered[i] && glnn__draw_claims_layers(ctx, i);
        variant->operands[i].layout = (unsigned char)m->layout;
        variant->operands[i].wrap = (unsigned char)m->texture->extent.wrap;
        variant->operands[i].reading =
            i < pass->kernel->unviewed
                ? GLNN__READING_ELEMENTS
                : (unsigned char)glnn__view_reading(&pass->operands[i].view, m->layout,
                                                    pass->output->layout, is_covered);
    }
    return GLNN_OK;
}

/* Fetches and no samples, so that a place outside of a texture counts as the texel at its edge. */
static void choose_counting(const glnn__pass *pass, glnn__variant *variant)
{
    variant->counted = (unsigned char)(1 + pass->counting.operand);
    variant->images = 0;
    variant->fetching = GLNN__FETCHING_TEXELS;
    variant->slices = (unsigned char)pass->blocking.group_slices;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (variant->operands[i].filter != GLNN__FILTER_NONE)
            variant->operands[i].filter = GLNN__FILTER_SHADER;
}

glnn_status glnn__choose_variant(glnn_context *ctx, const glnn__pass *pass, glnn__variant *variant)
{
    const glnn_matrix *output = pass->output;
    glnn__fetching fetching;
    writing chosen;
    GLNN__TRY(choose_writing(ctx, pass, &chosen));
    GLNN__TRY(choose_fetching(ctx, pass, &fetching));
    memset(variant, 0, sizeof *variant);
    variant->kernel = pass->kernel;
    variant->fetching = (unsigned char)fetching;
    variant->shares = pass->blocking.shares;
    variant->picks = pass->picks > 0 && !pass->part.rows;
    variant->images = chosen.images;
    variant->stack = (unsigned char)(pass->blocking.stack > 1 ? pass->blocking.stack : 1);
    GLNN__TRY(choose_side_outputs(pass, variant));
    choose_options(pass, variant);
    variant->output_layout = (unsigned char)output->layout;
    variant->output_storage = (unsigned char)output->storage;
    variant->output_wrap = (unsigned char)output->texture->extent.wrap;
    variant->stage = (unsigned char)way_of(ctx, pass).stage;
    if (variant->stage == GLNN_STAGE_COMPUTE) {
        variant->slices = (unsigned char)pass->blocking.group_slices;
        variant->group = pass->kernel->has_main ? (unsigned char)pass->blocking.group_side
                         : variant->slices > 0  ? SLICED_SIDE
                                                : GROUP_SIDE;
    }
    variant->blends = chosen.reads_former;
    GLNN__TRY(choose_operands(ctx, pass, variant));
    if (pass->counting.counts)
        choose_counting(pass, variant);
    return GLNN_OK;
}

bool glnn__pass_can_split(const glnn_context *ctx, glnn_layout layout)
{
    return layout == GLNN_LAYOUT_TILED && ctx->has_images &&
           ctx->texture_units >= GLNN__TEXTURE_UNITS;
}

bool glnn__pass_can_share(const glnn_context *ctx, const glnn_matrix *output)
{
    return ctx->info.quad_exchange && ctx->info.stage == GLNN_STAGE_FRAGMENT &&
           output->layout == GLNN_LAYOUT_TILED && output->texture->extent.wrap == 0;
}

/* ---- Running */

static glnn_status choose_program(glnn_context *ctx, const glnn__pass *pass, glnn__program **out)
{
    glnn__programs *programs;
    glnn__variant variant;
    GLNN__TRY(glnn__draw_check(ctx, pass));
    if (pass->kernel->text)
        GLNN__TRY(glnn__device_of(ctx)->note_kernel(ctx));
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    GLNN__TRY(glnn__choose_variant(ctx, pass, &variant));
    if (pass->expression)
        GLNN__TRY(glnn__expression_number(programs, pass->expression, &variant.expression));
    if (pass->constants)
        GLNN__TRY(glnn__constants_keep(programs, pass->constants, &variant.constants));
    return glnn__program_get(programs, &variant, out);
}

static glnn_status draw_or_record(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__program *program;
    GLNN__TRY(choose_program(ctx, pass, &program));
    return ctx->list ? glnn__list_add(ctx->list, program, pass)
                     : glnn__pass_draw(ctx, program, pass);
}

typedef glnn_status part_fn(glnn_context *ctx, const glnn__pass *pass);

bool glnn__pass_can_join(const glnn_context *ctx, glnn_stage stage, glnn_layout layout,
                         int side_outputs)
{
    if (ctx->has_images)
        return true;
    if (stage == GLNN_STAGE_COMPUTE)
        return 1 + side_outputs <= ctx->compute_images;
    return glnn__layout_in(ctx, layout)->block_layers * (1 + side_outputs) <=
           ctx->info.render_targets;
}

/* Takes as many targets as one draw can write out of a set. */
static unsigned take_targets(const glnn_context *ctx, const glnn__pass *pass, unsigned *left)
{
    const glnn_stage stage = way_of(ctx, pass).stage;
    unsigned taken = 0;
    int count = 0;
    for (int place = GLNN__MAX_SIDE_OUTPUTS; place >= 0; --place)
        if ((*left >> place & 1) &&
            (count == 0 || glnn__pass_can_join(ctx, stage, pass->output->layout, count))) {
            taken |= 1u << place;
            count++;
        }
    *left &= ~taken;
    return taken;
}

/* The rows first, which read what the output may replace. The output is in the last part. */
static glnn_status in_parts(glnn_context *ctx, const glnn__pass *pass, part_fn *run)
{
    glnn__pass part = *pass;
    unsigned left = 1;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        if (pass->side_outputs[i]) {
            part.part = (glnn__part){.rows = (unsigned char)(1 + i)};
            GLNN__TRY(run(ctx, &part));
        } else if (glnn__pass_side_output(pass, i)) {
            left |= 2u << i;
        }
    }
    while (left) {
        part.part.rows = 0;
        part.part.targets = (unsigned char)take_targets(ctx, pass, &left);
        part.part.is_last = left == 0;
        GLNN__TRY(run(ctx, &part));
    }
    return GLNN_OK;
}

static bool has_side_outputs(const glnn__pass *pass)
{
    bool has = false;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i)
        has = has || glnn__pass_side_output(pass, i);
    return has;
}

static glnn_status run_parts(glnn_context *ctx, const glnn__pass *pass, part_fn *run)
{
    if (ctx->has_images || pass->counting.counts || !has_side_outputs(pass))
        return run(ctx, pass);
    const glnn_status status = in_parts(ctx, pass, run);
    if (status)
        glnn__destination_drop_parts(ctx, pass);
    return status;
}

glnn_status glnn__pass_run_for(glnn_context *ctx, const char *call, const glnn__pass *pass)
{
    if (pass->output->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: a paged matrix is written by uploads, not by passes",
                          pass->output->name);
    GLNN__TRY(glnn__gl_enter_recording_for(ctx, call));
    return glnn__gl_leave(ctx, run_parts(ctx, pass, draw_or_record));
}

void glnn__pass_block_size(const glnn__pass *pass, int *rows, int *columns)
{
    const glnn__layout_info *layout = glnn__layout_of(glnn__pass_written(pass));
    const int stack = pass->blocking.stack > 1 ? pass->blocking.stack : 1;
    *rows = stack * layout->block_rows;
    *columns = layout->block_columns;
}

/* The functions that finish and write a block fetch no operands, so they are left out. */
glnn_status glnn__pass_count_fetches(glnn_context *ctx, const glnn__pass *pass,
                                     const glnn__counting *counting)
{
    static const glnn__way fragments = {GLNN_STAGE_FRAGMENT, GLNN_WRITES_TARGETS};
    glnn__pass counted = {
        .kernel = pass->kernel->by_blocks ? pass->kernel->by_blocks : pass->kernel,
        .output = pass->output,
        .constants = pass->constants,
        .expression = pass->expression,
        .blocking = {.stack = pass->blocking.stack, .group_slices = pass->blocking.group_slices},
        .way = &fragments,
        .counting = *counting,
    };
    memcpy(counted.operands, pass->operands, sizeof counted.operands);
    memcpy(counted.options, pass->options, sizeof counted.options);
    memcpy(counted.uniforms, pass->uniforms, sizeof counted.uniforms);
    if (pass->part.rows) {
        counted.part.rows = pass->part.rows;
        counted.side_outputs[pass->part.rows - 1] = pass->side_outputs[pass->part.rows - 1];
        counted.region = pass->region;
        counted.picks = pass->picks;
    }
    return glnn__pass_run(ctx, &counted);
}

static glnn_status start(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__program *program;
    GLNN__TRY(choose_program(ctx, pass, &program));
    return glnn__program_start(ctx, glnn__programs_of(ctx), program);
}

glnn_status glnn__pass_start(glnn_context *ctx, const glnn__pass *pass)
{
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, run_parts(ctx, pass, start));
}
