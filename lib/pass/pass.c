#include "pass/pass.h"

#include "base/status.h"
#include "pass/blending.h"
#include "pass/figures.h"
#include "pass/program.h"
#include "pass/stage.h"
#include "pass/submit.h"
#include "pass/trace.h"

#include <string.h>

/* Invocations along two sides of a work group, where a kernel is one block an invocation, and where
 * along the third one they share blocks. */
#define GROUP_SIDE  8
#define SLICED_SIDE 2

/* What a pass costs by render targets or by images, by the figures of either. */
static double writing_us(const glnn__writing *writing, const glnn_matrix *output)
{
    return writing->pass_us + (double)output->texture->bytes / writing->copied;
}

bool glnn__pass_writes_images(glnn_context *ctx, const glnn_matrix *output)
{
    const glnn__extent extent = output->texture->extent;
    const glnn__figures *figures;
    if (ctx->info.stage == GLNN_STAGE_COMPUTE)
        return true;
    if (extent.width > ctx->max_framebuffer_side || extent.height > ctx->max_framebuffer_side)
        return false;
    if (ctx->info.writes != GLNN_WRITES_AUTO)
        return ctx->info.writes == GLNN_WRITES_IMAGES;
    /* On the CPU a change of framebuffers costs next to nothing, and images are slow. */
    if (ctx->info.software)
        return false;
    figures = glnn__figures_known(ctx);
    return GLNN__WORTH_IMAGES * writing_us(&figures->images, output) <
           writing_us(&figures->targets, output);
}

bool glnn__pass_can_stack(glnn_context *ctx, const glnn_matrix *output)
{
    return ctx->info.stage == GLNN_STAGE_FRAGMENT && output->layout == GLNN_LAYOUT_TILED &&
           glnn__pass_writes_images(ctx, output);
}

/* A device that has no shader outputs left for side outputs next to render targets writes it all as
 * images. */
static bool is_image_pass(glnn_context *ctx, const glnn__pass *pass)
{
    int outputs = glnn__layout_get(pass->output->layout)->block_layers;
    bool has_images = false;
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const bool is_present = glnn__pass_side_output(pass, i) != NULL;
        has_images = has_images || is_present;
        outputs += is_present;
    }
    return pass->blocking.stack > 1 || glnn__pass_writes_images(ctx, pass->output) ||
           (has_images && outputs > ctx->max_shader_outputs);
}

/* Fewer elements are blended in any case: what they cost is the pass. */
#define FEW_ELEMENTS 65536

/* How a pass writes, and whether its shader adds to what it reads of the output. */
typedef struct writing {
    bool images, reads_former;
} writing;

/* Blending is left to render targets where it is exact, and no slower than reading what they held;
 * where an epilogue takes the sum, or it is stored in 16 bits, the shader adds. A part of a target
 * cannot be read and written at once: if blending will not do, it is written as an image. */
static glnn_status choose_adding(glnn_context *ctx, const glnn__pass *pass, writing *out)
{
    const bool is_part = pass->region.width > 0 || pass->picks > 0;
    const glnn__figures *figures;
    bool is_exact;
    out->reads_former = out->images || (pass->epilogue && pass->epilogue->kernel->takes_sum) ||
                        pass->output->storage == GLNN_STORAGE_FLOAT16;
    if (out->reads_former || pass->blend_in_place)
        return GLNN_OK;
    GLNN__TRY(glnn__blending_is_exact(ctx, &is_exact));
    out->reads_former = !is_exact;
    out->images = !is_exact && is_part;
    if (!is_exact || is_part || (double)pass->output->rows * pass->output->columns < FEW_ELEMENTS)
        return GLNN_OK;
    GLNN__TRY(
        glnn__figures_for_plans(ctx, GLNN__FIGURES_WRITING | GLNN__FIGURES_BLENDING, &figures));
    out->reads_former = figures->blended < figures->targets.copied;
    return GLNN_OK;
}

static glnn_status choose_writing(glnn_context *ctx, const glnn__pass *pass, writing *out)
{
    *out = (writing){.images = is_image_pass(ctx, pass)};
    return pass->blend ? choose_adding(ctx, pass, out) : GLNN_OK;
}

static void choose_side_outputs(const glnn__pass *pass, glnn__variant *variant)
{
    for (int i = 0; i < GLNN__MAX_SIDE_OUTPUTS; ++i) {
        const glnn_matrix *m = glnn__pass_side_output(pass, i);
        if (!m)
            continue;
        variant->side_outputs[i].is_present = 1;
        variant->side_outputs[i].layout = (unsigned char)m->layout;
        variant->side_outputs[i].storage = (unsigned char)m->storage;
    }
}

static void choose_options(const glnn__pass *pass, glnn__variant *variant)
{
    for (int i = 0; i < GLNN__MAX_OPTIONS; ++i)
        variant->options[i] = (unsigned char)pass->options[i];
    if (!pass->epilogue)
        return;
    variant->epilogue = pass->epilogue->kernel;
    for (int i = 0; i < GLNN__MAX_OPTIONS; ++i)
        variant->epilogue_options[i] = (unsigned char)pass->epilogue->options[i];
}

static glnn_status choose_variant(const glnn_context *ctx, glnn__programs *programs,
                                  const glnn__pass *pass, const writing *chosen,
                                  glnn__variant *variant)
{
    const glnn_matrix *output = pass->output;
    memset(variant, 0, sizeof *variant);
    variant->kernel = pass->kernel;
    variant->fetching = (unsigned char)pass->fetching;
    variant->shares = pass->blocking.shares;
    variant->picks = pass->picks > 0;
    variant->images = chosen->images;
    variant->stack = (unsigned char)(pass->blocking.stack > 1 ? pass->blocking.stack : 1);
    choose_side_outputs(pass, variant);
    choose_options(pass, variant);
    variant->output_layout = (unsigned char)output->layout;
    variant->output_storage = (unsigned char)output->storage;
    if (ctx->info.stage == GLNN_STAGE_COMPUTE) {
        variant->stage = GLNN_STAGE_COMPUTE;
        variant->slices = (unsigned char)pass->blocking.group_slices;
        variant->group = pass->kernel->has_main ? (unsigned char)pass->blocking.group_side
                         : variant->slices > 0  ? SLICED_SIDE
                                                : GROUP_SIDE;
    }
    variant->blends = chosen->reads_former;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i) {
        const glnn_matrix *m = pass->operands[i].matrix;
        if (!m)
            continue;
        const bool is_covered = m->rows >= output->rows && m->columns >= output->columns;
        variant->operands[i].is_present = 1;
        variant->operands[i].layered = i < GLNN__FACTORS && pass->blocking.layered[i];
        variant->operands[i].layout = (unsigned char)m->layout;
        variant->operands[i].reading =
            i < pass->kernel->unviewed
                ? GLNN__READING_ELEMENTS
                : (unsigned char)glnn__view_reading(&pass->operands[i].view, m->layout,
                                                    output->layout, is_covered);
    }
    if (pass->expression)
        GLNN__TRY(glnn__expression_number(programs, pass->expression, &variant->expression));
    return GLNN_OK;
}

bool glnn__pass_can_split(const glnn_context *ctx, glnn_layout layout)
{
    return layout == GLNN_LAYOUT_TILED && ctx->texture_units >= GLNN__TEXTURE_UNITS;
}

bool glnn__pass_can_share(const glnn_context *ctx, glnn_layout layout)
{
    return ctx->info.quad_exchange && ctx->info.stage == GLNN_STAGE_FRAGMENT &&
           layout == GLNN_LAYOUT_TILED;
}

/* The pass would read what it writes. A shader that adds to an image reads each texel before it
 * writes it. */
static bool is_aliased(const glnn__pass *pass, const glnn__variant *variant)
{
    if (variant->blends && !variant->images)
        return true;
    for (int i = 0; i < GLNN__MAX_OPERANDS; ++i)
        if (pass->operands[i].matrix == pass->output)
            return true;
    return false;
}

static glnn_status split_factors(glnn_context *ctx, const glnn__pass *pass)
{
    for (int i = 0; i < GLNN__FACTORS; ++i)
        if (pass->blocking.layered[i])
            GLNN__TRY(glnn__texture_split(ctx, pass->operands[i].matrix->texture));
    return GLNN_OK;
}

static glnn_status run(glnn_context *ctx, const glnn__pass *pass)
{
    glnn__programs *programs;
    glnn__program *program;
    glnn__variant variant;
    writing chosen;
    GLNN__TRY(glnn__programs_get(ctx, &programs));
    GLNN__TRY(glnn__stage_resolve(ctx));
    GLNN__TRY(choose_writing(ctx, pass, &chosen));
    GLNN__TRY(choose_variant(ctx, programs, pass, &chosen, &variant));
    GLNN__TRY(glnn__program_get(ctx, programs, &variant, &program));
    GLNN__TRY(split_factors(ctx, pass));

    glnn_matrix *output = pass->output;
    glnn__texture *target = output->texture;
    const bool aliased = is_aliased(pass, &variant);
    if (aliased)
        GLNN__TRY(glnn__texture_acquire(ctx, output->layout, output->storage, output->rows,
                                        output->columns, output->name, &target));
    glnn__timer timer;
    if (programs->trace)
        glnn__timer_begin(ctx, &timer);
    glnn__submit(ctx, programs, program, pass, target);
    if (programs->trace)
        glnn__trace_pass(pass, glnn__timer_end(ctx, &timer));
    if (aliased) {
        glnn__texture_release(ctx, output->texture);
        output->texture = target;
    }
    return GLNN_OK;
}

glnn_status glnn__pass_run(glnn_context *ctx, const glnn__pass *pass)
{
    if (pass->output->layout == GLNN_LAYOUT_PAGED)
        return glnn__fail(GLNN_E_ARG, "%s: a paged matrix is written by uploads, not by passes",
                          pass->output->name);
    GLNN__TRY(glnn__gl_enter(ctx));
    return glnn__gl_leave(ctx, run(ctx, pass));
}
